# Tests writing in the Python package, by reading the files with Python's own modules.
import bz2  # noqa: F401
import gzip
import lzma
import os
import subprocess
import tempfile
import unittest
import warnings

from shared import CHAMPSIM, CLOUDSUITE, FOR_PROGRAMS, raw, refused, sample
import numpy
import support
import tracecodec


class Writing(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.array = numpy.frombuffer(raw(), CHAMPSIM)

    def tearDown(self):
        self.assertEqual([n for n in os.listdir(self.folder.name) if n.startswith('.')], [])
        self.folder.cleanup()

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def read(self, name):
        with open(self.path(name), 'rb') as f:
            return f.read()

    def test_bytes_are_the_arrays(self):
        self.assertEqual(tracecodec.write(self.path('a.trace'), self.array), 50000)
        self.assertEqual(self.read('a.trace'), raw())
        if 'xz' in support.CODECS:
            tracecodec.write(self.path('a.champsimtrace.xz'), self.array)
            self.assertEqual(lzma.decompress(self.read('a.champsimtrace.xz')), raw())
        if 'gzip' in support.CODECS:
            tracecodec.write(self.path('a.gz'), (self.array[at:at + 999] for at in range(0, 50000, 999)))
            self.assertEqual(gzip.decompress(self.read('a.gz')), raw())

    @support.needs('zstd')
    def test_tracepack(self):
        for level in ('fast', 'high'):
            tracecodec.write(self.path('a.tpack'), self.array, level=level, about={'program': 'sed', 'comment': 'ä'})
            self.assertLess(os.path.getsize(self.path('a.tpack')), 64 * 50000 // 20)
            trace = tracecodec.open(self.path('a.tpack'))
            self.assertEqual((trace.about['program'], trace.about['comment']), ('sed', 'ä'))
            self.assertEqual(len(trace), 50000)
            self.assertEqual(trace.records().read().tobytes(), raw())
            self.assertEqual(trace.skip(49000).records().read().tobytes(), raw()[49000 * 64:])
        fork = numpy.zeros(3000, [('ip', '<u8'), ('x', '>u2'), ('y', '<f4'), ('z', 'u1', 2)])
        fork['ip'] = self.array['ip'][:3000]
        fork['x'] = numpy.arange(3000)
        tracecodec.write(self.path('b.tpack'), fork, format='described')
        trace = tracecodec.open(self.path('b.tpack'))
        self.assertEqual(trace.dtype, fork.dtype)
        numpy.testing.assert_array_equal(trace.records().read(), fork)
        self.assertEqual(trace.count(), 3000)

    def test_other_orders_and_kinds_of_columns(self):
        fields = {n: CHAMPSIM.fields[n][0] for n in reversed(CHAMPSIM.names)}
        other = numpy.zeros(50000, [(n, t.base.newbyteorder('>'), t.shape) for n, t in fields.items()])
        for n in fields:
            other[n] = self.array[n]
        tracecodec.write(self.path('a'), other)
        self.assertEqual(self.read('a'), raw())
        tracecodec.write(self.path('b'), other[::-1][::-1])
        self.assertEqual(self.read('b'), raw())
        wide = numpy.zeros(10, CLOUDSUITE)
        wide['asid'] = 3
        tracecodec.write(self.path('c.cloudsuite'), wide)
        self.assertEqual(self.read('c.cloudsuite'), wide.tobytes())

    def test_columns_that_do_not_fit(self):
        def changed(**types):
            fields = [(n, *((types[n],) if n in types else (CHAMPSIM.fields[n][0].base, CHAMPSIM.fields[n][0].shape)))
                      for n in CHAMPSIM.names if types.get(n, 0) is not None]
            return numpy.zeros(5, fields + [(n, t) for n, t in types.items() if n not in CHAMPSIM.names])
        for array, named in ((changed(ip='<u4'), 'ip'), (changed(ip='<i8'), 'ip'), (changed(ip='<f8'), 'ip'),
                             (changed(is_branch=None), 'is_branch'), (changed(cycle='<u8'), 'cycle'),
                             (changed(source_registers='u1'), 'source_registers'), (numpy.zeros(5), 'structured'),
                             (numpy.zeros((2, 2), CHAMPSIM), 'dimension')):
            with self.assertRaises(TypeError) as caught:
                tracecodec.write(self.path('a.trace'), array)
            self.assertIn(named, str(caught.exception))
        # The error must also occur after records that fit.
        with self.assertRaises(TypeError):
            tracecodec.write(self.path('a.trace'), iter([self.array, changed(ip='<u4')]))
        self.assertRaises(ValueError, tracecodec.write, self.path('a'), self.array, format='elf')
        self.assertRaises(ValueError, tracecodec.write, self.path('a'), self.array, level='best')
        self.assertRaises(ValueError, tracecodec.write, self.path('a'), self.array, about={})
        self.assertRaises(ValueError, tracecodec.write, self.path('a.tpack'), self.array, about={'progrm': 'x'})
        self.assertRaises(TypeError, tracecodec.write, self.path('a.tpack'), self.array, about={'program': 3})
        self.assertRaises(ValueError, tracecodec.write, self.path('a.tpack'), [], format='described')
        self.assertEqual(os.listdir(self.folder.name), [])

    def test_errors_leave_nothing(self):
        def failing():
            yield self.array
            raise RuntimeError('no more')
        self.assertRaises(RuntimeError, tracecodec.write, self.path('a.trace'), failing())
        error = refused(self, 'system', tracecodec.write, self.path('no/such/folder'), self.array)
        self.assertIn('folder', error.file)
        self.assertEqual(os.listdir(self.folder.name), [])

    def test_none_are_a_file_without_records(self):
        self.assertEqual(tracecodec.write(self.path('a.trace'), self.array[:0]), 0)
        self.assertEqual(tracecodec.write(self.path('b.trace'), []), 0)
        self.assertEqual((self.read('a.trace'), self.read('b.trace')), (b'', b''))


@unittest.skipUnless(hasattr(tracecodec._core, 'convert'), 'built without the programs')
class Converting(Writing):
    def test_as_the_program(self):
        jobs = [(support.SED, 'o.champsim', {}), (support.SED, 'o.jsonl', {'limit': 50}),
                (support.SED, 'o.csv', {'skip': 7, 'limit': 5}), (sample('rapidbin/r250.data'), 'o.std', {})]
        if {'simdjson', 'zydis'} <= support.PARTS:
            jobs += [(sample('threads3_64.trace64.xz'), 'o.champsim', {'thread': 6708}),
                     (sample('threads3_64.trace64.xz'), 'o.trace64', {'mode': 'minimal', 'snapshots': 100})]
        if 'zstd' in support.CODECS:
            jobs.append((support.SED, 'o.tpack', {'level': 'high'}))
        for source, name, options in jobs:
            with warnings.catch_warnings():
                warnings.simplefilter('ignore')
                tracecodec.convert(source, self.path('p' + name), **options)
            line = ['--%s=%s' % (k, v) for k, v in options.items()]
            subprocess.run([support.PROGRAMS['trace_convert'], source, self.path(name), *line], check=True,
                           stderr=subprocess.DEVNULL, env=FOR_PROGRAMS)
            if name.endswith('.tpack'):
                self.assertEqual(tracecodec.open(self.path(name)).records().read().tobytes(), raw())
            self.assertEqual(self.read('p' + name), self.read(name), name)

    def test_what_write_refuses(self):
        array = numpy.zeros(3, tracecodec.dtype('champsim'))
        for name in ('a.tpack.xz', 'a.data', 'a.trace64.gz', 'a.jsonl', 'a.STD'):
            self.assertRaises(ValueError, tracecodec.write, self.path(name), array)
        self.assertRaises(ValueError, tracecodec.write, self.path('a.xz'), array, level='high')
        self.assertRaises(TypeError, tracecodec.write, self.path('a.tpack'), array, about='abc')
        self.assertRaises(ValueError, tracecodec.write, self.path('a.tpack'), array, about={'program': '\ud800'})
        self.assertEqual(os.listdir(self.folder.name), [])

    def test_what_is_refused(self):
        self.assertRaises(ValueError, tracecodec.convert, support.SED, self.path('o.elf'))
        for options in ({'nothing': 3}, {'help': True}, {'version': True}, {'codec': 'arj'}):
            self.assertRaises(ValueError, tracecodec.convert, support.SED, self.path('o.trace'), **options)
        self.assertRaises(ValueError, tracecodec.convert, support.SED, self.path('o.trace'), limit='many')
        refused(self, 'system', tracecodec.convert, self.path('missing'), self.path('o.trace'))
        with open(self.path('cut'), 'wb') as f:
            f.write(raw()[:1000])
        refused(self, 'truncated', tracecodec.convert, self.path('cut'), self.path('o.trace'))
        self.assertEqual(os.listdir(self.folder.name), ['cut'])
        refused(self, 'truncated', tracecodec.convert, self.path('cut'), self.path('o.trace'), keep_whole=True)
        self.assertEqual(self.read('o.trace'), raw()[:64 * 15])


if __name__ == '__main__':
    support.main()
