"""The front end: types, conversions, normal forms, regions, host text."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from pencilc.diagnostics.diagnostic import Diagnostic, SourceErrors
from pencilc.diagnostics.source import SourceFile
from pencilc.frontend import FrontendOptions, include_dir, parse_file, preprocess_file, read_source
from pencilc.ir.source import (
    DOUBLE,
    FLOAT,
    INT,
    LONG,
    UINT,
    ULONG,
    ArrayType,
    Assign,
    Binary,
    Call,
    Cast,
    Declare,
    For,
    Initializer,
    IntLiteral,
    ReductionUpdate,
    Region,
    Struct,
    TranslationUnit,
    While,
    walk,
)
from pencilc.ir.source_printer import print_stmt

SAMPLES = Path(__file__).parent.parent.parent / "samples"


def parse(text: str, **options: tuple[str, ...]) -> TranslationUnit:
    return parse_file(SourceFile("t.c", text), FrontendOptions(**options))[0]  # type: ignore[arg-type]


def errors(text: str) -> tuple[Diagnostic, ...]:
    with pytest.raises(SourceErrors) as caught:
        parse(text)
    return caught.value.diagnostics


def body(statements: str, before: str = "") -> Region:
    """The region of an entry function around some statements."""
    text = f"#include <math.h>\n#include <stdint.h>\n#include <pencil.h>\n{before}\n" + (
        "void f(int n, float a[static const restrict n], uint8_t b[static const restrict n]) {\n"
        f"__pencil_assume(n > 0);\n{statements}\n}}\n"
    )
    return parse(text).regions[0]


def value(expression: str, declarations: str = "") -> Assign:
    return next(
        s for s in walk(body(f"{declarations}\ndouble out[1]; out[0] = {expression};").body) if isinstance(s, Assign)
    )


@pytest.mark.parametrize(
    ("expression", "ctype"),
    [
        ("b[0] + b[1]", INT),
        ("b[0] + 1u", UINT),
        ("1L + 1u", LONG),
        ("-1 + sizeof(int)", ULONG),
        ("b[0] * 1.5f", FLOAT),
        ("a[0] + 1.0", DOUBLE),
        ("b[0] << 1L", INT),
        ("a[0] < 1", INT),
        ("2147483648", LONG),
        ("0x80000000", UINT),
        ("'a'", INT),
        ("min(b[0], 1.0f)", FLOAT),
        ("clamp(n, 0, 3u)", UINT),
        ("fmaxf(1, 2)", FLOAT),
        ("n ? 1 : 2.0f", FLOAT),
    ],
)
def test_types_after_conversions(expression: str, ctype: object) -> None:
    result = value(expression).value
    if isinstance(result, Cast) and result.implicit:
        result = result.operand
    assert result.type == ctype


def test_implicit_conversions_are_casts() -> None:
    assign = value("b[0] + a[0]")
    assert isinstance(assign.value, Cast) and assign.value.implicit
    added = assign.value.operand
    assert isinstance(added, Binary)
    assert isinstance(added.left, Cast) and added.left.implicit and added.left.type == FLOAT


def test_compound_assignment_is_expanded() -> None:
    region = body("b[0] += 3; a[1] *= 2; a[0]++; --a[0];", "")
    assigns = [s for s in region.body.items if isinstance(s, Assign)]
    assert [s.compound for s in assigns] == ["+", "*", "+", "-"]
    narrowed = assigns[0].value
    assert isinstance(narrowed, Cast) and narrowed.implicit and isinstance(narrowed.operand, Binary)


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("for (int i = 0; i < n; i++)", ("<", 1)),
        ("for (int i = 0; n > i; ++i)", ("<", 1)),
        ("for (int i = n; i >= 0; i -= 3)", (">=", -3)),
        ("for (int i = n; 0 < i; i = i - 2)", (">", -2)),
        ("for (int i = 0; i != n; i = 1 + i)", ("!=", 1)),
        ("for (long i = 0; i <= n; i += K)", ("<=", 4)),
    ],
)
def test_loops_are_normalised(head: str, expected: tuple[str, int]) -> None:
    region = body(f"{head} a[i] = 1;", "enum { K = 4 };")
    loop = next(s for s in region.body.items if isinstance(s, For))
    assert (loop.relation, loop.step) == expected
    assert loop.declares


def test_character_constants_have_the_values_of_gcc(tmp_path: Path) -> None:
    constants = [
        "'a'",
        "'\\xff'",
        "'\\377'",
        "'\\n'",
        "L'\\xff'",
        "L'\\377'",
        "L'\\x1ff'",
        "L'A'",
        "L'é'",
        "u'\\xffff'",
    ]
    constants += ["U'\\xffffffff' > 0", "'\\''"]
    (tmp_path / "c.c").write_text("".join(f"long c{k} = {text};\n" for k, text in enumerate(constants)))
    values = "".join(f'printf("%ld\\n", c{k});' for k in range(len(constants)))
    (tmp_path / "main.c").write_text(f'#include <stdio.h>\n#include "c.c"\nint main(void) {{ {values} return 0; }}\n')
    subprocess.run(["gcc", "-std=c11", "main.c", "-o", "main"], cwd=tmp_path, check=True)
    told = subprocess.run([tmp_path / "main"], capture_output=True, text=True, check=True).stdout.split()
    found = []
    for text in constants:
        # What is folded is seen as the extent of an array.
        (region,) = parse(f"void f(int n, int a[n]) {{\n#pragma scop\n for (int i = 0; i < n; i++) a[i] = {text};\n"
                          "#pragma endscop\n}").regions  # fmt: skip
        (value,) = (n.value for n in walk(region.body) if isinstance(n, Assign))
        found.append(value)
    plain = [each.value for each in found if isinstance(each, IntLiteral)]
    assert plain == [int(one) for one, each in zip(told, found, strict=True) if isinstance(each, IntLiteral)]
    assert len(plain) >= 10


def test_a_character_of_several_bytes_is_refused() -> None:
    (error,) = errors(
        "void f(int n, int a[n]) {\n#pragma scop\n for (int i = 0; i < n; i++) a[i] = 'é';\n#pragma endscop\n}"
    )
    assert "'é'" in error.message


def test_branches_are_those_of_the_compiler_of_the_host(tmp_path: Path) -> None:
    names = [
        "__linux__",
        "__unix__",
        "__x86_64__",
        "__LP64__",
        "__STDC_IEC_559__",
        "__ELF__",
        "__FLT_MAX__",
        "__DBL_EPSILON__",
    ]
    text = "".join(f"#ifdef {name}\nint has_{name};\n#endif\n" for name in names)
    (tmp_path / "t.c").write_text(text)
    gcc = ["gcc", "-std=c99", "-E", "-P", "t.c"]
    done = subprocess.run(gcc, cwd=tmp_path, capture_output=True, text=True, check=True)
    ours = str(preprocess_file(SourceFile("t.c", text), FrontendOptions()))
    assert re.findall(r"has_\w+", done.stdout) == re.findall(r"has_\w+", ours) == [f"has_{name}" for name in names]


def test_names_are_unique_in_a_function() -> None:
    region = body("for (int i = 0; i < n; i++) { int i = n / 2; a[i] = i; } for (int i = 0; i < n; i++) a[i] = 1;")
    names = [s.symbol.name for s in walk(region.body) if isinstance(s, Declare)]
    names += [s.iterator.name for s in walk(region.body) if isinstance(s, For)]
    assert sorted(names) == ["i", "i_1", "i_2"]


def test_pragma_binds_to_the_next_loop_without_braces() -> None:
    region = body(
        "for (int i = 0; i < n; i++)\n#pragma pencil independent reduction(+: s)\n"
        "for (int j = 0; j < n; j++) s += a[j];".replace("for (int i", "float s = 0;\nfor (int i", 1)
    )
    outer, inner = (s for s in walk(region.body) if isinstance(s, For))
    assert not outer.independent and inner.independent
    assert [c.operator for c in inner.reductions] == ["+"]


def test_struct_layout_matches_gcc(tmp_path: Path) -> None:
    declaration = "typedef struct { char c; double d; struct { short s; char t[3]; } in; int k[2][3]; } T;"
    region = body("T t = {.k = {[1] = {[2] = 7}}, .c = 1};", declaration)
    ctype = next(s for s in region.body.items if isinstance(s, Declare)).symbol.type
    assert isinstance(ctype, Struct)
    program = tmp_path / "t.c"
    members = " ".join(f'printf("%zu ", offsetof(T, {m.name}));' for m in ctype.members)
    program.write_text(
        f"#include <stdio.h>\n#include <stddef.h>\n{declaration}\n"
        f'int main(void) {{ {members} printf("%zu %zu", sizeof(T), _Alignof(T)); }}\n'
    )
    subprocess.run(["gcc", str(program), "-o", str(tmp_path / "t")], check=True)
    printed = subprocess.run([str(tmp_path / "t")], check=True, capture_output=True, text=True).stdout
    assert [int(x) for x in printed.split()] == [*(m.offset for m in ctype.members), ctype.size, ctype.align]


def test_initialisers_are_normalised() -> None:
    region = body(
        "struct s x = {.b = {[2] = 3}, 4};\nfloat w[] = {1, [3] = 2};\nw[0] = 3;",
        "struct s { int a; int b[3]; float c; };",
    )
    first, second = (s for s in region.body.items if isinstance(s, Declare))
    assert print_stmt(first).strip() == "s x = {0, {0, 0, 3}, 4};"
    assert isinstance(second.symbol.type, ArrayType) and isinstance(second.init, Initializer)
    assert len(second.init.values) == 4


def test_sizeof_and_enum_constants_fold() -> None:
    assign = value("sizeof(struct s) + K", "struct s { char c; int i; }; enum { J = 2, K }; ")
    literals = [n.value for n in walk(assign.value) if isinstance(n, IntLiteral)]
    assert literals == [8, 3]


def test_enumeration_constants_have_the_types_of_gcc() -> None:
    """`int`, or the least that has the value."""
    before = "enum { A = 1, B = 0x80000000u, C = 1L << 40, D = -1 }; enum wide { E = 0x80000000u, F = -2 } w; "
    found = {}
    for name, size in (("A", 4), ("B", 4), ("C", 8), ("D", 4), ("E", 4)):
        (literal,) = [n for n in walk(value(name, before).value) if isinstance(n, IntLiteral)]
        found[name] = literal.type
        assert getattr(literal.type, "size", 0) == size
    assert found == {"A": INT, "B": UINT, "C": LONG, "D": INT, "E": UINT}
    (size_of,) = [n.value for n in walk(value("sizeof(enum wide)", before).value) if isinstance(n, IntLiteral)]
    assert size_of == 8


@pytest.mark.parametrize(
    ("macros", "text", "expanded"),
    [
        ("#define M -1", "a-M", "a- -1"),
        ("#define S(a, b) a-b", "S(k,-2)", "k- -2"),
        ("#define P +1", "i+P", "i+ +1"),
        ("#define ID(x) x", "ID(int)i", "int i"),
        ("#define ID(x) x", "ID(return)1", "return 1"),
        ("#define V *p", "a/V", "a/ *p"),
        ("#define N", "a N-1.5e-3+0x1p3-.5", "a -1.5e-3+0x1p3-.5"),
        ("#define G(a, b) a##b", "G(x, 1)+G(-, =)", "x1+-="),
    ],
)
def test_what_macros_put_side_by_side_stays_apart(macros: str, text: str, expanded: str) -> None:
    done = str(preprocess_file(SourceFile("t.c", f"{macros}\nSTART {text}\n"), FrontendOptions()))
    assert " ".join(done.rpartition("START ")[2].split()) == expanded


def test_a_comment_that_a_backslash_continues_has_the_next_line(tmp_path: Path) -> None:
    text = (
        'int a; // one \\\nint b;\nint c; /* x // \\\n y */ int d; char *e = "// \\\\";\nint f; // two \\  \n'
        " three \\\n four\nint g;\n// \\ no\nint h;\n"
    )
    (tmp_path / "t.c").write_text(text)
    gcc = ["gcc", "-std=c99", "-E", "-P", "t.c"]
    done = subprocess.run(gcc, cwd=tmp_path, capture_output=True, text=True, check=True)
    ours = str(preprocess_file(SourceFile("t.c", text), FrontendOptions()))
    assert re.findall(r"int \w;", done.stdout) == re.findall(r"int \w;", ours) == [f"int {c};" for c in "acdfgh"]


def test_the_next_header_of_a_name_is_refused() -> None:
    (error,) = errors("#include_next <own.h>\nint x;\n")
    assert error.code == "PC0005" and "`#include_next` is not taken" in error.message


def test_lines_that_are_counted_anew_are_told() -> None:
    loop = (
        "void f(int n, int a[n]) {{\n#pragma scop\n#line 7\n"
        "for (int i = 0; i < n; i++) a[i] = {};\n#pragma endscop\n}}\n"
    )
    (error,) = errors("#define HERE __LINE__\n" + loop.format("HERE + HERE"))
    assert error.code == "PC0005" and "`__LINE__` behind `#line`" in error.message
    assert parse(loop.format("1")).regions and parse(loop.format("__LINE__").replace("#line 7", "")).regions


def test_extent_qualifiers_in_any_order() -> None:
    head = "void f(int n, int m, float a[{0}], const float b[{1}][m])"
    text = head + " {{\n#pragma scop\na[0] = b[0][0];\n#pragma endscop\n}}"
    for first in ("static const restrict n", "restrict const static n", "const restrict static n", "restrict n"):
        unit = parse(text.format(first, first))
        a, b = unit.regions[0].params[2].type, unit.regions[0].params[3].type
        assert isinstance(a, ArrayType) and a.is_restrict and not a.is_const
        assert isinstance(b, ArrayType) and b.is_restrict and b.is_const and isinstance(b.element, ArrayType)


def test_helpers_may_loop_and_return_early() -> None:
    region_text = """
