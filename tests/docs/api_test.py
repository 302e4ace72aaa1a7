#!/usr/bin/env python3
"""Tests that Doxygen generates the reference of the headers without a warning, and that it contains their
comments. Argument: the project's folder. The exit status is 77 (skipped) without doxygen."""
import html
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

# Pages of the reference and text that each must contain: for a file, for a class, and for members with a comment
# above them or after them.
EXPECTED = {
    "error_8hpp.html": ["Exception that readers, writers, feeds and byte sources throw"],
    "classtracecodec_1_1wire_1_1array__view.html": [
        "Random-access range of size() elements of wire type W .", "#include <tracecodec/wire/types/view.hpp>"],
    "structtracecodec_1_1error__site.html": ["name of the record's field"],
    "namespacetracecodec.html": ["the bytes end inside a record or a compressed stream"],
}


def main(root):
    if shutil.which("doxygen") is None:
        print("no doxygen: skipped")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        config = (root / "packaging" / "doxygen" / "Doxyfile").read_text()
        made = subprocess.run(["doxygen", "-"], input=f"{config}\nOUTPUT_DIRECTORY = {folder}\n",
                              cwd=root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        print(made.stdout, end="")
        missing = []
        for name, texts in EXPECTED.items():
            page = (pathlib.Path(folder) / "api" / name).read_text()
            page = re.sub(r"\s+", " ", html.unescape(re.sub("<[^>]+>", " ", page)))
            missing += [f"{name} has no {text!r}" for text in texts if text not in page]
    print(*missing, sep="\n", end="\n" if missing else "")
    return 1 if made.returncode or made.stdout or missing else 0


sys.exit(main(pathlib.Path(sys.argv[1]).resolve()))
