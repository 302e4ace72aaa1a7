# Tenet's traces in the programs. tests/tenet/make_tenet.py makes the traces, and lists their instructions without
# reading them. x64dbg_model.py reads the x64dbg traces that are converted.
import csv
import io
import json
import lzma
import os
import random
import sys
import unittest

import support
import x64dbg_model
from champsim_records import RECORD, REGISTERS
from support import ProgramTest, file_bytes, needs, run

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'tenet'))
import make_tenet  # noqa: E402
import tenet_reader  # noqa: E402

DATA = support._arguments.data
SAMPLES = os.environ.get('TRACECODEC_SAMPLES', 'TRACECODEC_SAMPLES')
# Pin's numbers of registers, and those of AArch64 that have a meaning in ChampSim.
NUMBERS = dict(zip('rdi rsi rbp rsp rbx rdx rcx rax r8 r9 r10 r11 r12 r13 r14 r15'.split(), range(3, 19)))
NUMBERS.update({'e' + name[1:]: n for name, n in list(NUMBERS.items())[:8]})
NUMBERS.update({'x%d' % n: {0: 67, 6: 65, 25: 66, 26: 64}.get(n, n) for n in range(30)}, lr=30, sp=31)
# Names of registers in the programs.
SHOWN = {'lr': 'x30'}


def shown(registers):
    return {SHOWN.get(name, name): hex(value) for name, value in registers.items()}


def row_of(index, i, first, merge=False):
    """Returns the row of instruction `i`, with the registers `first` before it."""
    def access(n, a):
        merged = merge and a.kind == 'mr' and i.accesses[n + 1:n + 2] == [a._replace(kind='mw')]
        return {'address': hex(a.address), 'size': len(a.data), 'kind': 'read' if a.kind == 'mr' else 'write',
                'bytes': None if merged else a.data.hex()}
    return {'index': index, 'ip': hex(i.ip), 'branch': i.kind, 'target': hex(i.target), 'registers': shown(first),
            'changes': shown(i.changes), 'memory': [access(n, a) for n, a in enumerate(i.accesses)]}


def record_of(i):
    """Returns ChampSim's record of `i`."""
    def slots(all_of, n):
        return (list(all_of) + [0] * n)[:n]
    written, read = REGISTERS[i.kind]
    if i.kind == 'not_branch':
        written = [NUMBERS[name] for name in i.changes]
    addresses = {kind: [a.address for a in i.accesses if a.kind == kind] for kind in ('mr', 'mw')}
    return RECORD.pack(i.ip, i.kind != 'not_branch', i.kind != 'not_branch', *slots(written, 2), *slots(read, 4),
                       *slots(addresses['mw'], 2), *slots(addresses['mr'], 4))


def general_registers(block):
    """Returns the general registers before the instruction of a block of an x64dbg trace."""
    names = {'x64': 'rax rcx rdx rbx rsp rbp rsi rdi r8 r9 r10 r11 r12 r13 r14 r15',
             'x86': 'eax ecx edx ebx esp ebp esi edi'}[block['arch']].split()
    return {name: block['state'][word] for word, name in enumerate(names)}


def rows_of(text):
    return [json.loads(line) for line in text.decode().splitlines()]


class TenetTest(ProgramTest):

    def setUp(self):
        super().setUp()
        self.made = make_tenet.Program(541, 400)
        self.tenet = self.write('made.tenet.log', self.made.text().encode())
        self.instructions = self.made.instructions

    def convert(self, *arguments):
        r = run('trace_convert', *arguments)
        self.assertEqual(r.returncode, 0, r.stderr)
        return r

    def x64dbg(self, name, arch, thread=None):
        """Converts an x64dbg trace, and returns the path of the Tenet trace and the blocks of the x64dbg trace."""
        raw = lzma.decompress(file_bytes(os.path.join(DATA, name + '.xz')))
        trace, to = self.write(name, raw), self.path('x.tenet.log')
        self.convert(*(['--thread', str(thread)] if thread else []), trace, to)
        blocks = [b for b in x64dbg_model.Trace(raw).blocks if thread in (None, b['thread'])]
        return to, blocks

    def check_memory(self, block, read, written):
        """Compares bytes by their addresses with the words that a block stores."""
        size = 8 if block['arch'] == 'x64' else 4
        after, before = {}, {}
        for address, old, new in block['memory']:
            for n, byte in enumerate((old if new is None else new).to_bytes(size, 'little')):
                after[address + n] = byte
            for n, byte in enumerate(old.to_bytes(size, 'little')):
                before[address + n] = byte
        for address, byte in [*read.items(), *written.items()]:
            self.assertEqual(byte, after[address])
        self.assertLessEqual({a for a in after if after[a] != before[a]}, set(written))


