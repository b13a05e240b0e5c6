# The CMake package of pencilc.
#
#   project(example LANGUAGES C CUDA)
#   find_package(pencilc REQUIRED)
#   add_executable(program main.c)
#   pencilc_target_sources(program range.c summary.c OPTIONS -fassociative-math)
#
# It is found where pencilc's environment is the active one (its bin folder is on the PATH), or by
# -Dpencilc_DIR=$(pencilc --print-cmake-dir).  It defines
#
#   PENCILC_EXECUTABLE      the command; beside this package or on the PATH, or say which with -DPENCILC_EXECUTABLE=
#   PENCILC_OPTIONS         options for all sources, a list; empty at first
#   pencilc::pencilc        the command as an imported target
#   pencilc::headers        what a C target needs that compiles PENCIL sources as plain sequential C
#   pencilc_target_sources  see below

cmake_policy(PUSH)
cmake_policy(VERSION 3.20...3.31)

if(CMAKE_VERSION VERSION_LESS 3.20)
  set(pencilc_FOUND FALSE)
  set(pencilc_NOT_FOUND_MESSAGE "pencilc needs CMake 3.20 or later, for dependency files with every generator")
  cmake_policy(POP)
  return()
endif()

# The package stands in <prefix>/share/cmake/pencilc or in <prefix>/lib/python3.x/site-packages/pencilc/share/cmake.
find_program(PENCILC_EXECUTABLE pencilc
  HINTS "${CMAKE_CURRENT_LIST_DIR}/../../../bin" "${CMAKE_CURRENT_LIST_DIR}/../../../../../../bin"
  DOC "The command pencilc")
set(PENCILC_OPTIONS "" CACHE STRING "Options of pencilc's for all sources, a list")

if(NOT PENCILC_EXECUTABLE)
  set(pencilc_FOUND FALSE)
  set(pencilc_NOT_FOUND_MESSAGE "the command pencilc was not found; say where with -DPENCILC_EXECUTABLE=")
  cmake_policy(POP)
  return()
endif()

execute_process(COMMAND "${PENCILC_EXECUTABLE}" --print-include-dir
  OUTPUT_VARIABLE pencilc_INCLUDE_DIR OUTPUT_STRIP_TRAILING_WHITESPACE
  ERROR_VARIABLE pencilc_error RESULT_VARIABLE pencilc_status)
if(NOT pencilc_status EQUAL 0)
  set(pencilc_FOUND FALSE)
  set(pencilc_NOT_FOUND_MESSAGE "${PENCILC_EXECUTABLE} does not run (${pencilc_status}): ${pencilc_error}")
  cmake_policy(POP)
  return()
endif()

if(NOT TARGET pencilc::pencilc)
  add_executable(pencilc::pencilc IMPORTED)
  set_target_properties(pencilc::pencilc PROPERTIES IMPORTED_LOCATION "${PENCILC_EXECUTABLE}")
  add_library(pencilc::headers INTERFACE IMPORTED)
  set_target_properties(pencilc::headers PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${pencilc_INCLUDE_DIR}"
    INTERFACE_COMPILE_OPTIONS "$<$<COMPILE_LANG_AND_ID:C,GNU,Clang,AppleClang>:-Wno-unknown-pragmas>")
endif()

#[[
pencilc_target_sources(<target> <source>... [OPTIONS <option>...] [DEPENDS <file or target>...])

