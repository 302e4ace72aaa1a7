#!/usr/bin/env python3
"""Runs the code blocks of README.md, CONTRIBUTING.md and docs/, and compares the output with the pages.

  ```cpp       A block with a main() is compiled and run. A ```text block after it is its output, and
               is required if the program prints anything.
  ```c++       A part of a program. It is compiled and run within a file of the project, in place of
               the line "// (the block of the page)". The file's main() returns 0 on success.
  ```python    A program that is run. A ```text block after it is its output.
  ```console   Each line "$ COMMAND" is run in the project's folder. The following lines are its output.
  ```sh        A script of the page, or commands that are scripts of the project, one in each line.
               Scripts of the project are not run, because they install, take long, and run this test.
               Instead, each script must exist, accept these arguments, and refuse an additional unknown
               argument before it does anything. `scripts/NAME ...` in the text is checked likewise. A
               word in capitals stands for a number there. scripts/test --thorough runs scripts/demo
               and, with --all-hosts, briefly scripts/fuzz. With --host coverage it runs
               scripts/coverage.
  `PROGRAM -o ...`   In the text. The program's help must list each option.
  <!-- layout NAME --> ... <!-- /layout -->   The table that is generated from the descriptor NAME.
  <!-- python api --> ... <!-- /python api -->   The public names of the Python package, from its docstrings.
  <!-- c api --> ... <!-- /c api -->   The declarations of include/tracecodec.h, with their comments.
  <!-- help PROGRAM --> ... <!-- /help -->   The usage and the options of a program, from its --help.
  <!-- headers FOLDER --> ... <!-- /headers -->   The table of the headers in a folder of include/, with the
               first sentence of each header's comment.
  "..." matches anything within a line. Alone on a line, it matches any lines.

These marks may precede a block:
  <!-- inside FILE -->      The file around a c++ block, relative to the project's folder.
  <!-- part of A TRACE -->   A text block with the contents of a file. It is not compared.
  <!-- file NAME -->        A sh, Python or C++ block is written to $OUT/NAME. A later command must
                            contain this name.
  <!-- needs COMMAND -->    A console or Python block is skipped if COMMAND fails, because a tool is
                            missing.
  <!-- needs import MODULE -->   A Python block is run with PATH's Python or else the system's,
                            whichever has the module, and is skipped if neither has it.
  <!-- picture FILE -->     A Python block draws this SVG file of docs/ with matplotlib. It is compared
                            if matplotlib has the version that made the file.
  <!-- also read from COMMAND -->   A C++ program is run a second time in a folder in which COMMAND, which gets the
               folder tests/data/gallery in it as an argument, has made the input. It prints the same text. This
               run is skipped if COMMAND ends with 77, because a tool is missing.
  <!-- printed by COMMAND -->   A text block with lines that the command prints, in this order.
Several marks may precede a block.

With --write, text blocks, console blocks without "...", pictures and tables are rewritten instead.
"""
import argparse
import ast
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "packaging"))
import pages  # noqa: E402

FENCE = re.compile(r"^```([\w+]*)\n(.*?)^```$", re.M | re.S)
ABOVE = re.compile(r"(?:^<!-- (?:needs|inside|file|part of|also read from|printed by|picture) .* -->\n)+\Z", re.M)
SAID = re.compile(r"<!-- (needs|inside|file|part of|also read from|printed by|picture) (.*) -->")
PLACE = re.compile(r"^ *// \(the block of the page\)\n", re.M)
USE = re.compile(r"`(\w+) ([^`\n]*)`")
SCRIPT = re.compile(r"`(scripts/\w+(?: [^`\n]*)?)`")
PYTHON_API = re.compile(r"(<!-- python api -->\n)(.*?)(<!-- /python api -->)", re.S)
C_API = re.compile(r"(<!-- c api -->\n)(.*?)(<!-- /c api -->)", re.S)
HELP = re.compile(r"(<!-- help (\S+) -->\n)(.*?)(<!-- /help -->)", re.S)
HEADERS = re.compile(r"(<!-- headers (\S+) -->\n)(.*?)(<!-- /headers -->)", re.S)
LAYOUT = re.compile(r"(<!-- layout (\S+) -->\n)(.*?)(<!-- /layout -->)", re.S)


def matches(shown, printed):
    pattern = ""
    for line in shown.rstrip("\n").split("\n"):
        if line.strip() == "...":
            pattern += r"(?:.*\n)*?"
        else:
            pattern += ".*".join(re.escape(part) for part in line.rstrip().split("...")) + r"[ \t]*\n"
    return re.fullmatch(pattern, printed.rstrip("\n") + "\n") is not None


