"""Calls of the program: where it is found, its errors, Ctrl-C."""
from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from unittest import mock

from support import ROOT, Test

import warpwalk
from warpwalk import program


class Finding(Test):
    def test_a_wrong_path(self) -> None:
        with mock.patch.dict(os.environ, {"WARPWALK_PROGRAM": "/nowhere/warpwalk"}):
            self.assertEqual(self.error(warpwalk.open, "x.json"), "WARPWALK_PROGRAM: /nowhere/warpwalk is not a program")

    def test_libraries_are_beside_it(self) -> None:
        self.assertTrue(program.library("libwarpwalk_inject.so").exists())
        self.assertIn("libnothing.so was not found", self.error(program.library, "libnothing.so"))


class Command(Test):
    def test_the_module_is_the_command(self) -> None:
        done = subprocess.run([sys.executable, "-m", "warpwalk", "debug", ROOT / "tests/history/wrong_output/stale_tile/launch.json",
                               "--command", "print y[0]"], cwd=ROOT / "python", capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (0, "y[0] = 0\n"), done.stderr)


class Answers(Test):
    def test_no_is_not_an_error(self) -> None:
        walk = ROOT / "assets/walks/h200_relu.json.gz"
        self.assertTrue(program.call(["info", walk, "--fail-if", "kernels<1"]).good)
        self.assertFalse(program.call(["info", walk, "--fail-if", "kernels>=1"]).good)

    def test_bad_usage_is_the_programs_line(self) -> None:
        self.assertIn("--fail-if", self.error(program.call, ["info", "x", "--fail-if", "nothing"]))


# Loops that end (an endless one is found in half a second), in so many blocks that they take minutes.
LONG = """
.version 8.0
.target sm_90
.address_size 64
.visible .entry count(.param .u64 out)
{
  .reg .b32 %r<2>;
  .reg .pred %p<2>;
  mov.u32 %r1, 0;
again:
  add.u32 %r1, %r1, 1;
  setp.lt.u32 %p1, %r1, 10000;
  @%p1 bra again;
  ret;
}
"""
SCRIPT = f"""
import sys; sys.path.insert(0, {str(ROOT / 'python')!r})
import warpwalk
print("begins", flush=True)
try:
    warpwalk.simulate({LONG!r}, grid=1000000, block=64, args=[[0]], cycles="off", output="walk.json.gz")
except KeyboardInterrupt:
    print("interrupted")
"""


class Interrupts(Test):
    def test_ctrl_c_stops_the_program(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            child = subprocess.Popen([sys.executable, "-c", SCRIPT], cwd=folder, stdout=subprocess.PIPE, text=True,
                                     env={**os.environ, "TMPDIR": folder}, start_new_session=True)
            assert child.stdout is not None
            self.assertEqual(child.stdout.readline(), "begins\n")
            while not (running := programs_below(child.pid)) and child.poll() is None:
                time.sleep(0.05)
            time.sleep(0.3)
            os.killpg(child.pid, signal.SIGINT)  # as a terminal does, and a notebook
            self.assertEqual(child.communicate(timeout=20)[0], "interrupted\n")
            self.assertEqual([pid for pid in running if Path(f"/proc/{pid}").exists()], [])
            self.assertEqual(list(Path(folder).iterdir()), [])


def programs_below(parent: int) -> list[int]:
    found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(parent)], capture_output=True, text=True).stdout
    return [int(pid) for pid in found.split()]


if __name__ == "__main__":
    unittest.main()