static int bits(unsigned x) { int k; for (k = 0; x; x >>= 1) { k++; } return k; }
static float pick(float x) { if (x > 0) return 1; while (x < -1) { x += 1; break; } return x; }
void f(int n, float a[static const restrict n]) {
#pragma scop
  for (int i = 0; i < n; i++) a[i] = pick(a[i]) + bits(i);
#pragma endscop
}"""
    unit = parse(region_text)
    assert [f.name for f in unit.functions] == ["bits", "pick"]
    bits = unit.function("bits")
    assert bits is not None and any(isinstance(n, While) for n in walk(bits.body))
    assert unit.host_text is None


def test_names_of_cpp_and_own_min_survive() -> None:
    unit = parse("""
#include <pencil.h>
static int min(int a, int b) { return a < b ? a : b; }
void f(int template, float new[static const restrict template]) {
#pragma scop
  for (int and = 0; and < template; and++) new[and] = min(and, 3);
#pragma endscop
}""")
    assert [p.name for p in unit.regions[0].params] == ["template", "new"]
    assert [f.name for f in unit.functions] == ["min"]
    assert any(isinstance(n, Call) and n.function == "min" for n in walk(unit.regions[0].body))


MAIN = """
#include <stdio.h>
#include <stdlib.h>
#include <pencil.h>
#define N 8
#define SECTION "dot"
static void zero(float *p) { *p = 0; }
static float add(float a, float b) { return a + b; }
static float dot(int n, const float a[static const restrict n], const float b[static const restrict n])
{
    float s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++)
        __pencil_reduction(&s, a[i] * b[i], add);
    return s;
}
static int next(int x) { return ({ int y = x; y + 1; }); } /* GNU C */
int main(void)
{
    int n = N, i;
    float a[n], m[N][2], s; // keep
    for (i = 0; i < N; i++) a[i] = i;
    s = dot(n, a, a);
#pragma scop
    __pencil_reduction_var_init(&s, zero);
    for (i = 0; i < n; i++) {
        m[i][1] = a[i];
        __pencil_reduction(&s, a[i], add);
    }
#pragma endscop
    printf("%s %g %d\\n", SECTION, s + m[2][1], next(1));
    return 0;
}
"""


def test_outlined_region_and_host_text(tmp_path: Path) -> None:
    unit = parse(MAIN)
    static, region = unit.regions
    assert static.function == "dot" and static.name.startswith("dot_") and len(static.name) == 12
    assert region.name == "main_scop0" and region.outlined
    assert [p.name for p in region.params] == ["n", "a", "m", "s"]
    assert region.written_scalars == ("s",)
    assert region.prototype.of("r") == "void r(int n, float a[n], float m[8][2], float *s)"
    assert unit.has_main
    host = unit.host_text
    assert host is not None
    assert "main_scop0(n, a, m, &s);" in host
    assert f"s = {static.name}(n, a, a);" in host
    assert "/* GNU C */" in host and "// keep" in host and "#define N 8" in host
    assert "__pencil_reduction" not in host and "add(" not in host
    path = tmp_path / "host.c"
    path.write_text(host)
    flags = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas", f"-I{include_dir()}"]
    subprocess.run(["gcc", *flags, "-c", str(path), "-o", str(tmp_path / "host.o")], check=True)


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("void f(int n, float a[static const restrict n])", "void g(int n, float a[static const restrict n])"),
        ("static inline void\nf (int n,\n  /* of f */ float a[static const restrict n] )",
         "void g (int n, float a[static const restrict n] )"),
        ("inline static\nvoid(f)(int f_, float a[const restrict static f_])",
         "void(g)(int f_, float a[const restrict static f_])"),
        ("struct f f(struct f x, int n, float a[static const restrict n])",
         "struct f g(struct f x, int n, float a[static const restrict n])"),
        ("static struct f f (struct f x, int n, float a[static const restrict n])",
         "struct f g (struct f x, int n, float a[static const restrict n])"),
    ],
)  # fmt: skip
def test_prototypes_are_those_of_the_source_under_any_name(written: str, read: str) -> None:
    size = "f_" if "f_" in written else "n"
    value = "return x;" if "struct" in written else ""
    body = f"{{\n#pragma scop\nfor (int i = 0; i < {size}; i++) a[i] = 1;\n#pragma endscop\n{value}}}\n"
    (region,) = parse(f"struct f {{ int x; }};\n{written}{body}").regions
    assert region.prototype.of("g") == read


def test_a_name_in_parentheses_is_that_of_the_function() -> None:
    kernel = "void (f)(int n, float a[static const restrict n]) {\n#pragma scop\n for (int i = 0; i < n; i++) a[i] = 1;"
    unit = parse(kernel + "\n#pragma endscop\n}\nint (main)(void) { float a[3]; (f)(3, a); return 0; }\n")
    assert unit.host_text is not None and unit.host_text.startswith(
        "void (f)(int n, float a[static const restrict n]);"
    )


def test_a_program_is_what_defines_main() -> None:
    scop = "#pragma scop\nfor (int i = 0; i < n; i++) a[i] = 1;\n#pragma endscop\n"
    kernel = f"void f(int n, float a[static const restrict n]) {{\n{scop}}}\n"
    others = '/* int main (void) */ int domain(int x);\n#define SAYS "main ("\nint twice(int x) { return 2 * x; }\n'
    host = parse(kernel + others)
    assert host.host_text is not None and not host.has_main
    for main in (
        "int main(void) { return 0; }",
        "int (main)(void) { return 0; }",
        "int\nmain\n(int c, char **v) { return ({ c; }); }",
    ):
        assert parse(kernel + main).has_main
    assert parse(kernel + "#define PROGRAM int main(void)\nPROGRAM { return 0; }").has_main
    assert not parse(kernel + "int main(void);\nint x;").has_main


def test_static_names_do_not_depend_on_paths() -> None:
    first = parse_file(SourceFile("a/x.c", MAIN), FrontendOptions())[0]
    second = parse_file(SourceFile("y.c", MAIN), FrontendOptions())[0]
    assert [r.name for r in first.regions] == [r.name for r in second.regions]


def test_region_without_pragma_in_main() -> None:
    unit = parse("""
