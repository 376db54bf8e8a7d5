"""What the tests of the Python package share."""
from __future__ import annotations

import os
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))
os.environ.setdefault("WARPWALK_PROGRAM", str(ROOT / "build/release/warpwalk"))

import warpwalk  # noqa: E402: found by the path above

WALK = ROOT / "assets/walks/h200_pytorch_training_step.json.gz"


class Test(unittest.TestCase):
    def error(self, call: object, *arguments: object, **options: object) -> str:
        """The line of the Error that a call raises."""
        with self.assertRaises(warpwalk.Error) as caught:
            call(*arguments, **options)  # type: ignore[operator]
        self.assertNotIn("\n", str(caught.exception))
        return str(caught.exception)
