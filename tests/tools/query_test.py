# trace_index and trace_query: answers about memory, compared with a search in Python through the
# bytes of the trace, with an index and without one.
import json
import os
import random
import shutil
import struct

import support
from support import SED, WORK, ProgramTest, content, needs, run
from x64dbg_model import Trace


def sample(name):
    return os.path.join(os.path.dirname(SED), name)


def champsim_accesses(path):
    """Returns (record, address, size, whether it writes) of each access. ChampSim's records have no sizes, so an
    access is known by its first byte."""
    found = []
    for n, v in enumerate(struct.iter_unpack('<Q2B2B4B2Q4Q', content(path))):
        found += [(n, a, 1, True) for a in v[9:11] if a] + [(n, a, 1, False) for a in v[11:15] if a]
    return found


class Query(ProgramTest):
    def setUp(self):
        super().setUp()
        self.trace = os.path.join(self.folder, 'trace')

    def use(self, path):
        shutil.copy(path, self.trace)
        r = run('trace_index', self.trace)
        self.assertEqual((r.returncode, r.stderr), (0, b''))
        return r.stdout.decode()

    def ask(self, *arguments):
        """Returns the numbers of the answers."""
        r = run('trace_query', self.trace, *map(str, arguments), '--json')
        self.assertEqual(r.returncode, 0 if r.stdout else 1, r.stderr)
        return [json.loads(line)['index'] for line in r.stdout.splitlines()]

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

    @needs('xz')
    def test_records_without_sizes(self):
        accesses = champsim_accesses(SED)
        said = self.use(SED)
        self.assertIn('50000 instructions, %d memory operands' % len(accesses), said)
        self.compare(accesses, 50000, 15)

    @needs('xz', 'simdjson', 'zydis')
    def test_changes_are_those_of_the_words_of_the_trace(self):
        # An instruction of x64dbg's trace has the words of memory that it touches, and the new value of each word
        # that it changes. The old values of a push below the stack pointer are wrong, so words that a push writes
        # are left out.
        path = sample('work32.trace32.xz')
        self.use(path)
        blocks = Trace(content(path)).blocks
        changed, pushed = {}, set()
        for n, b in enumerate(blocks):
            code = bytes.fromhex(b['opcode'])
            push = 0x50 <= code[0] < 0x58 or code[0] in (0xe8, 0x68, 0x6a, 0xff)
            for word, old, new in b['memory']:
                if push:
                    pushed.add(word)
                elif new is not None and old != new:
                    changed.setdefault(word, []).append(n)
        words = sorted(w for w in changed if w not in pushed)
        self.assertGreater(len(words), 10)
        for word in random.Random(2).sample(words, 10):
            for how in ((), ('--no-index',)):
                self.assertEqual(self.ask('changes', '0x%x+4' % word, *how), changed[word], hex(word))

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
