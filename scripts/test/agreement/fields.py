"""Prints what the modules of types given as arguments say, as JSON."""

import ast
import json
import sys


def main(path):
    types = {}
    for node in ast.parse(open(path, encoding="utf-8").read()).body:
        if isinstance(node, ast.ClassDef):
            bases = [base.id for base in node.bases]
            types[node.name] = {"bases": bases, "fields": fields(node)}
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            value = node.value
            text = value.value if isinstance(value, ast.Constant) else ast.unparse(value)
            types[node.target.id] = {"alias": text}
    return types


def fields(node):
    wires = {}
    for inner in ast.walk(node):
        if isinstance(inner, ast.Assign) and isinstance(inner.targets[0], ast.Attribute):
            calls = [one for one in ast.walk(inner.value) if isinstance(one, ast.Call)]
            gets = [one for one in calls if getattr(one.func, "attr", "") == "get"]
            if gets:  # the raw object and the class are no fields
                wires[inner.targets[0].attr] = gets[0].args[0].value
    found = {}
    for member in node.body:
        if isinstance(member, ast.AnnAssign) and member.target.id in wires:
            default = member.value and ast.unparse(member.value)
            annotation = ast.unparse(member.annotation)
            found[wires[member.target.id]] = {"annotation": annotation, "default": default}
    return found


json.dump([main(path) for path in sys.argv[1:]], sys.stdout)