#include <stdio.h>
#include <pencil.h>
static void zero(int *p) { *p = 0; }
static int add(int a, int b) { return a + b; }
int main(void) {
  int a[4] = {1, 2, 3, 4}, s;
  printf("begin\\n");
  __pencil_reduction_var_init(&s, zero);
  for (int i = 0; i < 4; i++)
    __pencil_reduction(&s, a[i], add);
  printf("%d\\n", s);
}""")
    assert [r.name for r in unit.regions] == ["main_scop0"]
    assert unit.host_text is not None and "{ main_scop0(a, &s); }" in unit.host_text
    assert sum(isinstance(n, ReductionUpdate) for n in walk(unit.regions[0].body)) == 1


def test_region_in_an_included_file(tmp_path: Path) -> None:
    (tmp_path / "kernel.h").write_text(
        "void k(int n, float a[static const restrict n]) {\n#pragma scop\n"
        "  for (int i = 0; i < n; i++) a[i] = SCALE;\n#pragma endscop\n}\n"
    )
    main = tmp_path / "main.c"
    main.write_text('#include <stdio.h>\n#include "kernel.h"\nint main(void) { float a[3]; k(3, a); puts("x"); }\n')
    unit = parse_file(read_source(str(main)), FrontendOptions(defines=("SCALE=2.0f",)))[0]
    assert [r.name for r in unit.regions] == ["k"]
    assert unit.host_text is not None
    assert "#include <stdio.h>" in unit.host_text and "kernel.h" in unit.host_text
    assert 'puts("x")' in unit.host_text and "2.0f" not in unit.host_text
    (tmp_path / "host.c").write_text(unit.host_text)
    subprocess.run(["gcc", "-std=c99", "-c", str(tmp_path / "host.c"), "-o", str(tmp_path / "o")], check=True)


def test_host_text_keeps_the_helpers_that_it_needs() -> None:
    unit = parse("""