class Tenet(TenetTest):

    def test_rows_have_every_instruction(self):
        for dialect in ('amd64', 'x86', 'aarch64'):
            for form in ({}, {'newline': '\r\n', 'upper': True}, {'shuffle': True}, {'merge': True}):
                with self.subTest(dialect=dialect, form=form):
                    made = make_tenet.Program(7, 200, dialect)
                    trace = self.write('x.txt', made.text(**form).encode())
                    rows = rows_of(self.convert('--to', 'jsonl', trace, '-').stdout)
                    want = [row_of(n, i, {} if n else made.initial, 'merge' in form)
                            for n, i in enumerate(made.instructions)]
                    if 'shuffle' in form:
                        for row in rows + want:
                            row['memory'].sort(key=str)
                    self.assertEqual(rows, want)
        part = self.convert('--to', 'jsonl', '--skip', '50', '-n', '7', self.tenet, '-').stdout
        states = self.made.states()
        self.assertEqual(rows_of(part), [row_of(n, self.instructions[n], {} if n != 50 else states[50])
                                         for n in range(50, 57)])
        part = self.convert('--to', 'csv', '--skip', '50', '-n', '7', self.tenet, '-').stdout.decode()
        self.assertEqual([int(r['index']) for r in csv.DictReader(io.StringIO(part))], list(range(50, 57)))
        if 'trace_view' in support.PROGRAMS:
            shown_rows = rows_of(run('trace_view', '--json', '-n', 'all', self.tenet).stdout)
            self.assertEqual(shown_rows, [row_of(n, i, {}) for n, i in enumerate(self.instructions)])

    def test_converts_to_champsim(self):
        for dialect in ('amd64', 'x86', 'aarch64'):
            made = make_tenet.Program(8, 300, dialect)
            to = self.path('made.champsim')
            self.convert(self.write('made.tenet', made.text().encode()), to)
            self.assertEqual(file_bytes(to), b''.join(record_of(i) for i in made.instructions))

    @needs('zstd')
    def test_tracepack(self):
        pack, to = self.path('made.tpack'), self.path('made.champsim')
        self.convert(self.tenet, pack)
        self.convert(pack, to)
        self.assertEqual(file_bytes(to), b''.join(record_of(i) for i in self.instructions))

    def test_copies_parts(self):
        to = self.path('part.tenet.log')
        self.convert('--skip', '100', '-n', '50', self.tenet, to)
        text = file_bytes(to).decode()
        # The part has the state of the whole trace on each line, but no memory on the first line.
        want = make_tenet.read(self.made.text(merge=True))[100:150]
        want[0] = (*want[0][:2], [])
        self.assertEqual(make_tenet.read(text), want)
        self.assertEqual(set(make_tenet.read(text)[0][1]), set(self.made.names))
        self.convert(self.tenet, to)
        self.assertEqual(make_tenet.read(file_bytes(to).decode()), make_tenet.read(self.made.text(merge=True)))

    def test_other_programs(self):
        n, call = next((n, i) for n, i in enumerate(self.instructions) if i.kind == 'direct_call')
        store = next((n, i) for n, i in enumerate(self.instructions)
                     if any(a.kind == 'mw' and len(a.data) == 8 for a in i.accesses) and i.kind == 'not_branch')
        data = next(a for a in store[1].accesses if a.kind == 'mw')
        changed = next((n, i) for n, i in enumerate(self.instructions) if 'rbx' in i.changes)
        value = hex(changed[1].changes['rbx'])
        calls = sum(i.kind == 'direct_call' for i in self.instructions)
        for program, arguments, wanted in (
                ('trace_check', [self.tenet], b'400 records, 0 errors, 0 warnings'),
                ('trace_find', ['--count', '--branch', 'direct_call', self.tenet], b'%d\n' % calls),
                # The instruction after the change is the first one that begins with the value.
                ('trace_find', ['--register', 'rbx=' + value, self.tenet], b'[%6d]' % (changed[0] + 1)),
                ('trace_find', ['--register', 'rbx', '-c', self.tenet], b'[%6d]' % changed[0]),
                ('trace_find', ['--value', value, self.tenet], b'[%6d]' % changed[0]),
                ('trace_find', ['--bytes', data.data.hex(), self.tenet], b'[%6d]' % store[0]),
                ('trace_find', ['--writes', hex(data.address), '-c', self.tenet], b'[%6d]' % store[0]),
                ('frontend_sim', [self.tenet], b'direct_call'),
                ('trace_diff', [self.tenet, self.tenet], b''),
                ('trace_view', ['-c', '-n', '1', '--skip', str(n), '--effects', self.tenet],
                 b"| direct_call | BR(T) | D_M['%#x'] | rsp: %#x -> %#x" % (
                     call.accesses[0].address, self.made.states()[n]['rsp'], call.changes['rsp'])),
                ('trace_view', ['-c', '-n', '1', '--skip', str(n), '--registers', 'rsp,bl', self.tenet],
                 b'| rsp %#x | bl %#x' % (self.made.states()[n]['rsp'], self.made.states()[n]['rbx'] & 255)),
                ('trace_view', ['-c', '-n', '1', '--skip', str(n + 1), '--memory',
                                '%#x+8' % call.accesses[0].address, self.tenet],
                 b"M['%#x': %s]" % (call.accesses[0].address, call.accesses[0].data.hex().encode())),
                ('trace_view', ['-n', '1', '--skip', str(n), self.tenet],
                 b'writes                 0x%016x, 8 bytes: %s' % (
                     call.accesses[0].address, call.accesses[0].data.hex().encode()))):
            if program in support.PROGRAMS:
                with self.subTest(program, arguments=arguments):
                    r = run(program, *arguments)
                    self.assertEqual(r.returncode, 0, r.stderr)
                    self.assertIn(wanted, r.stdout)

    def test_view_has_memory_as_json(self):
        if 'trace_view' not in support.PROGRAMS:
            self.skipTest('trace_view was not built')
        n, call = next((n, i) for n, i in enumerate(self.instructions) if i.kind == 'direct_call')
        first, size = call.accesses[0].address - 4, 16
        memory, want = {}, []
        for i in self.instructions:
            want.append({'address': hex(first), 'bytes': ''.join(memory.get(first + k, '??') for k in range(size))})
            for a in i.accesses:
                memory.update((a.address + k, '%02x' % byte) for k, byte in enumerate(a.data))
        rows = rows_of(run('trace_view', '--json', '-n', 'all', '--memory', '%#x+%d' % (first, size), self.tenet).stdout)
        self.assertEqual([row.pop('memory_at') for row in rows], want)
        self.assertIn('?', want[0]['bytes'])
        self.assertNotEqual(want[n], want[n + 1])
        self.assertEqual(rows, [row_of(n, i, {}) for n, i in enumerate(self.instructions)])
        rows = rows_of(run('trace_view', '--json', '-n', '1', '--registers', 'general', '--memory', hex(first),
                           self.tenet).stdout)
        self.assertEqual(rows[0]['registers'], shown(self.made.initial))
        self.assertEqual(rows[0]['memory_at'], {'address': hex(first), 'bytes': '??'})

    def test_diff_names_the_value(self):
        if 'trace_diff' not in support.PROGRAMS:
            self.skipTest('trace_diff was not built')
        for dialect, name in (('amd64', 'rbx'), ('aarch64', 'x6'), ('x86', 'ebx')):
            made = make_tenet.Program(9, 100, dialect)
            a = self.write('a.tenet', made.text().encode())
            n = next(n for n, i in enumerate(made.instructions) if name in i.changes)
            old = made.instructions[n].changes[name]
            made.instructions[n].changes[name] = old ^ 1
            b = self.write('b.tenet', made.text().encode())
            r = run('trace_diff', a, b)
            self.assertEqual(r.returncode, 1)
            self.assertIn('%s written %#x | %#x' % (SHOWN.get(name, name), old, old ^ 1), r.stdout.decode())

    def test_refuses_unknown_names(self):
        lines = self.made.text().splitlines(keepends=True)
        bad = self.write('bad.tenet', ''.join(lines[:20] + ['eflags=0x2,' + lines[20]] + lines[21:]).encode())
        to = self.path('bad.champsim')
        r = run('trace_convert', bad, to)
        self.assertEqual((r.returncode, os.path.exists(to)), (1, False))
        self.assertIn(b'field eflags', r.stderr)
        self.assertIn(b'(line 21)', r.stderr)
        run('trace_convert', '--keep-whole', bad, to)
        self.assertEqual(len(file_bytes(to)) // 64, 20)

    def test_address_only(self):
        trace = self.write('a.tenet', self.made.text(addresses=True).encode())
        rows = rows_of(self.convert('--to', 'jsonl', trace, '-').stdout)
        self.assertEqual([int(r['ip'], 16) for r in rows], [i.ip for i in self.instructions])
        self.assertEqual({r['branch'] for r in rows}, {'not_branch', 'direct_jump'})

    @needs('xz', 'simdjson', 'zydis')
    def test_x64dbg_traces(self):
        for name, arch, thread in (('threads3_64.trace64', 'amd64', 6704), ('work32.trace32', 'x86', None)):
            with self.subTest(name):
                to, blocks = self.x64dbg(name, arch, thread)
                states = make_tenet.read(file_bytes(to).decode())
                self.assertEqual(len(states), len(blocks))
                self.assertEqual(set(states[0][1]), set(make_tenet.NAMES[arch]))
                last = None
                for (ip, registers, accesses), block in zip(states, blocks):
                    self.assertEqual(ip, block['ip'])
                    self.assertEqual(registers, general_registers(block))
                    if last is not None:
                        by_kind = {kind: {a.address + n: byte for a in accesses if kind in a.kind[1:]
                                          for n, byte in enumerate(a.data)} for kind in 'rw'}
                        self.check_memory(last, by_kind['r'], by_kind['w'])
                    last = block
                if 'trace_diff' in support.PROGRAMS:
                    r = run('trace_diff', *(['--thread', str(thread)] if thread else []), '--ignore', 'registers',
                            '--ignore', 'outcome', self.path(name), to)
                    self.assertRegex(r.stdout, br'values become different +0\n')
                    # The Tenet trace lacks the effects of the last instruction.
                    self.assertNotRegex(r.stdout, br'memory addresses differ +([2-9]|1\d)')

    @needs('gzip')
    def test_formats_without_values(self):
        trace = self.path('x.champsim')
        self.convert(self.tenet, trace)
        to = self.path('x.tenet.log')
        r = self.convert(trace, to)
        self.assertIn(b'no values of registers', r.stderr)
        self.assertEqual([s[0] for s in make_tenet.read(file_bytes(to).decode())], [i.ip for i in self.instructions])
        # CBP2025 stores the registers that instructions write, but no bytes of memory.
        cbp = os.path.join(DATA, 'cvp', 'made.cbp2025.gz')
        if os.path.exists(cbp):
            r = self.convert(cbp, to)
            self.assertIn(b'with unknown bytes left out', r.stderr)
            states = make_tenet.read(file_bytes(to).decode())
            self.assertTrue(set(states[-1][1]) <= set(make_tenet.NAMES['aarch64']))
            self.assertGreater(len(states[-1][1]), 10)


@unittest.skipUnless(tenet_reader.CHECKOUT, 'TRACECODEC_TENET names no checkout of Tenet')
class TenetReader(TenetTest):
    """Compares with the trace reader of Tenet at every step."""

    def compare(self, path, states, dialect='amd64'):
        trace = tenet_reader.open_trace(path, dialect)
        self.assertEqual(tenet_reader.messages(), [])
        n = 0
        for (ip, registers, read, written), want in zip(tenet_reader.states(trace), states, strict=True):
            self.assertEqual((ip, read, written), (want[0], want[2], want[3]), n)
            self.assertEqual(registers, {**dict.fromkeys(registers, 0), **want[1]}, n)
            n += 1
        return n

    def states_of_rows(self, path, dialect='amd64'):
        """Returns the state on arrival at each instruction that our rows describe."""
        states, registers, read, written = [], {}, None, None
        tenet_names = {SHOWN.get(name, name): name for name in make_tenet.NAMES[dialect]}
        for row in rows_of(self.convert('--to', 'jsonl', path, '-').stdout):
            named = {tenet_names[r]: int(v, 16) for r, v in row['registers'].items()}
            registers.update(named)
            states.append((int(row['ip'], 16), dict(registers), read, written))
            registers.update({tenet_names[r]: int(v, 16) for r, v in row['changes'].items()})
            read, written = {}, {}
            for n, a in enumerate(row['memory']):
                data = a['bytes'] or row['memory'][n + 1]['bytes']
                for k, byte in enumerate(bytes.fromhex(data)):
                    (read if a['kind'] == 'read' else written)[int(a['address'], 16) + k] = byte
        return states

    def test_agrees_on_traces(self):
        paths = [(self.write('%s.log' % d, make_tenet.Program(3, 2000, d).text(merge=True).encode()), d)
                 for d in ('amd64', 'x86')]
        for folder in ('', 'industry'):
            sample = os.path.join(SAMPLES, folder, 'tenet', 'boombox.trace.0.log')
            if os.path.exists(sample):
                paths.append((self.write('sample.log', file_bytes(sample)), 'amd64'))
        for path, dialect in paths:
            states = self.states_of_rows(path, dialect)
            trace = tenet_reader.open_trace(path, dialect)
            first = next(tenet_reader.states(trace))
            # Our rows leave out the memory of the first line.
            states[0] = (*states[0][:2], *first[2:])
            self.assertEqual(self.compare(path, states, dialect), len(states))

    @needs('xz', 'simdjson', 'zydis')
    def test_opens_converted_traces(self):
        for name, arch, thread in (('threads3_64.trace64', 'amd64', 6704), ('work32.trace32', 'x86', None)):
            to, blocks = self.x64dbg(name, arch, thread)
            trace, last = tenet_reader.open_trace(to, arch), None
            self.assertEqual(tenet_reader.messages(), [])
            self.assertEqual(trace.trace.length, len(blocks))
            for (ip, registers, read, written), block in zip(tenet_reader.states(trace), blocks):
                self.assertEqual(ip, block['ip'])
                self.assertEqual(registers, general_registers(block))
                if last is not None:
                    self.check_memory(last, read, written)
                last = block
            # Memory that an instruction wrote is what Tenet shows at later steps.
            rng, memory = random.Random(1), {}
            for n in range(1, len(blocks)):
                memory.update(tenet_reader.by_address(trace.trace.get_read_delta(n)))
                memory.update(tenet_reader.by_address(trace.trace.get_write_delta(n)))
                if rng.random() < 0.02 and memory:
                    address = rng.choice(sorted(memory))
                    self.assertEqual(trace.get_memory(address, 1, n).data[0], memory[address])

    def test_leaves_out_lines_after_an_unknown_name(self):
        lines = self.made.text().splitlines(keepends=True)
        bad = self.write('bad.log', ''.join(lines[:20] + ['eflags=0x2,' + lines[20]] + lines[21:]).encode())
        trace = tenet_reader.open_trace(bad)
        self.assertEqual(trace.trace.length, 20)
        self.assertTrue(tenet_reader.messages())


if __name__ == '__main__':
    support.main()