Adds PENCIL sources to a target that was created in the same folder.  Each x.c is compiled by pencilc to x.cu and
x_host.c in <binary folder>/pencilc/<target>/, which are sources of the target then; a source without host code has a
host file without code.  pencilc gets the target's include folders and definitions.  It runs again when the source, a
header that it reads, a tuning file, pencilc or an option has changed; what it writes keeps its time where the bytes are
the same (with Ninja, so that nothing behind it is done again).
]]
function(pencilc_target_sources target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "OPTIONS;DEPENDS")
  if(NOT TARGET "${target}")
    message(FATAL_ERROR "pencilc_target_sources: there is no target ${target}")
  endif()
  get_target_property(folder "${target}" SOURCE_DIR)
  if(NOT folder STREQUAL CMAKE_CURRENT_SOURCE_DIR)
    message(FATAL_ERROR "pencilc_target_sources: call it in ${folder}, where ${target} is created")
  endif()
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if(NOT "C" IN_LIST languages OR NOT "CUDA" IN_LIST languages)
    message(FATAL_ERROR "pencilc_target_sources: the project must enable C and CUDA, as in project(x LANGUAGES C CUDA)")
  endif()
  if(NOT arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "pencilc_target_sources: no source for ${target}")
  endif()

  set(includes "$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>")
  set(definitions "$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>")
  set(options
    "$<$<BOOL:${includes}>:-I$<JOIN:${includes},$<SEMICOLON>-I>>"
    "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},$<SEMICOLON>-D>>"
    ${PENCILC_OPTIONS} ${arg_OPTIONS})
  set(products "${CMAKE_CURRENT_BINARY_DIR}/pencilc/${target}")
  foreach(source IN LISTS arg_UNPARSED_ARGUMENTS)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE OUTPUT_VARIABLE path)
    cmake_path(GET path EXTENSION LAST_ONLY suffix)
    if(NOT suffix STREQUAL ".c")
      message(FATAL_ERROR "pencilc_target_sources: ${source}: a PENCIL source ends with .c")
    endif()
    cmake_path(GET path PARENT_PATH beside)
    cmake_path(GET path STEM LAST_ONLY stem)
    cmake_path(RELATIVE_PATH beside BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" OUTPUT_VARIABLE below)
    string(REPLACE ".." "_" below "${below}")
    cmake_path(SET output NORMALIZE "${products}/${below}/${stem}")
    cmake_path(GET output PARENT_PATH output_folder)
    file(MAKE_DIRECTORY "${output_folder}")

    # Makefiles do not see that a command has changed: a file that holds its options does.  It is written where they
    # differ alone.
    set(kept "${output}$<$<BOOL:$<CONFIG>>:.$<CONFIG>>.options")
    file(GENERATE OUTPUT "${kept}" CONTENT "$<JOIN:${options},\n>\n" TARGET "${target}")
    # A tuning file may be added later: what stands beside the source is looked up before each build.
    file(GLOB tuning CONFIGURE_DEPENDS "${beside}/${stem}.tuning.json")
    # Makefiles take a product that is older than its source for one that must be made.
    set(touched)
    if(CMAKE_GENERATOR MATCHES "Makefiles")
      set(touched COMMAND "${CMAKE_COMMAND}" -E touch "${output}.cu" "${output}_host.c")
    endif()
    add_custom_command(
      OUTPUT "${output}.cu" "${output}_host.c"
      COMMAND "${PENCILC_EXECUTABLE}" ${options} "${path}" -o "${output}.cu" --always-host
              -MD -MF "${output}.d" -MT "${output}.cu"
      ${touched}
      DEPENDS "${path}" "${kept}" "${PENCILC_EXECUTABLE}" ${tuning} ${arg_DEPENDS}
      DEPFILE "${output}.d"
      COMMENT "Compiling PENCIL source ${source}"
      COMMAND_EXPAND_LISTS VERBATIM)
    target_sources("${target}" PRIVATE "${output}.cu" "${output}_host.c")
    # The host file has the include directives of the source, as they stand there.
    set_source_files_properties("${output}_host.c" PROPERTIES
      INCLUDE_DIRECTORIES "${beside};${pencilc_INCLUDE_DIR}"
      COMPILE_OPTIONS "$<$<COMPILE_LANG_AND_ID:C,GNU,Clang,AppleClang>:-Wno-unknown-pragmas>")
  endforeach()
endfunction()

cmake_policy(POP)
