"""The cell magics, in IPython's shell without a notebook."""
from __future__ import annotations

import io
import sys
import unittest
from contextlib import redirect_stdout
from typing import Any
from unittest import mock

from recording_test import torch
from simulated_test import SCALE
from support import Test

from warpwalk import Walk, recording

try:
    from IPython.core.interactiveshell import InteractiveShell
except ImportError:
    InteractiveShell = None


@unittest.skipIf(InteractiveShell is None, "IPython is not installed")
class Magics(Test):
    def setUp(self) -> None:
        self.shell = InteractiveShell.instance(history_length=0)
        self.shell.run_line_magic("load_ext", "warpwalk")
        self.shown: list[Any] = []
        patch = mock.patch.object(Walk, "show", lambda walk, *view, **options: self.shown.append(view))
        patch.start()
        self.addCleanup(patch.stop)

    def cell(self, text: str) -> tuple[Any, str]:
        with redirect_stdout(io.StringIO()) as out:
            result = self.shell.run_cell(text)
        return result, out.getvalue()

    def test_a_kernel_with_findings(self) -> None:
        self.shell.user_ns["numbers"] = [1.0] * 40
        result, out = self.cell(f"%%warpwalk_cuda --name run scale<<<1, 2 * 32>>>(numbers, [0.0] * 64, 2.0, 40)\n{SCALE}")
        result.raise_error()
        self.assertIn("reads 4 bytes just past the end of buffer `x`", out)
        self.assertEqual(self.shell.user_ns["run"].findings[0]["thread"], [40, 0, 0])
        self.assertEqual(self.shown[0][0], "lanes")

    def test_a_launch_that_cannot_be_read(self) -> None:
        for line in ("", "scale", "scale<<<1>>>()", "--nothing scale<<<1, 1>>>()"):
            result, _ = self.cell(f"%%warpwalk_cuda {line}\n{SCALE}")
            self.assertIn("%%warpwalk_cuda", str(result.error_in_exec), line)

    def test_a_recorded_cell(self) -> None:
        with mock.patch.dict(sys.modules, {"torch": torch()}), \
                mock.patch.object(recording, "has_gpu", return_value=False):
            result, _ = self.cell("%%warpwalk --scene boardroom --at b2 --name mine\ncomputed = 6 * 7")
            result.raise_error()
            self.assertEqual(self.shell.user_ns["computed"], 42)
            self.assertEqual(self.shell.user_ns["mine"].ops[0]["name"], "aten::mm")
            self.assertEqual(self.shown, [("boardroom", "b2")])
            self.cell("%%warpwalk\n1 / 0")  # IPython has shown the error
            self.assertEqual(len(self.shown), 1)
            self.assertEqual(len(self.shell.user_ns["walk"].ops), 1)


if __name__ == "__main__":
    unittest.main()
