"""`pencilc.compile`: C source in, an object with its functions out, which take arrays of NumPy, CuPy, PyTorch, others.

    module = pencilc.compile("softmax.c")
    module.softmax(x, y)                     # rows and columns are told by the shapes

`build.py` says how the library comes about, `arguments.py` what may be passed, `cpu.py` and `gpu.py` how it is called.
"""

from __future__ import annotations

import copy
import inspect
import keyword
import os
import warnings
from collections import namedtuple
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, get_args

from pencilc.diagnostics.diagnostic import CompilerLimitation, Diagnostic, SourceErrors, limit_diagnostic
from pencilc.diagnostics.policy import NotAWarning, WarningPolicy, warning_policy
from pencilc.diagnostics.render import render_text
from pencilc.diagnostics.source import SourceFile
from pencilc.driver import Compilation, compile_source
from pencilc.frontend import read_source
from pencilc.ir.source import Function as SourceFunction
from pencilc.ir.source import Struct
from pencilc.options import STANDARDS, CompileOptions, Determinism, Fuse, OnUnsupported, ShiftedSums, Sums
from pencilc.python.arguments import GivenCall, bind, sizes_told
from pencilc.python.arrays import ArrayView, mismatch, view_of
from pencilc.python.build import cpu_library, gpu_library
from pencilc.python.calls import HostCaller, HostResult
from pencilc.python.cpu import CpuLibrary
from pencilc.python.dtypes import dtype_of
from pencilc.python.entries import EntryPoint, entries_of
from pencilc.python.errors import ArgumentTypeError, ArgumentValueError, CompileError, CompileWarning
from pencilc.python.gpu import GpuLibrary
from pencilc.python.manifest import manifest_of
from pencilc.python.streams import current_stream, handle_of
from pencilc.python.values import decoded, tuple_class
from pencilc.target import DEFAULT, Target, UnknownTarget, target_of
from pencilc.tune.device import capability, no_gpu
from pencilc.tune.file import beside, read_tuning

_WORKSPACE_ALIGNMENT = 256
Device = Literal["auto", "gpu", "cpu"]
StrPath = str | os.PathLike[str]


def compile(
    source: StrPath,
    *,
    filename: str = "source.c",
    device: Device = "auto",
    check: bool = True,
    include_dirs: Sequence[StrPath] = (),
    system_dirs: Sequence[StrPath] = (),
    defines: Mapping[str, object] | Sequence[str] = (),
    undefines: Sequence[str] = (),
    includes: Sequence[StrPath] = (),
    std: str = "c99",
    arch: str | None = None,
    determinism: Determinism = "run",
    sum: Sums = "plain",
    allow_tf32: bool = False,
    fuse: Fuse = "model",
    shifted_sums: ShiftedSums = "joined",
    associative_math: bool = False,
    autodetect: bool = False,
    on_unsupported: OnUnsupported = "error",
    tuning: StrPath | None = None,
    warning_options: Sequence[str] = (),
    nvcc_options: Sequence[str] = (),
) -> Module:
    """Compile C source and build a library of it; its functions are those of the module that is returned.

    `source` is the name of a file, or C text: a string with a line break or a brace in it is text, which messages call
    `filename`.  `device` says where it runs: `"gpu"`, `"cpu"` (on the CPU executor, and with `check` with its detector
    of races and of wrong accesses), or `"auto"`, which takes a GPU if one answers.  `arch` is the GPU to build for;
    left out, it is that of the machine.  The other parameters are the options of the command line; `warning_options`
    are those behind `-W` (`"no-not-parallel"`, `"error"`).

    Warnings of the compiler are given as `CompileWarning`.  Raises CompileError (the source cannot be compiled),
    NvccMissing, HostCompilerMissing, LibraryError, and ValueError for an option that is none.
    """
    _check_choice("device", device, Device)
    on_gpu = device == "gpu" or (device == "auto" and not no_gpu())
    built_for = arch or (f"sm_{capability()}" if on_gpu and not no_gpu() else DEFAULT.arch)
    _check_choice("determinism", determinism, Determinism)
    _check_choice("sum", sum, Sums)
    _check_choice("fuse", fuse, Fuse)
    _check_choice("shifted_sums", shifted_sums, ShiftedSums)
    _check_choice("on_unsupported", on_unsupported, OnUnsupported)
    if std not in STANDARDS:
        raise ValueError(f"std={std!r}: pencilc reads c99, c11, c17 and their gnu dialects")
    options = CompileOptions(
        include_dirs=_paths(include_dirs),
        system_dirs=_paths(system_dirs),
        defines=_defines(defines),
        undefines=_words("undefines", undefines),
        includes=_paths(includes),
        std=std,
        target=_target(built_for),
        determinism=determinism,
        sums=sum,
        allow_tf32=allow_tf32,
        fuse=fuse,
        shifted_sums=shifted_sums,
        associative_math=associative_math,
        autodetect=autodetect,
        on_unsupported=on_unsupported,
        warnings=_policy(_words("warning_options", warning_options), _paths(system_dirs)),
    )
    done = _compiled(source, filename, options, tuning)
    stem = Path(done.file.path).stem
    if on_gpu:
        library: HostCaller = GpuLibrary(gpu_library(done.cuda, stem, built_for, _words("nvcc_options", nvcc_options)))
    else:
        library = CpuLibrary(cpu_library(done.cuda, stem, "check" if check else "plain"))
    return Module(done, library)


