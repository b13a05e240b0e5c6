"""Rewrites the text of a `.cu` file into C++ that g++ compiles against the executor's headers.

Only this changes, and no line moves: kernel launches (`k<<<g, b>>>(x)`), declarations of `__shared__` variables,
instructions in `asm`, a registration behind each `__device__` or `__constant__` variable, so that the detector knows
it, and at the end of the file the names of each kernel's parameters, by which traffic is counted.
"""

from __future__ import annotations

import re

from pencilc.records import dataclass

# The GPU that is simulated unless another one is asked for.
ARCH = 900

_NOISE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)
_DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.MULTILINE)
_ALIGNMENT = re.compile(r"(?:alignas|__align__)\s*\(([^()]*)\)|__attribute__\s*\(\(\s*aligned\s*\(([^()]*)\)\s*\)\)")
_DECLARATOR = re.compile(r"\s*(?P<name>[A-Za-z_]\w*)\s*(?P<dims>(?:\[[^\]]*\]\s*)*)$")
_VARIABLE = re.compile(r"\b__(?:device|constant|managed)__\b")
_SHARED = re.compile(r"\b__shared__\b")
_KERNEL = re.compile(r"\b__global__\b")
_ASSEMBLY = re.compile(r"\basm\s+volatile\s*\(")
_INSTRUCTION = re.compile(r'\s*"\s*([a-z][\w.]*)([^"]*)"\s*$')
_OPERAND = re.compile(r'\s*"([^"]*)"\s*(?:\((.*)\)\s*)?$', re.DOTALL)
_BOUNDS = re.compile(r"\b__(?:launch_bounds|cluster_dims)__\s*\([^()]*\)")


class RewriteError(Exception):
    """The text holds a launch or a declaration in a form that the rewriter does not know."""


@dataclass(frozen=True)
class _Edit:
    start: int
    end: int
    text: str


