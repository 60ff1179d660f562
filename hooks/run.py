"""Hands over to the package beside this folder; harnesses run it as `python3 -I -S hooks/run.py hook claude-code`."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from downshift.__main__ import main  # the path above comes first

main(sys.argv[1:])
