# Rules for PENCIL sources in a Makefile of GNU make (4.0 or later).
#
#   PENCILC_SOURCES := range.c program.c
#   include $(or $(shell pencilc --print-mk),$(error pencilc is not on the PATH))
#
#   program: $(PENCILC_OBJECTS)
#   	$(NVCC) $(NVCCFLAGS) $^ -o $@
#
# Each source x.c becomes build/x.cu and build/x_host.c, and these build/x.o and build/x_host.o; a source in a folder,
# as src/x.c, becomes build/src/x.o.  What is done again is what must be:
#
#   - pencilc, when the source, a header that it reads, its tuning file, a template of pencilc's or an option changed;
#   - nvcc and the C compiler, when pencilc wrote other bytes, or an option of theirs changed (the C compiler also for
#     headers of host code).
#
# Set these in front of the include, on the command line, or for one product (build/x.cu: PENCILCFLAGS += --sum=kahan):
#
#   PENCILC          the command (pencilc)
#   PENCILCFLAGS     options of pencilc's
#   CPPFLAGS         -I, -D, -U and so on, for pencilc and for the C compiler
#   NVCC, NVCCFLAGS  for the .cu files (nvcc, -O2)
#   CC, CFLAGS       for the host files (cc, -O2)
#   PENCILC_BUILD    where products go (build)

PENCILC_MK := $(lastword $(MAKEFILE_LIST))
PENCILC_INCLUDE_DIR := $(abspath $(dir $(PENCILC_MK))../include)

PENCILC ?= pencilc
PENCILCFLAGS ?=
NVCC ?= nvcc
NVCCFLAGS ?= -O2
CFLAGS ?= -O2
PENCILC_BUILD ?= build

ifneq ($(filter /% ../% %/../%,$(PENCILC_SOURCES)),)
$(error PENCILC_SOURCES: $(filter /% ../% %/../%,$(PENCILC_SOURCES)): name sources by paths below the folder of the Makefile)
endif
ifneq ($(filter-out %.c,$(PENCILC_SOURCES)),)
$(error PENCILC_SOURCES: $(filter-out %.c,$(PENCILC_SOURCES)): a PENCIL source ends with .c)
endif
pencilc_clash := $(filter $(patsubst %.c,%_host.c,$(PENCILC_SOURCES)),$(PENCILC_SOURCES))
ifneq ($(pencilc_clash),)
$(error PENCILC_SOURCES: $(pencilc_clash): the host file of another source has that name)
endif

# The objects of some sources: $(call pencilc_objects,range.c program.c).
pencilc_objects = $(foreach source,$(basename $(1)),$(PENCILC_BUILD)/$(source).o $(PENCILC_BUILD)/$(source)_host.o)
PENCILC_OBJECTS := $(call pencilc_objects,$(PENCILC_SOURCES))

# Writes a command into the target, which stays as it is where it holds that command already.  `make -n` writes nothing:
# it shows what is done for files that changed, not for options.
pencilc_is_dry := $(findstring n,$(filter-out --%,$(firstword -$(MAKEFLAGS))))
pencilc_kept = $(if $(pencilc_is_dry),:,mkdir -p $(@D) && printf '%s\n' '$(subst ','\'',$(1))' | cmp -s - $@ || \
  printf '%s\n' '$(subst ','\'',$(1))' > $@)

pencilc_cc = $(CC) -std=gnu99 -Wno-unknown-pragmas $(CPPFLAGS) $(CFLAGS)

# The header of the runtime of the product $(1), if it is there or if PENCILCFLAGS ask for none.  What includes it has a
# mark of its text, so that nothing has to depend on it.
pencilc_runtime = $(if $(filter --runtime=header,$(PENCILCFLAGS)),$(wildcard $(dir $(1))pencilc_runtime.h),none)

# The stamp is as new as the last run of pencilc; the files that it wrote keep their time where their bytes are the same,
# and recipes that do nothing make make look at it again (with `+` under `make -n` too).  Everything of a source comes
# by its .cu, so that a variable which is set for that one holds for all of them.  $(1) is the source, $(2) the product
# without a suffix.
define pencilc_rules
$(2).stamp: $(1) $(2).pencilc-command $(PENCILC_MK) $(wildcard $(basename $(1)).tuning.json)
$(if $(and $(wildcard $(2).cu),$(wildcard $(2)_host.c),$(call pencilc_runtime,$(2))),,$(2).stamp: pencilc-always)
$(2).stamp:
	$$(PENCILC) $$(CPPFLAGS) $$(PENCILCFLAGS) $(1) -o $(2).cu --always-host -MD -MP -MF $(2).d -MT $$@
	@touch $$@

$(2).cu: $(2).stamp
	+@:

$(2)_host.c: $(2).cu
	+@:

$(2).o: $(2).cu $(2).nvcc-command
	$$(NVCC) $$(NVCCFLAGS) -c $(2).cu -o $$@

$(2)_host.o: $(2)_host.c $(2).cc-command
	$$(pencilc_cc) -iquote $(dir $(1)) -I$(PENCILC_INCLUDE_DIR) -MMD -MP -MF $(2)_host.d -MT $$@ -c $(2)_host.c -o $$@

$(2).pencilc-command: pencilc-always
	+@$$(call pencilc_kept,$$(PENCILC) $$(CPPFLAGS) $$(PENCILCFLAGS))

$(2).nvcc-command: pencilc-always
	+@$$(call pencilc_kept,$$(NVCC) $$(NVCCFLAGS))

$(2).cc-command: pencilc-always
	+@$$(call pencilc_kept,$$(pencilc_cc))

-include $(2).d $(2)_host.d
endef

# None of the rules above is what `make` without a word means.
PENCILC_GOAL := $(.DEFAULT_GOAL)
.PHONY: pencilc-always
pencilc-always:
$(foreach source,$(PENCILC_SOURCES),$(eval $(call pencilc_rules,$(source),$(PENCILC_BUILD)/$(basename $(source)))))
.DEFAULT_GOAL := $(PENCILC_GOAL)