static int three(int x) { return x + 3; }
static int two(int x) { return x + 2; }
static int four(int x) { return two(x) + 2; }
#define THREE(x) three(x)
void k(int n, int a[static const restrict n]) {
#pragma scop
  for (int i = 0; i < n; i++) a[i] = three(four(a[i]));
#pragma endscop
}
int main(void) { int a[2] = {1, 2}; k(2, a); return THREE(a[1]); }
""")
    assert unit.host_text is not None and "int three(int x)" in unit.host_text
    assert "four" not in unit.host_text and "two" not in unit.host_text


def test_helper_in_an_included_file_leaves_the_main_text_alone(tmp_path: Path) -> None:
    (tmp_path / "square.h").write_text("static inline float square(float x) { return x * x; }\n")
    main = tmp_path / "main.c"
    main.write_text(
        '#include "square.h"\n#define SIZE 3\nvoid k(int n, float a[static const restrict n]) {\n#pragma scop\n'
        "  for (int i = 0; i < n; i++) a[i] = square(a[i]);\n#pragma endscop\n}\n"
        "int main(void) { float a[SIZE] = {1}; k(SIZE, a); }\n"
    )
    unit = parse_file(read_source(str(main)), FrontendOptions())[0]
    assert [f.name for f in unit.functions] == ["square"]
    assert unit.host_text is not None and unit.host_text.startswith('#include "square.h"\n#define SIZE 3\n')
    assert "void k(int n, float a[static const restrict n]);\n" in unit.host_text


def test_macros_keep_columns() -> None:
    text = (
        "#define TWICE(x) ((x) + (x))\nvoid f(int n, int a[static const restrict n]) {\n#pragma scop\n"
        "  a[0] = TWICE(n) + nowhere;\n#pragma endscop\n}\n"
    )
    (error,) = errors(text)
    line = text.splitlines()[error.span.line - 1]
    assert line[error.span.column - 1 : error.span.end_column - 1] == "nowhere"


def test_options_of_the_preprocessor(tmp_path: Path) -> None:
    (tmp_path / "own.h").write_text("#define VALUE 7\n")
    text = '#include "own.h"\n#ifdef GONE\n#error gone\n#endif\nint v = VALUE + EXTRA;\n'
    options = FrontendOptions((str(tmp_path),), ("EXTRA=2", "GONE"), ("GONE",))
    out = preprocess_file(SourceFile("t.c", text), options)
    assert "int v = 7 + 2;" in out and '#line 5 "t.c"' in out


@pytest.mark.parametrize(
    ("data", "message"),
    [(b"", "empty"), (b"int\0x;", "NUL"), (b"int \xff;", "not UTF-8")],
)
def test_unreadable_sources(data: bytes, message: str) -> None:
    with pytest.raises(SourceErrors, match=message):
        read_source("t.c", data)


def test_strange_bytes_in_comments_do_no_harm() -> None:
    file = read_source(
        "t.c", b"// caf\xe9\nvoid f(int n, int a[n]) {\n#pragma scop\na[0] = 1; /* \xff */\n#pragma endscop\n}\n"
    )
    assert parse_file(file, FrontendOptions())[0].regions


def test_missing_file_and_folder(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.c"):
        with pytest.raises(SourceErrors):
            read_source(str(path))


@pytest.mark.parametrize("depth", [50, 400, 20000])
@pytest.mark.parametrize(("left", "right"), [("(", ")"), ("-(", ")"), ("a[", "]")])
def test_deep_nesting_ends_with_an_answer(depth: int, left: str, right: str) -> None:
    text = f"void f(int n, int a[n]) {{\n#pragma scop\na[0] = {left * depth}1{right * depth};\n#pragma endscop\n}}\n"
    try:
        parse(text)
    except SourceErrors as caught:
        assert {d.code for d in caught.diagnostics} <= {"PC0004"}
        assert depth > 100
    blocks = "{" * depth + "}" * depth
    try:
        parse(f"void f(int n, int a[n]) {{\n#pragma scop\n{blocks}\na[0] = 1;\n#pragma endscop\n}}\n")
    except SourceErrors as caught:
        assert {d.code for d in caught.diagnostics} <= {"PC0004"}


@pytest.mark.parametrize("step", [37])
def test_truncated_programs_never_crash(step: int) -> None:
    for text in (MAIN, (SAMPLES / "sum_struct.c").read_text()):
        for length in range(0, len(text), step):
            try:
                parse(text[:length])
            except SourceErrors as caught:
                assert caught.diagnostics


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*.c")), ids=lambda p: p.stem)
def test_samples_parse_without_warnings(path: Path) -> None:
    unit, warnings = parse_file(read_source(str(path)), FrontendOptions())
    assert unit.regions and not warnings


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_pencil_header_is_plain_c(compiler: str, tmp_path: Path) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    program = tmp_path / "header.c"
    program.write_text(HEADER_PROGRAM)
    flags = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas", f"-I{include_dir()}"]
    subprocess.run([compiler, *flags, str(program), "-o", str(tmp_path / "h"), "-lm"], check=True)
    run = subprocess.run([str(tmp_path / "h")], check=True, capture_output=True, text=True)
    assert run.stdout == "26.5 1 321\n"
    assert parse(HEADER_PROGRAM).regions


HEADER_PROGRAM = """
#include <stdio.h>
#define PENCIL_NO_IMAX
#include <pencil.h>
typedef struct { float re, im; } cplx;
static int imax(void) { return 321; }
static cplx cadd(cplx a, cplx b) { cplx r = {a.re + b.re, a.im + b.im}; return r; }
static void czero(cplx *p) { p->re = 0; p->im = 0; }
static float add(float a, float b) { return a + b; }
static void zero(float *p) { *p = 0; }
static void access(int n, const float a[static const restrict n])
{
  for (int i = 0; i < n; i++) __pencil_use(a[i]);
  if (__pencil_maybe()) __pencil_use(n);
}
__attribute__((pencil_access(access))) float sum(int n, const float a[static const restrict n]);
float sum(int n, const float a[static const restrict n])
{
  float s, h[4];
  cplx c;
  __pencil_assume(n > 0);
  __pencil_reduction_var_init(&s, zero);
  __pencil_reduction_var_init(&c, czero);
  for (int k = 0; k < 4; k++) __pencil_reduction_var_init(&h[k], zero);
#pragma pencil independent
  for (int i = 0; i < n; i++) {
    cplx e = {a[i], -a[i]};
    __pencil_reduction(&s, min(a[i], 3), add, NULL);
    if (i & 1) __pencil_reduction(&c, e, cadd);
    else __pencil_reduction(&h[i % 4], 1, add);
  }
  __pencil_kill(h);
  __pencil_assert(s >= 0);
  return s + c.re + h[clamp(n, 0, 3)] + max(n, 2u) + mixf(1, 2, 0.5f) + imin(n, 3);
}
int main(void)
{
  float a[5] = {1, 2, 3, 4, 5};
  access(5, a);
  printf("%g %g %d\\n", sum(5, a), (double)min(1, 2.5), imax());
  return 0;
}
"""


@pytest.mark.parametrize("body", ["{ }", ";", "{ a[i] = 3; }", "{ default: ; }", "default: ;"])
def test_switch_without_a_choice(body: str) -> None:
    unit = parse(
        "void f(int n, int a[static const restrict n]) {\n#pragma scop\n"
        f"for (int i = 0; i < n; i++) {{ switch (a[i]) {body} a[i] = 1; }}\n#pragma endscop\n}}\n"
    )
    assert [region.function for region in unit.regions] == ["f"]


GNU_DECLARATIONS = (
    "extern __thread int x; static __thread int y = 1;",
    "typedef _Float128 quad; quad of_text(const char *);",
    "_Float32x x; _Float64 y; __float128 z; _Decimal64 d; __int128_t i;",
    "__complex__ double c; static unsigned long a = __alignof__(double);",
    "__typeof__(int) x; extern typeof(x) *y; extern __typeof(y[0]) z;",
    "static int x[] = {[3] = 1, [1 ... 2] = 5};",
    "#include <stdatomic.h>\nstatic atomic_int x = ATOMIC_VAR_INIT(1); static _Atomic int y; static atomic_flag z;",
    "static unsigned long x = __builtin_offsetof(struct s { int a; int b; }, b);",
    '__asm__(".globl nothing"); asm("");',
    "__UINTPTR_TYPE__ x; __INT8_TYPE__ y; enum e { LARGEST = __INT32_MAX__ }; __SIZE_TYPE__ z = __SIZE_MAX__;",
)


@pytest.mark.parametrize("text", GNU_DECLARATIONS)
def test_gnu_declarations_of_the_host(text: str, tmp_path: Path) -> None:
    (tmp_path / "gnu.h").write_text(text)
    region = (
        "\nvoid f(int n, int a[static const restrict n]) {\n#pragma scop\n"
        "for (int i = 0; i < n; i++) a[i] = 1;\n#pragma endscop\n}\n"
    )
    for source in (text, f'#include "{tmp_path}/gnu.h"'):
        assert [r.function for r in parse(source + region).regions] == ["f"]
        (tmp_path / "file.c").write_text(source + region)
        subprocess.run(["gcc", "-fsyntax-only", str(tmp_path / "file.c")], check=True)


def test_headers_may_make_the_types_of_gnu_c() -> None:
    text = "typedef float _Float32;\nvoid f(int n, _Float32 a[static const restrict n]) {\n#pragma scop\n"
    unit = parse(text + "for (int i = 0; i < n; i++) a[i] = 1;\n#pragma endscop\n}\n")
    assert [region.function for region in unit.regions] == ["f"]


@pytest.mark.parametrize("directive", ["ifdef", "ifndef", "undef", "define"])
def test_directives_without_a_name(directive: str) -> None:
    with pytest.raises(SourceErrors) as caught:
        parse(f"int y;\n\n#{directive}\nint z;\n")
    assert [(d.span.line, d.message) for d in caught.value.diagnostics] == [(3, f"`#{directive}` of nothing")]


def test_large_arrays_with_initialisers_are_told_as_large() -> None:
    text = """
