"""Names that declarations bring into a scope: tags, enumeration constants, typedefs."""

from __future__ import annotations

from typing import Any

from pencilc.frontend.context import EnumConstant, FileContext, Refused, Scope, TypeName
from pencilc.frontend.translate.constants import integer_value
from pencilc.frontend.translate.expressions import ExpressionTranslator
from pencilc.frontend.translate.translators import FunctionState
from pencilc.frontend.translate.types import TypeResolver


def register(context: FileContext, types: TypeResolver, node: Any, scope: Scope) -> None:
    """Enter the tags, enumeration constants and typedef name of one declaration into `scope`."""
    if type(node).__name__ == "Typedef":
        scope.names[node.name] = TypeName(node)
        if type(node.type).__name__ == "TypeDecl" and getattr(node.type.type, "decls", None) is not None:
            context.typedef_names.setdefault(id(node.type.type), node.name)
    _register_tags(context, types, node.type, scope)


def _register_tags(context: FileContext, types: TypeResolver, node: Any, scope: Scope) -> None:
    kind = type(node).__name__
    if kind in ("Struct", "Union"):
        if node.decls is not None:
            if node.name is not None:
                scope.tags[node.name] = node
            for member in node.decls:
                if hasattr(member, "type"):
                    _register_tags(context, types, member.type, scope)
    elif kind == "Enum":
        if node.values is not None:
            if node.name is not None:
                scope.tags[node.name] = node
            _register_enumerators(context, types, node, scope)
    elif kind == "FuncDecl" or kind in ("TypeDecl", "PtrDecl", "ArrayDecl"):
        _register_tags(context, types, node.type, scope)


def _register_enumerators(context: FileContext, types: TypeResolver, node: Any, scope: Scope) -> None:
    following = 0
    for each in node.values.enumerators:
        if type(each).__name__ != "Enumerator":
            continue
        if each.value is not None:
            tr = ExpressionTranslator(context, types, FunctionState("", scope))
            try:
                value = integer_value(tr.translate(each.value))
            except Refused:
                value = 0
            if value is None:
                context.error("PC0012", f"value of `{each.name}` is not an integer constant", each)
                value = 0
            following = value
        scope.names[each.name] = EnumConstant(following)
        following += 1
