"""Hands over to the package; harnesses run it as `python3 -I -S hooks/run.py hook claude-code`."""

import os
import sys

root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
if os.path.basename(root) == "_assets":  # in a wheel this folder lies inside the package, among other people's
    sys.path.append(os.path.dirname(os.path.dirname(root)))
else:
    sys.path.insert(0, root)

from downshift.__main__ import main  # noqa: E402  # the path comes first

main(sys.argv[1:])
