"""Programs that arm themselves."""
from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from support import ROOT, Test

import warpwalk

# Stands for the program: prints its arguments, then runs what is behind "--" as an armed program.
STAND_IN = """#!/bin/sh
echo "$@"
while [ "$1" != -- ]; do shift; done
shift
WARPWALK_ARMED=/tmp exec "$@"
"""
SCRIPT = f"""
import sys; sys.path.insert(0, {str(ROOT / 'python')!r})
import warpwalk
print("before", flush=True)
warpwalk.arm("out", memory=True, replay=["gather", "scatter"])
print("armed", sys.argv[1])
"""


class Arming(Test):
    def test_the_program_starts_again_once(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            stand_in, script = Path(folder, "warpwalk"), Path(folder, "script.py")
            stand_in.write_text(STAND_IN)
            stand_in.chmod(0o755)
            script.write_text(SCRIPT)
            variables = {name: value for name, value in os.environ.items() if name != "WARPWALK_ARMED"}
            run = subprocess.run([sys.executable, script, "a b"], stdout=subprocess.PIPE, text=True, check=True,
                                 env={**variables, "WARPWALK_PROGRAM": str(stand_in)})
        lines = run.stdout.splitlines()
        self.assertEqual(lines[0], "before")
        self.assertTrue(lines[1].startswith("record --armed -o out --armed-memory --replay gather --replay scatter -- "), lines[1])
        self.assertEqual(lines[2:], ["before", "armed a b"])

    def test_a_prompt_is_not_started_again(self) -> None:
        with mock.patch.object(sys, "ps1", ">>> ", create=True):
            self.assertIn("no prompt", self.error(warpwalk.arm))


if __name__ == "__main__":
    unittest.main()
