"""The verifiers of `Scop` and `Dependences`: names and spaces agree with each other."""

from __future__ import annotations

from pencilc import islx
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.ir.scop import AccessKind, Dependences, Scop, Statement, StatementKind


def verify_scop(scop: Scop) -> None:
    """Raise CompilerBug if an access, an array or a reduction does not fit the statements."""
    names = [s.name for s in scop.statements]
    if len(names) != len(set(names)):
        raise CompilerBug(f"{scop.name}: two statements have one name")
    arrays = {a.name for a in scop.arrays}
    for statement in scop.statements:
        _verify_statement(statement, arrays)
    updates = {name for reduction in scop.reductions for name in reduction.updates}
    for statement in scop.statements:
        if any(a.kind is AccessKind.UPDATE for a in statement.accesses) and statement.name not in updates:
            raise CompilerBug(f"{statement.name} updates what no reduction owns")
    for reduction in scop.reductions:
        kinds = scop.statement(reduction.init).kind, scop.statement(reduction.merge).kind
        if kinds != (StatementKind.INIT, StatementKind.MERGE):
            raise CompilerBug(f"{reduction.name}: init and merge node are {kinds}")


def _verify_statement(statement: Statement, arrays: set[str]) -> None:
    if islx.set_name(statement.domain) != statement.name:
        raise CompilerBug(f"the domain of {statement.name} is called {islx.set_name(statement.domain)}")
    if islx.dimensions(statement.domain) != len(statement.iterators):
        raise CompilerBug(f"{statement.name} has {len(statement.iterators)} iterators in another space")
    for access in statement.accesses:
        if access.array not in arrays or islx.in_name(access.relation) != statement.name:
            raise CompilerBug(f"{statement.name}: access {access.relation} belongs elsewhere")


def verify_dependences(scop: Scop, dependences: Dependences) -> None:
    """Raise CompilerBug if a dependence starts or ends at what is not generated, or is not absorbed."""
    absent = (StatementKind.INIT, StatementKind.KILL)
    known = {s.name for s in scop.statements if s.kind not in absent and s.name not in dependences.dead}
    kinds = (dependences.flow, dependences.anti, dependences.output, dependences.isolation, dependences.relaxed)
    for relation in kinds:
        for part in islx.maps_of(relation):
            if not {islx.in_name(part), islx.out_name(part)} <= known:
                raise CompilerBug(f"dependence {part} touches a statement that is not generated")
