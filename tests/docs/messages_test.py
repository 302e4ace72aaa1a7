#!/usr/bin/env python3
"""Prints the texts that the library, the programs and the bindings can print, with their places in the sources,
and checks their style. A text consists of the string literals of one expression, with "{}" for a value between
them. Literals that are code, markup or layouts of formats are excluded.

  messages_test.py ROOT
"""
import pathlib
import re
import sys
import unittest

TOKEN = re.compile(
    r'//[^\n]*|/\*.*?\*/'
    r'|(?:u8|u|U|L)?R"(?P<mark>[^()\\ ]{0,16})\((?P<raw>.*?)\)(?P=mark)"'
    r'|(?:u8|u|U|L)?"(?P<text>(?:[^"\\\n]|\\.)*)"'
    r"|'(?:[^'\\\n]|\\.)+'|[A-Za-z_]\w*|\d[\w.']*|::|\s+|.", re.S)
# Files whose literals are other languages: JavaScript, CSS, HTML, Kaitai's YAML, ImHex's patterns, C, layouts.
NOT_MESSAGES = re.compile(r"emit/|kaitai|report/(script|style|page|drawing|html)\.|layout/|layout\.hpp|known_tables|/roi\.h")
# Words and phrases that the style (docs/style.md) replaces.
STIFF = (r"\b(?:told|tells?|asked|asks)\b", r"\bbehind\b", r"\bthe latter\b", r"\bas far as\b", r"(?<!there )\b(?:is|are) no\b",
         r"\bis none of\b", r"\bwhat is\b(?! (?:left|a ))", r"\bbelieved?\b", r"\bdoubt", r"\bsuch an? one\b",
         r"\bno more than\b.*\bof it\b", r"\bgiven\b", r"\bof which\b", r"\btherein\b", r"\bwhereof\b", r"\bof whom\b")


def literals(source):
    """Yields the texts of a C++ file: (line, text)."""
    tokens = []
    for m in TOKEN.finditer(source):
        text = m.group("raw") if m.group("raw") is not None else m.group("text")
        if text is None and (m.group().isspace() or m.group().startswith(("//", "/*"))):
            continue
        tokens.append((text is not None, m.group() if text is None else text, source.count("\n", 0, m.start()) + 1))
    i = 0
    while i < len(tokens):
        is_text, text, line = tokens[i]
        i += 1
        if not is_text:
            continue
        while i < len(tokens) and (tokens[i][0] or tokens[i][1] == "+"):
            if tokens[i][0]:
                text += tokens[i][1]
                i += 1
                continue
            i += 1
            if i < len(tokens) and tokens[i][0]:
                continue
            depth = 0
            while i < len(tokens):
                token = "" if tokens[i][0] else tokens[i][1]
                if depth == 0 and token in ("+", ",", ";", "?", ":", ")", "]", "}"):
                    break
                depth += (token in ("(", "[", "{")) - (token in (")", "]", "}"))
                i += 1
            text += "{}"
        yield line, text.replace('\\"', '"').replace("\\n", "\n")


def messages(root):
    """Yields the texts of all sources that read as language: (file, line, text)."""
    for folder in ("include", "src", "examples/programs", "python/src"):
        for path in sorted((root / folder).rglob("*")):
            name = path.relative_to(root).as_posix()
            if path.suffix not in (".hpp", ".ipp", ".cpp", ".h") or NOT_MESSAGES.search(name):
                continue
            for line, text in literals(path.read_text()):
                if len(re.findall(r"[A-Za-z]{2,}", text)) >= 3 and " " in text and not re.search(r"<\w+[ >]|</", text):
                    yield name, line, text


class Messages(unittest.TestCase):
    root = pathlib.Path()
    all = []

    def check(self, condition, what):
        """Fails with the places and texts for which `condition` returns something."""
        bad = [f"{name}:{line}: {found}: {text!r}" for name, line, text in self.all if (found := condition(text))]
        self.assertEqual(bad, [], f"{what}:\n" + "\n".join(bad))

    def test_they_are_found(self):
        texts = [text for _, _, text in self.all]
        self.assertGreater(len(texts), 1000)
        for known in ("compressed with {}, which this build cannot read: {}", "Stop after N instructions; 0 means none (default all)"):
            self.assertIn(known, texts)

    def test_no_stiff_phrase(self):
        self.check(lambda text: next((m.group() for one in STIFF if (m := re.search(one, text, re.I))), None),
                   "a phrase that the style replaces")

    def test_options_exist(self):
        """An option that a text recommends is an option of a program."""
        sources = "".join(p.read_text() for p in (self.root / "examples" / "programs").rglob("*.[chi]pp"))
        sources += "".join(p.read_text() for p in (self.root / "include").rglob("descriptor.[hi]pp"))
        declared = set(re.findall(r'"(?:-\w,)?(--[a-z][\w-]*)', sources))
        declared |= {"--" + name for name in re.findall(r'\.name = "([a-z][\w-]*)"', sources)}
        of_each = {"--help", "--version"}

        def unknown(text):
            for option in re.findall(r"(?<![\w-])--[a-z][\w-]*", text):
                if option not in declared and option not in of_each:
                    return option
            return None
        self.check(unknown, "an option that no program has")

    def test_macros_exist(self):
        """A source tests each macro that a text recommends."""
        tested = set()
        for path in (*(self.root / "include").rglob("*.[hi]pp"), *(self.root / "examples").rglob("*.[chi]pp")):
            tested |= set(re.findall(r"(?:#\s*ifn?def|defined\()\s*(TRACECODEC_\w+)", path.read_text()))
        self.check(lambda text: next((m for m in re.findall(r"TRACECODEC_\w+(?<!_)", text)
                                      if m not in tested and m != "TRACECODEC_WITH"), None), "a macro that no source tests")

    def test_a_missing_library_is_named(self):
        """A text about a missing part of the build names the macro, or the macro is appended."""
        self.check(lambda text: "this build" if re.search(r"this build (?:cannot|lacks)", text) and
                   "TRACECODEC_WITH" not in text and not text.endswith("{}") else None, "no macro is named")

    def test_one_idea(self):
        """A text has no sentence of more than 40 words."""
        self.check(lambda text: next((f"{len(s.split())} words" for s in re.split(r"[.;:?]\s|\n", text)
                                      if len(s.split()) > 40), None), "a long sentence")

    def test_typography(self):
        """There are no double spaces within a line of words, no spaces before punctuation, and no full stop at the end of
        an error, which begins in lower case."""
        def odd(text):
            m = re.search(r"\w  \w| [,;](?:\s|$)", text)
            if m and not text.startswith(" ") and not re.search(r" {3}", text):
                return m.group()
            return "full stop" if re.match(r"[a-z][a-z]+ [a-z]", text) and re.search(r"[a-z]\.$", text) else None
        self.check(odd, "odd typography")


if __name__ == "__main__":
    Messages.root = pathlib.Path(sys.argv.pop(1)).resolve()
    Messages.all = list(messages(Messages.root))
    for where, number, message in Messages.all:
        print(f"{where}:{number}: {message!r}")
    unittest.main()
