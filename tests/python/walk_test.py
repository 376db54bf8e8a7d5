"""Traces: their tables against the file's own events, errors, pictures, and what a notebook gets."""
from __future__ import annotations

import gzip
import json
import struct
import unittest
from unittest import mock

from support import ROOT, WALK, Test

import warpwalk
from warpwalk import notebook

EVENTS = json.loads(gzip.decompress(WALK.read_bytes()))["traceEvents"]


class Tables(Test):
    def test_kernels_are_those_of_the_file(self) -> None:
        walk = warpwalk.open(WALK)
        expected = sorted((event for event in EVENTS if event.get("cat") == "kernel"), key=lambda event: event["ts"])
        self.assertEqual([row["name"] for row in walk.kernels], [event["name"] for event in expected])
        for row, event in zip(walk.kernels, expected):
            self.assertAlmostEqual(row["duration_ns"] / 1000, event["dur"], places=3)
            self.assertEqual([row["grid_x"], row["grid_y"], row["grid_z"]], event["args"]["grid"])
        self.assertEqual(len(walk.ops), sum(event.get("cat") == "cpu_op" for event in EVENTS))
        launched = {row["correlation"] for row in walk.launches}
        self.assertTrue({event["args"]["correlation"] for event in expected} <= launched)

    def test_gaps_and_steps(self) -> None:
        walk = warpwalk.open("h200_pytorch_training_step")  # by the name of a walk that comes with the program
        lengths = [row["duration_ns"] for row in walk.gaps]
        self.assertEqual(lengths, sorted(lengths, reverse=True))
        self.assertEqual(walk.verdict, walk.info["gpu_idle"][0]["verdict"])
        self.assertEqual(len(walk.steps), len(walk.info["steps"]))

    def test_query(self) -> None:
        walk = warpwalk.open(WALK)
        self.assertEqual(walk.query("SELECT count(*) AS n FROM kernels"),
                         [{"n": sum(event.get("cat") == "kernel" for event in EVENTS)}])
        self.assertIn("missing_column", self.error(walk.query, "SELECT missing_column FROM kernels"))

    def test_ranks(self) -> None:
        walk = warpwalk.open(ROOT / "assets/walks/four_h200_late_loader")
        self.assertEqual(walk.ranks["count"], 4)
        self.assertIn("wait for rank 3", walk.verdict)
        self.assertIn("open that of one rank", self.error(walk.query, "SELECT 1"))
        self.assertIn("a trace of one rank", self.error(lambda: warpwalk.open(WALK).ranks))
        files = sorted((ROOT / "assets/walks/four_h200_late_loader").glob("rank*"))[:2]
        self.assertEqual(warpwalk.open(files).ranks["count"], 2)

    def test_files_that_cannot_be_read(self) -> None:
        self.assertIn("/nowhere/walk.json: cannot be opened", self.error(warpwalk.open, "/nowhere/walk.json"))
        self.assertEqual(self.error(warpwalk.open, []), "no file is given")
        self.assertIn("README.md", self.error(warpwalk.open, ROOT / "README.md"))

    def test_a_table_in_a_notebook(self) -> None:
        html = warpwalk.Table([{"name": "<mm>", "n": 1, "none": None}])._repr_html_()
        self.assertIn("<td>&lt;mm&gt;</td><td>1</td>", html)
        self.assertNotIn("none", html)


class Pictures(Test):
    def test_size_and_view(self) -> None:
        walk = warpwalk.open(WALK)
        png = walk.picture("boardroom", "b1", size=(640, 360))
        self.assertEqual(struct.unpack(">8s8x2I", png[:24]), (b"\x89PNG\r\n\x1a\n", 640, 360))
        self.assertNotEqual(png, walk.picture("boardroom", "b2", size=(640, 360)))
        self.assertIn("--scene nowhere", self.error(walk.picture, "nowhere"))
        self.assertIn("aten::", walk.text("boardroom"))

    def test_set(self) -> None:
        walk = warpwalk.open(WALK)
        self.assertNotEqual(walk.text("sm", set={"sm.registers": 32}), walk.text("sm", set={"sm.registers": 255}))


class Frames(Test):
    """The page is a stand-in: tests/python/frames.py shows the real one in a browser."""

    def shown(self, cell: str, run: int = 1) -> dict[str, str]:
        page = '<canvas></canvas><script src="warpwalk-page.js"></script></body>'
        with mock.patch.object(notebook, "export", return_value=(page, "program('</script>')")), \
                mock.patch.object(notebook, "cell", return_value=(cell, run)):
            return warpwalk.open(WALK).frame("boardroom", size=(640, 360))._repr_mimebundle_()

    def setUp(self) -> None:
        notebook._carrier.clear()

    def test_the_program_is_carried_once(self) -> None:
        carried = [json.loads(options(self.shown(*cell)["text/html"]))["program"] is not None
                   for cell in (("first", 1), ("first", 1), ("second", 2), ("third", 3), ("first", 4), ("first", 4))]
        # The first cell shows two frames. When it runs anew, its outputs are replaced.
        self.assertEqual(carried, [True, False, False, False, True, False])

    def test_nothing_ends_the_script(self) -> None:
        html = self.shown("cell")["text/html"]
        self.assertEqual(html.count("</script>"), 1)
        self.assertEqual(json.loads(options(html))["program"], "program('</script>')")

    def test_a_large_walk_is_not_put_into_the_notebook(self) -> None:
        with mock.patch.object(notebook, "MAX_BYTES", 1000), mock.patch.object(notebook, "call") as call:
            self.assertIsNone(notebook.export([WALK], []))
            self.assertIsNone(notebook.export([WALK, WALK], []))
        call.assert_not_called()

    def test_without_the_page_there_is_a_picture(self) -> None:
        with mock.patch.object(notebook, "export", return_value=None):
            bundle = warpwalk.open(WALK).frame("boardroom", size=(640, 360))._repr_mimebundle_()
        self.assertEqual(sorted(bundle), ["image/png", "text/plain"])
        self.assertIn("--scene boardroom", bundle["text/plain"])


def options(html: str) -> str:
    """The object that the script is called with."""
    return html[html.rindex("})(") + 3:html.rindex(");")].replace("<\\/", "</")


if __name__ == "__main__":
    unittest.main()
