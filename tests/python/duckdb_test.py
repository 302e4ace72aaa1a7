"""Tests that DuckDB, which does not know this library, reads a trace as an Arrow stream. TRACECODEC_DUCKDB is
DuckDB's shared library, which is called through its C interface. Without it, these tests are skipped."""
import collections
import ctypes
import os
import tempfile
import unittest

from shared import CHAMPSIM, raw, sample
import support
import numpy
import tracecodec

LIBRARY = os.environ.get('TRACECODEC_DUCKDB')


class Result(ctypes.Structure):
    _fields_ = [('deprecated', ctypes.c_uint64 * 4), ('message', ctypes.c_char_p), ('internal', ctypes.c_void_p)]


class Stream(ctypes.Structure):
    _fields_ = [(name, ctypes.c_void_p) for name in ('get_schema', 'get_next', 'get_last_error', 'release', 'private')]


def moved(capsule):
    """Moves the stream out of the capsule, as Arrow's interface requires of a consumer."""
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    there = Stream.from_address(get(capsule, b'arrow_array_stream'))
    stream = Stream.from_buffer_copy(there)
    there.release = None
    return stream


@unittest.skipUnless(LIBRARY, 'no TRACECODEC_DUCKDB')
class DuckDb(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.lib = lib = ctypes.CDLL(LIBRARY)
        lib.duckdb_result_error.restype = ctypes.c_char_p
        lib.duckdb_value_varchar.restype = ctypes.c_void_p
        for name in ('duckdb_row_count', 'duckdb_column_count'):
            getattr(lib, name).restype = ctypes.c_uint64
        lib.duckdb_value_varchar.argtypes = [ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint64]
        lib.duckdb_free.argtypes = [ctypes.c_void_p]

    def setUp(self):
        self.database, self.connection = ctypes.c_void_p(), ctypes.c_void_p()
        self.assertEqual(self.lib.duckdb_open(None, ctypes.byref(self.database)), 0)
        self.assertEqual(self.lib.duckdb_connect(self.database, ctypes.byref(self.connection)), 0)

    def tearDown(self):
        self.lib.duckdb_disconnect(ctypes.byref(self.connection))
        self.lib.duckdb_close(ctypes.byref(self.database))

    def query(self, sql):
        """Returns the rows as text, or the error."""
        lib, result = self.lib, Result()
        try:
            if lib.duckdb_query(self.connection, sql.encode(), ctypes.byref(result)) != 0:
                return lib.duckdb_result_error(ctypes.byref(result)).decode()
            rows = []
            for row in range(lib.duckdb_row_count(ctypes.byref(result))):
                rows.append([])
                for column in range(lib.duckdb_column_count(ctypes.byref(result))):
                    text = lib.duckdb_value_varchar(ctypes.addressof(result), column, row)
                    rows[-1].append(None if text is None else ctypes.string_at(text).decode())
                    lib.duckdb_free(text)
            return rows
        finally:
            lib.duckdb_destroy_result(ctypes.byref(result))

    def over(self, source, sql):
        """Returns the result of `sql` for the table `trace`, which `source` streams. The table has all columns of
        the stream, because DuckDB's scan confuses columns if some are omitted."""
        stream = moved(source.__arrow_c_stream__())
        self.assertEqual(self.lib.duckdb_arrow_scan(self.connection, b'stream', ctypes.byref(stream)), 0)
        taken = self.query('CREATE OR REPLACE TABLE trace AS SELECT * FROM stream')
        return taken if isinstance(taken, str) else self.query(sql)

    def test_each_format(self):
        for path in (support.SED, sample('rapidbin/r6000.data'), sample('threads3_64.trace64.xz'),
                     sample('umtracer/plain64')):
            if path.endswith('trace64.xz') and not {'simdjson', 'zydis'} <= support.PARTS:
                continue
            trace = tracecodec.open(path)
            b = trace.instructions(['ip', 'taken', 'target', 'thread', 'branch']).read()
            [[count, ips, taken, last, threads]] = self.over(trace, '''
                SELECT count(*), sum(ip::HUGEINT), sum(taken::INT), max(target), count(DISTINCT thread) FROM trace''')
            self.assertEqual([int(v) for v in (count, ips, taken, threads)],
                             [len(b), sum(b.ip.tolist()), int(b.taken.sum()), len(numpy.unique(b.thread))])
            self.assertEqual(int(last), int(b.target.max()))

    def test_classes_of_branches(self):
        trace = tracecodec.open(support.SED)
        b = trace.instructions(['branch']).read()
        counted = collections.Counter(b.branch.tolist())
        rows = self.over(trace.instructions(['branch']), 'SELECT branch, count(*) FROM trace GROUP BY branch')
        self.assertEqual({int(number): int(n) for number, n in rows}, dict(counted))

    def test_lists(self):
        records = numpy.frombuffer(raw(), CHAMPSIM)
        source = tracecodec.open(support.SED).instructions(['ip', 'memory', 'source_registers'])
        addresses = numpy.concatenate([records['source_memory'].ravel(), records['destination_memory'].ravel()])
        [[n, total, registers]] = self.over(source, '''
            SELECT sum(len(memory)), sum(list_sum([m.address::HUGEINT FOR m IN memory])), sum(len(source_registers)) FROM trace''')
        self.assertEqual(int(n), int((addresses != 0).sum()))
        self.assertEqual(int(total), sum(addresses.tolist()))
        self.assertEqual(int(registers), int((records['source_registers'] != 0).sum()))

    def test_all_columns_to_parquet_and_back(self):
        trace = tracecodec.open(sample('umtracer/plain64')).limit(5000)
        columns = [name for name in trace.columns if name != 'disassembly']
        self.assertTrue({'ip', 'code', 'text', 'memory', 'register_values', 'register_value'} <= set(columns), columns)
        b = trace.instructions(columns).read()
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'x.parquet')
            self.over(trace.instructions(columns), f"COPY trace TO '{path}' (FORMAT parquet)")
            rows = self.query(f"""SELECT ip, taken, size, hex(code), hex(text), coalesce(list_sum(source_registers), 0),
                [m.address FOR m IN memory]::VARCHAR, [m.write::INT FOR m IN memory]::VARCHAR,
                [r.value FOR r IN register_values]::VARCHAR
                FROM read_parquet('{path}') ORDER BY "index" """)

        def numbers(values):
            return str(values.tolist())
        expected = [[str(b.ip[i]), str(bool(b.taken[i])).lower(), str(b.size[i]), bytes(b.code[i]).hex().upper(),
                     bytes(b.text[i]).hex().upper(), str(sum(map(int, b.source_registers[i]))),
                     numbers(b.memory[i]['address']), numbers(b.memory[i]['write'].astype(int)),
                     numbers(b.register_values[i]['value'])] for i in range(len(b))]
        self.assertGreater(sum(row[6] != '[]' for row in rows), 500)
        self.assertEqual(rows, expected)

    def test_a_damaged_trace(self):
        source = tracecodec.open(raw()[:64 * 100 + 20]).instructions(['ip'])
        answer = self.over(source, 'SELECT count(*) FROM trace')
        self.assertIsInstance(answer, str, answer)
        self.assertIn('record 100', answer)


if __name__ == '__main__':
    support.main()
