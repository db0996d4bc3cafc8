"""Records the files of the repository that a Python process opens, as recorder.mjs does for Node.js.

The interpreter imports it as it starts, wherever this folder is on PYTHONPATH.
"""

import os
import sys


def _start(folder: str) -> None:
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))) + os.sep
    seen: set[str] = set()

    def record(event: str, arguments: tuple[object, ...]) -> None:
        if event != "open" or not isinstance(arguments[0], str):
            return
        path = os.path.abspath(arguments[0])
        if not path.startswith(root) or path in seen:
            return
        seen.add(path)
        try:
            with open(os.path.join(folder, f"python-{os.getpid()}"), "a", encoding="utf-8") as file:
                file.write(f"{path}\n")
        except OSError:
            pass  # The tests are over, and this process has outlived them.

    sys.addaudithook(record)


if "RECORD_READS" in os.environ:
    _start(os.environ["RECORD_READS"])
