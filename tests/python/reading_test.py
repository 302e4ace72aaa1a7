# Tests reading in the Python package, against independent models.
import bz2
import ctypes
import gzip
import io
import json
import lzma
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import threading
import unittest
import warnings

from shared import CHAMPSIM, CLOUDSUITE, instructions, raw, refused, sample
import numpy
import support
import tracecodec

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'drmemtrace'))
import make_drmemtrace  # noqa: E402

SAMPLES = ['sed64', 'work32', 'threads3_64']


class Champsim(unittest.TestCase):
    def test_dtypes_are_the_specifications(self):
        self.assertEqual(tracecodec.dtype('champsim'), CHAMPSIM)
        self.assertEqual(tracecodec.dtype('cloudsuite'), CLOUDSUITE)

    def test_records_of_each_sample(self):
        for name in SAMPLES:
            trace = tracecodec.open(support.data(name))
            self.assertEqual(trace.format, 'champsim')
            expected = numpy.frombuffer(raw(name), CHAMPSIM)
            batches = list(trace.records())
            self.assertGreater(len(batches), 1)
            numpy.testing.assert_array_equal(numpy.concatenate(batches), expected)
            numpy.testing.assert_array_equal(trace.records().read(), expected)
            self.assertEqual(trace.records().read().tobytes(), raw(name))
            self.assertEqual(trace.count(), len(expected))
            for n in (1, 7, 4096, 1 << 20):
                some = list(trace.limit(9000).records(n))
                self.assertEqual([len(a) for a in some], [min(n, 9000 - at) for at in range(0, 9000, n)])
                self.assertEqual(b''.join(a.tobytes() for a in some), raw(name)[:9000 * 64])

    def test_each_compression_and_kind_of_source(self):
        plain = raw()[:64 * 3000]
        expected = numpy.frombuffer(plain, CHAMPSIM)
        packed = {'none': plain}
        if 'xz' in support.CODECS:
            packed['xz'] = lzma.compress(plain)
        if 'gzip' in support.CODECS:
            packed['gzip'] = gzip.compress(plain)
        if 'bzip2' in support.CODECS:
            packed['bzip2'] = bz2.compress(plain)
        with tempfile.TemporaryDirectory() as folder:
            for name, content in packed.items():
                path = os.path.join(folder, name)
                with open(path, 'wb') as f:
                    f.write(content)
                for source in (path, pathlib.Path(path), content, bytearray(content), memoryview(content),
                               io.BytesIO(content)):
                    numpy.testing.assert_array_equal(tracecodec.open(source).records().read(), expected)
                with open(path, 'rb') as f:
                    trace = tracecodec.open(f)
                    self.assertEqual(trace.name, path)
                    numpy.testing.assert_array_equal(instructions(trace, 'ip').ip, expected['ip'])
                numpy.testing.assert_array_equal(
                    tracecodec.open(path, compression=name, format='champsim').records().read(), expected)

    def test_threads(self):
        sources = [support.SED]
        with tempfile.TemporaryDirectory() as folder:
            if 'zstd' in support.CODECS:
                sources.append(os.path.join(folder, 'x.tpack'))
                tracecodec.write(sources[-1], numpy.frombuffer(raw(), CHAMPSIM))
            for source in sources:
                for threads in (None, 1, 2, 3):
                    trace = tracecodec.open(source, threads=threads)
                    self.assertEqual(trace.records().read().tobytes(), raw())
                    self.assertEqual(instructions(trace, 'ip').ip.tolist(), numpy.frombuffer(raw(), CHAMPSIM)['ip'].tolist())

    def test_columns_are_what_the_rules_say(self):
        for name in SAMPLES:
            rs = support.records(raw(name))
            b = instructions(tracecodec.open(support.data(name)), 'ip', 'branch', 'is_branch', 'taken', 'target',
                             'source_registers', 'destination_registers', 'memory', 'reads', 'writes')
            classes = [support.branch_class(r) for r in rs]
            self.assertEqual(b.ip.tolist(), [r['ip'] for r in rs])
            self.assertEqual([tracecodec.BRANCH_CLASSES[c] for c in b.branch], classes)
            taken = [support.branch_taken(r, c) for r, c in zip(rs, classes)]
            self.assertEqual(b.taken.tolist(), taken)
            following = [r['ip'] for r in rs[1:]] + [0]
            self.assertEqual(b.target.tolist(), [ip if t else 0 for ip, t in zip(following, taken)])
            for column in ('source_registers', 'destination_registers'):
                self.assertEqual([b[column][i].tolist() for i in range(len(b))],
                                 [[x for x in r[column] if x] for r in rs])
            read = [[a for a in r['source_memory'] if a] for r in rs]
            written = [[a for a in r['destination_memory'] if a] for r in rs]
            self.assertEqual([b.memory[i]['address'].tolist() for i in range(len(b))],
                             [x + y for x, y in zip(read, written)])
            self.assertEqual(b.memory.values['write'].tolist(),
                             [w for x, y in zip(read, written) for w in [False] * len(x) + [True] * len(y)])
            self.assertEqual(b.reads.tolist(), [bool(x) for x in read])
            self.assertEqual(b.writes.tolist(), [bool(x) for x in written])

    def test_registers_of_other_numbers(self):
        records = ((0x1000, 0, [34, 0], [3, 26, 0, 0]), (0x1004, 1, [35, 0], [35, 34, 0, 0]),
                   (0x2000, 1, [35, 7], [35, 7, 0, 0]), (0x3000, 1, [35, 7], [7, 0, 0, 0]))
        trace = b''.join(struct.pack('<QBB', ip, flag, flag) + bytes(written + read) + bytes(48)
                         for ip, flag, written, read in records)
        for numbers in ('ip=35,sp=7,flags=34', {'flags': 34, 'ip': 35, 'sp': 7}):
            mapped = tracecodec.open(trace, 'champsim', map_registers=numbers)
            with warnings.catch_warnings():
                warnings.simplefilter('error')
                b = instructions(mapped, 'branch', 'source_registers')
            self.assertEqual([tracecodec.BRANCH_CLASSES[c] for c in b.branch],
                             ['not_branch', 'conditional', 'direct_call', 'return'])
            self.assertEqual(b.source_registers[0].tolist(), [3, 35])
            array = mapped.records().read()
            self.assertEqual(array['destination_registers'].tolist(), [[25, 0], [26, 0], [26, 6], [26, 6]])
        with self.assertWarnsRegex(Warning, 'do not write register 26.*register 35'):
            instructions(tracecodec.open(trace, 'champsim'), 'branch')
        for bad in ('ip=1,sp=1', {'pc': 3}, {'ip': 0}, {}):
            with self.assertRaises(ValueError):
                tracecodec.open(trace, 'champsim', map_registers=bad)

    def test_padded_lists(self):
        rs = support.records(raw())[:5000]
        trace = tracecodec.open(support.SED).limit(5000)
        for width in (0, 1, 3, 6):
            expected = [([x for x in r['source_registers'] if x] + [0] * width)[:width] for r in rs]
            b = instructions(trace, 'source_registers', padded=width)
            self.assertEqual(b.source_registers.shape, (5000, width))
            self.assertEqual(b.source_registers.tolist(), expected)
            lists = instructions(trace, 'source_registers').source_registers
            self.assertEqual(lists.padded(width).tolist(), expected)
        self.assertEqual(lists.counts.tolist(), [sum(x != 0 for x in r['source_registers']) for r in rs])
        # Values that the type cannot hold are refused, not truncated.
        values = instructions(trace.limit(9), 'source_registers').source_registers
        for fill in (256, 1000, -1, 2.5, float('nan'), 1 << 64, 'a', None):
            self.assertRaises(ValueError, values.padded, 40, fill)
        for fill in (255, 3.0, numpy.uint64(7), True):
            self.assertEqual(values.padded(40, fill)[:, 39].tolist(), [int(fill)] * 9)
        memory = instructions(trace, 'memory').memory.padded(2)
        self.assertEqual(memory['address'].shape, (5000, 2))

    def test_batches_of_every_size_are_the_same(self):
        trace = tracecodec.open(support.SED).limit(20000)
        whole = instructions(trace, 'ip', 'memory')
        for n in (1000, 4096, 5000, 20000, 1 << 20):
            batches = list(trace.instructions(['ip', 'memory'], batch=n))
            self.assertEqual([len(b) for b in batches], [min(n, 20000 - at) for at in range(0, 20000, n)])
            self.assertEqual([b.first for b in batches], list(range(0, 20000, n)))
            self.assertEqual(numpy.concatenate([b.ip for b in batches]).tolist(), whole.ip.tolist())
            self.assertEqual(numpy.concatenate([b.memory.values['address'] for b in batches]).tolist(),
                             whole.memory.values['address'].tolist())

    def test_parts(self):
        ip = numpy.frombuffer(raw(), CHAMPSIM)['ip']
        for source in (support.SED, raw()):
            trace = tracecodec.open(source)
            for part, expected in (
                    (trace.skip(100), ip[100:]), (trace.limit(70), ip[:70]), (trace.skip(49990), ip[49990:]),
                    (trace.skip(60000), ip[:0]), (trace.limit(0), ip[:0]), (trace.skip(10).limit(5), ip[10:15]),
                    (trace.limit(15).skip(10), ip[10:15]), (trace.limit(3).skip(10), ip[:0]),
                    (trace.limit(100).limit(200), ip[:100]), (trace.skip(5).skip(6), ip[11:]),
                    (trace.shard(1, 3), ip[50000 // 3:100000 // 3]),
                    (trace.skip(1).limit(10).shard(2, 3), ip[7:11]),
                    (trace.shard(1, 2).skip(3).limit(4), ip[25003:25007]),
                    (trace.shard(1, 2).shard(0, 2), ip[25000:37500])):
                self.assertEqual(part.count(), len(expected))
                self.assertEqual([x for b in part.instructions(['ip']) for x in b.ip.tolist()], expected.tolist())
                self.assertEqual(part.records().read()['ip'].tolist(), expected.tolist())
            for of in (1, 2, 7, 50001):
                self.assertEqual(sum(trace.shard(i, of).count() for i in ([0, of - 1] if of > 50000 else range(of))),
                                 50000 if of < 50001 else 1)
            for index, of in ((3, 3), (-1, 2), (0, 0)):
                self.assertRaises(ValueError, trace.shard, index, of)

    def test_parts_of_each_format(self):
        paths = [sample('rapidbin/r6000.data'), sample('rapidbin/r6000.std'), support.SED]
        if {'simdjson', 'zydis'} <= support.PARTS:
            paths += [sample('threads3_64.trace64.xz'), sample('umtracer/plain64')]
        for path in paths:
            trace = tracecodec.open(path)
            ip = instructions(trace, 'ip').ip
            n = len(ip)
            self.assertEqual(trace.count(), n)
            for part, expected in (
                    (trace.skip(7), ip[7:]), (trace.skip(n - 3), ip[n - 3:]), (trace.skip(n + 1), ip[:0]),
                    (trace.skip(700).limit(50), ip[700:750]), (trace.shard(1, 3), ip[n // 3:2 * n // 3]),
                    (trace.skip(700).limit(50).shard(2, 3), ip[733:750]),
                    (trace.shard(1, 2).shard(0, 2), ip[n // 2:n // 2 + (n - n // 2) // 2])):
                self.assertEqual(part.count(), len(expected), path)
                self.assertEqual(instructions(part, 'ip').ip.tolist(), expected.tolist(), path)

    def test_numbers(self):
        trace = tracecodec.open(support.SED)
        for call in (trace.skip, trace.limit):
            self.assertRaises(ValueError, call, -1)
            self.assertRaises(TypeError, call, 1.5)
        self.assertEqual(trace.skip(2 ** 64).count(), 0)
        self.assertEqual(trace.limit(2 ** 64).count(), 50000)
        self.assertRaises(TypeError, trace.shard, 1.5, 4)
        self.assertRaises(TypeError, trace.instructions, ['ip'], batch=1.5)
        self.assertEqual(sum(len(a) for a in trace.records(2 ** 64)), 50000)
        self.assertEqual(len(next(iter(trace.instructions(['ip'], batch=2 ** 64)))), 50000)

    def test_of_nothing(self):
        for path in (support.SED, sample('rapidbin/r250.data')):
            none = tracecodec.open(path).limit(0)
            whole = tracecodec.open(path).limit(10)
            columns = ['ip', 'taken', 'memory', 'source_registers', 'branch']
            empty, full = (one.instructions(columns).read() for one in (none, whole))
            self.assertEqual(len(empty), 0)
            for name in ('ip', 'taken', 'branch'):
                self.assertEqual(empty[name].dtype, full[name].dtype)
            self.assertEqual(len(empty.memory), 0)
            self.assertEqual({n: v.dtype for n, v in empty.memory.values.items()},
                             {n: v.dtype for n, v in full.memory.values.items()})
            self.assertEqual(instructions(none, 'memory', padded=3).memory['address'].shape, (0, 3))
            records = none.records().read()
            self.assertEqual(len(records), 0)

    def test_blocks(self):
        """Tests blocks against the documented rule: a block begins after a branch."""
        trace = tracecodec.open(support.SED)
        batch = trace.instructions(['ip', 'is_branch']).read()
        counts, executions, begins, lines, numbers, interval = {}, {}, True, [], {}, {}
        for ip, branch in zip(batch.ip.tolist(), batch.is_branch.tolist()):
            if begins:
                block = ip
                executions[block] = executions.get(block, 0) + 1
                numbers.setdefault(block, len(numbers) + 1)
            counts[block] = counts.get(block, 0) + 1
            interval[block] = interval.get(block, 0) + 1
            if sum(interval.values()) == 20000:
                lines.append(interval)
                interval = {}
            begins = branch
        lines.append(interval)
        hottest = sorted(counts.items(), key=lambda one: -one[1])[:5]
        found = trace.hot_blocks(5)
        self.assertEqual([(one.address, one.instructions) for one in found], hottest)
        self.assertEqual([one.executions for one in found], [executions[one.address] for one in found])
        self.assertEqual(trace.block_vectors(20000), ''.join(
            'T' + ''.join(f':{number}:{line[block]} ' for block, number in numbers.items() if block in line) + '\n'
            for line in lines))
        self.assertRaises(ValueError, trace.block_vectors, 0)

    def test_lengths(self):
        self.assertEqual(len(tracecodec.open(raw())), 50000)
        self.assertTrue(tracecodec.open(support.SED))
        if 'xz' in support.CODECS:
            self.assertRaises(TypeError, len, tracecodec.open(support.SED))
        self.assertRaises(TypeError, len, tracecodec.open(io.BytesIO(raw())))

    def test_cloudsuite(self):
        rs = support.records(raw()[:64 * 2000])
        content = support.as_cloudsuite(rs, [7, 1])
        trace = tracecodec.open(content, format='cloudsuite')
        numpy.testing.assert_array_equal(trace.records().read(), numpy.frombuffer(content, CLOUDSUITE))
        b = instructions(trace, 'ip', 'thread')
        self.assertEqual(set(b.thread.tolist()), {7 + 256})
        self.assertEqual(b.ip.tolist(), [r['ip'] for r in rs])

    def test_pandas(self):
        try:
            import pandas
        except ImportError:
            self.skipTest('no pandas')
        frame = tracecodec.open(support.SED).skip(5).limit(9000).instructions(['ip', 'branch', 'memory']).to_pandas()
        rs = support.records(raw())[5:9005]
        self.assertEqual(frame['branch'].tolist(), [support.branch_class(r) for r in rs])
        self.assertIsInstance(frame['branch'].dtype, pandas.CategoricalDtype)
        self.assertEqual(frame.index[0], 5)
        self.assertEqual(frame['ip'].tolist(), [r['ip'] for r in rs])

    def test_layouts_of_other_formats(self):
        rows = tracecodec.open(sample('rapidbin/r250.data')).layout
        self.assertEqual([(r.field, r.size, r.bits) for r in rows],
                         [('sign', 8, 1), ('location', 8, 15), ('decor', 8, 34), ('operation', 8, 4), ('thread', 8, 10)])
        if {'simdjson', 'zydis'} <= support.PARTS:
            for name, size in (('work32.trace32.xz', 4), ('threads3_64.trace64.xz', 8)):
                self.assertEqual(tracecodec.open(sample(name)).layouts[-1].rows[0].size, size)

    def test_layout(self):
        rows = tracecodec.open(support.SED).layout
        self.assertEqual([(r.offset, r.size, r.field) for r in rows],
                         [(CHAMPSIM.fields[n][1], CHAMPSIM.fields[n][0].itemsize, n) for n in CHAMPSIM.names])


class OtherFormats(unittest.TestCase):
    @support.needs('simdjson', 'zydis')
    def test_x64dbg_is_the_same_run(self):
        for name, bits in (('work32', '32'), ('threads3_64', '64')):
            trace = tracecodec.open(sample(f'{name}.trace{bits}.xz'))
            self.assertEqual(trace.format, 'x64dbg')
            expected = numpy.frombuffer(raw(name), CHAMPSIM)
            b = instructions(trace, 'ip', 'taken', 'code', 'size', 'disassembly')
            self.assertEqual(b.ip.tolist(), expected['ip'].tolist())
            self.assertEqual(b.code.counts.tolist(), b['size'].tolist())
            # Addresses are consecutive except after jumps.
            straight = b.ip[1:] == b.ip[:-1] + b['size'][:-1]
            self.assertGreater(straight.mean(), 0.7)
            self.assertTrue(all(isinstance(s, str) and s for s in b.disassembly[:100]))
            with open(sample(f'{name}.trace{bits}.xz'), 'rb') as f:
                once = tracecodec.open(f).limit(50)
                refused(self, 'refused', lambda: once.columns)
                self.assertEqual(instructions(once, 'disassembly').disassembly.tolist(), b.disassembly[:50].tolist())
            self.assertEqual([s.split()[0] for s in b.disassembly if s.startswith('ret')][:1], ['ret'])

    def test_rapidbin_events(self):
        for name in ('r250', 'r6000'):
            with open(sample(f'rapidbin/{name}.data'), 'rb') as f:
                content = f.read()
            words = numpy.frombuffer(content, '>u8', offset=18).astype('u8')
            for source in (sample(f'rapidbin/{name}.data'), content, gzip.compress(content)):
                if source is not content and isinstance(source, bytes) and 'gzip' not in support.CODECS:
                    continue
                events = tracecodec.open(source).records().read()
                for values, shift, mask in ((events.thread, 0, 1023), (events.operation, 10, 15),
                                            (events.decor, 14, (1 << 34) - 1), (events.location, 48, 32767),
                                            (events.sign, 63, 1)):
                    self.assertEqual(values.tolist(), (words >> numpy.uint64(shift) & numpy.uint64(mask)).tolist())
            # The operations as RAPID abbreviates them.
            with open(sample(f'rapidbin/{name}.std'), encoding='ascii') as f:
                names = [line.split('|')[1].split('(')[0] for line in f]
            self.assertEqual(names, [{'acquire': 'acq', 'release': 'rel', 'read': 'r', 'write': 'w', 'request': 'req'}.get(
                n, n) for n in (tracecodec.OPERATIONS[o] for o in events.operation)])
            trace = tracecodec.open(sample(f'rapidbin/{name}.data'))
            self.assertEqual(len(trace), len(words))
            self.assertEqual((len(events), trace.dtype), (len(words), tracecodec.dtype('rapidbin')))
            b = instructions(trace, 'thread', 'operation', 'decor', 'location')
            self.assertEqual(b.thread.tolist(), events.thread.tolist())
            self.assertEqual(b.location.tolist(), events.location.tolist())
            # The text form contains the same trace.
            text = instructions(tracecodec.open(sample(f'rapidbin/{name}.std')), 'thread', 'operation')
            self.assertEqual(text.thread.tolist(), b.thread.tolist())
            part = trace.skip(3).limit(100).records(7)
            self.assertEqual([x for e in part for x in e.decor.tolist()], events.decor[3:103].tolist())

    def test_options_of_its_own(self):
        """Tests options that are not parameters of open(), with one value or with several in a list."""
        path = sample('rapidbin/r250.data')
        all_of_it = instructions(tracecodec.open(path), 'operation', 'decor')
        accessed = [d for o, d in zip(all_of_it.operation.tolist(), all_of_it.decor.tolist())
                    if tracecodec.OPERATIONS[o] in ('read', 'write')]
        first, second = sorted(set(accessed))[:2]
        for chosen in ([first], [first, second]):
            value = str(first) if len(chosen) == 1 else [str(v) for v in chosen]
            found = instructions(tracecodec.open(path, variable=value), 'decor').decor.tolist()
            self.assertEqual(found, [v for v in accessed if v in chosen])
        self.assertRaises(TypeError, tracecodec.open, path, no_option=1)
        self.assertRaises(TypeError, tracecodec.open, path, dialect='rapid')  # this option is only for writing
        self.assertRaises(ValueError, tracecodec.open, path, variable=True)
        with self.assertRaises(tracecodec.TraceError):
            tracecodec.open(support.SED, variable='1').instructions(['ip']).read()

    @support.needs('zydis')
    def test_umtracer(self):
        trace = tracecodec.open(sample('umtracer/plain64'))
        self.assertEqual(trace.format, 'umtracer')
        with lzma.open(sample('umtracer/plain64.expected.jsonl.xz'), 'rt') as f:
            rows = [json.loads(line) for line in f]
        ins = {r['id']: r for r in rows if r['t'] == 'ins'}
        execs = [r for r in rows if r['t'] == 'exec' and r['type'] == 0]
        self.assertEqual(len(trace), len(execs))
        b = instructions(trace, 'thread', 'size', 'index')
        self.assertEqual(b['index'].tolist(), [r['id'] for r in execs])
        # Each thread has its own number.
        self.assertEqual(len(set(zip(b.thread.tolist(), (r['tid'] for r in execs)))), len({r['tid'] for r in execs}))
        self.assertTrue(all(r['ins'] in ins for r in execs))
        self.assertIn('disassembly', trace.columns)

    @support.needs('gzip')
    def test_times_and_system_events(self):
        """Each system call of the made trace has a timestamp before and after its marker, 10 apart."""
        b = instructions(tracecodec.open(sample('drmemtrace/made.v4.trace.gz')), 'time', 'cpu', 'system_events')
        times, events, time, event = [], [], 1000, 0
        for step in make_drmemtrace.program(24):
            times.append(time)
            events.append(event)
            event = 0
            if step.number >= 0:
                time, event = time + 20, 1
        self.assertEqual(b.time.tolist(), times)
        self.assertEqual(b.system_events.tolist(), events)
        self.assertEqual((b.time.dtype, b.cpu.dtype, b.system_events.dtype), ('u8', 'u4', 'u2'))
        self.assertEqual(set(b.cpu.tolist()), {72 % 4})

    def test_formats(self):
        self.assertEqual(tracecodec.formats(), ['champsim', 'cloudsuite', 'x64dbg', 'rapidbin', 'std', 'umtracer', 'cvp1',
                                                'cbp2025', 'drmemtrace', 'stf', 'bt9', 'tarmac', 'tenet', 'lackey', 'dinero', 'mldpc'])
        for name in tracecodec.formats():
            for one in tracecodec.layouts(name):
                self.assertIn('Offset', str(one))
        slices = tracecodec.layouts('rapidbin')[1].slices
        self.assertEqual(slices['decor'], ('bits_0', 14, (1 << 34) - 1))
        self.assertRaises(ValueError, tracecodec.dtype, 'elf')
        self.assertRaises(ValueError, tracecodec.dtype, 'umtracer.nothing')
        self.assertRaises(TypeError, tracecodec.dtype, 'x64dbg.block')
        self.assertEqual(tracecodec.dtype('umtracer.exec_header').names[0][:1].isalpha(), True)


class OwnFormat(unittest.TestCase):
    FORK = numpy.dtype([('ip', '<u8'), ('cycle', '>u4'), ('is_branch', '?'), ('kind', 'i1'), ('weight', '<f8'),
                        ('source_memory', '<u8', 2)])
    TABLE = '''Offset  Size  Field          Type    Byte order
0       8     ip             u64     little
8       4     cycle          u32     big
12      1     is_branch      bool
13      1     kind           i8
14      8     weight         f64     little
22      16    source_memory  u64[2]  little
'''

    def test_what_is_known_of_it(self):
        array = numpy.zeros(10, self.FORK)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'x')
            array.tofile(path)
            trace = tracecodec.open(path, record=self.TABLE)
            self.assertEqual(len(trace), 10)
            self.assertEqual([(one.name, one.dtype) for one in trace.layouts], [('record', trace.dtype)])
            self.assertEqual([row.field for row in trace.layout], list(self.FORK.names))
        for wrong in (numpy.dtype([('a b', 'u1')]), numpy.dtype([]), numpy.dtype('u8'),
                      numpy.dtype({'names': ['a', 'b'], 'formats': ['u4', 'u4'], 'offsets': [0, 2]})):
            self.assertRaises(TypeError, tracecodec.open, b'abcd' * 16, record=wrong)
        self.assertRaises(TypeError, tracecodec.dtype, None)

    def test_dtype_and_table(self):
        array = numpy.zeros(1000, self.FORK)
        array['ip'] = numpy.arange(1000) * 4 + 0x400000
        array['cycle'] = numpy.arange(1000)
        array['kind'] = -3
        array['weight'] = 1.5
        array['source_memory'][:, 1] = 0x1000
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'table')
            with open(path, 'w') as f:
                f.write(self.TABLE)
            for record in (self.FORK, self.TABLE, path):
                trace = tracecodec.open(array.tobytes(), record=record)
                self.assertEqual(trace.dtype, self.FORK)
                numpy.testing.assert_array_equal(trace.records().read(), array)
                b = instructions(trace, 'ip', 'memory')
                self.assertEqual(b.ip.tolist(), array['ip'].tolist())
                self.assertEqual(set(b.memory.values['address'].tolist()), {0x1000})
                self.assertEqual([r.field for r in trace.layout], list(self.FORK.names))

    def test_of_a_file_of_python(self):
        array = numpy.zeros(3000, self.FORK)
        array['ip'] = numpy.arange(3000)
        numpy.testing.assert_array_equal(
            tracecodec.open(io.BytesIO(array.tobytes()), record=self.FORK).records().read(), array)
        once = tracecodec.open(io.BytesIO(array.tobytes()), record=self.FORK)
        self.assertEqual(instructions(once, 'ip').ip.tolist(), list(range(3000)))
        refused(self, 'refused', once.records().read)

    def test_header_of_the_file(self):
        array = numpy.zeros(1000, self.FORK)
        array['ip'] = numpy.arange(1000) * 4 + 0x400000
        header = b'HEAD' + bytes(12)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'x')
            with open(path, 'wb') as f:
                f.write(header + array.tobytes())
            for source in (header + array.tobytes(), path, lzma.compress(header + array.tobytes())):
                for more in ({'record': 'header: 16 48454144\n' + self.TABLE},
                             {'record': self.TABLE, 'record_offset': 16}, {'record': self.FORK, 'record_offset': 16}):
                    trace = tracecodec.open(source, **more)
                    self.assertEqual(trace.count(), 1000)
                    numpy.testing.assert_array_equal(trace.records().read(), array)
                    numpy.testing.assert_array_equal(trace.skip(990).limit(5).records().read(), array[990:995])
                    self.assertEqual(instructions(trace, 'ip').ip.tolist(), array['ip'].tolist())
            once = tracecodec.open(io.BytesIO(header + array.tobytes()), record=self.FORK, record_offset=16)
            numpy.testing.assert_array_equal(once.records().read(), array)
        other = tracecodec.open(bytes(16) + array.tobytes(), record='header: 16 48454144\n' + self.TABLE)
        self.assertEqual(refused(self, 'not_a_trace', other.records().read).offset, 0)
        cut = tracecodec.open(header[:9], record=self.FORK, record_offset=16)
        self.assertEqual(refused(self, 'truncated', cut.records().read).offset, 9)
        self.assertRaises(ValueError, tracecodec.open, header, record_offset=16)
        self.assertRaises(ValueError, tracecodec.open, header, record=self.FORK, record_offset=2 ** 31)

    def test_known_tables(self):
        fields = [('ip', '<u8'), ('is_branch', 'u1'), ('branch_taken', 'u1'), ('destination_registers', 'u1', 2),
                  ('source_registers', 'u1', 4), ('destination_memory', '<u8', 2), ('source_memory', '<u8', 4),
                  ('destination_memory_pa', '<u8', 2), ('source_memory_pa', '<u8', 4), ('source_memory_size', 'u1', 4),
                  ('destination_memory_size', 'u1', 2), ('privilege', 'u1'), ('instr_type', 'u1'), ('reserved', 'u1', 8),
                  ('source_memory_value', 'u1', 256), ('destination_memory_value', 'u1', 128)]
        array = numpy.zeros(500, fields)
        self.assertEqual(array.dtype.itemsize, 512)
        array['ip'] = numpy.cumsum(numpy.arange(500) % 6 + 1) + 0x400000
        array['source_memory'][:, 0] = 0x1000
        array['source_memory_pa'][:, 0] = 0x77000
        array['source_memory_size'][:, 0] = 8
        for more in ({}, {'record': 'champsim2'}):
            trace = tracecodec.open(array.tobytes(), **more)
            self.assertEqual(trace.dtype, array.dtype)
            numpy.testing.assert_array_equal(trace.records().read(), array)
            self.assertEqual(instructions(trace, 'ip').ip.tolist(), array['ip'].tolist())
        once = tracecodec.open(io.BytesIO(array.tobytes()))
        numpy.testing.assert_array_equal(once.records().read(), array)

    def test_names_that_are_taken(self):
        trace = tracecodec.open(bytes(20), record='0 4 bits index u8\n0 4 bits low u8\n1 1 bits_0 u8')
        self.assertEqual(trace.dtype.names, ('bits_0_', 'bits_0'))

    def test_records_that_are_no_instructions(self):
        array = numpy.arange(100, dtype='>u4').view([('value', '>u4')])
        trace = tracecodec.open(array.tobytes(), record=array.dtype)
        numpy.testing.assert_array_equal(trace.records().read(), array)
        self.assertEqual(trace.count(), 100)
        refused(self, 'refused', instructions, trace, 'ip')

    def test_dtypes_that_no_table_has(self):
        for dtype in ('<u8', [('a', 'S4')], [('a', '<c16')], [('a', 'u1', (2, 2))], [('a', '<f2')]):
            self.assertRaises(TypeError, tracecodec.open, b'abcd' * 16, record=numpy.dtype(dtype))
        refused(self, 'bad_value', tracecodec.open, b'abcd' * 16, record='nothing\nhere\n')


class Arrow(unittest.TestCase):
    """Tests Arrow streams with a consumer of Arrow's C stream interface in ctypes."""

    @classmethod
    def setUpClass(cls):
        sys.path.insert(0, os.path.join(os.environ['TRACECODEC_SOURCES'], 'examples', 'tutorial', 'c'))
        import arrow
        cls.arrow = arrow

    def streamed(self, source):
        arrow = self.arrow
        capsule = source.__arrow_c_stream__()
        get = ctypes.pythonapi.PyCapsule_GetPointer
        get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
        stream = arrow.Stream.from_address(get(capsule, b'arrow_array_stream'))
        schema, batch, columns = arrow.Schema(), arrow.Array(), {}
        self.assertEqual(stream.get_schema(ctypes.byref(stream), ctypes.byref(schema)), 0)
        names = [c.name.decode() for c in arrow.children(schema)]
        formats = [arrow.described(c) for c in arrow.children(schema)]
        schema.release(ctypes.byref(schema))
        while True:
            failed = stream.get_next(ctypes.byref(stream), ctypes.byref(batch))
            if failed:
                return names, formats, columns, stream.get_last_error(ctypes.byref(stream)).decode()
            if not batch.release:
                return names, formats, columns, ''
            for name, column in zip(names, arrow.children(batch)):
                if name == 'ip':
                    columns.setdefault(name, []).extend(arrow.numbers(column, ctypes.c_uint64))
                if name == 'taken':
                    columns[name] = columns.get(name, 0) + arrow.bits(column)
            batch.release(ctypes.byref(batch))

    def test_of_each_format(self):
        for path in (support.SED, sample('rapidbin/r6000.data'), sample('threads3_64.trace64.xz')):
            if path.endswith('trace64.xz') and not {'simdjson', 'zydis'} <= support.PARTS:
                continue
            trace = tracecodec.open(path).skip(3)
            names, formats, columns, error = self.streamed(trace)
            self.assertEqual(names, list(tracecodec.USUAL_COLUMNS))
            self.assertEqual(formats, ['L', 'C', 'b', 'L', 'I'])
            b = instructions(trace, 'ip', 'taken')
            self.assertEqual(columns['ip'], b.ip.tolist())
            self.assertEqual(columns['taken'], int(b.taken.sum()))
            self.assertEqual(error, '')

    def test_columns_parts_and_errors(self):
        trace = tracecodec.open(raw()[:64 * 100 + 20])
        names, formats, columns, error = self.streamed(trace.instructions(['memory', 'ip']))
        self.assertEqual(sorted(names), ['ip', 'memory'])
        self.assertEqual(len(columns['ip']), 100)
        self.assertIn('record 100', error)
        self.assertEqual(len(self.streamed(trace.shard(1, 4).instructions(['ip']))[2]['ip']), 25)
        # A stream that nobody consumes.
        del trace, names
        tracecodec.open(raw()).__arrow_c_stream__()

    def test_clients(self):
        for client in ('pyarrow', 'polars'):
            try:
                module = __import__(client)
            except ImportError:
                continue
            table = module.table(tracecodec.open(support.SED)) if client == 'pyarrow' else \
                module.DataFrame(tracecodec.open(support.SED))
            self.assertEqual(table['ip'].to_numpy()[:10].tolist(), numpy.frombuffer(raw(), CHAMPSIM)['ip'][:10].tolist())


class Module(unittest.TestCase):
    def run_python(self, text):
        return subprocess.run([sys.executable, '-c', text], capture_output=True, text=True, timeout=60, check=True).stdout

    def test_import_is_light(self):
        loaded = self.run_python('import sys, tracecodec; print(sorted(m for m in sys.modules if m in '
                                 '("numpy", "pandas", "dask", "subprocess", "json")))')
        self.assertEqual(loaded.strip(), '[]')

    def test_help(self):
        text = self.run_python('import tracecodec; help(tracecodec)')
        for name in ('open', 'dtype', 'write', 'TraceError', 'instructions', 'records', 'shard', 'convert'):
            self.assertIn(name, text)
        for name in tracecodec.__all__:
            thing = getattr(tracecodec, name)
            if callable(thing):
                self.assertTrue(thing.__doc__, name)

    def test_threads_read_beside_each_other(self):
        trace, expected, failures = tracecodec.open(support.SED), numpy.frombuffer(raw(), CHAMPSIM)['ip'].sum(), []

        def work():
            try:
                total = sum(int(b.ip.sum()) for b in trace.instructions(['ip']))
                assert total % 2 ** 64 == int(expected), total
                assert trace.records().read()['ip'].sum() == expected
            except BaseException as e:  # noqa: B902
                failures.append(e)
        threads = [threading.Thread(target=work) for _ in range(6)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(failures, [])


if __name__ == '__main__':
    support.main()
