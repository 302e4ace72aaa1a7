"""Tests that the table in docs/columns.md has all columns, with their dtypes and their formats."""
import os
import pathlib
import re
import unittest

import tracecodec

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = pathlib.Path(os.environ.get('TRACECODEC_DATA', ROOT / 'tests' / 'data')).resolve()
FOR_CPP = {'mnemonic_matches', 'register_value'}


def described(column):
    """Returns {part: dtype} from a description. "list of" introduces the dtype of a list's values. A column
    without parts has the key ""."""
    if not isinstance(column, tracecodec.Lists):
        return {'': str(column.dtype)}
    if not isinstance(column.values, dict):
        return {'': f'list of {column.values.dtype}'}
    return {'list of': None, **{name: described(values)[''] for name, values in column.values.items()}}


def table():
    """Yields the same data from the page."""
    page = (ROOT / 'docs' / 'columns.md').read_text()
    rows = re.search(r'^\| column \| dtype \|.*\n\|[-|]+\n((?:\|.*\n)+)', page, re.M).group(1).splitlines()
    for row in rows:
        names, types = (cell.replace('`', '').strip() for cell in row.split(' | ')[:2])
        names = names.strip('| ').split(', ')
        if ':' in types:
            # "list of a, b: u8; c: bool": parts with their dtypes.
            parts = {'list of': None}
            for some in types.removeprefix('list of ').split('; '):
                of, dtype = some.split(': ')
                parts.update((part, dtype) for part in of.split(', '))
            yield from ((name, parts) for name in names)
        else:
            types = types.split(', ')
            yield from zip(names, [{'': one} for one in types * (len(names) if len(types) == 1 else 1)])


def formats():
    """Yields (column, letters of the formats that have it), as the page states them."""
    page = (ROOT / 'docs' / 'columns.md').read_text()
    for names, letters in re.findall(r'^\| (`\w.*?`) \|.*\| ([\w ]+) \|$', page, re.M):
        for name in names.replace('`', '').split(', '):
            yield name, {'C', 'X', 'R', 'U'} if letters == 'all' else set(letters.split())


class Page(unittest.TestCase):
    def test_formats(self):
        stated = dict(formats())
        champsim = tracecodec.open(DATA / 'sed64.champsimtrace.xz').columns
        cloudsuite = tracecodec.open(bytes(96 * 4), format='cloudsuite').columns
        for letter, columns in (('C', [*champsim, *cloudsuite]),
                                ('X', tracecodec.open(DATA / 'threads3_64.trace64.xz').columns),
                                ('R', tracecodec.open(DATA / 'rapidbin/r250.data').columns),
                                ('U', tracecodec.open(DATA / 'umtracer/plain64').columns)):
            with self.subTest(letter):
                self.assertEqual({c for c, letters in stated.items() if letter in letters}, set(columns) - FOR_CPP)

    def test_columns(self):
        shown = dict(table())
        self.assertEqual(set(shown) | FOR_CPP, set(tracecodec.COLUMNS))
        seen = {}
        for name in ('sed64.champsimtrace.xz', 'threads3_64.trace64.xz', 'rapidbin/r250.data', 'umtracer/plain64',
                     'drmemtrace/made.x64.trace.zip'):
            trace = tracecodec.open(DATA / name).limit(99)
            batch = trace.instructions(trace.columns).read()
            seen.update((column, described(batch[column])) for column in batch)
        self.assertEqual({name: seen[name] for name in shown}, shown)


if __name__ == '__main__':
    unittest.main()
