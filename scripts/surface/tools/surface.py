"""Prints the surface of a Python package, one declaration a line, and what its reference shows, as JSON:
`surface.py FOLDER PACKAGE`.

What users cannot import, but get from what they can, such as the resources of a client, has no module
in its name.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import griffe

# What Python itself calls, and no user.
MECHANICS = re.compile(
    r"__(repr|str|reduce|copy|deepcopy|hash|eq|getstate|setstate|init_subclass|slots|setattr|"
    r"delattr|dir|match_args|all|set_name|class_getitem)__"
)
LITERAL = re.compile(r"[-\d\"']|True|False|None|\.\.\.")


class Surface:
    def __init__(self, package: griffe.Module) -> None:
        self.package = package
        self.names: dict[str, str] = {}  # what has been listed, by where it is declared
        self.waiting: list[griffe.Object] = []  # what the listed declarations refer to
        self.items: list[dict[str, Any]] = []  # of the reference

    def lines(self) -> Iterator[str]:
        modules = sorted(public_modules(self.package), key=lambda module: module.path)
        for module in modules:
            for name, member in sorted(module.members.items()):
                if member.is_public and not member.is_module:
                    yield from self.imported(f"{module.path}.{name}", member)
        reached: dict[str, list[str]] = {}
        while self.waiting:
            member = self.waiting.pop()
            if member.path not in self.names and not is_variable(member):
                name = member.name.lstrip("_")
                self.names[member.path] = name
                reached[member.path] = list(self.declaration(name, member))
                self.items.append(self.item(name, None, member))
        for lines in sorted(reached.values()):
            yield from lines

    def imported(self, name: str, member: griffe.Object | griffe.Alias) -> Iterator[str]:
        target = member.final_target if isinstance(member, griffe.Alias) else member
        if target.path in self.names:
            yield f"{name} = {self.names[target.path]}"
        else:
            self.names[target.path] = name
            yield from self.declaration(name, target)
            module, _, own = name.rpartition(".")
            self.items.append(self.item(own, module, target))

    def declaration(self, name: str, member: griffe.Object) -> Iterator[str]:
        if isinstance(member, griffe.Class):
            bases = ", ".join(filter(None, (self.text(base) for base in member.bases)))
            yield f"class {name}({bases})" if bases else f"class {name}"
            for part, inner in sorted(member.members.items()):
                if is_shown(part) and not isinstance(inner, griffe.Alias):
                    yield from self.declaration(f"{name}.{part}", inner)
        elif isinstance(member, griffe.Function):
            for function in member.overloads or [member]:
                yield self.function(name, function)
        elif isinstance(member, griffe.Attribute):
            yield self.attribute(name, member)

    def item(self, name: str, module: str | None, target: griffe.Object) -> dict[str, Any]:
        """What the reference shows of a declaration."""
        kind, code = "constant", ""
        members: list[dict[str, str]] = []
        if isinstance(target, griffe.Class):
            kind = "class"
            code = next(self.declaration(name, target))
            for part, inner in target.members.items():
                if is_shown(part) and not isinstance(inner, griffe.Alias):
                    members += self.member(part, inner)
        elif isinstance(target, griffe.Function):
            kind, code = "function", "\n".join(self.declaration(name, target))
        elif isinstance(target, griffe.Attribute):
            code = self.attribute(name, target)
            kind = "type" if code.startswith("type ") else kind
        return {
            **{"name": name, "from": module, "kind": kind, "code": code, "doc": doc_of(target)},
            **{"file": self.file_of(target), "members": members},
        }

    def member(self, name: str, member: griffe.Object) -> Iterator[dict[str, str]]:
        """A method or an attribute."""
        shown = {"name": name, "mark": ".", "doc": doc_of(member)}
        if isinstance(member, griffe.Function):
            yield {**shown, "kind": "method", "code": "\n".join(self.declaration(name, member))}
        elif isinstance(member, griffe.Attribute):
            type_ = member.annotation if member.annotation is not None else member.value
            yield {**shown, "kind": "field", "code": self.text(type_)}

    def file_of(self, member: griffe.Object) -> str:
        """Where something is declared, below the folder of the package."""
        folder, file = self.package.filepath, member.filepath
        return str(file.relative_to(folder.parent)) if isinstance(folder, Path) and isinstance(file, Path) else ""

    def function(self, name: str, function: griffe.Function) -> str:
        returns = f" -> {self.text(function.returns)}" if function.returns is not None else ""
        marks = [mark for mark in ("staticmethod", "classmethod") if mark in function.labels]
        keyword = " ".join([*marks, "async def" if "async" in function.labels else "def"])
        return f"{keyword} {name}({', '.join(self.parameters(function))}){returns}"

    def parameters(self, function: griffe.Function) -> Iterator[str]:
        kinds = griffe.ParameterKind
        is_method = function.parent is not None and function.parent.is_class
        starred = was_positional = False
        for index, parameter in enumerate(function.parameters):
            kind = parameter.kind
            if was_positional and kind is not kinds.positional_only:
                yield "/"
            was_positional = kind is kinds.positional_only
            if kind is kinds.keyword_only and not starred:
                yield "*"
            starred = starred or kind in (kinds.keyword_only, kinds.var_positional)
            if is_method and index == 0 and "staticmethod" not in function.labels:
                yield parameter.name
                continue
            star = {kinds.var_positional: "*", kinds.var_keyword: "**"}.get(kind, "")
            type_ = f": {self.text(parameter.annotation)}" if parameter.annotation else ""
            default = f" = {default_of(parameter)}" if not star and parameter.default else ""
            yield f"{star}{parameter.name}{type_}{default}"
        if was_positional:
            yield "/"

    def attribute(self, name: str, attribute: griffe.Attribute) -> str:
        value = attribute.value
        if "property" in attribute.labels:
            return f"property {name}: {self.text(attribute.annotation)}"
        if attribute.annotation is None:
            is_literal = value is None or LITERAL.match(str(value))
            return name if is_literal else f"{name} = {self.text(value)}"
        annotation = self.text(attribute.annotation)
        if annotation == "TypeAlias":
            return f"type {name} = {self.text(value)}"
        is_field = attribute.parent is not None and attribute.parent.is_class
        return f"{name}: {annotation}{' = ...' if is_field and value is not None else ''}"

    def text(self, expression: str | griffe.Expr | None) -> str:
        """A type as its author wrote it, without the modules of the package."""
        if expression is None or isinstance(expression, str):
            return expression or ""
        parts: list[str] = []
        is_skipping = False
        for part in expression.iterate(flat=True):
            if isinstance(part, griffe.ExprName):
                found = self.found(part)
                is_skipping = found is not None and found.is_module
                if is_skipping:
                    continue
                if found is not None:
                    self.waiting.append(found)
                parts.append(part.name if found is None else part.name.lstrip("_"))
            elif not (is_skipping and part == "."):
                parts.append(str(part))
        return " ".join("".join(parts).split())

    def found(self, name: griffe.ExprName) -> griffe.Object | None:
        """What a name of the package means."""
        path = name.canonical_path
        if not path.startswith(f"{self.package.path}."):
            return None
        try:
            found = self.package[path.removeprefix(f"{self.package.path}.")]
            return found.final_target if isinstance(found, griffe.Alias) else found
        except (KeyError, griffe.AliasResolutionError):
            return None


def public_modules(module: griffe.Module) -> Iterator[griffe.Module]:
    yield module
    for name, inner in module.modules.items():
        if not name.startswith("_") and isinstance(inner, griffe.Module):
            yield from public_modules(inner)


def doc_of(member: griffe.Object) -> str:
    """Its comment. Of overloads, the implementation has it."""
    comments = [member.docstring]
    if isinstance(member, griffe.Function):
        comments += [one.docstring for one in member.overloads or []]
    return next((one.value for one in comments if one is not None), "")


def is_shown(name: str) -> bool:
    return not name.startswith("_") or (name.startswith("__") and not MECHANICS.fullmatch(name))


def is_variable(member: griffe.Object) -> bool:
    """Whether it stands for a type."""
    value = str(member.value) if isinstance(member, griffe.Attribute) else ""
    return value.startswith(("TypeVar(", "ParamSpec("))


def default_of(parameter: griffe.Parameter) -> str:
    """A value that says something without its module, as in a stub."""
    text = str(parameter.default)
    return text if LITERAL.match(text) else "..."


if __name__ == "__main__":
    folder, package = sys.argv[1:]
    loaded = griffe.load(package, search_paths=[folder], allow_inspection=False)
    if not isinstance(loaded, griffe.Module):
        sys.exit(f"{package} is no package.")
    surface = Surface(loaded)
    lines = list(surface.lines())
    json.dump({"surface": lines, "items": surface.items}, sys.stdout)
