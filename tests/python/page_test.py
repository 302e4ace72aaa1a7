"""The table of columns in docs/python.md has all columns, with the dtypes that they have."""
import os
import pathlib
import re
import unittest

import tracecodec

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = pathlib.Path(os.environ.get('TRACECODEC_DATA', ROOT / 'tests' / 'data')).resolve()
FOR_CPP = {'mnemonic_matches', 'register_value'}


def described(column):
    """{part: dtype}, of a list's values behind "list of"; of a column without parts its own under ""."""
    if not isinstance(column, tracecodec.Lists):
        return {'': str(column.dtype)}
    if not isinstance(column.values, dict):
        return {'': f'list of {column.values.dtype}'}
    return {'list of': None, **{name: described(values)[''] for name, values in column.values.items()}}


def table():
    """The same, of the page."""
    page = (ROOT / 'docs' / 'python.md').read_text()
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


class Page(unittest.TestCase):
    def test_columns(self):
        shown = dict(table())
        self.assertEqual(set(shown) | FOR_CPP, set(tracecodec.COLUMNS))
        seen = {}
        for name in 'sed64.champsimtrace.xz', 'threads3_64.trace64.xz', 'rapidbin/r250.data', 'umtracer/plain64':
            trace = tracecodec.open(DATA / name).limit(99)
            batch = trace.instructions(trace.columns).read()
            seen.update((column, described(batch[column])) for column in batch)
        self.assertEqual({name: seen[name] for name in shown}, shown)


if __name__ == '__main__':
    unittest.main()
