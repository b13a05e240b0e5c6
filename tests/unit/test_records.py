"""Records are what `dataclasses` makes: each test asks both."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import sys
from typing import Any

import pytest

from pencilc import records

BOTH = pytest.mark.parametrize("dataclass", [dataclasses.dataclass, records.dataclass], ids=["library", "records"])


def point(dataclass: Any, **options: bool) -> Any:
    @dataclass(frozen=True, slots=True, **options)
    class Point:
        """A place."""

        x: int
        y: int = 0
        names: list[str] = dataclasses.field(default_factory=list, compare=False)
        _sum: int = dataclasses.field(init=False, repr=False)
        _seen: dict[str, int] = dataclasses.field(init=False, repr=False, compare=False, default_factory=dict)

        def __post_init__(self) -> None:
            object.__setattr__(self, "_sum", self.x + self.y)

    return Point


@BOTH
def test_made_by_position_or_by_name(dataclass: Any) -> None:
    Point = point(dataclass)
    made = Point(1, names=["a"])
    assert (made.x, made.y, made.names, made._sum, made._seen) == (1, 0, ["a"], 1, {})
    assert repr(made) == f"{Point.__qualname__}(x=1, y=0, names=['a'])"
    assert Point(1).names is not Point(1).names
    assert Point.__match_args__ == ("x", "y", "names") and Point.__slots__[:2] == ("x", "y")
    for wrong in ({}, {"x": 1, "z": 2}, {"x": 1, "_sum": 3}):
        with pytest.raises(TypeError, match=r"__init__\(\) (missing|got an unexpected)"):
            Point(**wrong)
    with pytest.raises(TypeError, match="positional"):
        Point(1, 2, [], 4)


@BOTH
def test_by_name_alone(dataclass: Any) -> None:
    Point = point(dataclass, kw_only=True)
    assert Point(y=2, x=1)._sum == 3
    with pytest.raises(TypeError, match="positional"):
        Point(1, 2)


@BOTH
def test_the_same_where_the_fields_are(dataclass: Any) -> None:
    Point = point(dataclass)
    assert Point(1, 2, ["a"]) == Point(1, 2) != Point(2, 1)
    assert hash(Point(1, 2, ["a"])) == hash(Point(1, 2)) == hash((1, 2, 3))
    assert Point(1, 2) != (1, 2, 3)

    @dataclass(frozen=True)
    class Other(Point):  # type: ignore[misc, valid-type]
        """The same fields, another class."""

    assert Other(1, 2) != Point(1, 2) and Other(1, 2) == Other(1, 2)


@BOTH
def test_one_field_and_none(dataclass: Any) -> None:
    @dataclass(frozen=True, slots=True)
    class One:
        only: float

    @dataclass(frozen=True, slots=True)
    class Empty:
        pass

    nan = float("nan")
    assert One(nan) == One(nan) and hash(One(2)) == hash((2,)) and One(1) != One(2)
    assert Empty() == Empty() and hash(Empty()) == hash(()) and repr(Empty()) == f"{Empty.__qualname__}()"


@BOTH
def test_by_identity(dataclass: Any) -> None:
    Point = point(dataclass, eq=False)
    made = Point(1)
    assert made != Point(1) and made == made and len({made, Point(1)}) == 2


@BOTH
def test_frozen(dataclass: Any) -> None:
    made = point(dataclass)(1)
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'x'"):
        made.x = 2
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot delete field 'x'"):
        del made.x


@BOTH
def test_changed_copied_and_pickled(dataclass: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    Point = point(dataclass)
    made = Point(1, 2, ["a"])
    assert dataclasses.replace(made, y=4)._sum == 5
    assert dataclasses.asdict(made) == {"x": 1, "y": 2, "names": ["a"], "_sum": 3, "_seen": {}}
    copied = copy.deepcopy(made)
    assert copied == made and copied.names == ["a"] and copied.names is not made.names
    Point.__qualname__ = "Point"
    monkeypatch.setattr(sys.modules[__name__], "Point", Point, raising=False)
    assert pickle.loads(pickle.dumps(made)) == made


@BOTH
def test_not_frozen(dataclass: Any) -> None:
    @dataclass
    class State:
        count: int = 0
        found: list[int] = dataclasses.field(default_factory=list)

    state = State(found=[1])
    state.count += 1
    assert state == State(1, [1]) and State.__hash__ is None


@BOTH
def test_own_methods_stay(dataclass: Any) -> None:
    @dataclass(frozen=True, slots=True)
    class Named:
        name: str

        def __repr__(self) -> str:
            return f"<{self.name}>"

        def __eq__(self, other: object) -> bool:
            return True

        def __hash__(self) -> int:
            return 7

    assert repr(Named("a")) == "<a>" and Named("a") == Named("b") and hash(Named("a")) == 7


@BOTH
def test_fields_of_both_parents_in_order(dataclass: Any) -> None:
    @dataclass(frozen=True, slots=True)
    class Node:
        place: int

    @dataclass(frozen=True, slots=True)
    class Leaf(Node):
        value: int = 5

    assert repr(Leaf(1)).endswith("Leaf(place=1, value=5)") and Leaf(1, 5) == Leaf(1) != Node(1)
