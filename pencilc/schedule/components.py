"""Strongly connected components of the statements, in an order that respects the dependences."""

from __future__ import annotations

import heapq
from collections.abc import Mapping
from itertools import pairwise

from pencilc.schedule.problem import SchedulingProblem

Graph = Mapping[str, set[str]]


def components(problem: SchedulingProblem) -> list[tuple[str, ...]]:
    """Components in topological order, ties by text; each in textual order.

    Statements that must share rows (`Problem.together`) stay together until those rows are found.
    """
    graph = dependence_graph(problem)
    for _, names in problem.together_now():
        for first, second in pairwise(names):
            graph[first].add(second)
            graph[second].add(first)
    parts = _strongly_connected(graph, problem)
    return _topological(parts, graph, problem)


def dependence_graph(problem: SchedulingProblem) -> dict[str, set[str]]:
    """An edge for each pair of different statements with a dependence that must be respected."""
    graph: dict[str, set[str]] = {name: set() for name in problem.names}
    for source, target in problem.validity:
        if source != target:
            graph[source].add(target)
    return graph


def _strongly_connected(graph: Graph, problem: SchedulingProblem) -> list[tuple[str, ...]]:
    """Kosaraju's two passes, without recursion."""
    order: list[str] = []
    seen: set[str] = set()
    for start in problem.names:
        _visit(start, graph, problem, seen, order)
    reverse: dict[str, set[str]] = {name: set() for name in graph}
    for source, targets in graph.items():
        for target in targets:
            reverse[target].add(source)
    seen.clear()
    result: list[tuple[str, ...]] = []
    for start in reversed(order):
        found: list[str] = []
        _visit(start, reverse, problem, seen, found)
        if found:
            result.append(tuple(sorted(found, key=lambda n: problem.order[n])))
    return result


def _visit(start: str, graph: Graph, problem: SchedulingProblem, seen: set[str], out: list[str]) -> None:
    """Depth-first from `start`; appends in order of completion."""
    if start in seen:
        return
    seen.add(start)
    stack = [(start, iter(sorted(graph[start], key=lambda n: problem.order[n])))]
    while stack:
        name, rest = stack[-1]
        following = next((n for n in rest if n not in seen), None)
        if following is None:
            out.append(name)
            stack.pop()
        else:
            seen.add(following)
            stack.append((following, iter(sorted(graph[following], key=lambda n: problem.order[n]))))


def _topological(parts: list[tuple[str, ...]], graph: Graph, problem: SchedulingProblem) -> list[tuple[str, ...]]:
    owner = {name: k for k, part in enumerate(parts) for name in part}
    following: list[set[int]] = [set() for _ in parts]
    for source, targets in graph.items():
        following[owner[source]] |= {owner[t] for t in targets} - {owner[source]}
    waiting = [0] * len(parts)
    for targets_of in following:
        for target in targets_of:
            waiting[target] += 1
    ready = [(problem.order[part[0]], k) for k, part in enumerate(parts) if waiting[k] == 0]
    heapq.heapify(ready)
    result: list[tuple[str, ...]] = []
    while ready:
        _, k = heapq.heappop(ready)
        result.append(parts[k])
        for target in following[k]:
            waiting[target] -= 1
            if waiting[target] == 0:
                heapq.heappush(ready, (problem.order[parts[target][0]], target))
    return result
