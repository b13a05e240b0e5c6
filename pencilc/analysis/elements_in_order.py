"""Where the elements of a reduction stand, if it chooses one of them and has a form for places that ascend."""

from __future__ import annotations

import islpy as isl

from pencilc import islx
from pencilc.ir.queries import function_in_order
from pencilc.ir.scop import Scop
from pencilc.ir.source import Call, Name, ReductionUpdate


def places_of_element(scop: Scop, update: str) -> isl.Map | None:
    """{ S[i, j] -> [j] }: the place of the element of each instance; None where the update has no form for an order.

    Such an update is `found = operator(found, element(value, j, …))` with the counters of the loops that it chooses in.
    """
    record = scop.statement(update)
    if not isinstance(record.body, ReductionUpdate) or not isinstance(record.body.element, Call):
        return None
    function = function_in_order(scop.functions, record.body)
    if function is None or function.in_order is None:
        return None
    iterators = [each.name for each in record.iterators]
    relation = isl.Map.from_domain(record.domain.universe(record.domain.get_space()))
    for argument in record.body.element.arguments[1 : 1 + function.in_order.places]:
        if not isinstance(argument, Name) or argument.symbol.name not in iterators:
            return None
        value = islx.row_function(record.domain, iterators.index(argument.symbol.name))
        relation = relation.flat_range_product(isl.Map.from_pw_aff(value))
    return relation
