#!/usr/bin/env python3
"""Runs what README.md and docs/ show, and compares what it prints with what they say it prints.

  ```cpp       a block with a main() is compiled and run; a ```text block behind it is its output,
               which must be there if it prints anything
  ```c++       a part of somebody else's program: it is compiled and run within a file of the project,
               in the place of its line "// (the block of the page)". The file's main() returns 0 if
               what the part does is right
  ```python    a program that is run; a ```text block behind it is its output
  ```console   each line "$ COMMAND" is run in the project's folder; the lines below are its output
  ```sh        a script of the page, or commands that are the project's own scripts. Those cannot be
               run here, as they install, take long, and run this test; scripts/test --thorough runs
               scripts/demo and, for a moment, scripts/fuzz, with --host coverage
               scripts/coverage. Of each, one a line, it is checked that it is there and that it
               takes these arguments, but no unknown one behind them, which it must refuse before it
               does anything. So are those in the text, `scripts/NAME ...`, where a word in capitals is
               a number
  `PROGRAM -o ...`   in the text: the program's help must name each option
  <!-- layout NAME --> ... <!-- /layout -->   the table generated from the descriptor NAME
  "..." stands for anything within a line, and alone on a line for any lines.

Above a block may stand:
  <!-- inside FILE -->      the file around a c++ block, from the project's folder
  <!-- part of A TRACE -->   a text block that nothing prints: what lies in a file
  <!-- file NAME -->        a sh or Python block is a script, written to $OUT/NAME; a command behind it must
                            name it
  <!-- needs COMMAND -->    a console or Python block is left out where COMMAND fails, as a tool is
                            missing
  <!-- needs import MODULE -->   a Python block is run with the first of the PATH's Python and the
                            system's that has the module, and left out if neither has
  <!-- picture FILE -->     what a Python block draws with matplotlib is this SVG file of docs/, which the
                            page shows. It is compared where matplotlib has the version that made it
Several may stand above each other.

With --write the text blocks, console blocks without "...", pictures and tables are rewritten instead.
"""
import argparse
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

FENCE = re.compile(r"^```([\w+]*)\n(.*?)^```$", re.M | re.S)
ABOVE = re.compile(r"(?:^<!-- (?:needs|inside|file|part of|picture) .* -->\n)+\Z", re.M)
SAID = re.compile(r"<!-- (needs|inside|file|part of|picture) (.*) -->")
PLACE = re.compile(r"^ *// \(the block of the page\)\n", re.M)
USE = re.compile(r"`(\w+) ([^`\n]*)`")
SCRIPT = re.compile(r"`(scripts/\w+(?: [^`\n]*)?)`")
LAYOUT = re.compile(r"(<!-- layout (\S+) -->\n)(.*?)(<!-- /layout -->)", re.S)


def matches(shown, printed):
    pattern = ""
    for line in shown.rstrip("\n").split("\n"):
        if line.strip() == "...":
            pattern += r"(?:.*\n)*?"
        else:
            pattern += ".*".join(re.escape(part) for part in line.rstrip().split("...")) + r"[ \t]*\n"
    return re.fullmatch(pattern, printed.rstrip("\n") + "\n") is not None


