# trace_index and trace_query: answers about memory, compared with a search in Python through the
# bytes of the trace, with an index and without one.
import collections
import json
import os
import random
import shutil
import struct
import sys

import support
from support import PARTS, SED, WORK, ProgramTest, content, file_bytes, needs, run
from x64dbg_model import Trace

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'query'))
import reader  # noqa: E402
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'drmemtrace'))
import make_drmemtrace  # noqa: E402


def sample(name):
    return os.path.join(os.path.dirname(SED), name)


def champsim_accesses(path):
    """Returns (record, address, size, whether it writes) of each access. ChampSim's records have no sizes, so an
    access is known by its first byte."""
    found = []
    for n, v in enumerate(struct.iter_unpack('<Q2B2B4B2Q4Q', content(path))):
        found += [(n, a, 1, True) for a in v[9:11] if a] + [(n, a, 1, False) for a in v[11:15] if a]
    return found


def trace_with_long_lists():
    """Returns ChampSim records whose stores access mostly the first byte of one line, so that the line has two
    levels of masks. Other lines have as many stores as fill blocks and levels exactly, or one more."""
    rng = random.Random(3)
    hot, other = 0x7ffc12345640, 0x10000
    stores = []
    for n, count in enumerate((128, 129, 128 * 64, 128 * 64 + 1)):
        stores += [other + 64 * n + rng.choice((0, 0, 0, 8, 63)) for _ in range(count)]
    stores += [other + 64 * (4 + n) for n in range(300)] + [0xffffffffffffffff, 1]
    stores += [0] * 5000 + [hot + 1 + n % 20 for n in range(40)]
    stores += [hot] * (300000 - len(stores))
    rng.shuffle(stores)
    # Some records store twice, and both stores may be in the same line.
    seconds = [hot + 32 if n % 10007 == 0 else 0 for n in range(len(stores))]
    return b''.join(struct.pack('<Q2B2B4B2Q4Q', 0x401000 + n % 1000 * 4 + n % 2, 0, 0, 1, 0, 2, 0, 0, 0, store, second,
                                0x601000 + n % 997 * 8 if n % 3 == 0 else 0, 0, 0, 0)
                    for n, (store, second) in enumerate(zip(stores, seconds)))