def headers_table(folder):
    """Returns the rows of a folder's headers: a name, and the first sentence of the comment that begins the header."""
    rows = "| header | content |\n|---|---|\n"
    for header in sorted(folder.glob("*.h*")):
        comment = re.match(r"(?://.*\n)+|/\*(?:.|\n)*?\*/", header.read_text())
        text = " ".join(re.findall(r"(?://|/?\*) ?(.*)", comment.group())) if comment else ""
        sentence = re.match(r".*?[.:](?= |$)", text)
        cell = (sentence.group() if sentence else text).strip().rstrip(".:").replace("|", "\\|")
        cell = re.sub(r"([\w/-]+\.hpp|&?\w+(?:::\w+)+(?:<[^>]*>|\(\))?|[a-z]\w*_\w+(?:\(\))?|TRACECODEC_\w+)", r"`\1`", cell)
        rows += f"| `{header.name}` | {cell} |\n"
    return rows


def options_of(program):
    """Returns the usage and the options of a program (packaging/pages.py) as Markdown."""
    text = f"Usage: `{program.name} {program.usage}`\n\n"
    for name, effect in program.positionals:
        text += f"- `{name}`: {effect}\n"
    for heading, options in program.groups:
        text += f"\n### {heading}\n\n"
        for o in options:
            names = ", ".join(f"`{name}`" for name in o.names)
            text += f"- {names}{f' `{o.type}`' if o.type else ''}: {o.text}\n"
    return text + f"\n### Exit status\n\n{program.exit_status[0].upper()}{program.exit_status[1:]}.\n"


def docstring_of(node):
    """Returns a docstring as Markdown, with its table of parameters as a list."""
    def entry(m):
        return f"- `{m.group(1)}`: {' '.join(m.group(2).split())}\n"
    text = (ast.get_docstring(node) or "") + "\n"
    return re.sub(r"(?m)^(\w+) +(?:(?<=^.{14})|(?<=  ))(\S.*\n(?: {8,}\S.*\n)*)", entry, text).rstrip("\n")


def signature_of(node):
    """Returns the parameters of a function with their defaults, without types and without self."""
    for argument in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs, node.args.vararg, node.args.kwarg):
        if argument is not None:
            argument.annotation = None
    parameters = re.sub(r"^self(?:, )?", "", ast.unparse(node.args))
    return "(" + re.sub(r"_core\.\w+", "...", parameters) + ")"


def comment_at(lines, number):
    """Returns the comment "#: ..." at the end of a line, or in the lines above it; "" if there is none. Lines count
    from 1."""
    at_end = re.search(r"  #: (.*)", lines[number - 1])
    if at_end:
        return at_end.group(1)
    above = []
    while number > 1 and (m := re.match(r" *#: (.*)", lines[number - 2])):
        above.insert(0, m.group(1))
        number -= 1
    return " ".join(above)


def attributes_of(node, lines):
    """Yields the public attributes of a class that its docstring does not list: those with a comment "#: ..."."""
    listed = re.findall(r"(?m)^(\w+) +\S", ast.get_docstring(node) or "")
    begin = [n for n in node.body if isinstance(n, ast.FunctionDef) and n.name == "__init__"]
    for statement in [*node.body, *(begin[0].body if begin else [])]:
        if isinstance(statement, (ast.Assign, ast.AnnAssign)):
            target = statement.target if isinstance(statement, ast.AnnAssign) else statement.targets[0]
            name = getattr(target, "id", getattr(target, "attr", "_"))
            comment = comment_at(lines, statement.lineno)
            if not name.startswith("_") and comment and name not in listed:
                yield name, comment


