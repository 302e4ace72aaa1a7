#!/usr/bin/env python3
"""Files about the project agree with each other. Argument: the project's folder.

REUSE.toml has a licence for all files, whose text is in LICENSES/ and in LICENSE; a licence that a file
names itself is that one. CHANGELOG.md has the version of meson.build. .editorconfig's rules hold of the
files' ends and blanks.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1])
# Bytes of others, as .editorconfig has them, and what no editor opens.
FOREIGN = ("tests/data/", "fuzz/corpus/", "fuzz/failed/", ".git/", "build")
# Pages whose blocks show what programs print; lines of a patch end as they do.
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


wrong = [*licences(), *versions(), *forms()]
print(*wrong, sep="\n", end="\n" if wrong else "")
sys.exit(1 if wrong else 0)