def rewrite(text: str, name: str, arch: int = ARCH) -> str:
    """Return the C++ for the CUDA `text`, whose messages and debug information speak of the file `name`.

    `arch`: what `__CUDA_ARCH__` is, 900 for sm_90.
    """
    masked = _mask(text)
    edits = [
        *_launches(text, masked, name), *_shared(text, masked, name), *_assembly(text, masked, name),
        *_variables(text, masked, name),
    ]  # fmt: skip
    for edit in sorted(edits, key=lambda e: e.start, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    text = "\n".join([text, *_parameters(masked)])
    quoted = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'#define __CUDA_ARCH__ {arch}\n#line 1 "{quoted}"\n{text}'


def _parameters(masked: str) -> list[str]:
    """A registration of the parameter names of each kernel; a template has one for all its instances."""
    found: dict[str, str] = {}
    for match in _KERNEL.finditer(masked):
        rest = _BOUNDS.sub(lambda m: " " * len(m.group()), masked[match.end() :])
        head = re.search(r"([A-Za-z_]\w*)\s*\(", rest)
        if head is None:
            continue
        names = []
        for piece in _split_commas(rest[head.end() : _close(rest, head.end())]):
            word = re.search(r"([A-Za-z_]\w*)\s*(?:\[[^\]]*\]\s*)*$", piece)
            names.append(word[1] if word else "")
        found[head[1]] = ",".join(names)
    return [f'static CcParameters cc_parameters_{kernel}("{kernel}", "{names}");' for kernel, names in found.items()]


def _close(masked: str, position: int) -> int:
    """The position of the parenthesis that closes the one just before `position`."""
    depth = 1
    for i in range(position, len(masked)):
        depth += (masked[i] == "(") - (masked[i] == ")")
        if depth == 0:
            return i
    return len(masked)


def _mask(text: str) -> str:
    """Blank comments, strings and directives, keeping every position and line end."""

    def blank(match: re.Match[str]) -> str:
        return re.sub(r"[^\n]", " ", match.group())

    return _DIRECTIVE.sub(blank, _NOISE.sub(blank, text))


def _line(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1


def _opening(masked: str, end: int) -> int:
    """The position of the `<` that matches the `>` just before `end`."""
    depth = 0
    for i in range(end - 1, -1, -1):
        depth += (masked[i] in ">)") - (masked[i] in "<(")
        if depth == 0:
            return i
    return -1


def _launches(text: str, masked: str, name: str) -> list[_Edit]:
    edits = []
    for match in re.finditer("<<<", masked):
        end = len(masked[: match.start()].rstrip())
        template = _opening(masked, end) if masked[end - 1 : end] == ">" else end
        kernel = re.search(r"[A-Za-z_][\w:]*\s*$", masked[: max(template, 0)])
        close = masked.find(">>>", match.end())
        if kernel is None or close < 0:
            raise RewriteError(f"{name}:{_line(text, match.start())}: this launch is not understood")
        callee = " ".join(text[kernel.start() : end].split())
        newlines = "\n" * text[kernel.start() : match.end()].count("\n")
        label = callee.replace('"', "'")
        edits.append(_Edit(kernel.start(), match.end(), f'cc_launcher({callee}, "{label}")({newlines}'))
        edits.append(_Edit(close, close + 3, ").run"))
    return edits


def _statement(masked: str, position: int) -> tuple[int, int]:
    """The declaration around `position`: from behind the last `;`, brace or label to its own `;`."""
    start = max(masked.rfind(c, 0, position) for c in ";{}") + 1
    depth = 0
    for end in range(position, len(masked)):
        depth += (masked[end] in "([{") - (masked[end] in ")]}")
        if masked[end] == ";" and depth == 0:
            return start, end
    return start, len(masked)


def _declarators(body: str) -> tuple[str, list[tuple[str, str]]] | None:
    """Split `unsigned a[4], b` into its type and its (name, dimensions)."""
    pieces = _split_commas(body)
    first = re.search(r"(?P<name>[A-Za-z_]\w*)\s*(?P<dims>(?:\[[^\]]*\]\s*)*)$", pieces[0])
    if first is None or not pieces[0][: first.start()].strip():
        return None
    found = [(first["name"], first["dims"].strip())]
    for piece in pieces[1:]:
        other = _DECLARATOR.match(piece)
        if other is None:
            return None
        found.append((other["name"], other["dims"].strip()))
    return pieces[0][: first.start()].strip(), found


def _split_commas(body: str) -> list[str]:
    return _split(body, body, ",")


def _split(body: str, masked: str, separator: str) -> list[str]:
    """The parts of `body` between separators that stand in no brackets of `masked`, nor in what that blanks."""
    pieces, depth, start = [], 0, 0
    for i, c in enumerate(masked):
        depth += (c in "([{<") - (c in ")]}>")
        if c == separator and depth == 0:
            pieces.append(body[start:i])
            start = i + 1
    return [*pieces, body[start:]]


def _shared(text: str, masked: str, name: str) -> list[_Edit]:
    edits = []
    for match in _SHARED.finditer(masked):
        start, end = _statement(masked, match.start())
        body = masked[start:end]
        lead = len(body) - len(body.lstrip())
        alignment = next((m[1] or m[2] for m in _ALIGNMENT.finditer(body)), "1")
        plain = re.sub(r"\b(?:__shared__|static)\b", " ", _ALIGNMENT.sub(" ", body))
        dynamic = re.search(r"\bextern\b", plain) is not None
        split = _declarators(re.sub(r"\bextern\b", " ", plain))
        if split is None or (dynamic and masked.count("{", 0, start) == masked.count("}", 0, start)):
            raise RewriteError(f"{name}:{_line(text, match.start())}: this __shared__ declaration is not understood")
        lines = "\n" * body[lead:].count("\n")
        kind = " ".join(split[0].split())
        parts = [_dynamic(kind, v) if dynamic else _static(kind, v, d, alignment) for v, d in split[1]]
        edits.append(_Edit(start + lead, end, lines + "; ".join(parts)))
    return edits


def _dynamic(kind: str, variable: str) -> str:
    return f"{kind} *{variable} = ({kind} *)cc_dynamic_shared()"


def _static(kind: str, variable: str, dims: str, alignment: str) -> str:
    dims = " ".join(dims.split())
    return (
        f"static char cc_key_{variable}; typedef {kind} cc_type_{variable}{dims}; "
        f"cc_type_{variable} &{variable} = "
        f'cc_shared_variable<cc_type_{variable}>(&cc_key_{variable}, {alignment}, "{variable}")'
    )


def _assembly(text: str, masked: str, name: str) -> list[_Edit]:
    """A call for each PTX instruction in `asm`, as the header `assembly.h` of the executor says."""
    edits = []
    for match in _ASSEMBLY.finditer(masked):
        end = _close(masked, match.end())
        head, *lists = _split(text[match.end() : end], masked[match.end() : end], ":")
        instruction = _INSTRUCTION.match(head)
        operands = [[_OPERAND.match(each) for each in _split_commas(part)] if part.strip() else [] for part in lists]
        if instruction is None or any(each is None for part in operands for each in part):
            raise RewriteError(f"{name}:{_line(text, match.start())}: this asm statement is not understood")
        found = [[each for each in part if each is not None] for part in operands]
        constraints = ":".join("".join(each[1] for each in part) for part in [*found, [], [], []][:3])
        form = "".join(instruction[2].split()) + constraints
        values = "".join(f", {each[2]}" for part in found[:2] for each in part)
        call = f'cc_asm_{instruction[1].replace(".", "_")}("{form}"{values})'
        lines = "\n" * (text.count("\n", match.start(), end) - call.count("\n"))
        edits.append(_Edit(match.start(), end + 1, call + lines))
    return edits


def _variables(text: str, masked: str, name: str) -> list[_Edit]:
    edits = []
    for match in _VARIABLE.finditer(masked):
        declared = _variable_name(masked, match.end())
        if declared is None:
            continue
        start, end = _statement(masked, match.start())
        body = masked[start:end]
        if re.search(r"\bextern\b", body):
            continue
        constant = "true" if "__constant__" in body else "false"
        registration = f'; static CcVariable cc_variable_{declared}({declared}, "{declared}", {constant})'
        # The alignment leaves a gap behind the variable, so that running off its end is seen.
        edits.append(_Edit(match.end(), match.end(), " __attribute__((aligned(256)))"))
        edits.append(_Edit(end, end, registration))
    unique = {e.start: e for e in edits}  # `__device__ __constant__` is one declaration
    return list(unique.values())


def _variable_name(masked: str, position: int) -> str | None:
    """The variable declared behind a `__device__`, or None if that is a function (or a lambda)."""
    head = _ALIGNMENT.sub(lambda m: " " * len(m.group()), masked[position : position + 2000])
    head = re.sub(r"__launch_bounds__\s*\([^()]*\)", lambda m: " " * len(m.group()), head)
    depth = 0
    for i, c in enumerate(head):
        depth += (c == "<") - (c == ">")
        if depth > 0:
            continue
        if c in "({":
            return None
        if c in "[=;":
            found = re.search(r"([A-Za-z_]\w*)\s*$", head[:i])
            return found[1] if found and found[1] != "operator" else None
    return None
