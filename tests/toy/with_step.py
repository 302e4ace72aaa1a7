#!/usr/bin/env python3
"""Creates a folder of headers with an additional format in the list: with_step.py INCLUDE DESCRIPTOR OUT STAMP
DEPFILE.

OUT/tracecodec is a copy of INCLUDE/tracecodec in which trace/formats.hpp includes DESCRIPTOR and lists
toy::step_descriptor.
"""
import pathlib
import re
import shutil
import sys

include, descriptor, out, stamp, depfile = map(pathlib.Path, sys.argv[1:])
shutil.rmtree(out, ignore_errors=True)
shutil.copytree(include / "tracecodec", out / "tracecodec")
page = out / "tracecodec" / "trace" / "formats.hpp"
text = page.read_text()
text, includes = re.subn(r'(#include "\.\./champsim/descriptor\.hpp"\n)',
                         rf'\1#include "{descriptor.resolve().as_posix()}"\n', text)
text, entries = re.subn(r"(format::list<)", r"\1toy::step_descriptor, ", text)
if (includes, entries) != (1, 1):
    sys.exit(f"{page}: has another form")
page.write_text(text)
stamp.write_text("// The headers of the folder beside this file are complete.\n")
headers = sorted(str(path) for path in (include / "tracecodec").rglob("*") if path.is_file())
depfile.write_text(f"{stamp}: {' '.join(headers)} {descriptor}\n")
