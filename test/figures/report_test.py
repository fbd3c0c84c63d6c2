"""bench/report.py on small files made by hand: what it finds, what it draws, and that a broken file leaves no output."""

import contextlib
import io
import json
import os
import re
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml

sys.dont_write_bytecode = True
BENCH = sys.argv.pop(1)
sys.path.insert(0, BENCH)
import report  # noqa: E402
from figures import cells, goals, page, plots  # noqa: E402


def entry(name, microseconds, of_copy, **counters):
    return {"name": name, "run_type": "iteration", "real_time": microseconds, "time_unit": "us", "of_copy": of_copy, **counters}


# PyTorch is faster at 1024; at 1025 muster is slow beside its even neighbour; Triton was left out once; of the few rows PyTorch's take one multiprocessor.
RUN = {"context": {"gpu": "A <GPU>", "gpu_multiprocessors": 132}, "benchmarks": [
    {"name": "launch/empty_kernel", "real_time": 1000, "time_unit": "ns"},
    entry("softmax/copy/f16/n:1024", 100, 1.0), entry("softmax/muster/f16/n:1024", 110, 0.909, error=1e-4), entry("softmax/torch/f16/n:1024", 104.5, 0.957, error=2e-4),
    {"name": "softmax/triton/f16/n:1024", "error_occurred": True, "error_message": "left out: a reason & more"},
    entry("softmax/copy/f16/n:1025", 100, 1.0), entry("softmax/muster/f16/n:1025", 125, 0.8, error=1e-4), entry("softmax/torch/f16/n:1025", 250, 0.4, error=2e-4),
    entry("softmax/triton/f16/n:1025", 200, 0.5, error=3e-4),
    entry("softmax/copy/f32/rows:1/n:32768", 3, 1.0), entry("softmax/muster/f32/rows:1/n:32768", 5, 0.6, error=1e-7),
    entry("softmax/torch/f32/rows:1/n:32768", 6, 0.5, error=1e-7, multiprocessors_used=1)]}
# Another shape is faster than the chosen one; a row apart by an element is slow.
WAYS = {"context": {}, "benchmarks": [entry("softmax/muster/f16/n:1024", 100, 0.95), entry("softmax/muster:v:tile:32x2x4/f16/n:1024", 90, 1.06),
                                      entry("softmax/muster:e:tile:32x2x4/f16/n:1024", 95, 1.0), entry("softmax/muster/f16/n:64", 50, 0.99),
                                      entry("softmax/muster:v:tile:8x1x4/f16/n:64", 49.5, 1.0)]}
HARD = {"context": {}, "benchmarks": [entry("softmax/muster/f16/n:1024/pad:1", 120, 0.85, error=1e-4), entry("softmax/muster/f32/n:8/pad:1", 100, 0.95, error=1e-7),
                                      entry("softmax/muster/f16/n:64/pad:1", 100, 0.9, error=2e-4)]}
OTHER = {"context": {"other_run": "somewhere else"}, "benchmarks": [{"name": "softmax/oneflow/f16/n:1024", "of_copy": 0.5},
                                                                      {"name": "softmax/oneflow/bf16/n:16", "of_copy": 0.5}]}
LONG = cells.Cell("f16", 1024)
ODD = cells.Cell("f16", 1025)
FEW = cells.Cell("f32", 32768, 1)


