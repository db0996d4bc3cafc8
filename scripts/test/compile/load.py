"""Loads every module of the packages in the current folder, and every public name."""

import sys
import warnings
from importlib import import_module
from pathlib import Path

sys.path.insert(0, ".")
# Old names say so, which is no failure.
warnings.filterwarnings("ignore", r"\w+ is deprecated\. Use \w+ instead\.", DeprecationWarning)

for path in sorted(Path().glob("*/**/*.py")):
    import_module(".".join(path.with_suffix("").parts).removesuffix(".__init__"))

for path in Path().glob("*/__init__.py"):
    package = import_module(path.parent.name)
    for name in package.__all__:
        getattr(package, name)