def python_api(folder):
    """Returns the public names of the package: constants, functions and classes with their members."""
    sources = {p.stem: p.read_text() for p in sorted(folder.glob("*.py*")) if p.suffix in (".py", ".pyi")}
    public = next(ast.literal_eval(n.value) for n in ast.parse(sources["__init__"]).body
                  if isinstance(n, ast.Assign) and n.targets[0].id == "__all__")
    constants, functions, classes = [], [], []
    for stem, source in sources.items():
        lines = source.splitlines()
        for node in ast.parse(source).body:
            if isinstance(node, (ast.Assign, ast.AnnAssign)):
                name = getattr(node.target if isinstance(node, ast.AnnAssign) else node.targets[0], "id", "")
                if name in public and name != "__version__":
                    constants.append((name, comment_at(lines, node.lineno)))
            elif getattr(node, "name", "") in public and ast.get_docstring(node):
                (functions if isinstance(node, ast.FunctionDef) else classes).append((node, lines))
    text = "## Constants\n\n" + "".join(f"- `{name}`: {comment}\n" for name, comment in sorted(constants))
    text += "- `__version__`: The version of the package, such as \"0.1.0\".\n\n## Functions\n\n"
    for node, _ in sorted(functions, key=lambda one: one[0].name):
        text += f"### `{node.name}{signature_of(node)}`\n\n{docstring_of(node)}\n\n"
    text += "## Classes\n\n"
    for node, lines in sorted(classes, key=lambda one: one[0].name):
        text += f"### {node.name}\n\n{docstring_of(node)}\n\n"
        text += "".join(f"- `{name}`: {comment}\n" for name, comment in attributes_of(node, lines))
        for member in node.body:
            if not isinstance(member, ast.FunctionDef) or not ast.get_docstring(member):
                continue
            if member.name.startswith("_") and member.name not in ("__len__", "__iter__", "__getitem__"):
                continue
            of_property = any(getattr(d, "id", "") == "property" for d in member.decorator_list)
            name = f"`{member.name}`" if of_property else f"`{member.name}{signature_of(member)}`"
            paragraphs = [one.replace("\n", "\n    ") if one.startswith("- ") else " ".join(one.split())
                          for one in docstring_of(member).split("\n\n")]
            text += f"- {name}: " + "\n\n    ".join(paragraphs) + "\n"
        text += "\n"
    return text.replace("\n\n\n", "\n\n").rstrip("\n") + "\n"


def comment_of(text):
    """Returns the paragraphs of a C comment, each in one line."""
    inner = re.sub(r"\n *\* ?", "\n", text.strip()[2:-2])
    paragraphs = [" ".join(one.split()) for one in re.split(r"\n[ \t]*\n", inner) if one.strip()]
    # Names are code, except in code that the comment marks.
    names = r"(`[^`]*`)|\b(TRACECODEC_[A-Z_\d]+(?:\([A-Z_]*\))?|tracecodec_\w+(?:\(\))?)|<"
    return [re.sub(names, lambda m: m.group(1) or (f"`{m.group(2)}`" if m.group(2) else "&lt;"), one) for one in paragraphs]


def members_of(body):
    """Yields the members of a C struct or the enumerators of an enum: (declaration, comment). A comment stands above
    its member, or after it in the same line."""
    member = re.compile(r"\s*(/\*.*?\*/)?\s*((?:\([^)]*\)|[^;,/()])*)[;,]?[ \t]*(/\*.*?\*/)?", re.S)
    at = 0
    while body[at:].strip():
        m = member.match(body, at)
        if m.end() == at or not m.group(2).strip():
            raise ValueError(f"not a member: {body[at:at + 60]!r}")
        yield " ".join(m.group(2).split()), " ".join(comment_of(m.group(1) or m.group(3) or "/**/"))
        at = m.end()


C_ITEM = re.compile(r"""\s*(?:
    /\*\ ----\ (?P<heading>.*?)\ ----\ \*/
  | (?P<comment>/\*.*?\*/)
  | (?P<braced>(?:typedef\ struct\ (?P<struct>\w+)|enum)\ \{(?P<body>.*?)\n\}[ \w]*;)
  | (?P<declaration>\#define\ [^\n]*|[^;{]*;))""", re.S | re.X)


def prototype(declaration):
    """Returns a declaration of C in one line, or with a line for each parameter if it is long."""
    text = " ".join(declaration.replace("TRACECODEC_API", "").replace("TRACECODEC_NOEXCEPT", "").split())
    text = text.replace(" ;", ";").replace("( ", "(")
    if len(text) <= 90:
        return text
    front, parameters = text.split("(", 1)
    return front + "(\n    " + parameters.replace(", ", ",\n    ")