# ---- options ---------------------------------------------------------------------------------------


def _check_choice(name: str, value: object, kind: Any) -> None:
    if value not in get_args(kind):
        raise ValueError(f"{name}={value!r}: give {' or '.join(map(repr, get_args(kind)))}")


def _words(name: str, values: Sequence[str]) -> tuple[str, ...]:
    """Several words; one string alone would be taken for its letters."""
    if isinstance(values, str) or not all(isinstance(word, str) for word in values):
        raise TypeError(f"{name}={values!r}: give a list of strings")
    return tuple(values)


def _paths(values: Sequence[StrPath]) -> tuple[str, ...]:
    """Several paths; one alone is no sequence of its letters either."""
    return (os.fspath(values),) if isinstance(values, str | os.PathLike) else tuple(os.fspath(path) for path in values)


def _defines(given: Mapping[str, object] | Sequence[str]) -> tuple[str, ...]:
    """`{"N": 4, "FAST": None}` or `["N=4", "FAST"]`."""
    if isinstance(given, Mapping):
        return tuple(name if value is None else f"{name}={value}" for name, value in given.items())
    return _words("defines", given)


def _target(arch: str) -> Target:
    try:
        return target_of(arch)
    except UnknownTarget as error:
        raise ValueError(f"arch={arch!r}: {error}") from error


def _policy(words: tuple[str, ...], system_dirs: tuple[str, ...]) -> WarningPolicy:
    try:
        policy = warning_policy(words, system_dirs=system_dirs)
    except NotAWarning as error:
        raise ValueError(str(error)) from error
    if policy.unknown:
        raise ValueError("; ".join(policy.unknown))
    return policy


# ---- compiling -------------------------------------------------------------------------------------


def _compiled(source: StrPath, filename: str, options: CompileOptions, tuning: StrPath | None) -> Compilation:
    """The compilation; its warnings are given as `CompileWarning`.  Raises CompileError."""
    if not isinstance(source, str | os.PathLike):
        raise TypeError(f"the source is of type '{type(source).__name__}': give C text, or the name of a file")
    is_text = isinstance(source, str) and any(sign in source for sign in "\n{")
    path = filename if is_text else os.fspath(source)
    file = SourceFile(path, "")
    try:
        file = read_source(path, str(source).encode("utf-8", "surrogateescape") if is_text else None)
        tuning_file = os.fspath(tuning) if tuning is not None else "" if is_text else beside(path)
        if tuning_file:
            options = replace(options, tuning=read_tuning(tuning_file), tuning_file=tuning_file)
        done = compile_source(file, options)
    except SourceErrors as error:
        raise CompileError(error.diagnostics, file) from None
    except CompilerLimitation as error:
        raise CompileError((limit_diagnostic(error, path),), file) from None
    for diagnostic in done.diagnostics:
        text = render_text((diagnostic,), {path: file})
        # Of `compile`'s caller.
        warnings.warn(text, CompileWarning, stacklevel=3)
    return done


