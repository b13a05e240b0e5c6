"""Every diagnostic code: its name for `-W`, its severity, its title and its long text for `pencilc explain`."""

from __future__ import annotations

from pencilc.diagnostics.diagnostic import Severity
from pencilc.records import dataclass


@dataclass(frozen=True, slots=True)
class Code:
    """One kind of diagnostic; `name` is what `-W<name>` and `-Werror=<name>` take."""

    code: str
    name: str
    severity: Severity  # the usual one
    title: str
    text: str
    other: Severity | None = None  # the one it has in some cases

    @property
    def may_warn(self) -> bool:
        """Whether it can be a warning, so that `-W` speaks about it."""
        return Severity.WARNING in (self.severity, self.other)

    @property
    def severities(self) -> tuple[Severity, ...]:
        """The severities it may have, the usual one first."""
        return (self.severity,) if self.other is None else (self.severity, self.other)


_E, _W = Severity.ERROR, Severity.WARNING

_TABLE: tuple[tuple[str, str, Severity, str, str], ...] = (
    ("PC0001", "syntax", _E, "syntax error",
     "The file is not C99 as pencilc reads it: the message names what was expected and what was found, or what is\n"
     "opened and never closed. C++ and CUDA are named as such. GNU extensions are accepted only in host functions,\n"
     "whose bodies are carried over as text. One run tells the errors of all functions."),
    ("PC0002", "include", _E, "include file not found",
     "A file named by #include was not found. A quoted one is an error; a system header that pencilc does not bring\n"
     "itself is a warning, because the host compiler will find it if only host code needs it. Use -I."),
    ("PC0003", "unreadable", _E, "file cannot be read as C source",
     "The file is missing, a folder, empty, binary, or has bytes outside comments and strings that are not UTF-8."),
    ("PC0004", "nesting", _E, "nesting too deep",
     "Brackets, expressions or statements are nested too deeply. Split the expression or the function."),
    ("PC0005", "preprocessor", _E, "preprocessor error",
     "#error was met, or a directive is malformed."),
    ("PC0006", "too-large", _E, "too large",
     "The file, what it includes or what its macros make of it is larger than pencilc reads, or the loops and\n"
     "conditions of a region make more cases than the polyhedral model can take; the message names the limit. All are\n"
     "far beyond what people write: 2,000,000 characters, 400,000 tokens, 2,000 included files, 1,500 statements.\n"
     "A warning where only what -fassociative-math allows makes too many cases: sums keep their order then."),
    ("PC0010", "undeclared", _E, "undeclared name",
     "A variable, function, type or tag is used that is not declared at this point."),
    ("PC0011", "arguments", _E, "wrong number of arguments",
     "A function or builtin is called with more or fewer arguments than it takes."),
    ("PC0012", "type-mismatch", _E, "types do not fit",
     "A C compiler would refuse this conversion, operand, subscript or initialiser too."),
    ("PC0013", "unsupported-type", _E, "type not supported",
     "`long double`, `_Complex`, `__int128` and layouts changed by `packed`, `aligned` or `#pragma pack` are refused\n"
     "by name, because silently taking another type or layout would give wrong results."),
    ("PC0014", "unsupported", _E, "construct not supported",
     "This piece of C is not part of the language that pencilc compiles. Move it into host code."),
    ("PC0015", "redeclared", _E, "declared twice",
     "The same name is declared twice in one scope, or it is one that the generated file gives to an entry point of\n"
     "another function (`f_device`, `f_device_in`, `f_workspace`, `main_scop0`) or to a kernel (`f_all0`)."),
    ("PC0016", "pencil-name", Severity.NOTE, "name of a function of pencil.h",
     "The file defines a function that `pencil.h` defines too. The file's own is called; for other C compilers\n"
     "`#define PENCIL_NO_MIN` (or `_MAX`, `_CLAMP`, …) before the `#include` leaves that of `pencil.h` out."),
    ("PC0017", "pencil-header", _W, "builtin without `pencil.h`",
     "pencilc knows its builtins without a header. Other C compilers learn them from `pencil.h`, whose folder\n"
     "`pencilc --print-include-dir` names; without it the same file does not compile with them."),
    ("PC0101", "pragma-typo", _W, "unknown word in a pragma",
     "`#pragma pencil` knows `independent`; `#pragma scop` and `#pragma endscop` mark a region. A pragma with another\n"
     "word is ignored, and what it should have said is lost: without `independent` a loop is parallel only if that\n"
     "can be proved."),
    ("PC0102", "pragma-not-before-loop", _E, "pragma not before a loop",
     "`#pragma pencil independent` speaks about the `for` loop that follows it, and nothing else."),
    ("PC0103", "pragma-stray", _W, "stray token after a pragma",
     "What follows a complete pragma on its line is ignored."),
    ("PC0104", "scop-unbalanced", _E, "unbalanced scop pragmas",
     "Each `#pragma scop` needs one `#pragma endscop` in the same block, and the other way round."),
    ("PC0105", "scop-nested", _E, "nested scop pragmas",
     "Regions do not nest."),
    ("PC0106", "nothing-to-compile", _E, "nothing to compile",
     "No function holds a PENCIL construct, so there would be no output. Mark a region with `#pragma scop` and\n"
     "`#pragma endscop`, or use `--autodetect`."),
    ("PC0107", "region-unclear", _E, "region not clear in host code",
     "A host function holds reduction builtins, and code between or around them that only the host can run. Mark each\n"
     "part that is to be compiled with `#pragma scop` and `#pragma endscop`."),
    ("PC0108", "region-local", _E, "variable of a region used after it",
     "A variable that a region of a host function declares and the host uses behind it is declared before the call\n"
     "of the region instead, where that can be done: not an array with values or with an extent that the region\n"
     "computes, not a type. Declare those before the region."),
    ("PC0109", "left-to-host", _W, "function left to the host",
     "With `--on-unsupported=warn` a function that cannot be compiled for the device stays in the host file as it is\n"
     "and runs there, sequentially."),
    ("PC0110", "loop-left", Severity.NOTE, "loop left to the host",
     "`--autodetect` compiles the loops of plain C that obey the rules. The note stands at one that does not, and\n"
     "says which rule that is. `pencilc port` writes the change where there is one."),
    ("PC0201", "reduction-uninitialised", _E, "reduction variable never initialised",
     "`__pencil_reduction` on a variable must be reached by a `__pencil_reduction_var_init` on the same variable; it\n"
     "marks where the reduction begins and writes the identity."),
    ("PC0202", "operator-signature", _E, "operator has the wrong type",
     "The operator of a reduction on a variable of type T is `T op(T, T)`, with exactly that type."),
    ("PC0203", "init-signature", _E, "init function has the wrong type",
     "The init function of a reduction on a variable of type T is `void init(T *)`."),
    ("PC0204", "operator-impure", _E, "operator not pure",
     "A reduction runs its operator in any order and any number of times. It may read its arguments and constants,\n"
     "and nothing else; it must not write globals, keep static variables or call unknown code."),
    ("PC0205", "reduction-read", _E, "reduction variable read inside its domain",
     "Between the init and the last update the variable holds a partial result that differs between threads."),
    ("PC0206", "reduction-write", _E, "reduction variable written inside its domain",
     "Between the init and the last update only `__pencil_reduction` may change the variable."),
    ("PC0207", "two-operators", _E, "two operators on one reduction variable",
     "Two operators do not commute with each other. Use two variables, or begin a second reduction."),
    ("PC0208", "init-not-identity", _W, "init is not an identity of the operator",
     "op(init, x) differs from x for some x. With a recognised operator the result is still right, because its own\n"
     "identity starts the partial results; with any other operator it is an error, which is told with the operator if\n"
     "that depends on the order too."),
    ("PC0209", "operator-not-associative", _W, "operator not associative or not commutative",
     "The order in which a reduction combines its elements is not fixed, so the result is not either.\n"
     "Where init is no identity of such an operator, it is an error (PC0208)."),
    ("PC0210", "reduction-variable", _E, "not a reduction variable",
     "The builtins take the address of a scalar, an array element or a struct member."),
    ("PC0211", "reduction-clause", _E, "reduction clause does not fit the loop",
     "The variables of a `reduction(op: …)` clause must be updated in the loop with that operator."),
    ("PC0212", "reduction-restarted", _W, "reduction begun again in each iteration",
     "The init stands in the loop of the updates, so that each iteration throws away what the ones before have\n"
     "combined, and nothing looks at it in between. A sum over all iterations is begun before the loop."),
    ("PC0301", "subscript-not-affine", _W, "subscript not affine",
     "The access is taken as possibly touching every element. `A[i][j]`, `independent` or a summary say more.\n"
     "Where it leaves nothing of the region to more than one thread, it is told with that (PC0701)."),
    ("PC0302", "bound-not-affine", _E, "loop bound not usable",
     "A loop of a region compares its counter with an integer bound. A bound that is no affine function of parameters\n"
     "and outer counters, a `break`, or a condition on data around the loop make it one statement that a single\n"
     "thread runs; that is a warning."),
    ("PC0303", "float-counter", _E, "loop counter not an integer",
     "Count with an integer and compute the floating value from it."),
    ("PC0304", "step-not-constant", _E, "loop step not constant",
     "A loop steps its one counter by a constant, towards its bound."),
    ("PC0305", "counter-changed", _E, "loop counter changed in the body",
     "Only the third clause of the `for` may change the counter."),
    ("PC0306", "while", _W, "while loop that cannot be shared out",
     "How often a `while` runs depends on data, so it is one statement that a single thread runs: below a parallel\n"
     "loop that is fine, outside of all loops it is told. A reduction must begin and end inside it."),
    ("PC0307", "control-flow", _E, "goto, fall-through or early return",
     "Regions are structured: loops, `if`, `switch` whose cases end with `break`, and one `return` at the end of the\n"
     "function. Helpers may return early."),
    ("PC0308", "assignment-expression", _E, "assignment as an expression",
     "An assignment, `++` or a comma inside an expression hides an effect where C leaves open when it happens, or a\n"
     "condition decides whether it does. Write two statements. `x = y = 2`, `out[n++] = v`, `while (k-- > 0)` and\n"
     "`if ((d = f(x)) > t)` are fine."),
    ("PC0309", "no-return", _E, "function that can end without its value",
     "A function that runs on the device ends with `return` on every path. What a caller would get is undefined in C."),
    ("PC0310", "unused-value", _W, "statement without effect",
     "A value is computed and not used; an assignment or a `return` may be missing. `(void)x;` says that it is meant."),
    ("PC0311", "unused-variable", _W, "variable that nothing reads",
     "Code that is compiled for the device declares a variable and never reads it. `(void)x;` says that it is meant."),
    ("PC0401", "no-extent", _E, "array without extent",
     "A copy to the device needs to know how large an array is: `float A[static const restrict n]` instead of\n"
     "`float *A`."),
    ("PC0402", "restrict", _W, "restrict missing",
     "Arrays of an entry function are taken not to overlap; the host entry point checks it at run time."),
    ("PC0403", "extent-unknown", _E, "extent not known where it is used",
     "The extent of an array parameter may use only parameters before it, and must not change afterwards."),
    ("PC0404", "pointer", _E, "address taken or pointer arithmetic",
     "PENCIL has no pointers: only `&` in the reduction builtins, and arrays with extents."),
    ("PC0405", "out-of-bounds", _W, "access out of bounds",
     "The access leaves the declared extent for the values shown."),
    ("PC0406", "const", _E, "const dropped",
     "A const object is written, or passed where it may be written."),
    ("PC0407", "not-pencil-data", _E, "union, bit-field or writable global",
     "Unions, bit-fields, static variables and writable globals are not part of PENCIL. Pass what is needed."),
    ("PC0408", "uninitialised", _W, "variable used before it has a value",
     "On some path nothing has set the variable before; or nothing ever sets this element of an array or struct."),
    ("PC0501", "summary-unknown", _E, "unknown summary function",
     "`pencil_access(f)` names a function `f` with a body that says what is read and written."),
    ("PC0502", "summary-signature", _E, "summary has another signature",
     "A summary function has the parameters of the function that it speaks about."),
    ("PC0503", "no-summary", _W, "call without body or summary",
     "Every element of every array passed is taken to be read and written. What runs on the device needs a body\n"
     "anyway (PC0505), so this concerns the calls in a summary function, which nothing executes."),
    ("PC0504", "recursion", _E, "recursive function",
     "Functions that run on the device are not recursive."),
    ("PC0505", "no-body", _E, "no body for the device",
     "A function that a region calls must have a body in this file or in a header that it includes."),
    ("PC0506", "summary-builtin", _W, "summary builtin outside of a summary function",
     "`__pencil_use` and `__pencil_def` describe what a function does, in the function that its\n"
     "`pencil_access` attribute names. Elsewhere they say nothing."),
    ("PC0601", "independent-contradicted", _W, "independent contradicts a dependence",
     "Two iterations of the loop touch the same element; the pragma is believed."),
    ("PC0602", "assume", _W, "assume useless or contradictory",
     "The assumption adds nothing, or nothing satisfies it (then it is an error)."),
    ("PC0603", "kill-live", _W, "kill of live data",
     "The killed value is read later."),
    ("PC0605", "wide-index", _W, "index may exceed 32 bits",
     "Subscripts are computed in 64 bits."),
    ("PC0701", "not-parallel", _W, "nothing parallel in a region",
     "A dependence holds every loop; the region runs on one thread."),
    ("PC0702", "plain-sum", _W, "a sum that `--sum` does not reach",
     "The sum accumulates where it is (in bins that the data choose, in an array that one thread fills, or in a\n"
     "region that one thread runs), so its values are added one after the other, as without `--sum`."),
    ("PC0703", "host-waits", _W, "the host waits for the device in each round of a loop",
     "Data end the loop (`while (err > eps)`, `if (err < tol) break;`), so the host copies a few bytes back\n"
     "in each round and waits for them. What is parallel inside is parallel; but the entry point on device pointers\n"
     "returns when the loop has ended, and a captured stream cannot have it: it returns\n"
     "cudaErrorStreamCaptureUnsupported before anything is queued."),
    ("PC0704", "calls-in-loop", _W, "a loop on the host calls what is compiled",
     "The function around the loop is not marked, so that it stays as it is: each iteration copies to the device,\n"
     "launches and waits. In a region the loop is compiled with what it calls."),
    ("PC0801", "tuning-file", _E, "tuning file cannot be used",
     "The file named by --tuning, or `<stem>.tuning.json` beside the source, is no JSON, has another version, or\n"
     "holds a launch parameter that does not exist or has an impossible value. `pencilc tune` writes it anew; without\n"
     "the file the start values are used."),
    ("PC0802", "tuning-stale", _W, "tuning data for a kernel that does not exist",
     "The tuning file speaks of a kernel that this source does not give: the source has changed since. The kernel's\n"
     "name holds its region, its shape and its number. Run `pencilc tune` again."),
    ("PC0811", "schedule-file", _E, "schedule file cannot be used",
     "The file named by --load-schedule is no schedule, or none of this program: it speaks of a region or a statement\n"
     "that there is not, leaves a statement out, has a row that is no affine expression or has no value for some\n"
     "statement, or rows that do not tell all instances of a statement apart. `--save-schedule FILE` writes one to\n"
     "begin from."),
    ("PC0812", "schedule-illegal", _E, "schedule breaks a dependence",
     "By the schedule of the file named by --load-schedule an instance of a statement would run before one that it\n"
     "waits for, or beside it: the message names both. A row that is marked P (parallel) or R (a reduction) without\n"
     "being one is refused in the same way; without a mark it gets the one that it may have."),
    ("PC0901", "limitation", _E, "a known limit of pencilc",
     "The program is right, but this version of pencilc cannot compile it (exit status 3). The message says what\n"
     "stands in the way; another way to write it is often enough."),
    ("PC0902", "internal", _E, "an internal fault of pencilc",
     "The fault is in pencilc and not in the program (exit status 3). The message holds what a report needs; `-v`\n"
     "adds the traceback."),
)  # fmt: skip

# Codes that have another severity in some cases.
_ALSO = {
    "PC0002": _W, "PC0005": _W, "PC0006": _W, "PC0106": _W, "PC0201": _W, "PC0208": _E, "PC0302": _W, "PC0408": _E,
    "PC0602": _E,
}  # fmt: skip

REGISTRY: dict[str, Code] = {row[0]: Code(*row, _ALSO.get(row[0])) for row in _TABLE}
BY_NAME: dict[str, Code] = {code.name: code for code in REGISTRY.values()}