static const char big[1000000000] = {1};
static const char far[] = {[2000000000] = 1};
void f(int n, int a[static const restrict n]) {
#pragma scop
  for (int i = 0; i < n; i++) {
    int here[100000000] = {0};
    a[i] = big[i] + far[i] + here[i];
  }
#pragma endscop
}
"""
    with pytest.raises(SourceErrors) as caught:
        parse(text)
    found = [(d.span.line, d.code, d.message) for d in caught.value.diagnostics]
    message = "more than 300,000 elements of initialised arrays: pencilc reads no further"
    assert found == [(line, "PC0006", message) for line in (2, 3, 7)]


@pytest.mark.parametrize(
    "head", ["#define Q\n", "#define OPEN P(\n", "#define CLOSE )\n"], ids=["pairs", "a macro opens", "a macro closes"]
)
def test_long_tables_of_macro_calls_are_what_short_ones_are(head: str) -> None:
    """Where macros are well-behaved, a table is read piece by piece."""
    head += "#define P(a, b) ((a) + R(b))\n#define R(x) x\n#define EACH(...) {__VA_ARGS__}\n"
    rows = [f"P({k}, (R({k}), 2)), EACH({k}, P(1, {k}), 3), P R(({k},\n{k}))," + "0 " * (k % 7) for k in range(300)]
    if "OPEN" in head:
        rows = [f"OPEN {k}, 1) (, {row}" for k, row in enumerate(rows)]
    if "CLOSE" in head:
        rows = [f"{row} ({k} CLOSE," for k, row in enumerate(rows)]

    def preprocessed(body: str) -> str:
        made = preprocess_file(SourceFile("t.c", head + body), FrontendOptions())
        return re.sub(r"#line.*|\s", "", made)

    assert preprocessed("\n".join(rows)) == "".join(map(preprocessed, rows))


def test_too_many_macros_are_told_where_they_are() -> None:
    table = "".join(f"P({k}, {k}),\n" for k in range(12_000))
    with pytest.raises(SourceErrors) as caught:
        parse("#define P(a, b) ((a) * 3 + (b))\nstatic const int t[] = {\n" + table + "};\n")
    (told,) = caught.value.diagnostics
    assert told.message == "more than 100,000 tokens in the expansion of macros: pencilc reads no further"
    assert 6_600 < told.span.line < 6_700
