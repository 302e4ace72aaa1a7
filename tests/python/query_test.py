# Tests Trace.query: answers about memory, compared with a search through the bytes of the traces, which a model in
# Python reads. TRACECODEC_DATA is tests/data.
import os
import random
import shutil
import struct
import tempfile
import threading
import unittest

from shared import numpy, raw, refused, sample, support, tracecodec
from support import needs
from x64dbg_model import Trace as Model


def champsim_accesses():
    """Returns (record, address, size, whether it writes) of each access. An access is known by its first byte."""
    found = []
    for n, v in enumerate(struct.iter_unpack('<Q2B2B4B2Q4Q', raw('sed64'))):
        found += [(n, a, 1, True) for a in v[9:11] if a] + [(n, a, 1, False) for a in v[11:15] if a]
    return found


@needs('xz')
class Query(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.path = os.path.join(self.folder, 'trace')

    def compare(self, query, accesses, times=60):
        rng = random.Random(2)
        end = accesses[-1][0] + 1
        for _ in range(times):
            address, size, n = rng.choice(accesses)[1] + rng.randrange(3), rng.randrange(1, 9), rng.randrange(end)

            def those(reads, writes):
                return [i for i, a, s, w in accesses if (writes if w else reads) and a < address + size and address < a + s]
            reads, writes, both = those(True, False), those(False, True), sorted(set(those(True, True)))
            self.assertEqual(query.last_write(address, size, n), max((i for i in writes if i < n), default=None))
            self.assertEqual(query.last_read(address, size, n), max((i for i in reads if i < n), default=None))
            self.assertEqual(query.next_write(address, size, n), min((i for i in writes if i >= n), default=None))
            self.assertEqual(query.next_read(address, size, n), min((i for i in reads if i >= n), default=None))
            self.assertEqual(query.accesses(address, size).tolist(), both)
            self.assertEqual(query.writes(address, size, n, most=3).tolist(), sorted({i for i in writes if i >= n})[:3])
            self.assertEqual(query.accesses(address, size, before=n).tolist(), [i for i in both if i < n])
            self.assertEqual(query.last_write(address, size), max(writes, default=None))

    def test_champsim(self):
        shutil.copy(sample('sed64.champsimtrace.xz'), self.path)
        accesses = champsim_accesses()
        with tracecodec.open(self.path) as trace:
            self.assertFalse(trace.query.has_index)
            self.compare(trace.query, accesses, 5)
            totals = trace.write_index()
            self.assertEqual(tuple(totals), (len(raw('sed64')) // 64, len(accesses)))
            self.assertTrue(trace.query.has_index)
            self.compare(trace.query, accesses)
            self.assertFalse(trace.query_with('').has_index)
            refused(self, 'refused', trace.query.memory, accesses[0][1])

    def test_memory(self):
        shutil.copy(sample('threads3_64.trace64.xz'), self.path)
        # The trace has whole words, of which an answer has the bytes that instructions access.
        accesses = [(b['index'], word, old if new is None else new)
                    for b in Model(support.content(self.path)).blocks[:9000] for word, old, new in b['memory']]
        known = 0
        with tracecodec.open(self.path) as trace:
            trace.write_index(os.path.join(self.folder, 'other'))
            for index in ('', os.path.join(self.folder, 'other')):
                query = trace.query_with(index)
                self.assertEqual(query.has_index, index != '')
                rng = random.Random(4)
                for _ in range(30 if index else 3):
                    first, word, _ = rng.choice(accesses)
                    at = rng.randrange(first + 1, 9001)
                    shown = {}  # by byte: number of the last instruction that accesses its word, and the value
                    for n, other, value in accesses:
                        if n < at and abs(other - word) < 8:
                            shown.update({other + i: (n, b) for i, b in enumerate(value.to_bytes(8, 'little'))})
                    found = query.memory(word, 8, at)
                    for i, (byte, by) in enumerate(zip(found.bytes.tolist(), found.origin.tolist())):
                        if 0 <= by < at:
                            self.assertLessEqual(by, shown[word + i][0])
                            self.assertEqual(byte, shown[word + i][1], (hex(word + i), at))
                            known += 1
        self.assertGreater(known, 100)

    def test_misuse(self):
        shutil.copy(sample('sed64.champsimtrace.xz'), self.path)
        with tracecodec.open(self.path) as trace:
            query = trace.query
            for call, args in ((query.last_write, (1, 0)), (query.last_write, (1 << 64,)), (query.accesses, ((1 << 64) - 1, 2)),
                               (query.memory, (1, 1 << 40))):
                self.assertRaises(ValueError, call, *args)
            self.assertRaises(IndexError, query.next_read, 1, 1, -1)
            self.assertRaises(TypeError, query.next_read, 'x')
            trace.write_index()
        self.assertRaises(ValueError, lambda: trace.query)
        with open(self.path, 'ab') as f:
            f.write(b'x')
        with tracecodec.open(self.path, format='champsim') as trace:
            refused(self, 'refused', trace.write_index)
            self.assertFalse(trace.query.has_index)
        shutil.copy(sample('threads3_64.champsimtrace.xz'), self.path)
        with tracecodec.open(self.path) as trace:
            self.assertIn('another trace', str(refused(self, 'refused', lambda: trace.query)))
        trace = tracecodec.open(raw('sed64'), 'champsim')
        refused(self, 'refused', trace.write_index)
        self.assertIsInstance(trace.query.next_write(0, 1 << 63), int)

    def test_threads(self):
        accesses = champsim_accesses()
        trace = tracecodec.open(sample('sed64.champsimtrace.xz'))
        wrong = []

        def ask(of):
            if trace.query.next_write(of[1], 1, of[0]) != of[0]:
                wrong.append(of)
        threads = [threading.Thread(target=ask, args=(a,)) for a in [a for a in accesses[:400] if a[3]][:8]]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual((len(threads), wrong), (8, []))

    def test_repr(self):
        self.assertEqual(repr(tracecodec.open(sample('sed64.champsimtrace.xz')).query), '<Query>')
        self.assertEqual(numpy.dtype('u8'), tracecodec.open(sample('sed64.champsimtrace.xz')).query.accesses(1).dtype)


if __name__ == '__main__':
    support.main()
