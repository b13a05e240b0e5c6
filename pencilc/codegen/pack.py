"""Packed kernels: a device function for each part, and a kernel that gives each its blocks."""

from __future__ import annotations

from dataclasses import replace

from pencilc.codegen.kernels import KernelWriter
from pencilc.codegen.parameters import arguments_of
from pencilc.ir.kernel import If, KernelFunction, Line, Node
from pencilc.ir.mapping import MappedProgram, Packed


def packed_functions(program: MappedProgram, packed: Packed) -> tuple[KernelFunction, ...]:
    """The device functions of the parts, and last the kernel that calls them."""
    parts: list[KernelFunction] = []
    for kernel in packed.kernels:
        (made,) = KernelWriter(program, kernel, packed=True).functions()
        parameters, arguments = arguments_of(program, made, kernel)
        parts.append(replace(made, packed=True, parameters=parameters, arguments=arguments))
    return (*parts, _dispatcher(packed, parts))


def _dispatcher(packed: Packed, parts: list[KernelFunction]) -> KernelFunction:
    parameters: dict[str, str] = {}  # by argument
    for number, part in enumerate(parts):
        for parameter, argument in zip(part.parameters, part.arguments, strict=True):
            wanted, known = own(parameter, number), parameters.get(own(argument, number))
            # One part may write members of structs of which another reads others.
            if known is None or (known.startswith("const ") and not wanted.startswith("const ")):
                parameters[own(argument, number)] = wanted
    for number in range(len(parts) - 1):
        parameters[f"@end{number}"] = f"unsigned @end{number}"
    comment = (f"Each of {len(parts)} parts that do not depend on each other has blocks of its own.",)
    return KernelFunction(
        packed.name, "packed", comment, tuple(parameters.values()), tuple(parameters), packed.kernels[0].block, None,
        (), (), _calls(parts, 0), (), index="long long",
    )  # fmt: skip


def _calls(parts: list[KernelFunction], number: int) -> tuple[Node, ...]:
    """`if (blockIdx.x < end0) part0(…, blockIdx.x, end0); else …`."""
    first = f" - @end{number - 1}" if number else ""
    end = f"@end{number}" if number < len(parts) - 1 else "gridDim.x"
    arguments = [own(argument, number) for argument in parts[number].arguments]
    call = Line(f"{parts[number].name}({', '.join((*arguments, f'blockIdx.x{first}', f'{end}{first}'))});")
    if number == len(parts) - 1:
        return (call,)
    return (If(f"blockIdx.x < @end{number}", (call,), _calls(parts, number + 1)),)


def own(text: str, number: int) -> str:
    """`text` with the partial results and tickets of part `number`."""
    return text.replace("@partials", f"@partials{number}").replace("@tickets", f"@tickets{number}")
