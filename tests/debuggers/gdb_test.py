#!/usr/bin/env python3
"""Tests how packaging/gdb/tracecodec_gdb.py prints the views of views.cpp, and an error. Usage: gdb_test.py ROOT
COMPILER... The exit status is 77 (skipped) without a gdb that may run programs."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

# The members of the views, decoded by hand from the bytes 01 02 00 fe 00 04 75 06.
EXPECTED = {
    "numbers": "3 elements = {258, 254, 4}",
    "points": "1 elements = {{x = 258, paint = color::red, rest = {65024, 1141}}}",
    "one": "record = {x = 513, paint = color::red, rest = {1024, 1653}}",
    "other": "record = {paint = color::green, x = 254, rest = {4, 29958}}",
    "slices": "record = {bits = {high = 7, low = 6}}",
    "error": 'a.trace: offset 128, field ip: is 0 = {code = tracecodec::trace_errc::bad_value, '
             'file = "a.trace", offset = 128, record = none, field = "ip"}',
}


def plain(printed):
    """Returns the output without the parts that depend on GDB's version, the compiler or the run."""
    printed = printed.replace("(anonymous namespace)::", "")
    printed = re.sub(r" at 0x[0-9a-f]+", "", printed)
    printed = re.sub(r"std::optional[^={]*(= \{\[contained value\] = (\d+)\}|\[no contained value\])",
                     lambda m: m.group(2) or "none", printed)
    return printed


def main(root, *compiler):
    root = pathlib.Path(root)
    if not shutil.which("gdb"):
        print("gdb is not installed")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "views"
        subprocess.run([*compiler, "-std=c++20", "-g", "-O0", "-I", root / "include",
                        root / "tests" / "debuggers" / "views.cpp", "-o", program], check=True)
        commands = ["set print address off", "set print pretty off", "break stop", "run"]
        commands += [f"print {name}" for name in EXPECTED]
        done = subprocess.run(["gdb", "-q", "-batch", "-nx", "-x",
                               root / "packaging" / "gdb" / "tracecodec_gdb.py",
                               *[a for c in commands for a in ("-ex", c)], program],
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
    if "Breakpoint 1, " not in done.stdout:
        print("gdb runs no programs here:", done.stdout)
        return 77
    printed = re.findall(r"^\$\d+ = (.*)$", done.stdout, re.M)
    good = len(printed) == len(EXPECTED)
    for (name, expected), got in zip(EXPECTED.items(), map(plain, printed)):
        if got != expected:
            print(f"{name}: expected {expected}\n{'':{len(name)}}  got      {got}")
            good = False
    if not good:
        print(done.stdout)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
