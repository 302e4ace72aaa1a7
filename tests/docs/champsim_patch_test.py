#!/usr/bin/env python3
"""Tests the patches for ChampSim. The reader that they include must contain the block of docs/into-champsim.md,
and that page must contain the commands of packaging/champsim/README.md. Each patch must apply. The patched
tracereader.cc is compiled with declarations like ChampSim's, linked and run, with both readers. If the environment
variable TRACECODEC_CHAMPSIM names a folder with checkouts of ChampSim, each patch must also apply to its checkout,
such as 2024-12/ for 2024-12.patch."""
import argparse
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import textwrap
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = pathlib.Path(__file__).resolve().parent
PATCHES = sorted(ROOT.glob('packaging/champsim/*.patch'))
READERS = {name: ROOT / 'packaging/champsim' / name for name in ('headers', 'library')}
CHECKOUTS = os.environ.get('TRACECODEC_CHAMPSIM')
PAGE = ROOT / 'docs/into-champsim.md'
HUNK = re.compile(r'@@ -(\d+),(\d+) \+(\d+),(\d+) @@')
SOURCE = 'src/tracereader.cc'
options = argparse.Namespace(compiler=None, c_library=None)


def hunks(patch):
    """Returns, for each file of the patch, the first line of each hunk, its sizes, and its lines."""
    result, name = {}, None
    for line in patch.read_text().splitlines():
        if line.startswith('+++ b/'):
            name = line[6:]
        elif m := HUNK.fullmatch(line):
            result.setdefault(name, []).append((*map(int, m.groups()), []))
        elif name and not line.startswith('--- '):
            result[name][-1][-1].append(line)
    return result


def unpatched(patch, fill):
    """Returns a tracereader.cc that contains the lines of the patch's context at their places, and other lines
    between them."""
    lines = []
    for old, *_, all_lines in hunks(patch)[SOURCE]:
        lines += [fill(n) for n in range(len(lines) + 1, old)]
        lines += [line[1:] for line in all_lines if line[0] != '+']
    return lines


def apply_patch(patch, folder):
    return subprocess.run(['patch', '-p1', '-i', patch], cwd=folder, capture_output=True, text=True)


class Patch(unittest.TestCase):
    def test_block_of_the_page(self):
        block = re.search(r'<!-- inside tests/docs/champsim_context.cpp -->\n```c\+\+\n(.*?)```',
                          PAGE.read_text(), re.S).group(1)
        reader = (READERS['headers'] / 'tracecodec_reader.h').read_text()
        body = re.search(r'^champsim::tracereader tracecodec_reader\(.*?\n\{\n(.*?)^\}$', reader, re.S | re.M).group(1)
        self.assertEqual(textwrap.dedent(body), block)
        for header in re.findall(r'#include <(tracecodec/.*)>', reader):
            self.assertIn(f'`#include <{header}>`', PAGE.read_text().replace('\n', ' '))

    def test_commands_of_the_page(self):
        commands = re.search(r'<!-- part of packaging/champsim/README.md -->\n```text\n(.*?)```', PAGE.read_text(), re.S)
        self.assertIn(commands.group(1), (ROOT / 'packaging/champsim/README.md').read_text())

    def test_only_adds_lines(self):
        self.assertTrue(PATCHES)
        for patch in PATCHES:
            self.assertEqual(list(hunks(patch)), [SOURCE])
            shift = 0
            for old, had, new, has, lines in hunks(patch)[SOURCE]:
                self.assertEqual(had, sum(line[0] == ' ' for line in lines), patch)
                self.assertEqual(has, len(lines), patch)
                self.assertEqual(new, old + shift)
                shift += has - had

    def test_one_file_alone_is_cpp20(self):
        for name, folder in READERS.items():
            rules = (folder / 'tracecodec.mk').read_text().splitlines()
            wide = [line for line in rules if 'c++20' in line]
            self.assertEqual(len(wide), name == 'headers')
            for line in wide:
                self.assertTrue(line.startswith('%/tracereader.o %/tracereader.d: '))

    def test_page_names_the_patches(self):
        page = (ROOT / 'packaging/champsim/README.md').read_text()
        for patch in PATCHES:
            self.assertIn(f'`{patch.name}`', page)
            for commit in re.findall(r'\b[0-9a-f]{7}\b', patch.read_text().split('---')[0]):
                self.assertIn(commit, page)

    @unittest.skipUnless(shutil.which('patch'), 'there is no patch')
    def test_applies(self):
        for patch in PATCHES:
            with self.subTest(patch.name), tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder, SOURCE)
                path.parent.mkdir()
                path.write_text('\n'.join(unpatched(patch, lambda n: f'line {n}') + ['the end', '']))
                self.must_apply(patch, folder)
                got = path.read_text().splitlines()
                for *_, new, has, lines in hunks(patch)[SOURCE]:
                    self.assertEqual(got[new - 1:new - 1 + has], [line[1:] for line in lines])

    def must_apply(self, patch, folder):
        r = apply_patch(patch, folder)
        self.assertEqual(r.returncode, 0, r.stdout)
        self.assertNotIn('fuzz', r.stdout)

    @unittest.skipUnless(CHECKOUTS, 'TRACECODEC_CHAMPSIM names no folder of checkouts of ChampSim')
    @unittest.skipUnless(shutil.which('patch'), 'there is no patch')
    def test_applies_to_checkouts(self):
        for patch in PATCHES:
            source = pathlib.Path(CHECKOUTS, patch.stem, SOURCE)
            with self.subTest(patch.name), tempfile.TemporaryDirectory() as folder:
                pathlib.Path(folder, 'src').mkdir()
                shutil.copy(source, pathlib.Path(folder, SOURCE))
                self.must_apply(patch, folder)


