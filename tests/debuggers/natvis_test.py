#!/usr/bin/env python3
"""Tests that packaging/tracecodec.natvis is XML, and that the headers define its types and members. Argument: the
project's folder."""
import pathlib
import re
import sys
import xml.etree.ElementTree as xml

ROOT = pathlib.Path(sys.argv[1])
INCLUDE = ROOT / "include" / "tracecodec"
HEADERS = {"array_view": "wire/types/view.hpp", "strided_view": "wire/items/strided.hpp",
           "record_view": "wire/types/view.hpp", "scalar": "wire/types/scalar.hpp",
           "trace_error": "io/error.hpp"}
NAMESPACE = "{http://schemas.microsoft.com/vstudio/debugger/natvis/2010}"

wrong, seen = [], 0
for of in xml.parse(ROOT / "packaging" / "tracecodec.natvis").getroot().iter(NAMESPACE + "Type"):
    name = re.match(r"tracecodec::(?:wire::)?(\w+)", of.get("Name")).group(1)
    text = (INCLUDE / HEADERS[name]).read_text()
    if not re.search(rf"\bclass {name}\b", text):
        wrong.append(f"{HEADERS[name]} has no {name}")
    said = " ".join(t for e in of.iter() for t in [e.text or ""])
    for member in set(re.findall(r"\b[a-z]+_\b", said)) | set(re.findall(r"where_\.(\w+)", said)):
        seen += 1
        if not re.search(rf"\b{member}\b\s*(?:=|;|\{{|,)", text):
            wrong.append(f"{name} has no {member}")
print(*wrong, sep="\n", end="\n" if wrong else "")
print(f"{seen} members")
sys.exit(1 if wrong or seen < 10 else 0)