def c_api(header):
    """Returns the declarations of the C header with their comments, under its headings. A comment belongs to all
    declarations up to the next comment."""
    text = header.read_text()
    text = text[text.index("/* Returns the version"):text.rindex("#if defined(__cplusplus)")]
    # Leave out Arrow's structs, which are copies of its specification.
    text = re.sub(r"/\* Arrow's C data interface.*#endif /\* ARROW_C_STREAM_INTERFACE \*/\n", "", text, flags=re.S)
    out, at, comment, together = "## Version\n\n", 0, [], []

    def ended():
        """Returns the declarations that share a comment, with the comment."""
        if not together:
            return ""
        names = [re.search(r"#define (\w+)|(\w+)\(|(\w+);", one).group(0).strip("(;").split()[-1] for one in together]
        heading = ", ".join(f"`{name}`" for name in names)
        block = "\n".join(prototype(one) for one in together)
        together.clear()
        return f"### {heading}\n\n```c\n{block}\n```\n\n" + "".join(f"{one}\n\n" for one in comment)

    while text[at:].strip():
        m = C_ITEM.match(text, at)
        if m is None:
            raise ValueError(f"not a declaration: {text[at:at + 60]!r}")
        at = m.end()
        if m.group("declaration"):
            together.append(m.group("declaration").split("*/")[-1])
            continue
        out += ended()
        if m.group("heading"):
            out += f"## {m.group('heading')}\n\n"
        elif m.group("comment"):
            comment = comment_of(m.group("comment"))
            continue
        else:
            if m.group("struct"):
                out += f"### `{m.group('struct')}`\n\n"
            elif comment:
                heading = re.match("[^,.]*", comment[0]).group()
                out += f"### {heading}\n\n"
                comment = [] if comment == [heading + "."] else comment
            out += "".join(f"{one}\n\n" for one in comment)
            for what, text_of_it in members_of(m.group("body")):
                out += f"- `{what}`{': ' if text_of_it else ''}{text_of_it}\n"
            out += "\n"
        comment = []
    return (out + ended()).rstrip("\n") + "\n"