@unittest.skipUnless(shutil.which('patch') and shutil.which('make'), 'there is no patch, or no make')
class Compiled(unittest.TestCase):
    """Tests each patched tracereader.cc. A Makefile like ChampSim's compiles it, followed by either tracecodec.mk."""

    # As in ChampSim's own Makefile: the options for all files, and the folder of objects.
    MAKEFILE = textwrap.dedent('''\
        override LDLIBS += {libs}
        reads: {objects}/tracereader.o {objects}/reads.o
        \t{compiler} -o $@ $^ $(LDLIBS)
        {objects}/tracereader.o: src/tracereader.cc
        \tmkdir -p $(dir $@)
        \t{compiler} -std=c++17 -Iinc $(CPPFLAGS) -c -o $@ $<
        {objects}/reads.o: {here}/champsim_reads.cpp
        \tmkdir -p $(dir $@)
        \t{compiler} -std=c++17 -Iinc -c -o $@ $<
        ''')

    def setUp(self):
        if not options.compiler:
            self.skipTest('needs a compiler: --compiler, --flags, --libs')
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    @staticmethod
    def filling():
        """Returns lines that continue after the first part of the patch, inside a namespace."""
        lines = iter(['{}'])
        return lambda n: next(lines, '') if n > 22 else ''

    def lay_out(self, patch):
        for name in ('src', 'inc'):
            (self.folder / name).mkdir()
        (self.folder / SOURCE).write_text('\n'.join(
            unpatched(patch, self.filling()) + ['      throw 0;', '  }', '  throw 0;', '}', '']))
        for name in ('inf_stream.h', 'repeatable.h'):
            (self.folder / 'inc' / name).write_text(f'#include "{HERE}/champsim_declarations.h"\n')
        r = apply_patch(patch, self.folder)
        self.assertEqual(r.returncode, 0, r.stdout)

    def run_reader(self, patch, reader, variables, libs, arguments):
        self.lay_out(patch)
        # Older trees have all objects in one folder. Newer trees have a folder of objects for each folder of
        # sources.
        objects = '.csconfig/src' if patch.stem == '2026' else '.csconfig'
        compiler = f'{options.compiler} -Wall -Wextra -Werror -O1 -DTRACECODEC_CHAMPSIM={patch.stem[:4]}'
        (self.folder / 'Makefile').write_text(
            self.MAKEFILE.format(compiler=compiler, libs=libs, objects=objects, here=HERE))
        r = subprocess.run(['make', '-f', 'Makefile', '-f', READERS[reader] / 'tracecodec.mk', *variables],
                           cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(r.returncode, 0, r.stdout + r.stderr)
        r = subprocess.run([self.folder / 'reads', *arguments], cwd=ROOT, capture_output=True, text=True,
                           env={**os.environ, 'OUT': str(self.folder)})
        self.assertEqual(r.returncode, 0, r.stdout + r.stderr)

    def packs(self):
        """Returns packs of the trace and of its CloudSuite records, or nothing without trace_convert."""
        program = options.bin and pathlib.Path(options.bin, 'trace_convert')
        if not program or not program.exists():
            return []
        plain, other = self.folder / 'plain.tpack', self.folder / 'cloudsuite.tpack'
        records = self.folder / 'records.cloudsuite'
        trace = ROOT / 'tests/data/work32.champsimtrace.xz'
        unpacked = subprocess.run(['xz', '-dc', trace], capture_output=True, check=True).stdout
        with open(records, 'wb') as out:
            for at in range(0, len(unpacked), 64):
                r = unpacked[at:at + 64]
                out.write(r[:12] + bytes(2) + r[12:16] + bytes(6) + r[16:32] + bytes(16) + r[32:64] +
                          bytes([5, 6]) + bytes(6))
        for source, pack, more in ((trace, plain, []), (records, other, ['--format', 'cloudsuite'])):
            subprocess.run([program, source, pack, *more], check=True, capture_output=True)
        return [plain, other]

    def test_headers(self):
        flags = [f for f in shlex.split(options.flags) if f.startswith('-D')]
        for patch in PATCHES:
            with self.subTest(patch.name):
                self.folder = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
                # Linking with the compiled library, like the page's other blocks, takes a third of the time.
                self.run_reader(patch, 'headers',
                                ['TRACECODEC_WITH=', f'TRACECODEC_LIBS={options.libs}', f'CPPFLAGS={shlex.join(flags)}'],
                                '', self.packs())

    def test_library(self):
        library = options.c_library and pathlib.Path(options.c_library).resolve()
        if not library or not library.exists():
            self.skipTest('libtracecodec is not built')
        # Create the file that pkg-config finds for an installation.
        packages = self.folder / 'pkgconfig'
        packages.mkdir()
        (packages / 'tracecodec-c.pc').write_text(textwrap.dedent(f'''\
            Name: tracecodec-c
            Description: libtracecodec of the build folder
            Version: 0
            Cflags: -I{ROOT / 'include'}
            Libs: {library} -Wl,-rpath,{library.parent}
            '''))
        if not shutil.which('pkg-config'):
            self.skipTest('there is no pkg-config')
        os.environ['PKG_CONFIG_PATH'] = str(packages)
        for patch in PATCHES:
            with self.subTest(patch.name):
                self.folder = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
                self.run_reader(patch, 'library', [], '', ['-'])


if __name__ == '__main__':
    p = argparse.ArgumentParser()
    p.add_argument('--compiler')
    p.add_argument('--flags', default='')
    p.add_argument('--libs', default='')
    p.add_argument('--library', dest='c_library')
    p.add_argument('--bin')
    options = p.parse_args()
    unittest.main(argv=[sys.argv[0]], verbosity=2)