class Query(ProgramTest):
    def setUp(self):
        super().setUp()
        self.trace = os.path.join(self.folder, 'trace')

    def use(self, path):
        shutil.copy(path, self.trace)
        r = run('trace_index', self.trace)
        self.assertEqual((r.returncode, r.stderr), (0, b''))
        return r.stdout.decode()

    def index(self, path):
        """Returns the index that trace_index writes."""
        self.use(path)
        index = reader.Index(file_bytes(self.trace + '.tcidx'))
        self.assertEqual(index.trace_size, os.path.getsize(path))
        return index

    def rows(self, *arguments):
        r = run('trace_query', self.trace, *map(str, arguments), '--json')
        self.assertEqual(r.returncode, 0 if r.stdout else 1, r.stderr)
        return [json.loads(line) for line in r.stdout.splitlines()]

    def ask(self, *arguments):
        """Returns the numbers of the answers."""
        return [r['index'] for r in self.rows(*arguments)]

    def compare(self, accesses, end, times):
        """Asks `times` random questions about the addresses of the accesses."""
        rng = random.Random(5)
        for _ in range(times):
            first = rng.choice(accesses)[1] + rng.randrange(3)
            size, at = rng.choice((1, 4, 100)), rng.randrange(end)
            question = rng.choice(('last-write', 'next-write', 'last-read', 'next-read', 'accesses'))
            found = sorted({n for n, a, s, w in accesses if a < first + size and a + s > first and
                            (question == 'accesses' or w == question.endswith('write'))})
            before, after = [n for n in found if n < at], [n for n in found if n >= at]
            if question.startswith('last'):
                part, expected = '--before', before[-1:]
            else:
                part, expected = '--after', after if question == 'accesses' else after[:1]
            operand = '0x%x+%d' % (first, size)
            for how in ((), ('--no-index',)):
                self.assertEqual(self.ask(question, operand, part, at, *how), expected, (question, operand, part, at))

    # Threads

    @needs('xz', 'simdjson', 'zydis')
    def test_answers_of_other_threads_are_marked(self):
        blocks = Trace(content(sample('threads3_64.trace64.xz'))).blocks
        self.use(sample('threads3_64.trace64.xz'))
        words = collections.defaultdict(list)
        for n, b in enumerate(blocks):
            for address, _, new in b['memory']:
                words[address].append((n, new is not None))
        threads = {a: {blocks[n]['thread'] for n, _ in all} for a, all in words.items()}
        shared = sorted(a for a, t in threads.items() if len(t) > 1)
        self.assertGreater(len(shared), 0)
        rng, marks = random.Random(6), collections.Counter()
        for address in rng.sample(shared, min(6, len(shared))) + rng.sample(sorted(words), 3):
            span = '0x%x' % address
            for more in ((), ('--no-index',)):
                rows = self.rows('accesses', span + '+8', *more)
                for before, row in zip([None] + rows, rows):
                    other = before and blocks[before['index']]['thread'] != blocks[row['index']]['thread']
                    self.assertEqual(row.get('concurrent', False), bool(other), (span, row['index']))
                    marks[bool(other)] += 1
                for question, option in (('last-write', '--before'), ('next-read', '--after'), ('memory', '--at')):
                    at = rng.randrange(len(blocks))
                    for row in self.rows(question, span + '+8', option, at, *more):
                        if row['index'] is None:
                            continue
                        other = blocks[row['index']]['thread'] != blocks[at]['thread']
                        self.assertEqual(row.get('concurrent', False), other, (question, span, at, row))
                        marks[question, other] += 1
        self.assertGreater(marks[True], 5)
        self.assertGreater(marks[False], 5)

    def test_timestamps_order_threads(self):
        """Thread 1 stores at the time 1000, and its next time is 1020."""
        for time, concurrent in ((900, True), (1000, True), (1010, True), (1020, False), (5000, False)):
            folder = self.path('t%d.drmemtrace' % time)
            os.makedirs(os.path.join(folder, 'trace'))
            first = list(make_drmemtrace.program(2))
            for thread, begin in ((1, 1000), (2, time)):
                raw = make_drmemtrace.content(make_drmemtrace.records(first, thread, begin))
                self.write('t%d.drmemtrace/trace/x.%d.1.trace' % (time, thread), raw)
            r = run('trace_query', folder, 'last-write', '0x10008', '--before', str(len(first) + 1), '--json', '--no-index')
            row, = map(json.loads, r.stdout.splitlines())
            self.assertEqual((row['index'], row.get('concurrent', False)), (2, concurrent), time)
            text = run('trace_query', folder, 'last-write', '0x10008', '--before', str(len(first) + 1), '--no-index').stdout
            self.assertEqual(b'possibly concurrent' in text, concurrent)


    @needs('xz')
    def test_records_without_sizes(self):
        accesses = champsim_accesses(SED)
        said = self.use(SED)
        self.assertIn('50000 instructions, %d memory operands' % len(accesses), said)
        self.compare(accesses, 50000, 15)

    @needs('xz')
    def test_executions(self):
        ips = [v[0] for v in struct.iter_unpack('<Q56x', content(SED))]
        self.use(SED)
        rng = random.Random(9)
        for _ in range(25):
            first, size = rng.choice(ips) + rng.randrange(-2, 2), rng.choice((1, 3, 32, 200, 5000))
            # Some questions begin or end between instructions of a few consecutive addresses.
            found = [n for n, ip in enumerate(ips) if first <= ip < first + size]
            at = rng.choice(found) + rng.randrange(2) if found else rng.randrange(len(ips))
            before, after = [n for n in found if n < at], [n for n in found if n >= at]
            question, part, expected = rng.choice((('last-execution', '--before', before[-1:]),
                                                   ('next-execution', '--after', after[:1]),
                                                   ('executions', '--after', after), ('executions', '--before', before)))
            operand = '0x%x+%d' % (first, size)
            for how in ((), ('--no-index',)):
                self.assertEqual(self.ask(question, operand, part, at, *how), expected, (question, operand, part, at))

    def words_of_work(self):
        """Returns the words of memory of the blocks of work32: {address: [(number, value before, value after)]}. The
        old values of a push below the stack pointer are wrong, so words that a push writes are left out."""
        found, pushed = {}, set()
        for n, b in enumerate(Trace(content(sample('work32.trace32.xz'))).blocks):
            code = bytes.fromhex(b['opcode'])
            push = 0x50 <= code[0] < 0x58 or code[0] in (0xe8, 0x68, 0x6a, 0xff)
            for word, old, new in b['memory']:
                if push:
                    pushed.add(word)
                found.setdefault(word, []).append((n, old, old if new is None else new))
        return {word: seen for word, seen in found.items() if word not in pushed}

    @needs('xz', 'simdjson', 'zydis')
    def test_changes_are_those_of_the_words_of_the_trace(self):
        words = {w: found for w, seen in self.words_of_work().items() if (found := [n for n, a, b in seen if a != b])}
        self.assertGreater(len(words), 10)
        self.use(sample('work32.trace32.xz'))
        for word in random.Random(2).sample(sorted(words), 10):
            for how in ((), ('--no-index',)):
                self.assertEqual(self.ask('changes', '0x%x+4' % word, *how), words[word], hex(word))

    def grow(self, whole, cut, suffix):
        """Indexes the first `cut` bytes of a trace, and again after the rest was appended. Returns what trace_index
        prints, and compares the result with an index of the whole trace."""
        def without_time(index):
            return index[:24] + index[32:68] + index[72:]
        self.trace = os.path.join(self.folder, 'trace' + suffix)
        with open(self.trace, 'wb') as f:
            f.write(whole[:cut])
        self.assertEqual(run('trace_index', self.trace).returncode, 0)
        with open(self.trace, 'ab') as f:
            f.write(whole[cut:])
        r = run('trace_index', self.trace)
        self.assertEqual((r.returncode, r.stderr), (0, b''))
        again = file_bytes(self.trace + '.tcidx')
        os.remove(self.trace + '.tcidx')
        self.assertEqual(run('trace_index', self.trace).returncode, 0)
        self.assertEqual(without_time(again), without_time(file_bytes(self.trace + '.tcidx')))
        return r.stdout.decode()

    @needs('xz', 'simdjson', 'zydis')
    def test_the_index_of_a_trace_that_has_grown(self):
        whole = content(sample('work32.trace32.xz'))
        model = Trace(whole)
        for n in (1000, 30000, len(model.blocks) - 1):
            said = self.grow(whole, model.ends[n - 1], '.trace32')
            new = sum(len(b['memory']) != 0 for b in model.blocks[n - 1:])
            self.assertIn('%d instructions, the last %d of them' % (len(model.blocks), len(model.blocks) - n + 1), said)
            self.assertGreaterEqual(int(said.split(' with ')[1].split()[0]), new)

    @needs('xz')
    def test_the_index_of_records_that_have_grown(self):
        self.trace += '.champsim'
        whole = content(SED)
        for size in (64 * 7, 64 * 40000, len(whole)):
            with open(self.trace, 'ab') as f:
                f.write(whole[os.path.getsize(self.trace) if os.path.exists(self.trace) else 0:size])
            r = run('trace_index', self.trace)
            self.assertEqual((r.returncode, r.stderr), (0, b''))
        self.assertIn(b'50000 instructions, the last 10001 of them with', r.stdout)
        self.compare(champsim_accesses(SED), 50000, 15)

    def test_the_index_of_another_trace_is_not_continued(self):
        whole = b''.join(struct.pack('<Q2B2B4B2Q4Q', 0x401000 + 4 * n, 0, 0, 1, 0, 2, 0, 0, 0, 0x7000 + n % 999 * 8, 0, 0x9000, 0,
                                     0, 0) for n in range(20000))
        for changed in (whole[8:72], whole):
            with open(self.trace, 'wb') as f:
                f.write(whole)
            self.assertEqual(run('trace_index', self.trace).returncode, 0)
            # Another beginning, or another trace of the same size.
            with open(self.trace, 'wb') as f:
                f.write(whole[:64] * 2 + whole if changed != whole else whole[64:] + whole[:64])
            r = run('trace_index', self.trace)
            self.assertEqual((r.returncode, r.stderr), (0, b''))
            self.assertNotIn(b'the last', r.stdout)

    @needs('xz', 'simdjson', 'zydis')
    def test_memory_and_its_history(self):
        words = self.words_of_work()
        self.use(sample('work32.trace32.xz'))
        rng, whole = random.Random(3), 0
        for word in rng.sample(sorted(w for w in words if len(words[w]) > 2), 12):
            at = rng.choice(words[word])[0] + rng.randrange(2)
            before = [v for v in words[word] if v[0] < at]
            value = before[-1][2] if before else next(v[1] for v in words[word] if v[0] >= at)
            # The trace has whole words, of which an answer has the bytes that instructions access.
            rows = self.rows('memory', '0x%x+4' % word, '--at', at)
            known = ''.join(r['bytes'] for r in rows)
            self.assertRegex(struct.pack('<I', value).hex(), known.replace('?', '.'), (hex(word), at))
            self.assertEqual({r['later'] for r in rows if r['index'] is not None}, {not before})
            whole += '?' not in known
            history = {r['index']: r['bytes'] for r in self.rows('history', '0x%x+4' % word)}
            for n, old, new in words[word]:
                if old != new:
                    self.assertRegex(struct.pack('<I', new).hex(), history[n].replace('?', '.'))
        self.assertGreater(whole, 6)

    @needs('xz')
    def test_another_reader_finds_the_executions_in_the_index(self):
        for path in (SED, self.write('long', trace_with_long_lists())):
            ips = [v[0] for v in struct.iter_unpack('<Q56x', content(path))]
            self.assertEqual(dict(self.index(path).executions()), dict(enumerate(ips)))

    @needs('xz')
    def test_another_reader_finds_the_accesses_in_the_index(self):
        for path in (SED, self.write('long', trace_with_long_lists())):
            index = self.index(path)
            bytes_of = {reader.WRITES: collections.Counter(), reader.READS: collections.Counter()}
            for n, address, _, writes in champsim_accesses(path):
                bytes_of[reader.WRITES if writes else reader.READS][n, address >> 6] |= 1 << (address & 63)
            for kind, wanted in bytes_of.items():
                blocks = list(index.blocks(kind))
                found = [(p.instruction, p.granule) for block in blocks for p in block.postings]
                self.assertEqual(len(found), len(wanted))
                self.assertEqual(set(found), set(wanted))
                for block in blocks:
                    if block.mask is not None:
                        all_ = 0
                        for p in block.postings:
                            all_ |= wanted[p.instruction, p.granule]
                        self.assertEqual(block.mask, all_)
        # A line of the long trace has two levels of masks.
        longest = max(collections.Counter(granule for _, granule in bytes_of[reader.WRITES]).values())
        self.assertGreater(longest, 128 * 64)
        if {'simdjson', 'zydis'} <= PARTS:
            self.compare_with_words(sample('work32.trace32.xz'))

    def compare_with_words(self, path):
        """Compares the postings with the words of memory that x64dbg stored for each instruction. The words
        do not show whether they are read or written, and may have bytes around the access."""
        index = self.index(path)
        found = collections.defaultdict(set)
        for kind in (reader.WRITES, reader.READS):
            for p in index.postings(kind):
                found[p.instruction] |= {p.granule * 8 + i for i in range(8) if p.mask >> i & 1}
        ecx = 1
        for n, b in enumerate(Trace(content(path)).blocks):
            words = [set(range(word, word + 4)) for word, _, _ in b['memory']]
            self.assertLessEqual(found[n], set().union(*words), b)
            if b['opcode'] == 'f3a4' and b['state'][ecx] == 0:
                self.assertFalse(found[n], b)  # rep movsb without a repetition
            else:
                self.assertTrue(all(word & found[n] for word in words), b)

    @needs('xz')
    def test_parts_and_most(self):
        accesses = champsim_accesses(SED)
        self.use(SED)
        address = max(set(a for _, a, _, _ in accesses), key=[a for _, a, _, _ in accesses].count)
        found = sorted({n for n, a, _, _ in accesses if a == address})
        self.assertEqual(self.ask('accesses', hex(address), '-m', 3), found[:3])
        self.assertEqual(self.ask('accesses', hex(address), '-m', 0), [])
        self.assertEqual(self.ask('accesses', hex(address), '--after', found[2], '--before', found[5] + 1), found[2:6])

    @needs('xz')
    def test_a_pipe_is_read_once(self):
        accesses = champsim_accesses(SED)
        address = accesses[len(accesses) // 2][1]
        found = sorted({n for n, a, _, w in accesses if a == address})
        raw = content(SED) * 20
        numbers = [n + 50000 * k for k in range(20) for n in found]
        for question, expected in (('accesses', numbers[:30]), ('last-read', None)):
            r = run('trace_query', '-', question, hex(address), '-m', '30', '--json', stdin=raw)
            self.assertEqual(r.stderr, b'')
            found_in_pipe = [json.loads(line)['index'] for line in r.stdout.splitlines()]
            reads = [n + 50000 * 19 for n, a, _, w in accesses if a == address and not w]
            self.assertEqual(found_in_pipe, expected or reads[-1:])

    @needs('xz')
    def test_a_large_part_of_memory(self):
        accesses = champsim_accesses(SED)
        self.use(SED)
        first, last = 0x1000, 0x1ffefff000
        writes = sorted({n for n, a, _, w in accesses if w and first <= a <= last})
        self.assertGreater(len(writes), 100)
        operand = '0x%x-0x%x' % (first, last)
        for how in ((), ('--no-index',)):
            self.assertEqual(self.ask('changes', operand, '--after', writes[50], '--before', writes[90], *how),
                             writes[50:90])
            self.assertEqual(self.ask('last-write', operand, '--before', writes[60], '--after', writes[59], *how),
                             [writes[59]])
            self.assertEqual(self.ask('last-write', operand, '--before', writes[59] + 1, '--after', writes[59] + 1,
                                      *how), [])

    @needs('xz')
    def test_the_index_is_of_the_trace_without_options(self):
        self.use(SED)
        r = run('trace_query', self.trace, 'last-write', '1', '--format', 'champsim')
        self.assertEqual(r.returncode, 2)
        self.assertIn(b'use --no-index', r.stderr)
        r = run('trace_index', self.trace, '--format', 'champsim')
        self.assertEqual(r.returncode, 2)

    @needs('xz')
    def test_the_index_belongs_to_the_trace(self):
        self.use(SED)
        shutil.copy(WORK, self.trace)
        r = run('trace_query', self.trace, 'last-write', '0x1000')
        self.assertEqual(r.returncode, 2)
        self.assertIn(b'is the index of another trace, or the trace has changed', r.stderr)
        r = run('trace_query', self.trace, 'last-write', '0x1000', '--no-index')
        self.assertEqual((r.returncode, r.stderr), (1, b''))

    @needs('xz')
    def test_without_an_index_a_note_says_so(self):
        r = run('trace_query', SED, 'next-write', '0x1000')
        self.assertEqual(r.returncode, 1)
        self.assertIn(b'no index', r.stderr)

    @needs('xz')
    def test_a_damaged_index(self):
        self.use(SED)
        index = self.trace + '.tcidx'
        with open(index, 'rb') as f:
            sound = f.read()
        address = hex(champsim_accesses(SED)[0][1])
        for damaged in (b'', sound[:50], sound[:-1], sound[:200] + b'\xff' * 60 + sound[260:], b'TRAC' + sound[4:]):
            with open(index, 'wb') as f:
                f.write(damaged)
            r = run('trace_query', self.trace, 'accesses', address)
            self.assertEqual((r.returncode, r.stdout), (2, b''))
            self.assertIn(b'trace.tcidx', r.stderr)

    @needs('xz')
    def test_wrong_command_lines(self):
        for arguments, said in ((('last-writ', '1'), 'expected one of last-write,'),
                                (('last-write',), 'needs one operand'), (('last-write', '1', '2'), 'needs one operand'),
                                (('last-write', 'x'), 'expected ADDRESS')):
            r = run('trace_query', SED, *arguments)
            self.assertEqual(r.returncode, 2)
            self.assertIn(said, r.stderr.decode())
        r = run('trace_index', '-')
        self.assertEqual(r.returncode, 2)
        self.assertIn(b'store the trace in a file first', r.stderr)


if __name__ == '__main__':
    support.main()
