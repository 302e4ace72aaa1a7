#!/usr/bin/env python3
"""ChampSim's patches: one has the block that docs/feed.md shows and docs_test.py runs; both apply, also to a
checkout of ChampSim that the environment variable TRACECODEC_CHAMPSIM names."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PATCH = ROOT / 'packaging/champsim/tracereader.patch'
PATCHES = [PATCH, ROOT / 'packaging/champsim/libtracecodec.patch']
CHECKOUT = os.environ.get('TRACECODEC_CHAMPSIM')
PAGE = ROOT / 'docs/feed.md'
HUNK = re.compile(r'@@ -(\d+),(\d+) \+(\d+),(\d+) @@')


def hunks(patch=PATCH):
    """Of each file what stands from which line on, and with what it is replaced."""
    result, name = {}, None
    for line in patch.read_text().splitlines():
        if line.startswith('+++ b/'):
            name = line[6:]
        elif m := HUNK.fullmatch(line):
            result.setdefault(name, []).append((*map(int, m.groups()), []))
        elif name and not line.startswith('--- '):
            result[name][-1][-1].append(line)
    return result


class Patch(unittest.TestCase):
    def test_block_of_the_page(self):
        block = re.search(r'<!-- inside tests/docs/champsim_context.cpp -->\n```c\+\+\n(.*?)```',
                          PAGE.read_text(), re.S).group(1)
        includes, body = (h[-1] for h in hunks()['src/tracereader.cc'])
        self.assertEqual([line[3:] for line in body if line[0] == '+'], block.splitlines())
        added = [line[1:] for line in includes if line[0] == '+']
        self.assertEqual(len(added), 3)
        for line in added:
            self.assertIn(f'`{line}`', PAGE.read_text().replace('\n', ' '))
            header = re.fullmatch('#include <(.*)>', line).group(1)
            self.assertTrue((ROOT / 'include' / header).is_file(), header)

    def test_the_rest_stays_as_it_is(self):
        # Lines are added; the one that is replaced lets a trace be a folder.
        for patch in PATCHES:
            removed = []
            for parts in hunks(patch).values():
                shift = 0
                for old, had, new, has, lines in parts:
                    removed += [line[1:] for line in lines if line[0] == '-']
                    self.assertEqual(had, sum(line[0] in ' -' for line in lines), patch)
                    self.assertEqual(has, sum(line[0] in ' +' for line in lines), patch)
                    self.assertEqual(new, old + shift)
                    shift += has - had
            self.assertEqual(len(removed), 1)
            self.assertIn('CLI::ExistingFile', removed[0])

    def test_cpp20_is_for_one_file_alone(self):
        (*_, rule), = hunks()['Makefile']
        wide = [line for line in rule if 'c++20' in line]
        self.assertEqual(len(wide), 1)
        self.assertIn('$(OBJ_ROOT)/tracereader.o $(DEP_ROOT)/tracereader.d: ', wide[0])
        self.assertNotIn('c++20', PATCHES[1].read_text())

    @unittest.skipUnless(shutil.which('patch'), 'there is no patch')
    def test_applies(self):
        for patch in PATCHES:
            with self.subTest(patch.name), tempfile.TemporaryDirectory() as folder:
                self.apply(patch, folder)

    def apply(self, patch, folder):
        for name, parts in hunks(patch).items():
            lines = []
            for old, *_, all_lines in parts:
                lines += [f'line {n}' for n in range(len(lines) + 1, old)]
                lines += [line[1:] for line in all_lines if line[0] != '+']
            path = pathlib.Path(folder, name)
            path.parent.mkdir(exist_ok=True)
            path.write_text('\n'.join(lines + ['the end', '']))
        self.patch(patch, folder)
        for name, parts in hunks(patch).items():
            got = pathlib.Path(folder, name).read_text().splitlines()
            for *_, new, has, lines in parts:
                self.assertEqual(got[new - 1:new - 1 + has], [line[1:] for line in lines if line[0] != '-'])

    def patch(self, patch, folder):
        r = subprocess.run(['patch', '-p1', '-i', patch], cwd=folder, capture_output=True)
        self.assertEqual(r.returncode, 0, r.stdout)
        self.assertNotIn(b'fuzz', r.stdout)

    @unittest.skipUnless(CHECKOUT, 'TRACECODEC_CHAMPSIM names no checkout of ChampSim')
    @unittest.skipUnless(shutil.which('patch'), 'there is no patch')
    def test_applies_to_a_checkout(self):
        for patch in PATCHES:
            with self.subTest(patch.name), tempfile.TemporaryDirectory() as folder:
                for name in hunks(patch):
                    to = pathlib.Path(folder, name)
                    to.parent.mkdir(exist_ok=True)
                    shutil.copy(pathlib.Path(CHECKOUT, name), to)
                self.patch(patch, folder)


if __name__ == '__main__':
    unittest.main(argv=[sys.argv[0]], verbosity=2)