class Docs:
    def __init__(self, options):
        self.o = options
        self.passed = self.failed = 0
        self.there = {}  # whether a command that is needed works
        self.scratch = tempfile.TemporaryDirectory()
        # Otherwise GNU parallel creates a folder in the home directory.
        self.env = dict(os.environ, LC_ALL="C", OUT=self.scratch.name,
                        PARALLEL_HOME=self.scratch.name + "/parallel",
                        PATH=options.bin + os.pathsep + os.environ["PATH"])
        if options.modules:
            self.env["PYTHONPATH"] = os.pathsep.join(
                filter(None, [options.modules, os.environ.get("PYTHONPATH")]))

    def say(self, good, place, what, shown="", printed=""):
        self.passed += good
        self.failed += not good
        if not good:
            print(f"FAILED {place}: {what}\n--- shown\n{shown}--- printed\n{printed}---")

    def ended(self, command):
        return subprocess.run(command, cwd=self.o.root, env=self.env, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              timeout=300)

    def run(self, command):
        return self.ended(command).stdout

    def inside(self, place, around, code):
        """The program that `code` is a part of; None if there is none."""
        path = self.o.root / (around or "no file")
        if not path.is_file():
            self.say(False, place, "not said inside of what it is compiled", code)
            return None
        program, places = PLACE.subn(lambda m: code, path.read_text())
        if places != 1:
            self.say(False, place, f"{around} has {places} places for it", code)
            return None
        return program

    def part(self, place, around, code):
        program = self.inside(place, around, code)
        if program and self.program(place, program) is not None:
            self.say(True, place, "")

    def script(self, place, command):
        """A script of the project, which must not do anything."""
        refused = "--no-such-option"
        words = shlex.split(command, comments=True)
        if not re.fullmatch(r"scripts/\w+", words[0]):
            self.say(False, place, "no script of the project, and not run", command + "\n")
        elif not os.access(self.o.root / words[0], os.X_OK):
            self.say(False, place, "no such script", command + "\n")
        else:
            # `timeout` also ends processes that the script has started.
            printed = self.run(["timeout", "--kill-after=1", "20", *words, refused])
            self.say(refused in printed and printed.startswith("error: "), place,
                     f"{words[0]} does not refuse {refused} alone", command + "\n", printed)

    def options(self, place, name, words):
        """Of a program that is not run."""
        of_it = re.split(r"(?:^| )-- | \| ", words)[0]
        options = re.findall(r"(?<!\S)(--?\w[\w-]*)", of_it)
        if options and self.o.bin and (pathlib.Path(self.o.bin) / name).exists():
            lists = re.findall(r"^ +(-\S+)", self.run([name, "--help"]), re.M)
            known = {option for names in lists for option in names.split(",")}
            for option in options:
                self.say(option in known, place, f"{name} has no {option}", words + "\n")

    def program(self, place, code):
        source = pathlib.Path(self.scratch.name) / "block.cpp"
        source.write_text(code)
        exe = source.with_suffix("")
        command = (shlex.split(self.o.compiler) + shlex.split(self.o.flags) +
                   ["-Wall", "-Wextra", "-Werror", "-I", str(self.o.root / "include"),
                    str(source), "-o", str(exe)] + shlex.split(self.o.libs))
        r = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if r.returncode:
            self.say(False, place, "does not compile", code, r.stdout)
            return None
        r = self.ended([str(exe)])
        if r.returncode:
            self.say(False, place, f"ends with {r.returncode}", code, r.stdout)
            return None
        return r.stdout

    def console(self, place, body):
        result, failed = "", False
        parts = re.split(r"^\$ (.*)\n", body, flags=re.M)
        for command, shown in zip(parts[1::2], parts[2::2]):
            printed = self.run(["bash", "-c", command])
            if not matches(shown, printed):
                failed = True
                if not self.o.write:
                    self.say(False, place, "$ " + command, shown, printed)
            result += f"$ {command}\n" + (shown if "..." in shown else printed)
        if not failed:
            self.say(True, place, "")
        return result

    def works(self, needed):
        if needed not in self.there:
            self.there[needed] = subprocess.run(
                ["bash", "-c", needed], env=self.env, stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0
        return self.there[needed]

    def has(self, place, needed):
        if not self.works(needed):
            print(f"{place} ... skipped: it needs {needed}")
        return self.works(needed)

    def python(self, place, needed):
        """The Python that a block is run with; None if none can."""
        if not needed or not needed.startswith("import "):
            return "python3" if not needed or self.has(place, needed) else None
        # Look for modules like scripts/lib/packages.sh.
        for python in ("python3", "/usr/bin/python3"):
            if self.works(f"{python} -c {shlex.quote(needed)}"):
                return python
        print(f"{place} ... skipped: no Python has what it needs: {needed}")
        return None

    def drawn(self, place, python, code, name, page):
        """Runs a block that draws, with settings that are the same everywhere; what it prints."""
        scratch = pathlib.Path(self.scratch.name)
        settings, made = scratch / "matplotlibrc", scratch / "picture.svg"
        settings.write_text("svg.hashsalt: docs\nfigure.figsize: 7, 2.5\nfigure.autolayout: True\n")
        printed = self.run(
            ["env", "MPLBACKEND=Agg", f"MATPLOTLIBRC={settings}", python,
             "-W", "ignore:Matplotlib is currently using agg",
             "-W", "ignore:FigureCanvasAgg is non-interactive", "-c",
             f"{code}\nimport matplotlib.pyplot\n"
             f"matplotlib.pyplot.savefig({str(made)!r}, metadata={{'Date': None}})\n"])
        if not made.exists():
            self.say(False, place, "draws no picture", code, printed)
            return printed
        # matplotlib leaves spaces at the ends of lines.
        drawn = re.sub(r"[ \t]+\n", "\n", made.read_text()).rstrip("\n") + "\n"
        made.unlink()
        kept = self.o.root / "docs" / name
        if self.o.write:
            kept.parent.mkdir(exist_ok=True)
            kept.write_text(drawn)
        shown = kept.read_text() if kept.exists() else ""
        version = re.compile(r"Matplotlib v[\d.]+")
        same = version.findall(shown) != version.findall(drawn) or shown == drawn
        self.say(shown != "" and f"]({name})" in page, place, f"the page does not show docs/{name}")
        self.say(same, place, f"docs/{name} is another picture")
        return printed

    def file(self, path):
        text = path.read_text()
        out, at, output = [], 0, None
        printed_at = None  # the program whose output follows in a later block
        left_out = False  # whether the program that prints the text was not run
        for m in FENCE.finditer(text):
            kind, body = m.groups()
            place = f"{path.relative_to(self.o.root)}:{text.count(chr(10), 0, m.start()) + 1}"
            new = body
            above = ABOVE.search(text, 0, m.start())
            above = dict(SAID.findall(above.group())) if above else {}
            if kind != "text":
                left_out = False
                if printed_at:
                    self.say(False, printed_at, "prints what the page does not show", "", output)
                    output = printed_at = None
            if kind == "cpp":
                output = self.program(place, body)
                if output is not None:
                    self.say(True, place, "")
                printed_at, left_out = place if output else None, output is None
            elif kind == "text" and output is not None:
                if self.o.write:
                    new = output
                else:
                    self.say(matches(body, output), place, "output of the program above", body, output)
                output = printed_at = None
            elif kind == "text" and "part of" not in above and not left_out:
                self.say(False, place, "no program prints it", body)
            elif kind == "c++":
                self.part(place, above.get("inside"), body)
            elif kind in ("sh", "python") and "file" in above:
                (pathlib.Path(self.scratch.name) / above["file"]).write_text(body)
                named = re.search(r"^\$ .*\b" + re.escape(above["file"]), text[m.end():], re.M)
                self.say(named is not None, place, "a script that no command runs", body)
            elif kind == "sh":
                for line in body.splitlines():
                    self.script(place, line)
            elif kind not in ("text", "console", "python"):
                self.say(False, place, "a block that nothing tests", body)
            elif kind in ("console", "python") and self.o.bin:
                needed = above.get("needs")
                if kind == "python":
                    python = self.python(place, needed)
                    if python and "picture" in above:
                        output = self.drawn(place, python, body, above["picture"], text)
                    else:
                        output = self.run([python, "-c", body]) if python else None
                    printed_at, left_out = place if output else None, python is None
                elif needed and not self.has(place, needed):
                    output = None
                else:
                    new = self.console(place, body)
            elif kind in ("console", "python"):
                print(f"{place} ... skipped: the programs are not built with every library")
                left_out = True
            if self.o.write:
                out.append(text[at:m.start()] + f"```{kind}\n{new}```")
                at = m.end()
        if self.o.write:
            text = "".join(out) + text[at:]

        if printed_at:
            self.say(False, printed_at, "prints what the page does not show", "", output)
        for m in SCRIPT.finditer(FENCE.sub("", text)):
            self.script(path.name, re.sub(r"\b[A-Z]+\b", "1", m.group(1)))

        for m in USE.finditer(FENCE.sub("", text)):
            self.options(path.name, *m.groups())

        def table(m):
            generated = self.tables.get(m.group(2), "no such table\n")
            if not self.o.write:
                self.say(m.group(3) == generated, path.name, "stale table " + m.group(2),
                         m.group(3), generated)
            return m.group(1) + generated + m.group(4)
        text = LAYOUT.sub(table, text)
        if self.o.write:
            path.write_text(text)

    def all(self):
        self.tables = {}
        for part in self.run([self.o.tables]).split("@")[1:]:
            name, rows = part.split("\n", 1)
            self.tables[name] = rows
        for path in [self.o.root / "README.md", *sorted((self.o.root / "docs").rglob("*.md"))]:
            self.file(path)
        print(f"{self.passed} passed, {self.failed} failed")
        return 1 if self.failed or not self.passed else 0


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--root", type=pathlib.Path, required=True)
    p.add_argument("--compiler", default="g++")
    p.add_argument("--flags", default="-std=c++20 -O1")
    p.add_argument("--libs", default="")
    p.add_argument("--bin", default="", help="folder of the built examples; without it no console block is run")
    p.add_argument("--modules", default="", help="folder of the built Python package")
    p.add_argument("--tables", type=lambda s: str(pathlib.Path(s).resolve()), required=True)
    p.add_argument("--write", action="store_true")
    sys.exit(Docs(p.parse_args()).all())


if __name__ == "__main__":
    main()