class Module:
    """The functions of a compiled file: `module.f(...)`, or `module["f"]` where the module itself has the name.

    `functions` are all of them by name; they run on `device`, `"gpu"` or `"cpu"`.  `cuda` is the generated text and
    `host` that of the C host file, None if there is none; `library` is the file that was built of `cuda`.
    `diagnostics` are the records of the compiler's warnings.
    """

    def __init__(self, done: Compilation, library: HostCaller) -> None:
        self.cuda: str = done.cuda
        self.host: str | None = done.host
        self.diagnostics: tuple[Diagnostic, ...] = done.diagnostics
        self.source: str = done.file.path
        helpers = {f.name: f for f in done.parsed.functions}
        self.functions: Mapping[str, PythonFunction] = MappingProxyType(
            {entry.name: PythonFunction(entry, helpers, library) for entry in entries_of(done)}
        )
        self._structs = {struct.name: struct for struct in done.parsed.structs}
        self._manifest = manifest_of(done, f"{Path(done.file.path).stem}.cu")
        self.device: str = "gpu" if isinstance(library, GpuLibrary) else "cpu"
        self.library: Path = library.path

    @property
    def manifest(self) -> dict[str, Any]:
        """What `--manifest` writes: entry points, arguments with types and extents, launches."""
        return copy.deepcopy(self._manifest)

    def struct(self, name: str) -> type[tuple[Any, ...]]:
        """The named tuple of a struct of the source, for values that are passed and returned; raises KeyError."""
        return tuple_class(self._structs[name])

    def dtype(self, name: str) -> Any:
        """NumPy's type of a struct of the source, for arrays of it; raises KeyError, and ImportError without NumPy."""
        return dtype_of(self._structs[name])

    def __getitem__(self, name: str) -> PythonFunction:
        return self.functions[name]

    def __getattr__(self, name: str) -> PythonFunction:
        functions = self.__dict__.get("functions", {})
        if name in functions:
            function: PythonFunction = functions[name]
            return function
        regions = [each for each in functions if each.startswith(f"{name}_scop")]
        if regions:
            raise AttributeError(
                f"`{name}` is host code, of which regions are compiled: {', '.join(regions)}; where all its loops "
                "stand between `#pragma scop` and `#pragma endscop`, the function is compiled as a whole"
            )
        raise AttributeError(
            f"{self.__dict__.get('source', 'the module')} has no function `{name}`; it has {', '.join(functions)}"
        )

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self.functions})

    def __repr__(self) -> str:
        return f"<pencilc module '{self.source}' on the {self.device.upper()}: {', '.join(self.functions)}>"


