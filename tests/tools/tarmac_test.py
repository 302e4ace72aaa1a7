# Tarmac text in the programs. tests/tarmac/make_tarmac.py makes the traces, and lists their rows without
# reading them.
import collections
import csv
import io
import json
import lzma
import os
import random
import re
import struct
import subprocess
import sys
import unittest

import support
from support import ProgramTest, file_bytes, needs, run

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'tarmac'))
import make_tarmac  # noqa: E402

SAMPLES = os.path.join(os.environ.get('TRACECODEC_SAMPLES', 'TRACECODEC_SAMPLES'), 'tarmac')
# Folder with Arm's Tarmac Trace Utilities, built from their source.
TOOLS = os.environ.get('TRACECODEC_TARMAC_TOOLS', 'TRACECODEC_TARMAC_TOOLS')
STYLES = ('it', 'es', 'gem5')


def sample(name):
    path = os.path.join(SAMPLES, name)
    if not os.path.exists(path):
        raise unittest.SkipTest('TRACECODEC_SAMPLES names no folder with tarmac/' + name)
    return path


class Tarmac(ProgramTest):

    def setUp(self):
        super().setUp()
        self.made = make_tarmac.Program(54, 600)
        self.paths = {style: self.write('made.%s.tarmac' % style, self.made.text(style).encode()) for style in STYLES}

    def converted(self, path, to, *options):
        r = run('trace_convert', path, self.path(to), *options)
        self.assertEqual(r.returncode, 0, r.stderr)
        return self.path(to)

    def rows(self, path, *options):
        r = run('trace_convert', '--to', 'jsonl', *options, path, '-')
        self.assertEqual(r.returncode, 0, r.stderr)
        return [{k: v for k, v in json.loads(line).items() if v is not None} for line in r.stdout.decode().splitlines()]

    def test_rows_are_the_lines(self):
        for style, path in self.paths.items():
            rows = self.rows(path)
            self.assertEqual(len(rows), len(self.made.rows(style)))
            for row, wanted in zip(rows, self.made.rows(style)):
                self.assertEqual(row, wanted, style)
        part = run('trace_convert', '--to', 'csv', '--skip', '50', '-n', '7', path, '-').stdout.decode()
        self.assertEqual(sorted({int(r['index']) for r in csv.DictReader(io.StringIO(part))}), list(range(50, 57)))
        if 'trace_view' in support.PROGRAMS:
            text = run('trace_convert', '--to', 'jsonl', path, '-').stdout
            self.assertEqual(run('trace_view', '--json', '-n', 'all', path).stdout, text)

    def test_copies_of_both_styles(self):
        it = self.paths['it']
        # A line of Fast Models is written as it was read.
        self.assertEqual(file_bytes(self.converted(it, 'again.tarmac')), file_bytes(it))
        wanted = [{**r, 'unit': 'tic'} for r in self.rows(it)]
        for path, to in ((it, 'it'), (self.paths['es'], 'es')):
            copy = self.converted(path, 'style.tarmac', '--tarmac-style', 'es')
            self.assertTrue(file_bytes(copy).startswith(b'Tarmac Text Rev 3t\n'))
            rows = self.rows(copy)
            # Two accesses to the same 16 bytes share a diagram.
            shared = lambda all_: [{**r, 'unit': 'tic'} for r in all_ if r['line'] not in ('read', 'write')]
            self.assertEqual(shared(rows), shared(wanted))
            total = lambda all_: sum(r['size'] for r in all_ if 'size' in r)
            self.assertEqual(total(rows), total(wanted))
            back = self.converted(copy, 'back.tarmac', '--tarmac-style', 'it')
            self.assertEqual(shared(self.rows(back)), shared(wanted))
        part = self.converted(it, 'part.tarmac', '--skip', '100', '-n', '50')
        rows = self.rows(part)
        self.assertEqual([r['index'] for r in rows if r['line'] == 'instruction'], list(range(50)))
        # A part begins with the registers before it.
        state = {r.name.lower(): r.value for r in self.made.start}
        for s in self.made.steps[:100]:
            state.update((r.name.lower(), r.value) for r in s.registers)
        listed = {r['text']: int(r['value'], 16) for r in reversed(rows) if r['line'] == 'register' and r['index'] == 0}
        for name in ['x%d' % n for n in range(31)] + ['cpsr']:
            self.assertEqual(listed[name], state[name], name)

    def test_conversion_to_champsim(self):
        for style, path in self.paths.items():
            records = list(struct.iter_unpack('<QBB2B4B2Q4Q', file_bytes(self.converted(path, style + '.champsim'))))
            self.assertEqual(len(records), len(self.made.steps))
            # Numbers of registers as in docs/registers.md.
            number = {'nzcv': 25, 'x0': 67, 'x25': 66, 'x6': 65, 'x26': 64,
                      **{'x%d' % n: n for n in range(31) if n not in (0, 6, 25, 26)}, **{'v%d' % n: 32 + n for n in range(32)}}
            for r, s in zip(records, self.made.steps):
                is_branch = s.branch != 'not_branch'
                self.assertEqual((r[0], r[1], r[2]), (s.ip, int(is_branch), int(s.taken)))
                if not is_branch:
                    self.assertEqual({n for n in r[3:5] if n}, {number[n] for n in s.written}, s)
                    self.assertEqual({n for n in r[5:9] if n}, {number[n] for n in s.read}, s)
                elif s.branch == 'conditional':
                    self.assertEqual({n for n in r[5:9] if n}, {26, 25}, s)
                for slots, write in ((r[9:11], True), (r[11:15], False)):
                    self.assertEqual([a for a in slots if a], [a.address for a in s.accesses if a.write == write])
        if 'trace_check' in support.PROGRAMS:
            r = run('trace_check', '--json', self.path('it.champsim'))
            self.assertEqual({json.loads(line).get('code') for line in r.stdout.splitlines()} - {None, 'older-rules'}, set())

    @needs('zstd')
    def test_tracepack_keeps_the_code(self):
        pack = self.converted(self.paths['it'], 'made.tpack')
        if 'trace_find' in support.PROGRAMS:
            wanted = sum(s.branch == 'return' for s in self.made.steps)
            self.assertEqual(run('trace_find', '--count', '--branch', 'return', pack).stdout, b'%d\n' % wanted)

    def test_other_programs(self):
        path = self.paths['es']
        register, value = next((r.name, r.value) for s in self.made.steps for r in s.registers
                               if r.name != 'cpsr' and r.size == 8 and r.value > 0xffff)
        # The instructions before which the register gets the value.
        state, before = None, []
        for s in self.made.steps:
            before.append(state == value)
            state = next((r.value for r in reversed(s.registers) if r.name == register), state)
        found = sum(now and not last for last, now in zip([False] + before, before))
        changes = sum(any(r.name == register for r in s.registers) for s in self.made.steps)
        for program, arguments, wanted in (
                ('trace_check', [path], b'600 records, 0 errors, 0 warnings'),
                ('trace_find', ['--count', '--register', '%s=%#x' % (register, value), path], b'%d\n' % found),
                ('trace_find', ['--count', '--register', register, path], b'%d\n' % changes),
                ('trace_find', ['--count', '--mnemonic', 'shadd', path],
                 b'%d\n' % sum(s.text.startswith('SHADD') for s in self.made.steps)),
                ('frontend_sim', [path], b'600'),
                ('trace_view', ['-c', '-n', '1', path],
                 b'[     0] 0x0000000000008000 | ' + self.made.steps[0].text.encode())):
            if program in support.PROGRAMS:
                r = run(program, *arguments)
                self.assertEqual(r.returncode, 0, (program, r.stderr))
                self.assertIn(wanted, r.stdout, program)
        if 'trace_diff' in support.PROGRAMS:
            text = self.made.text('it')
            changed = self.write('changed.tarmac', text.replace('R %s %016x' % (register, value), 'R %s %016x' % (
                register, value ^ 1), 1).encode())
            r = run('trace_diff', self.paths['it'], changed)
            self.assertEqual(r.returncode, 1, r.stderr)
            self.assertIn(b'%s written %#x' % (register.lower().encode(), value), r.stdout)

    def test_damaged_text(self):
        text = file_bytes(self.paths['it'])
        cut = self.write('cut.tarmac', text[:-3])
        to = self.path('cut.champsim')
        r = run('trace_convert', cut, to)
        self.assertEqual((r.returncode, os.path.exists(to)), (1, False))
        self.assertIn(b'inside a line', r.stderr)
        bad = self.write('bad.tarmac', text.replace(b'600 clk', b'600 clk IT bad', 1) if b'\n600 clk' in text else
                         text.replace(b'\n300 clk IT', b'\n300 clk IT bad', 1))
        r = run('trace_convert', '--keep-whole', bad, to)
        self.assertGreater(len(file_bytes(to)), 64 * 250)

    def test_rows_have_no_other_disassembly(self):
        """The column `text` is the disassembly of the trace."""
        r = run('trace_convert', '--to', 'jsonl', '--disassembly', self.paths['it'], '-')
        self.assertEqual((r.returncode, r.stdout), (2, b''))
        self.assertRegex(r.stderr, br'--disassembly is for .*: IN is neither')
        self.assertNotIn(b'Tarmac', r.stderr)

    def test_tenet_has_the_accesses_of_an_instruction(self):
        """Converts an instruction with thousands of accesses, some of which overlap."""
        rng = random.Random(3)
        lines, memory, want = ['0 clk IT (1) 00001000 d503201f O EL1h_n : NOP'], {}, []
        for _ in range(6000):
            address, size, write = 0x8000 + rng.randrange(20000), rng.choice((1, 2, 4, 8)), rng.random() < 0.5
            value = bytes(rng.getrandbits(8) for _ in range(size))
            lines.append('0 clk M%s%d %08x %s' % ('RW'[write], size, address, value[::-1].hex()))
            want.append((address, size, write))
            for n, byte in enumerate(value):
                memory.setdefault(write, {})[address + n] = byte
        lines.append('1 clk IT (2) 00001004 d503201f O EL1h_n : NOP')
        path = self.write('many.tarmac', ''.join(line + '\n' for line in lines).encode())
        text = file_bytes(self.converted(path, 'many.tenet')).decode().splitlines()
        self.assertEqual(len(text), 2)
        # Bytes after the instruction: a byte that it also writes has the value that it writes last.
        after = {**memory[False], **memory[True]}
        items, reads = [], collections.defaultdict(list)
        for n, (address, size, write) in enumerate(sorted(want, key=lambda a: a[2])):  # reads come first
            kind, same = 'mw' if write else 'mr', reads[address, size]
            if write and same:  # The first read of the same bytes becomes part of the write.
                kind, items[same.pop(0)] = 'mrw', None
            elif not write:
                same.append(n)
            items.append('%s=%#x:%s' % (kind, address, bytes(after[address + k] for k in range(size)).hex()))
        self.assertEqual([i for i in text[1].split(',') if i[0] == 'm'], [i for i in items if i is not None])
        self.assertIn('mrw', text[1])
        # Columns have up to 8,192 accesses of an instruction.
        path = self.write('more.tarmac', ''.join(line + '\n' for line in [lines[0]] + lines[1:-1] * 2).encode())
        r = run('trace_convert', path, self.path('more.tenet'))
        self.assertEqual(r.returncode, 0, r.stderr)
        self.assertRegex(r.stderr, br'\d+ list elements left out: columns have up to 64 KiB of each list of an instruction')

    @needs('simdjson', 'zydis')
    def test_conversion_from_x64dbg(self):
        folder = os.path.dirname(support.data(''))
        for name, state in (('threads3_64.trace64', 'X64'), ('work32.trace32', 'X86')):
            path = self.write(name, lzma.open(os.path.join(folder, name + '.xz')).read())
            made = self.converted(path, 'x.tarmac')
            text = file_bytes(made).decode()
            self.assertRegex(text, r'clk (cpu\d+ )?IT \(1\) [0-9a-f]+ [0-9a-f]+ %s : ' % state)
            rows = self.rows(made)
            count = sum(r['line'] == 'instruction' for r in rows)
            if 'trace_diff' in support.PROGRAMS:  # registers, memory, outcomes, code and values
                r = run('trace_diff', path, made)
                self.assertEqual(r.returncode, 0, r.stdout)
            if 'trace_find' in support.PROGRAMS:
                self.assertEqual(run('trace_find', '--count', path).stdout, b'%d\n' % count)
                for branch in ('return', 'direct_call', 'conditional'):
                    self.assertEqual(run('trace_find', '--count', '--branch', branch, path).stdout,
                                     run('trace_find', '--count', '--branch', branch, made).stdout)

    @needs('gzip')
    def test_conversion_from_cvp(self):
        """CVP-1 stores values of registers, but no opcodes."""
        folder = os.path.dirname(support.data(''))
        source = os.path.join(folder, 'cvp', 'made.cvp1.gz')
        text = file_bytes(self.converted(source, 'cvp.tarmac')).decode()
        self.assertRegex(text, r'ES  \([0-9a-f]+:-{8}\) O : \n')
        values = [json.loads(line) for line in run('trace_convert', '--to', 'jsonl', source, '-').stdout.splitlines()]
        rows = self.rows(self.path('cvp.tarmac'))
        self.assertEqual(sum(r['line'] == 'instruction' for r in rows), len(values))
        # Registers whose values change have a line.
        written = []
        for v in values:
            if 3 in v['outputs']:
                values_of_3 = v['values'][sum(2 if 32 <= r < 64 else 1 for r in v['outputs'][:v['outputs'].index(3)])]
                if not written or written[-1] != int(values_of_3, 16):
                    written.append(int(values_of_3, 16))
        found = [int(r['value'], 16) for r in rows if r['line'] == 'register' and r['text'] == 'x3']
        self.assertEqual(found, written[:len(found)])
        self.assertGreaterEqual(len(found), len(written) - 1)
        r = run('trace_convert', '--to', 'tarmac', os.path.join(folder, 'listed', 'sum.lackey'), '-')
        self.assertEqual(r.returncode, 2, r.stderr)
        self.assertIn(b'values of their registers', r.stderr)

    def test_lines_of_the_parser_test(self):
        """Compares with what Arm's own parser reads in its test, without the registers that it does not know."""
        with open(sample('parsertest.txt')) as f:
            lines = [line for line in f if line.strip() and line[0] != '#']
        rows = self.rows(self.write('parser.tarmac', ''.join(lines).encode()), '--format', 'tarmac')
        found = collections.Counter()
        for r in rows:
            if r['line'] == 'instruction':
                found['instruction', r['time'], r['executed'], r['text']] += 1
            elif r['line'] in ('read', 'write'):
                value = int(r['value'], 16).to_bytes(r['size'], 'little') if 'value' in r else [None] * r['size']
                for n in range(r['size']):
                    found[r['line'], r['time'], int(r['address'], 16) + n, value[n]] += 1
        wanted = collections.Counter()
        with open(sample('parsertest.ref')) as f:
            listed = f.readlines()
        for line in listed:
            m = re.match(r'\* InstructionEvent time=(\d+) effect=(\w+) .* disassembly="(.*)"', line)
            if m:
                wanted['instruction', int(m[1]), m[2] != 'ccfail', m[3].strip()] += 1
            m = re.match(r'\* MemoryEvent time=(\d+) read=(\w+) known=(\w+) addr=(\w+) size=(\d+) contents=(\w+)', line)
            if m:
                value = int(m[6], 16).to_bytes(8, 'little')
                for n in range(int(m[5])):
                    wanted['read' if m[2] == 'true' else 'write', int(m[1]), int(m[4], 16) + n,
                           value[n] if m[3] == 'true' else None] += 1
        self.assertEqual(found, wanted)

    def tool(self, name, *arguments):
        r = subprocess.run([os.path.join(TOOLS, 'tarmac-' + name), *arguments], stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, cwd=self.folder, timeout=60)
        self.assertEqual(r.returncode, 0, r.stderr)
        return r.stdout.decode()

    @unittest.skipUnless(os.path.isdir(TOOLS), 'TRACECODEC_TARMAC_TOOLS names no folder with the tools')
    def test_arms_tools_read_the_copies(self):
        """Copies of Arm's traces lead to the results that Arm's tools have for the traces themselves."""
        quicksort = sample('quicksort.tarmac')
        copies = {'it': self.converted(quicksort, 'it.tarmac'),
                  'es': self.converted(quicksort, 'es.tarmac', '--tarmac-style', 'es')}
        copies['back'] = self.converted(copies['es'], 'back.tarmac', '--tarmac-style', 'it')
        with open(sample('calltree-quicksort-addr.ref')) as f:
            tree = f.read()
        without_lines = lambda text: re.sub(r' l:\d+', '', text)
        self.assertEqual(self.tool('calltree', copies['it']), tree)
        for style, path in copies.items():
            # Diagrams of 16 bytes need fewer lines.
            self.assertEqual(without_lines(self.tool('calltree', path)), without_lines(tree))
            for name in ('flamegraph', 'profile'):
                self.assertEqual(self.tool(name, path), self.tool(name, quicksort), (name, style))
        # The totals of these files have names instead of addresses.
        with open(sample('flamegraph-quicksort-symbols.ref')) as f:
            wanted = sorted(int(line.split()[-1]) for line in f)
        self.assertEqual(sorted(int(line.split()[-1]) for line in self.tool('flamegraph', copies['it']).splitlines()), wanted)
        for name in ('calltest64', 'calltest32'):
            source = sample(name + '.tarmac')
            copy = self.converted(source, name + '.tarmac')
            self.assertEqual(self.tool('calltree', '-q', '--debug=call_heuristics', copy),
                             self.tool('calltree', '-q', '--debug=call_heuristics', source))


if __name__ == '__main__':
    support.main()