class Docs:
    def __init__(self, options):
        self.o = options
        self.passed = self.failed = 0
        self.there = {}  # whether a command that is needed works
        self.scratch = tempfile.TemporaryDirectory()
        # Otherwise GNU parallel creates a folder in the home directory.
        # Dask's workers write warnings and timeouts to standard error if a busy machine delays them.
        self.env = dict(os.environ, LC_ALL="C", OUT=self.scratch.name,
                        DASK_DISTRIBUTED__LOGGING__DISTRIBUTED="error",
                        DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT="120s",
                        DASK_DISTRIBUTED__COMM__TIMEOUTS__TCP="120s",
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

    def ended(self, command, folder=None):
        return subprocess.run(command, cwd=folder or self.o.root, env=self.env, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              timeout=300)

    def run(self, command):
        return self.ended(command).stdout

    def inside(self, place, around, code):
        """Returns the program that contains `code`, or None."""
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
        """Checks the arguments of a script of the project, without its effects."""
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
        """Checks the options of a program that is not run."""
        of_it = re.split(r"(?:^| )-- | \| ", words)[0]
        options = re.findall(r"(?<!\S)(--?\w[\w-]*)", of_it)
        if options and self.o.bin and (pathlib.Path(self.o.bin) / name).exists():
            lists = re.findall(r"^ +(-[^\s,]+(?:, -[^\s,]+)*)", self.run([name, "--help"]), re.M)
            known = {option for names in lists for option in names.split(", ")}
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

    def run_on_new_input(self, place, maker, output):
        """Runs the latest program on input that a command makes, and compares what it prints with `output`."""
        with tempfile.TemporaryDirectory() as folder:
            made = self.ended([*shlex.split(maker), os.path.join(folder, "tests", "data", "gallery")])
            if made.returncode == 77:
                print(f"{place} ... not run on new input: {made.stdout.strip()}")
                return
            printed = self.ended([os.path.join(self.scratch.name, "block")], folder).stdout
            self.say(made.returncode == 0 and printed == output, place, f"prints something else after {maker}",
                     output, made.stdout + printed)

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
        """Returns the Python interpreter for a block, or None if no interpreter has its modules."""
        if not needed or not needed.startswith("import "):
            return "python3" if not needed or self.has(place, needed) else None
        # Modules are searched for as in scripts/lib/packages.sh.
        for python in ("python3", "/usr/bin/python3"):
            if self.works(f"{python} -c {shlex.quote(needed)}"):
                return python
        print(f"{place} ... skipped: no Python has what it needs: {needed}")
        return None

    def drawn(self, place, python, code, name, page, folder):
        """Runs a block that draws, with identical settings everywhere, and returns its output."""
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
        link = os.path.relpath(self.o.root / "docs" / name, folder)
        self.say(shown != "" and f"]({link})" in page, place, f"the page does not show docs/{name}")
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
            if kind == "cpp" and "file" not in above:
                output = self.program(place, body)
                if output is not None:
                    self.say(True, place, "")
                    if "also read from" in above:
                        self.run_on_new_input(place, above["also read from"], output)
                printed_at, left_out = place if output else None, output is None
            elif kind == "text" and output is not None:
                if self.o.write:
                    new = output
                else:
                    self.say(matches(body, output), place, "output of the program above", body, output)
                output = printed_at = None
            elif kind == "text" and "printed by" in above:
                if self.o.bin and ("needs" not in above or self.has(place, above["needs"])):
                    printed = self.run(["bash", "-c", above["printed by"]])
                    self.say(matches(f"...\n{body}...".replace("\n", "\n...\n"), printed), place,
                             "$ " + above["printed by"], body, printed)
            elif kind == "text" and "part of" not in above and not left_out:
                self.say(False, place, "no program prints it", body)
            elif kind == "c++":
                self.part(place, above.get("inside"), body)
            elif kind in ("sh", "python", "cpp") and "file" in above:
                (pathlib.Path(self.scratch.name) / above["file"]).write_text(body)
                named = re.search(r"^(?:\$|<!-- printed by) .*\b" + re.escape(above["file"]), text[m.end():], re.M)
                self.say(named is not None, place, "a script that no command runs", body)
            elif kind == "sh":
                for line in body.splitlines():
                    self.script(place, line)
            elif kind == "c" and any(one.start() < m.start() < one.end() for one in C_API.finditer(text)):
                pass  # compared with the header
            elif kind not in ("text", "console", "python"):
                self.say(False, place, "a block that nothing tests", body)
            elif kind in ("console", "python") and self.o.bin:
                needed = above.get("needs")
                if kind == "python":
                    python = self.python(place, needed)
                    if python and "picture" in above:
                        output = self.drawn(place, python, body, above["picture"], text, path.parent)
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

        name_of_page = path.name

        def api(m):
            generated = python_api(self.o.root / "python" / "tracecodec")
            if not self.o.write:
                self.say(m.group(2) == generated, name_of_page, "stale API of Python", m.group(2), generated)
            return m.group(1) + generated + m.group(3)
        text = PYTHON_API.sub(api, text)

        def declarations(m):
            generated = c_api(self.o.root / "include" / "tracecodec.h")
            if not self.o.write:
                self.say(m.group(2) == generated, name_of_page, "stale API of C", m.group(2), generated)
            return m.group(1) + generated + m.group(3)
        text = C_API.sub(declarations, text)

        def help_text(m):
            path = shutil.which(m.group(2), path=self.o.bin) if self.o.bin else None
            if path is None:
                print(f"{name_of_page}: {m.group(2)} ... skipped: it is not built")
                return m.group(0)
            generated = options_of(pages.Program(path))
            if not self.o.write:
                self.say(m.group(3) == generated, name_of_page, "stale help of " + m.group(2), m.group(3), generated)
            return m.group(1) + generated + m.group(4)
        text = HELP.sub(help_text, text)

        def headers(m):
            generated = headers_table(self.o.root / "include" / m.group(2))
            if not self.o.write:
                self.say(m.group(3) == generated, path.name, "stale table of headers " + m.group(2),
                         m.group(3), generated)
            return m.group(1) + generated + m.group(4)
        text = HEADERS.sub(headers, text)
        if self.o.write:
            path.write_text(text)

    def all(self):
        self.tables = {}
        for part in self.run([self.o.tables]).split("@")[1:]:
            name, rows = part.split("\n", 1)
            self.tables[name] = rows
        pages = [self.o.root / "README.md", self.o.root / "CONTRIBUTING.md", *sorted((self.o.root / "docs").rglob("*.md"))]
        for path in self.o.pages or pages:
            self.file(path.resolve())
        print(f"{self.passed} passed, {self.failed} failed")
        return 1 if self.failed or not self.passed else 0


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--root", type=lambda s: pathlib.Path(s).resolve(), required=True)
    p.add_argument("--compiler", default="g++")
    p.add_argument("--flags", default="-std=c++20 -O1")
    p.add_argument("--libs", default="")
    p.add_argument("--bin", default="", help="folder of the built examples; without it no console block is run")
    p.add_argument("--modules", default="", help="folder of the built Python package")
    p.add_argument("--tables", type=lambda s: str(pathlib.Path(s).resolve()), required=True)
    p.add_argument("--write", action="store_true")
    p.add_argument("pages", nargs="*", type=pathlib.Path, help="pages to run; all by default")
    sys.exit(Docs(p.parse_args()).all())


if __name__ == "__main__":
    main()