class PythonFunction:
    """A function of the source that can be called; `prototype` is its declaration there.

    Arguments are those of the C function, in its order or by its names.  Integers that are an extent of an array may be
    left out.  Arrays in host memory are copied to the device and back, and the call waits; with arrays on a device it
    is queued on `stream` and copies nothing.  Where `stream` is left out it is the current one of CuPy or PyTorch.  A
    value that is returned comes back as a Python value, for which a call on a device waits, or goes to `result`, an
    array of one element on the device.  `workspace`, an array of bytes on the device, keeps the call from allocating.
    (These three names have a `_` behind them where the C function has a parameter of that name.)

    Raises ArgumentTypeError, ArgumentValueError, CallFailed and DeviceMissing.
    """

    def __init__(self, entry: EntryPoint, helpers: Mapping[str, SourceFunction], library: HostCaller) -> None:
        self._entry, self._helpers, self._library = entry, helpers, library
        self.__name__ = self.__qualname__ = entry.name
        self.__doc__ = f"`{entry.prototype}` (line {entry.line}); see `{type(self).__name__}`."
        self.__signature__ = _signature_of(entry)
        names = {a.name for a in entry.arguments}
        self._words = {word: _free(word, names) for word in ("stream", "result", "workspace")}

    @property
    def prototype(self) -> str:
        """The declaration in the source."""
        return self._entry.prototype

    def __repr__(self) -> str:
        return f"<pencilc function `{self._entry.prototype}`>"

    def __call__(self, /, *positional: Any, **named: Any) -> Any:
        """Call it; see the class."""
        entry = self._entry
        given = {word: named.pop(spelled, None) for word, spelled in self._words.items()}
        call, stream = self._bound(positional, named, given["stream"])
        on_device = call.memory == "device" or (call.memory is None and given["stream"] is not None)
        if not on_device:
            for word, value in given.items():
                if value is not None:
                    raise ArgumentTypeError(_needs_device(self._words[word], call))
            return self._value_of(self._library.run_host(entry, call))
        library = self._gpu()
        result = self._result(given["result"], stream)
        workspace = self._workspace(given["workspace"], stream)
        returned = library.run_device(entry, call, stream, result, workspace)
        return decoded(entry.returns, returned) if returned else None

    def workspace_bytes(self, /, *positional: Any, **named: Any) -> int:
        """How large a `workspace` has to be for a call with these arguments, which lie on a device."""
        call, _ = self._bound(positional, named, named.pop(self._words["stream"], None))
        return self._gpu().workspace_bytes(self._entry, call)

    def _bound(self, positional: Sequence[Any], named: Mapping[str, Any], given: Any) -> tuple[GivenCall, int]:
        """The checked arguments and the number of the stream; 0 where no array lies on a device."""
        values = [*positional, *named.values()]
        known = handle_of(given) if given is not None else current_stream(values)
        call = bind(self._entry, self._helpers, positional, named, known, goes_to_device=known is not None)
        if call.memory == "device":
            self._gpu()
            if known is None:
                raise ArgumentTypeError(
                    f"`{self._words['stream']}` has to be given: the arrays lie on a device, and are not all of CuPy "
                    "or all of PyTorch, whose current stream is known"
                )
        return call, known or 0

    def _gpu(self) -> GpuLibrary:
        if isinstance(self._library, GpuLibrary):
            return self._library
        raise ArgumentTypeError(
            "the module runs on the CPU, where arrays have to lie in host memory and there are no streams: "
            "compile it with device='gpu'"
        )

    def _result(self, given: Any, stream: int) -> ArrayView | None:
        if given is None:
            return None
        word, returns = self._words["result"], self._entry.returns
        if not self._entry.returns_value:
            raise ArgumentTypeError(f"{self._entry.name}() returns nothing that could go to `{word}`")
        view = _device_array(given, word, stream)
        is_bytes = isinstance(returns, Struct) and view.layout.size == 1 and view.size == returns.size
        fault = "" if is_bytes else mismatch(returns, view.layout)
        if fault and not view.is_memory:
            raise ArgumentTypeError(f"`{word}`: {fault}")
        if view.size < returns.size or (view.size > returns.size and not view.is_memory):
            raise ArgumentValueError(f"`{word}` has shape {view.shape}, where one element is expected")
        _check_alignment(view, word, returns.align)
        return view

    def _workspace(self, given: Any, stream: int) -> ArrayView | None:
        if given is None:
            return None
        view = _device_array(given, self._words["workspace"], stream)
        if not view.is_contiguous:
            raise ArgumentValueError(f"the elements of `{self._words['workspace']}` do not follow each other")
        _check_alignment(view, self._words["workspace"], _WORKSPACE_ALIGNMENT)
        return view

    def _value_of(self, result: HostResult) -> Any:
        """What the call returns to Python: a value, the written scalars of a region by name, or None."""
        if result.scalars:
            written = [a for a in self._entry.arguments if a.name in result.scalars]
            kind = namedtuple(f"{self._entry.name}_result", [a.name for a in written], rename=True)  # type: ignore[misc]
            return kind(*(decoded(a.type, result.scalars[a.name]) for a in written))
        return decoded(self._entry.returns, result.returned) if result.returned else None


def _check_alignment(view: ArrayView, name: str, alignment: int) -> None:
    if view.address % alignment:
        raise ArgumentValueError(f"`{name}` begins at {view.address:#x}, which is no multiple of {alignment} bytes")


def _needs_device(word: str, call: GivenCall) -> str:
    names = ", ".join(f"`{argument.name}`" for argument, _ in call.arrays)
    if not names:
        return f"`{word}` goes with arrays on a device or with a stream, and the call has neither"
    return f"`{word}` goes with arrays on a device, and {names} of this call lie in host memory"


def _device_array(given: Any, name: str, stream: int) -> ArrayView:
    view = view_of(given, name, stream)
    if view.memory != "device":
        raise ArgumentTypeError(f"`{name}` lies in host memory, and has to lie on the device")
    if not view.is_writable:
        raise ArgumentValueError(f"`{name}` is written by the call, and the array is read-only")
    return view


def _free(word: str, taken: set[str]) -> str:
    while word in taken:
        word += "_"
    return word


def _signature_of(entry: EntryPoint) -> inspect.Signature:
    """The form in which sizes are left out; they may also stand in their places, all of them."""
    names = [a.name for a in entry.arguments]
    if any(keyword.iskeyword(name) for name in names):
        return inspect.Signature([inspect.Parameter("arguments", inspect.Parameter.VAR_POSITIONAL)])
    told = sizes_told(entry)
    needed, left_out = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY
    return inspect.Signature(
        [inspect.Parameter(name, needed) for name in names if name not in told]
        + [inspect.Parameter(name, left_out, default=None) for name in told]
    )
