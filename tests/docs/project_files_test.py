#!/usr/bin/env python3
"""Tests that files about the project agree with each other. Argument: the project's folder.

REUSE.toml has a licence for all files. Its text is in LICENSES/ and in LICENSE, and no file names another licence.
CHANGELOG.md has the version of meson.build. All files follow the rules of .editorconfig for line ends and blanks.
The table of examples/README.md lists each example with its approximate number of lines. The programs of
examples/tutorial/ are short and independent. Pages have short paragraphs and table cells. No file has the marks of
an unfinished merge.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1])
# Binary files as in .editorconfig, and other files that editors do not open.
FOREIGN = ("tests/data/", "fuzz/corpus/", "fuzz/failed/", ".git/", "build")
# Pages whose blocks show the output of programs, and patches, whose lines end as in the patched file.
PRINTED = (".md", ".patch")


def files():
    for path in sorted(ROOT.rglob("*")):
        name = path.relative_to(ROOT).as_posix()
        if path.is_file() and not name.startswith(FOREIGN) and "__pycache__" not in name:
            yield name, path.read_bytes()


def licences():
    reuse = (ROOT / "REUSE.toml").read_text()
    named = set(re.findall(r'^SPDX-License-Identifier = "(.*)"$', reuse, re.M))
    kept = {p.stem for p in (ROOT / "LICENSES").iterdir()}
    if "version = 1\n" not in reuse or 'path = "**"\n' not in reuse:
        yield "REUSE.toml has no annotation of all files"
    if named != kept:
        yield f"REUSE.toml names {sorted(named)}, LICENSES/ has {sorted(kept)}"
    if (ROOT / "LICENSE").read_bytes() not in [p.read_bytes() for p in (ROOT / "LICENSES").iterdir()]:
        yield "LICENSE is another text than that in LICENSES/"
    for name, content in files():
        of_it = re.findall(rb"^\W*SPDX-License-Identifier: ([\w.-]+)$", content, re.M)
        yield from (f"{name}: is under {i.decode()}" for i in of_it if i.decode() not in named)


def versions():
    version = re.search(r"^  version: '(.*)'", (ROOT / "meson.build").read_text(), re.M).group(1)
    newest = re.search(r"^## \[(.*?)\]", (ROOT / "CHANGELOG.md").read_text(), re.M).group(1)
    if version != newest:
        yield f"CHANGELOG.md begins with {newest}, meson.build has {version}"


def forms():
    for name, content in files():
        if b"\0" in content or not content:
            continue
        if not content.endswith(b"\n") or content.endswith(b"\n\n"):
            yield f"{name}: does not end with one end of line"
        if b"\r" in content or (not name.endswith(PRINTED) and re.search(rb"[ \t]\n", content)):
            yield f"{name}: blanks at the end of a line"
        if re.search(rb"^(<{7} |>{7} )", content, re.M):
            yield f"{name}: has a conflict of a merge"


def lines_of(path):
    sources = path.rglob("*.*pp") if path.is_dir() else [path]
    return sum(len(p.read_text().splitlines()) for p in sources)


def examples():
    folder = ROOT / "examples"
    build_files = {"CMakeLists.txt", "meson.build"}
    tutorial = {p.relative_to(folder).as_posix() for p in (folder / "tutorial").rglob("*")
                if p.is_file() and p.name not in build_files and "__pycache__" not in p.parts}
    programs = {p.relative_to(folder).as_posix() + "/" for p in (folder / "programs").iterdir() if p.is_dir()}
    rows = re.findall(r"^\| `(.*?)` \| ([\d,]+) \|", (folder / "README.md").read_text(), re.M)
    listed = {name: int(lines.replace(",", "")) for name, lines in rows}
    if listed.keys() != tutorial | programs:
        yield f"examples/README.md: its table differs in {sorted(listed.keys() ^ (tutorial | programs))}"
    for name, shown in listed.items():
        lines = lines_of(folder / name)
        if abs(shown - lines) > lines / 10:
            yield f"examples/README.md: {name} has {lines} lines, not {shown}"
    for name in tutorial:
        if lines_of(folder / name) >= 150:
            yield f"examples/{name}: has 150 lines or more"
        if re.search(r'^#include ".*/', (folder / name).read_text(), re.M):
            yield f"examples/{name}: includes a file of another folder"


def pages():
    """Yields paragraphs, list items and table cells that are too long."""
    for path in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").glob("*.md"),
                 ROOT / "fuzz" / "README.md", *(ROOT / "packaging").rglob("*.md")]:
        name = path.relative_to(ROOT).as_posix()
        text = re.sub(r"^```.*?^```$", "", path.read_text(), flags=re.M | re.S)
        rows = [line for line in text.split("\n") if line.startswith("|")]
        prose = "\n".join("" if line.startswith("|") else line for line in text.split("\n"))
        for cell in (cell for row in rows for cell in row.split("|")):
            if len(cell.split()) > 30:
                yield f"{name}: a table cell has more than 30 words: {cell.strip()[:60]}"
        for paragraph in re.split(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )", prose):
            if len(paragraph.split()) > 100:
                yield f"{name}: a paragraph has more than 100 words: {paragraph.strip()[:60]}"


wrong = [*licences(), *versions(), *forms(), *examples(), *pages()]
print(*wrong, sep="\n", end="\n" if wrong else "")
sys.exit(1 if wrong else 0)
