#!/usr/bin/env python3
"""Tests a format that is defined in one file and added to the list by one line. The programs, C and Python must
read it.

toy_test.py [--programs IN_ONE] [--c READ_WITH_C] [--python PYTHON --core CORE --package FOLDER]
"""
import argparse
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

PLAIN, LOAD, STORE, JUMP = range(4)
# ip, thread, what, address: as step_descriptor.hpp defines them, little-endian and packed.
STEPS = [(0x401000, 0, PLAIN, 0), (0x401003, 0, LOAD, 0x7FF0), (0x402000, 1, STORE, 0x8000),
         (0x401007, 0, JUMP, 0x401000), (0x401000, 0, PLAIN, 0)]


def steps_file(steps, count=None):
    header = b"STEP" + struct.pack("<IQ", 1, len(steps) if count is None else count)
    return header + b"".join(struct.pack("<QHBQ", *step) for step in steps)


class Toy(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.trace = self.folder / "five.steps"
        self.trace.write_bytes(steps_file(STEPS))

    def run_program(self, name, *arguments, status=0):
        if options.programs is None:
            self.skipTest("the programs are another build's")
        done = subprocess.run([name, *map(str, arguments)], executable=options.programs, capture_output=True,
                              text=True, stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stdout if status == 0 else done.stdout + done.stderr


class Programs(Toy):
    def test_view(self):
        rows = [json.loads(line) for line in self.run_program("trace_view", "--json", self.trace).splitlines()]
        self.assertEqual([int(row["ip"], 16) for row in rows], [step[0] for step in STEPS])
        self.assertEqual([row["thread"] for row in rows], [step[1] for step in STEPS])
        self.assertEqual([row["taken"] for row in rows], [step[2] == JUMP for step in STEPS])
        self.assertEqual(rows[1]["source_memory"], ["0x7ff0"])
        self.assertEqual(rows[2]["destination_memory"], ["0x8000"])
        self.assertEqual(int(rows[3]["target"], 16), 0x401000)
        compact = self.run_program("trace_view", "-c", self.trace).splitlines()
        self.assertEqual(compact[2], "[     2] 0x0000000000402000 | T[1] | D_M['0x8000']")
        self.assertIn("thread", self.run_program("trace_view", "-n", "1", self.trace))

    def test_layout(self):
        printed = self.run_program("trace_view", "--layout", "step")
        for name in ("magic", "steps", "ip", "thread", "what", "address"):
            self.assertIn(name, printed)

    def test_check(self):
        self.assertIn("5 records, 0 errors", self.run_program("trace_check", self.trace))
        self.trace.write_bytes(steps_file(STEPS, count=6))
        self.assertIn("5 of 6 steps", self.run_program("trace_check", self.trace, status=1))

    def test_option_of_its_own(self):
        self.assertIn("--most-steps", self.run_program("trace_check", "--help"))
        self.run_program("trace_check", "--most-steps", "5", self.trace)
        self.assertIn("record 4: more steps than are allowed",
                      self.run_program("trace_check", "--most-steps", "4", self.trace, status=1))
        self.assertIn("--most-steps: expected a number, got 'x'",
                      self.run_program("trace_check", "--most-steps", "x", self.trace, status=2))

    def test_convert(self):
        champsim = self.folder / "five.champsim"
        self.run_program("trace_convert", self.trace, champsim)
        written = champsim.read_bytes()
        self.assertEqual(len(written), 64 * len(STEPS))
        for i, (ip, _, what, address) in enumerate(STEPS):
            record = struct.unpack_from("<QBB2B4B2Q4Q", written, 64 * i)
            self.assertEqual(record[0], ip)
            self.assertEqual(record[1:3], (1, 1) if what == JUMP else (0, 0))
            self.assertEqual(record[9], address if what == STORE else 0)
            self.assertEqual(record[11], address if what == LOAD else 0)
        rows = self.folder / "five.jsonl"
        self.run_program("trace_convert", self.trace, rows)
        self.assertEqual([int(json.loads(line)["ip"], 16) for line in rows.read_text().splitlines()],
                         [step[0] for step in STEPS])
        table = self.folder / "five.csv"
        self.run_program("trace_convert", self.trace, table)
        self.assertEqual(len(table.read_text().splitlines()), 1 + len(STEPS))

    def test_find(self):
        found = self.run_program("trace_find", self.trace, "--ip", "0x401000", "--json").splitlines()
        self.assertEqual([json.loads(line)["index"] for line in found], [0, 4])

    def test_frontend_sim(self):
        counts = json.loads(self.run_program("frontend_sim", self.trace, "--json"))
        self.assertEqual(counts["format"], "step")
        self.assertEqual(counts["instructions"], len(STEPS))

    def test_diff(self):
        other = self.folder / "other.steps"
        other.write_bytes(steps_file(STEPS))
        self.run_program("trace_diff", self.trace, other)
        other.write_bytes(steps_file([*STEPS[:4], (0x401001, 0, PLAIN, 0)]))
        self.assertIn("0x401001", self.run_program("trace_diff", self.trace, other, status=1).lower())

    def test_report(self):
        page = self.folder / "five.html"
        self.run_program("trace_report", self.trace, page)
        self.assertIn(", STEP", page.read_text())

    def test_options_of_others_are_refused(self):
        self.assertIn("a step trace has no", self.run_program("trace_find", self.trace, "--branch-rules", "2022",
                                                              "--ip", "0x401000", status=2))


class Bindings(Toy):
    def test_c(self):
        if options.c is None:
            self.skipTest("libtracecodec is not built")
        done = subprocess.run([options.c, self.trace, "most-steps=5"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0)
        expected = [f"{ip:x} {int(what == JUMP)} {address if what == LOAD else 0:x} "
                    f"{address if what == STORE else 0:x}" for ip, _, what, address in STEPS]
        self.assertEqual(done.stdout.splitlines(), ["step", "step is format 0", *expected])
        refused = subprocess.run([options.c, self.trace, "colour=red"], capture_output=True, text=True)
        self.assertEqual(refused.returncode, 1)
        self.assertIn("there is no option colour", refused.stdout)

    def test_python(self):
        if options.core is None:
            self.skipTest("the Python package is not built here")
        package = self.folder / "tracecodec"
        shutil.copytree(options.package, package, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(options.core, package / "_core.so")
        done = subprocess.run(
            [options.python, "-c", "import sys, tracecodec\n"
             "trace = tracecodec.open(sys.argv[1])\n"
             "print(trace.format, tracecodec.formats()[0], trace.hot_blocks(1)[0].instructions)\n"
             "print(*(row.field for row in trace.layout))\n"
             "print(tracecodec.open(sys.argv[1], most_steps=5).format)\n"
             "for batch in trace.instructions():\n"
             "    print(*batch.ip)\n"
             "    print(*batch.thread)\n", self.trace],
            capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(self.folder)})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.splitlines(), ["step step 3", "ip thread what address", "step", " ".join(str(step[0]) for step in STEPS),
                                                    " ".join(str(step[1]) for step in STEPS)])


parser = argparse.ArgumentParser()
for name in ("programs", "c", "python", "core", "package"):
    parser.add_argument("--" + name)
options, rest = parser.parse_known_args()
unittest.main(argv=sys.argv[:1] + rest)