class Report(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def write(self, name, content):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(content if isinstance(content, str) else json.dumps(content))
        return path

    def collected(self, *contents):
        return goals.collect([self.write(f"{i}.json", content) for i, content in enumerate(contents)])

    def run_report(self, *arguments):
        """(exit status, what it said)"""
        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            try:
                status = report.main(arguments)
            except SystemExit as end:
                status = end.code
        return status, said.getvalue()

    def test_names_are_those_of_the_measured_shapes(self):
        for cell in cells.all_cells():
            self.assertEqual(cells.parsed(cells.name_of("torch", cell)), ("torch", cell))
        self.assertEqual(cells.parsed("softmax/muster/f32/n:8/iterations:1/manual_time"), ("muster", cells.Cell("f32", 8)))
        self.assertEqual(cells.parsed("softmax/muster/f32/n:8/offset:1/iterations:1/manual_time"), ("muster", cells.Cell("f32", 8, 0, "offset:1")))
        self.assertIsNone(cells.parsed("softmax/muster/f32/n:8/offset:2/iterations:1/manual_time"))
        self.assertEqual(len(cells.all_cells()), len(set(cells.all_cells())))

    def test_every_loss_is_found_and_no_other(self):
        self.assertEqual([(cell, peer, round(ratio, 3)) for cell, peer, ratio in goals.losses(self.collected(RUN))], [(LONG, "torch", 0.95)])

    def test_a_wrong_result_is_neither_won_nor_lost(self):
        run = json.loads(json.dumps(RUN))
        run["benchmarks"][3]["wrong"] = True
        self.assertEqual(goals.losses(self.collected(run)), [])
        run["benchmarks"][2]["wrong"] = True
        self.assertIn((LONG, "right results: error against float64", None, 1e-4), goals.missed_goals(self.collected(run)))

    def test_goals_that_are_missed(self):
        missed = [(cell, goal, wanted) for cell, goal, wanted, _ in goals.missed_goals(self.collected(RUN))]
        self.assertEqual(missed, [(FEW, "times the speed of PyTorch", 1.5), (LONG, "of a copy's speed", 0.95), (LONG, "times the speed of PyTorch", 1),
                                  (ODD, "of a copy's speed", 0.95), (ODD, "of its even neighbour's speed", 0.95)])

    def test_the_larger_goal_of_few_rows_needs_an_idle_gpu_and_more_than_a_launch(self):
        for change in ({"multiprocessors_used": 132}, {"real_time": 2.9, "of_copy": 1.0}):
            run = json.loads(json.dumps(RUN))
            next(e for e in run["benchmarks"] if e["name"] == "softmax/torch/f32/rows:1/n:32768").update(change)
            self.assertNotIn(1.5, [wanted for cell, _, wanted, _ in goals.missed_goals(self.collected(run)) if cell == FEW])

    def test_a_shape_comes_from_the_last_file_as_a_whole(self):
        results = self.collected(RUN, {"context": {}, "benchmarks": [entry("softmax/muster/f16/n:1024", 50, 0.99)]})
        self.assertEqual(list(results.cells[LONG]), ["muster"])
        self.assertEqual(len(results.cells[ODD]), 4)

    def test_another_run_adds_its_fraction_to_shapes_that_were_measured(self):
        results = self.collected(OTHER, RUN)
        self.assertAlmostEqual(goals.ratio(results.cells[LONG], "oneflow"), 0.909 / 0.5)
        self.assertNotIn(cells.Cell("bf16", 16), results.cells)

    def test_own_ways_are_added_to_shapes_and_take_none_from_another_file(self):
        results = self.collected(WAYS, RUN)
        self.assertEqual([(cell, way, round(ratio, 3)) for cell, way, ratio in goals.better_ways(results)], [(LONG, "v:tile:32x2x4", 1.111)])
        self.assertIn("torch", results.cells[LONG])
        self.assertEqual(results.cells[cells.Cell("f16", 64)]["muster"].of_copy, 0.99)
        text = page.html(results)
        self.assertIn("3 ways in 2 shapes; in 1 of these", text)
        self.assertIn("<td class=left>f16, 1024 columns</td><td class=left>v:tile:32x2x4</td><td>1.111</td>", text)

    def test_conditions_have_a_goal_of_their_own(self):
        results = self.collected(HARD)
        slow = cells.Cell("f16", 1024, 0, "pad:1")
        self.assertEqual(goals.missed_goals(results), [(slow, "of a copy's speed", 0.9, 0.85)])
        self.assertIn("<td class=left>rows 1 element apart</td><td class=left>f16</td><td>2</td><td>0.850</td><td>1024</td><td>2.0e-04</td>", page.html(results))
        hints = [e.text for e in xml.fromstring(plots.robustness(results)).iter("{http://www.w3.org/2000/svg}title")]
        self.assertEqual(sorted(hints), ["f16, 1024: 0.850", "f16, 64: 0.900", "f32, 8: 0.950"])

    def test_what_has_no_time_is_listed_with_its_reason(self):
        gaps = goals.gaps(self.collected(RUN))
        self.assertEqual(gaps["left out: a reason & more"], [("triton", LONG)])
        self.assertIn(("triton", FEW), gaps["not measured: the file has no result of this peer for the shape"])
        self.assertEqual(len(gaps["not measured: no file has this shape"]), len(cells.all_cells()) - 3)

    def test_the_plots_show_each_value_once(self):
        results = self.collected(RUN, OTHER)
        hints = [e.text for e in xml.fromstring(plots.of_copy(results, ["f16"])).iter("{http://www.w3.org/2000/svg}title")]
        self.assertEqual(sorted(hints), ["OneFlow (another run), 1024: 0.500", "PyTorch, 1024: 0.957", "PyTorch, 1025: 0.400", "Triton, one program a row, 1025: 0.500",
                                         "muster, 1024: 0.909", "muster, 1025: 0.800"])
        hints = [e.text for e in xml.fromstring(plots.few_rows(results, ["f32"])).iter("{http://www.w3.org/2000/svg}title")]
        self.assertEqual(hints, ["PyTorch, 1 row, 32K: 1.20"])

    def test_the_page_is_whole_and_needs_nothing_else(self):
        text = page.html(self.collected(RUN, OTHER))
        self.assertIn("<td class=left>f16, 1024 columns</td><td class=left>PyTorch</td><td>0.909</td><td>0.957</td><td>0.950</td>"
                      "<td class=left><span class=loss>lost</span></td>", text)
        self.assertIn("A &lt;GPU&gt;", text)
        self.assertIn("left out: a reason &amp; more", text)
        self.assertIsNone(re.search(r"""(src|href)=|url\(|@import|<GPU>""", text))

    def test_the_program_writes_page_and_plot(self):
        out, plot = os.path.join(self.folder, "r.html"), os.path.join(self.folder, "p.svg")
        done = self.run_report(self.write("run.json", RUN), "-o", out, "--plot", plot)
        self.assertEqual(done, (0, ""))
        xml.parse(plot)
        with open(out, encoding="utf-8") as file:
            self.assertTrue(file.read().endswith("</html>\n"))

    def test_a_broken_file_ends_with_2_and_leaves_what_was_there(self):
        good, out = self.write("run.json", RUN), self.write("old.html", "old")
        broken = {"cut.json": json.dumps(RUN)[:-9], "list.json": "[]", "nameless.json": {"context": {}, "benchmarks": [{}]}, "empty.json": {"context": {}, "benchmarks": []},
                  "negative.json": {"context": {}, "benchmarks": [entry("softmax/muster/f16/n:1024", -1, 0.5)]}}
        for name, content in broken.items():
            for page_of in (out, os.path.join(self.folder, "new.html")):
                status, said = self.run_report(good, self.write(name, content), "-o", page_of)
                self.assertEqual(status, 2, name)
                self.assertRegex(said, rf"^report\.py: .*{name}: ")
        self.assertEqual(self.run_report(os.path.join(self.folder, "none.json"), "-o", out)[0], 2)
        self.assertEqual(self.run_report(good, "-o", os.path.join(self.folder, "none", "r.html"))[0], 2)
        with open(out, encoding="utf-8") as file:
            self.assertEqual(file.read(), "old")
        self.assertEqual(sorted(os.listdir(self.folder)), sorted([*broken, "run.json", "old.html"]))


if __name__ == "__main__":
    unittest.main()
