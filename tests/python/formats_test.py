# Tests the data that some formats have besides instructions, in Python. Compares them with models that read the raw
# files, or with the expected contents from the samples' independent generator. TRACECODEC_DATA is tests/data.
import argparse
import functools
import json
import lzma
import os
import random
import shutil
import signal
import struct
import sys
import tempfile
import threading
import unittest
import warnings

import numpy

import tracecodec
from tracecodec import TraceError

HERE = os.path.dirname(os.path.abspath(__file__))
DATA = os.environ.get('TRACECODEC_DATA', os.path.join(HERE, '..', 'data'))
sys.path.insert(0, os.path.join(HERE, '..', 'tools'))
import x64dbg_model  # noqa: E402

X64DBG = {'x64': 'threads3_64.trace64.xz', 'x86': 'work32.trace32.xz'}
UMTRACER = ('plain32', 'plain64', 'awkward32', 'awkward64')


# Features of the build, as tests/python/meson.build passes them; by default all of them.
_parser = argparse.ArgumentParser()
_parser.add_argument('--codecs', default='xz')
_parser.add_argument('--parts', default='simdjson,zydis')
_parsed, _ = _parser.parse_known_args()
PARTS = set((_parsed.codecs + ',' + _parsed.parts).split(','))


def needs(*libraries):
    return unittest.skipUnless(set(libraries) <= PARTS, 'needs ' + ', '.join(libraries))


def data(*names):
    return os.path.join(DATA, *names)


def content(*names):
    """Returns the content of a sample. A build without liblzma has unpacked samples under the same names."""
    with open(data(*names), 'rb') as f:
        raw = f.read()
    return lzma.decompress(raw) if raw.startswith(b'\xfd7zXZ') else raw


def code_of(error):
    return error.exception.code


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def write(self, name, raw):
        path = os.path.join(self.folder, name)
        with open(path, 'wb') as f:
            f.write(raw)
        return path


# ---- x64dbg ----

@functools.cache
def raw_of(arch):
    return content(X64DBG[arch])


@functools.cache
def model_of(arch):
    return x64dbg_model.Trace(raw_of(arch))


def pushes(block):
    """Returns True if an instruction implicitly stores below the stack pointer. x64dbg's old values of such stores
    are wrong."""
    code, wide = bytes.fromhex(block['opcode']), block['arch'] == 'x64'
    while code and code[0] in b'\x66\x67\xf0\xf2\xf3\x2e\x36\x3e\x26\x64\x65':
        code = code[1:]
    if wide and code and code[0] & 0xF0 == 0x40:
        code = code[1:]
    first, second = (code + b'\0\0')[:2]
    return (first & 0xF8 == 0x50 or first in (0x68, 0x6A, 0x9C, 0xE8, 0xC8) or
            first == 0xFF and second >> 3 & 7 in (2, 3, 6) or first == 0x0F and second in (0xA0, 0xA8) or
            not wide and first in (0x60, 0x9A, 0x06, 0x0E, 0x16, 0x1E))


def is_stored_by_push(block, address):
    word = 8 if block['arch'] == 'x64' else 4
    below = (block['state'][4] - 1 - address) % (1 << 8 * word)
    return pushes(block) and below < 33 * word


class X64dbgMemory:
    """Memory before each instruction, from the model's blocks."""

    def __init__(self, model):
        self.blocks, self.word = model.blocks, model.word
        self.uses = {}  # by address of a byte: block, byte before, byte after, whether it writes, whether it is a push
        for n, block in enumerate(self.blocks):
            for address, old, new in block['memory']:
                push = is_stored_by_push(block, address)
                for b in range(self.word):
                    after = old if new is None else new
                    self.uses.setdefault((address + b) % (1 << 8 * self.word), []).append(
                        (n, old >> 8 * b & 255, after >> 8 * b & 255,
                         new is not None and (push or (old ^ new) >> 8 * b & 255 != 0), push))

    def byte(self, address, n):
        """Returns the byte's value and the block that it comes from, or None."""
        uses = self.uses.get(address, [])
        before = [u for u in uses if u[0] < n]
        if before:
            return before[-1][2], before[-1][0]
        for block, old, _, _, push in uses[:1]:
            return None if push else (old, block)
        return None

    def last_write(self, address, n):
        return max((u[0] for u in self.uses.get(address, []) if u[0] < n and u[3]), default=None)

    def next_access(self, address, n):
        return min((u[0] for u in self.uses.get(address, []) if u[0] >= n), default=None)


@functools.cache
def memory_of(arch):
    return X64dbgMemory(model_of(arch))


@needs('simdjson')
class X64dbg(Folder):
    def open(self, arch):
        return tracecodec.open(self.write('t', raw_of(arch)))

    def test_registers(self):
        for arch in X64DBG:
            blocks, trace = model_of(arch).blocks, self.open(arch)
            names = [n for n, _, _ in x64dbg_model.regdump(arch) if n]
            for n in [0, 1, len(blocks) - 1] + random.Random(1).choices(range(len(blocks)), k=40):
                state, block = trace.at(n), blocks[n]
                self.assertEqual((state.index, state.ip, state.thread), (n, block['ip'], block['thread']))
                for name in names:
                    value, size = x64dbg_model.value_of(block, name)
                    self.assertEqual(state.registers[name], value, (n, name))
                    self.assertEqual(state.registers.bytes(name).tobytes(), value.to_bytes(size, 'little'))
                self.assertLess(set(names), set(state.registers))

    def test_parts_of_registers(self):
        blocks, registers = model_of('x64').blocks, self.open('x64').at(777).registers
        rax = x64dbg_model.value_of(blocks[777], 'rax')[0]
        self.assertEqual([registers[n] for n in ('RAX', 'eax', 'ax', 'al', 'ah')],
                         [rax, rax & 0xFFFFFFFF, rax & 0xFFFF, rax & 255, rax >> 8 & 255])
        self.assertTrue(registers.known('xmm3').all())
        self.assertEqual(len(registers.bytes('ymm3')), 32)
        self.assertEqual(dict(registers), {n: registers[n] for n in registers.names})
        self.assertNotIn('rzx', registers)
        with self.assertRaises(KeyError):
            registers['rzx']
        with self.assertRaises(KeyError):
            registers.bytes('rzx')

    def check_memory(self, trace, arch, questions):
        memory, word = memory_of(arch), model_of(arch).word
        r, last, known = random.Random(2), len(model_of(arch).blocks), 0
        addresses = sorted(memory.uses)
        for _ in range(questions):
            n, address, size = r.randint(0, last), r.choice(addresses) - r.randint(0, 3), r.randint(0, 20)
            address = min(address, (1 << 8 * word) - size)
            got = trace.memory(address, size, at=n)
            want = [memory.byte(address + i, n) for i in range(size)]
            self.assertEqual(got.known.tolist(), [w is not None for w in want], (n, hex(address)))
            self.assertEqual(list(zip(got.bytes.tolist(), got.origin.tolist())),
                             [w or (0, -1) for w in want], (n, hex(address)))
            known += sum(w is not None for w in want)
            write, access = trace.last_write(address + 1, before=n), trace.next_access(address + 1, since=n)
            self.assertEqual(write and write.index, memory.last_write(address + 1, n))
            self.assertEqual(access and access.index, memory.next_access(address + 1, n))
            if write:
                self.assertEqual((write.kind, write.size, write.reliable), ('write', word, True))
                self.assertIn(address + 1, range(write.address, write.address + word))
        self.assertGreater(known, questions)

    def test_memory(self):
        for arch in X64DBG:
            self.check_memory(self.open(arch), arch, 150)

    def test_memory_of_a_compressed_trace(self):
        self.check_memory(tracecodec.open(data(X64DBG['x86'])), 'x86', 8)

    def test_several_bytes(self):
        memory, trace = memory_of('x64'), self.open('x64')
        address = next(a for a in memory.uses if memory.last_write(a, 1 << 60) is not None)
        span = range(address - 8, address + 16)
        self.assertEqual(trace.last_write(span[0], size=len(span)).index,
                         max(n for n in (memory.last_write(a, 1 << 60) for a in span) if n is not None))
        self.assertEqual(trace.next_access(span[0], size=len(span)).index,
                         min(n for n in (memory.next_access(a, 0) for a in span) if n is not None))

    def test_all_accesses(self):
        memory, trace = memory_of('x86'), self.open('x86')
        address = max(memory.uses, key=lambda a: len(memory.uses[a]))
        want = sorted({u[0] for u in memory.uses[address]})[:100]
        got, since = [], 0
        while len(got) < len(want):
            got.append(trace.next_access(address, since).index)
            since = got[-1] + 1
        self.assertEqual(got, want)

    @needs('zydis')
    def test_numbers_are_those_of_column_index(self):
        trace = self.open('x64')
        one = tracecodec.open(os.path.join(self.folder, 't'), thread=model_of('x64').blocks[-1]['thread'])
        for part in (trace.skip(1000).limit(500), trace.shard(2, 5), one):
            batch = next(iter(part.instructions(['index', 'ip'])))
            for row in (0, len(batch) - 1):
                self.assertEqual(part.at(int(batch.index[row])).ip, batch.ip[row])

    def test_state_and_trace_say_the_same(self):
        trace = self.open('x64')
        address = max(memory_of('x64').uses, key=lambda a: len(memory_of('x64').uses[a]))
        state = trace.at(5000)
        self.assertEqual(bytes(state.memory(address, 4)), bytes(trace.memory(address, 4, at=5000)))
        self.assertEqual(bytes(trace.memory(address, 4)),
                         bytes(trace.memory(address, 4, at=len(model_of('x64').blocks))))

    def test_unknown_memory(self):
        memory = self.open('x64').memory(0x10, 4)
        self.assertEqual((len(memory), memory.known.any()), (4, False))
        with self.assertRaisesRegex(ValueError, '0x10'):
            bytes(memory)
        self.assertIn('?? ?? ?? ??', repr(memory))
        self.assertIsNone(self.open('x64').last_write(0x10))
        self.assertIsNone(self.open('x64').next_access(0x10))

    def test_out_of_range(self):
        trace, n = self.open('x86'), len(model_of('x86').blocks)
        trace.memory(0, 1, at=n)
        for wrong in (n, -1, 1 << 63, 1 << 64):
            with self.assertRaises(IndexError):
                trace.at(wrong)
        for ask in (lambda: trace.memory(0, 1, at=n + 1), lambda: trace.last_write(0, before=n + 1),
                    lambda: trace.next_access(0, since=n + 1), lambda: trace.last_write(0, before=-1)):
            self.assertRaises(IndexError, ask)
        for address, size in ((1 << 32, 1), ((1 << 32) - 2, 3), (-1, 1), (0, -1), (1 << 64, 1), (0, 1 << 40)):
            with self.assertRaises(ValueError):
                trace.memory(address, size)
        self.assertRaises(TypeError, trace.at, '1')
        self.assertRaises(TypeError, trace.at, 1.0)

    def test_a_cut_trace(self):
        blocks = model_of('x64').ends
        path = self.write('cut', raw_of('x64')[:blocks[999] + 3])
        trace = tracecodec.open(path)
        self.assertEqual(trace.at(999).ip, model_of('x64').blocks[999]['ip'])
        trace.memory(0x10, 4, at=1000)
        for ask in (lambda: trace.at(1000), lambda: trace.next_access(0x10), lambda: trace.memory(0, 1, at=1001)):
            with self.assertRaises(TraceError) as e:
                ask()
            self.assertEqual((code_of(e), e.exception.record), ('truncated', 1000))

    def test_a_trace_without_a_snapshot(self):
        raw = x64dbg_model.header() + x64dbg_model.delta()
        with self.assertRaises(TraceError) as e:
            tracecodec.open(self.write('t', raw)).at(0)
        self.assertEqual((code_of(e), e.exception.field), ('bad_value', 'registers'))

    def test_made_blocks(self):
        values = list(range(1000, 1172))
        raw = x64dbg_model.header() + x64dbg_model.snapshot(values=values, thread=9)
        raw += b''.join(x64dbg_model.delta(ip=0x1001 + n) for n in range(3000))
        raw += x64dbg_model.snapshot(ip=0x9000) + x64dbg_model.delta(ip=0x9001)
        trace = tracecodec.open(raw)
        self.assertEqual([trace.at(n).ip for n in (3002, 0, 2999, 3001, 1)], [0x9001, 0x1000, 0x1001 + 2998, 0x9000, 0x1001])
        self.assertEqual([trace.at(n).registers['rbx'] for n in (3000, 3001)], [1003, 0])
        self.assertEqual([trace.at(n).thread for n in (3000, 3001)], [9, 4])

    def test_repaired(self):
        trace = tracecodec.open(self.write('bug', content('threads3_64_legacybug.trace64.xz')), repair=True)
        for n in (0, 9999, 29999):
            block = model_of('x64').blocks[n]
            state = trace.at(n)
            self.assertEqual((state.ip, state.thread, state.registers['rsp']),
                             (block['ip'], block['thread'], x64dbg_model.value_of(block, 'rsp')[0]))

    def test_what_can_be_read_only_once(self):
        with open(self.write('t', raw_of('x64')), 'rb') as f:
            with self.assertRaises(TraceError) as e:
                tracecodec.open(f).at(0)
        self.assertEqual(code_of(e), 'refused')

    def test_several_threads(self):
        trace, blocks, wrong = self.open('x64'), model_of('x64').blocks, []

        def ask(seed):
            r = random.Random(seed)
            for _ in range(60):
                n = r.randrange(len(blocks))
                if trace.at(n).ip != blocks[n]['ip']:
                    wrong.append(n)

        threads = [threading.Thread(target=ask, args=(seed,)) for seed in range(6)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(wrong, [])

    def test_a_signal_ends_a_question(self):
        blocks = b''.join(x64dbg_model.delta(ip=0x1001 + n) for n in range(4096))
        path = os.path.join(self.folder, 'long')
        with open(path, 'wb') as f:
            f.write(x64dbg_model.header() + x64dbg_model.snapshot())
            for _ in range(2000):
                f.write(blocks)

        class Alarm(Exception):
            pass

        def ring(*_):
            # Handlers may query, too.
            self.assertEqual(trace.at(3).ip, 0x1003)
            raise Alarm

        trace = tracecodec.open(path)
        trace.at(3)  # the result must already be cached, because a handler cannot start a search
        old = signal.signal(signal.SIGALRM, ring)
        self.addCleanup(signal.signal, signal.SIGALRM, old)
        self.addCleanup(signal.setitimer, signal.ITIMER_REAL, 0)
        for ask in (lambda: trace.at(8_000_000), lambda: trace.memory(0x10, 4), lambda: trace.last_write(0x10),
                    lambda: trace.next_access(0x10)):
            with self.assertRaises(Alarm):
                signal.setitimer(signal.ITIMER_REAL, 0.005)
                ask()
        self.assertEqual(trace.at(4097).ip, 0x1001)

    @needs('xz')
    def test_a_signal_ends_the_reading_of_a_compressed_trace(self):
        blocks = b''.join(x64dbg_model.delta(ip=0x1001 + n) for n in range(4096)) * 1000
        path = self.write('t.xz', lzma.compress(x64dbg_model.header() + x64dbg_model.snapshot() + blocks, preset=0))

        class Alarm(Exception):
            pass

        def ring(*_):
            raise Alarm

        old = signal.signal(signal.SIGALRM, ring)
        self.addCleanup(signal.signal, signal.SIGALRM, old)
        self.addCleanup(signal.setitimer, signal.ITIMER_REAL, 0)
        for after in (0.0005, 0.001, 0.003, 0.007, 0.01):
            for ask in (lambda: trace.at(4_000_000), lambda: trace.memory(0x10, 4), lambda: trace.last_write(0x10),
                        lambda: trace.next_access(0x10)):
                trace = tracecodec.open(path)
                with self.assertRaises(Alarm):
                    signal.setitimer(signal.ITIMER_REAL, after)
                    ask()
        self.assertEqual(trace.at(4_000_000).ip, 0x1001 + (4_000_000 - 1) % 4096)

    def test_other_formats(self):
        trace = tracecodec.open(data('work32.champsimtrace.xz'))
        for ask in (lambda: trace.at(0), lambda: trace.memory(0, 1), lambda: trace.last_write(0),
                    lambda: trace.next_access(0), lambda: trace.table('ins'), lambda: trace.metadata,
                    lambda: trace.texts('module', 'win_name')):
            with self.assertRaisesRegex(TraceError, 'champsim') as e:
                ask()
            self.assertEqual(code_of(e), 'refused')
        self.assertEqual(trace.tables, ())
        trace.close()
        self.assertRaises(ValueError, trace.at, 0)
        with self.assertRaises(TraceError):
            self.open('x64').metadata


# ---- UMTracer ----

def integer(text):
    return int(text, 16)


class Expected:
    """Lines of a sample's expected file, by table."""

    def __init__(self, name):
        self.rows, self.code64 = {}, name.endswith('64')
        for line in content('umtracer', name + '.expected.jsonl.xz').splitlines():
            row = json.loads(line)
            self.rows.setdefault(row['t'], []).append(row)

    def __getitem__(self, table):
        return self.rows.get(table, [])

    def place(self, register):
        at, size, largest = register['m64' if self.code64 else 'm32']
        return (at, 0 if at == 0xFFFF else size, largest)

    def slots(self, record):
        """Yields slot, address and value of an instruction's record."""
        rows = self['ins'][record['ins']]['dec']['slots']
        for row, (address, value) in zip(rows, record['slots']):
            at = None if address is None else integer(address) & (1 << 8 * min(row[4], 8)) - 1
            yield row, at, bytes.fromhex(value)


@functools.cache
def expected(name):
    return Expected(name)


class Machine:
    """Executes the records of a sample in order. A byte is (value, record), or None."""

    def __init__(self, e):
        self.e, self.memory, self.of_thread = e, {}, {}
        self.dump = e['ctx'][0]['size']
        self.registers = [(r['name'], *e.place(r)) for r in e['reg']]
        self.ip = max((r for r in self.registers if r[0] in ('RIP', 'EIP')), key=lambda r: r[2])

    def own(self, r):
        return self.of_thread.setdefault(r['tid'], [None] * self.dump)

    @staticmethod
    def put(own, register, values, n):
        for b, v in enumerate(values[:register[2]]):
            own[register[1] + b] = (v, n)

    @staticmethod
    def hide(own, register):
        own[register[1]:register[1] + register[2]] = [None] * register[2]

    def set(self, r, row, address, value):
        if not row[4]:
            if row[0] < len(self.registers):
                self.put(self.own(r), self.registers[row[0]], value, r['id'])
        elif self.e['ins'][r['ins']]['type'] != 9:
            self.memory.update({address + b: (v, r['id']) for b, v in enumerate(value)})

    def show(self, r):
        sure, own = r['flags'] & 0xF0 == 0, self.own(r)
        own[:] = [(v, r['id']) if sure else None for v in bytes.fromhex(r['regs'])]
        for address, value in r['mem']:
            for b, v in enumerate(bytes.fromhex(value)):
                self.memory[integer(address) + b] = (v, r['id']) if sure else None

    def before(self, r):
        if r['flags'] & 2:
            self.memory.clear()
            self.of_thread.pop(r['tid'], None)
        own, sure = self.own(r), r['flags'] & 0xF0 == 0
        if 'ins' in r:
            ins = self.e['ins'][r['ins']]
            self.put(own, self.ip, integer(ins['addr']).to_bytes(8, 'little'), r['id'])
            for n, slot in enumerate(self.e.slots(r)):
                if sure and n < ins['dec']['fa']:
                    self.set(r, *slot)
        if r['type'] == 4 and sure:
            self.show(r)

    def after(self, r):
        if 'regs' in r and r['type'] != 4:
            self.show(r)
        if 'ins' not in r:
            return
        ins, own, sure = self.e['ins'][r['ins']], self.own(r), r['flags'] & 0xF0 == 0
        results = list(self.e.slots(r))[ins['dec']['fa']:]
        written = [self.registers[row[0]] for row, _, _ in results
                   if not row[4] and row[0] < len(self.registers)]
        for register in written:
            self.around(own, r, ins, register)
        for row, address, value in results:
            if row[4] and ins['type'] != 9:
                for b in range(len(value)):
                    self.memory.pop(address + b, None)
        self.hide(own, self.ip)
        for register in written:
            self.hide(own, register)
        for register in written:
            if sure and ins['dec']['flags'] & 8 and not r['flags'] & 4 and self.is_half(register):
                own[register[1] + 4:register[1] + 8] = [(0, r['id'])] * 4
        for slot in results:
            if sure:
                self.set(r, *slot)

    def is_half(self, register):
        return register[2] == 4 and self.registers[register[3]][2] == 8

    def around(self, own, r, ins, register):
        def stack(name):
            return name[:3] == 'MMX' or len(name) == 3 and name[:2] == 'ST'

        name = register[0]
        if stack(name) or name[:4] == 'X87P' or name in ('X87STATUS', 'X87TAG'):
            for x in self.registers:
                if stack(x[0]):
                    self.hide(own, x)
        whole = self.registers[register[3]]
        if register[2] < 4 or register[2] == whole[2]:
            return
        if not self.is_half(register) or ins['dec']['flags'] & 8 or name != 'EFLAGS' and r['flags'] & 1:
            self.hide(own, whole)


def touches_of(e):
    """Yields every access to memory: record, kind, address, size."""
    for r in e['exec']:
        if 'ins' not in r or e['ins'][r['ins']]['type'] == 9:
            continue
        dec = e['ins'][r['ins']]['dec']
        for n, (row, address, value) in enumerate(e.slots(r)):
            if row[4] and n < dec['fo']:
                yield r['id'], 'read', address, len(value)
            elif row[4] and n >= dec['fa'] and not r['flags'] & 4:
                yield r['id'], 'write', address, len(value)


class UMTracer(Folder):
    def open(self, name, **options):
        return tracecodec.open(data('umtracer', name), **options)

    def copy(self, name):
        folder = os.path.join(self.folder, name)
        shutil.copytree(data('umtracer', name), folder, copy_function=shutil.copyfile)
        return folder

    def test_registers_and_memory(self):
        for name in UMTRACER:
            e, trace, r = expected(name), self.open(name), random.Random(3)
            machine, touched, known = Machine(e), list(touches_of(e)), 0
            for record in e['exec']:
                machine.before(record)
                n = record['id']
                if n % 7 == 0:
                    known += self.check_registers(trace.at(n), record, machine)
                _, _, address, size = r.choice(touched)
                address, size = max(address - r.randint(0, 3), 0), r.randint(0, 20)
                self.check_memory(trace.memory(address, size, at=n), machine, (name, n))
                machine.after(record)
                if n + 1 < len(e['exec']):
                    continue
                for _, _, address, size in r.choices(touched, k=30):
                    self.check_memory(trace.memory(address, size), machine, (name, 'end'))
            self.assertGreater(known, 1000)

    def check_memory(self, got, machine, note):
        want = [machine.memory.get(got.address + i) for i in range(len(got))]
        self.assertEqual(list(zip(got.bytes.tolist(), got.origin.tolist())), [w or (0, -1) for w in want], note)
        self.assertEqual(got.known.tolist(), [w is not None for w in want], note)

    def check_registers(self, state, record, machine):
        self.assertEqual((state.index, state.thread), (record['id'], record['tid']))
        self.assertEqual(state.ip, integer(machine.e['ins'][record['ins']]['addr']) if 'ins' in record else None)
        own, known, names = machine.own(record), 0, set()
        for name, at, size, _ in machine.registers:
            if size == 0 or name.lower() in names:
                continue
            names.add(name.lower())
            want = own[at:at + size]
            self.assertEqual(state.registers.known(name).tolist(), [w is not None for w in want], (record, name))
            self.assertEqual(state.registers.bytes(name).tolist(), [w[0] if w else 0 for w in want], (record, name))
            if None in want:
                self.assertNotIn(name, state.registers)
            else:
                self.assertEqual(state.registers[name], int.from_bytes(bytes(w[0] for w in want), 'little'))
                known += 1
        self.assertEqual(set(state.registers.names), names)
        self.assertEqual(len(state.registers), known)
        return known

    def test_accesses(self):
        for name in UMTRACER:
            e, trace, r = expected(name), self.open(name), random.Random(4)
            touched = list(touches_of(e))
            for _ in range(150):
                n, (_, _, address, size) = r.randint(0, len(e['exec'])), r.choice(touched)
                hits = [t for t in touched if t[2] < address + 4 and t[2] + t[3] > address]
                write, access = trace.last_write(address, n, size=4), trace.next_access(address, n, size=4)
                self.assertEqual(write and write.index,
                                 max((t[0] for t in hits if t[0] < n and t[1] == 'write'), default=None))
                self.assertEqual(access and access.index, min((t[0] for t in hits if t[0] >= n), default=None))
                for found in (write, access):
                    if found:
                        self.assertIn(tuple(found[:4]), hits)
                        self.assertEqual(found.reliable, e['exec'][found.index]['flags'] & 0xF0 == 0)

    @needs('zydis')
    def test_numbers_are_those_of_column_index(self):
        trace = self.open('plain64')
        batch = trace.skip(100).limit(200).instructions(['index', 'ip']).read()
        for row in range(0, len(batch), 17):
            self.assertEqual(trace.at(batch.index[row]).ip, batch.ip[row])

    def test_out_of_range(self):
        trace, n = self.open('plain32'), len(expected('plain32')['exec'])
        for ask in (lambda: trace.at(n), lambda: trace.at(-1), lambda: trace.memory(0, 1, at=n + 1),
                    lambda: trace.last_write(0, before=n + 1), lambda: trace.next_access(0, since=n + 1)):
            self.assertRaises(IndexError, ask)
        self.assertRaises(ValueError, trace.memory, (1 << 64) - 1, 2)
        self.assertIsNone(trace.last_write(0, before=0))
        self.assertIsNone(trace.next_access(0, since=n))
        self.assertEqual(len(trace.memory(0, 0)), 0)

    def test_state_outlives_the_trace(self):
        with self.open('plain64') as trace:
            state = trace.at(500)
        machine = Machine(expected('plain64'))
        for record in expected('plain64')['exec'][:500]:
            machine.before(record)
            machine.after(record)
        record = expected('plain64')['exec'][500]
        machine.before(record)
        del trace
        self.check_registers(state, record, machine)

    # Compare the tables with the raw files.

    def raw(self, name, file):
        with open(data('umtracer', name, file), 'rb') as f:
            return f.read()

    def rows(self, name, file, fields, size):
        """Returns the row size and the rows of a table, read with struct."""
        raw = self.raw(name, file)
        _, _, count, row_size, at = struct.unpack_from('<IIqqq', raw)
        self.assertGreaterEqual(row_size, size)
        return row_size, [struct.unpack_from(fields, raw, at + i * row_size) for i in range(count)]

    def test_tables_as_they_lie(self):
        for name in UMTRACER:
            trace = self.open(name)
            for table, file, fields, size in (
                    ('thread', 'thread.itable', '<IIQqqq', 40), ('ranges', 'address_space.itable', '<QQ', 16),
                    ('ins', 'ins.itable', '<qBBBxiQ15sxqq8x', 64), ('module', 'module.itable', '<qqQQqq', 48)):
                got = trace.table(table)
                row_size, want = self.rows(name, file, fields, size)
                if table == 'module' and row_size >= 64:
                    want = self.rows(name, file, '<qqQQqqQ4H', 64)[1]
                    want = [w[:7] + (list(w[7:]),) for w in want]
                plain = [tuple(bytes(v) if isinstance(v, numpy.ndarray) and v.dtype == 'u1' else
                               v.tolist() if isinstance(v, numpy.ndarray) else v for v in row) for row in got.tolist()]
                if table == 'ins':
                    plain = [tuple(bytes(v) if isinstance(v, list) else v for v in row) for row in plain]
                self.assertEqual(plain, want, (name, table))
                self.assertEqual(got.strides, (row_size,))
                self.assertFalse(got.flags.writeable or got.flags.owndata)

    def test_tables_against_the_generator(self):
        for name in UMTRACER:
            e, trace = expected(name), self.open(name)
            self.assertEqual(trace.tables, ('exec', 'ins', 'syscall', 'module', 'thread', 'context', 'ranges',
                                            'neighbours', 'offsets'))
            ins = trace.table('ins')
            self.assertEqual([(i['id'], i['module_id'], hex(i['address']), bytes(i['code'][:i['code_size']]).hex())
                              for i in ins], [(w['id'], w['mod'], w['addr'], w['code']) for w in e['ins']])
            exec_ = trace.table('exec')
            self.assertEqual(exec_[['thread_id', 'type', 'flags', 'instruction_id', 'syscall_id']].tolist(),
                             [(r['tid'], r['type'], r['flags'], r.get('ins', -1), r.get('sys', -1))
                              for r in e['exec']])
            self.assertEqual(trace.table('neighbours').tolist(), [(r['prev'], r['next']) for r in e['exec']])
            self.assertEqual(trace.table('offsets').tobytes(), self.raw(name, 'exec.offsets'))
            calls = trace.table('syscall')
            self.assertEqual([(c['raw_id'], c['uniform_id'], c['begin_eid'], c['end_eid'], hex(c['stack_pointer']))
                              for c in calls],
                             [(w['raw'], w['uid'], w['begin'], w['end'], w['sp']) for w in e['sys']])
            context = trace.table('context')
            self.assertEqual([(c['name'].decode(), c['common_name'],
                               [list(c[m][['offset', 'size', 'largest']].tolist()) for m in ('map32', 'map64')])
                              for c in context], [(r['name'], r['common'], [r['m32'], r['m64']]) for r in e['reg']])
            self.assertEqual(trace.texts('ins', 'disassembly'), [w['asm'] for w in e['ins']])
            self.assertEqual(trace.texts('module', 'win_name'), [w['win'] for w in e['module']])
            # Rows of one table refer to rows of another.
            is_instruction = exec_['type'] == 0
            self.assertEqual([hex(a) for a in ins['address'][exec_['instruction_id'][is_instruction]]],
                             [e['ins'][r['ins']]['addr'] for r in e['exec'] if 'ins' in r])

    def test_a_table_outlives_the_trace(self):
        with self.open('awkward64') as trace:
            table = trace.table('module')
        del trace
        self.assertEqual([int(m) for m in table['start_address']],
                         [integer(m['start']) for m in expected('awkward64')['module']])

    def test_no_such_table(self):
        self.assertRaisesRegex(ValueError, 'exec, ins', self.open('plain32').table, 'xml')
        self.assertRaises(ValueError, self.open('plain32').texts, 'module', 'load_eid')
        self.assertRaises(ValueError, self.open('plain32').texts, 'thread', 'win_name')

    def test_a_cut_trace(self):
        folder = self.copy('plain64')
        path = os.path.join(folder, 'exec.vtable')
        with open(path, 'r+b') as f:
            f.truncate(os.path.getsize(path) // 2)
        with self.assertRaises(TraceError) as e:
            tracecodec.open(folder).memory(0, 1)
        self.assertEqual((code_of(e), e.exception.field), ('bad_value', 'offset'))
        trace = tracecodec.open(folder, repair=True)
        whole = sum(o <= os.path.getsize(path) for o in trace.table('offsets').tolist()) - 1
        self.assertEqual(len(trace.table('exec')), whole)
        trace.at(whole - 1)
        self.assertRaises(IndexError, trace.at, whole)

    def test_a_missing_table(self):
        folder = self.copy('plain64')
        os.remove(os.path.join(folder, 'module.itable'))
        with self.assertRaisesRegex(TraceError, 'module.itable') as e:
            tracecodec.open(folder).table('ins')
        self.assertEqual(code_of(e), 'not_a_trace')
        self.assertEqual(len(tracecodec.open(folder, repair=True).table('module')), 0)

    def test_a_signal_ends_a_question(self):
        # Repeat one record many times: an instruction that does not access memory.
        e, folder = expected('plain64'), self.copy('plain64')
        offsets = struct.unpack('<%dQ' % (len(e['exec']) + 1), self.raw('plain64', 'exec.offsets'))
        chosen = min((r for r in e['exec'] if 'ins' in r and r['flags'] == 1 and
                      not any(row[4] for row, _, _ in e.slots(r))),
                     key=lambda r: offsets[r['id'] + 1] - offsets[r['id']])
        raw = self.raw('plain64', 'exec.vtable')
        one, n = raw[offsets[chosen['id']]:offsets[chosen['id'] + 1]], 1_500_000
        with open(os.path.join(folder, 'exec.vtable'), 'wb') as f:
            f.write(raw[:8] + struct.pack('<q', n))
            for _ in range(n // 1000):
                f.write(one * 1000)
        (16 + len(one) * numpy.arange(n + 1, dtype='<u8')).tofile(os.path.join(folder, 'exec.offsets'))
        before = numpy.arange(-1, n - 1, dtype='<i8')
        numpy.stack([before, before + 2], 1).tofile(os.path.join(folder, 'exec.prev_next.column'))

        class Alarm(Exception):
            pass

        def ring(*_):
            # Handlers may query, too.
            self.assertEqual(state.registers['rip'], integer(e['ins'][chosen['ins']]['addr']))
            raise Alarm

        trace = tracecodec.open(folder)
        state = trace.at(n - 1)
        old = signal.signal(signal.SIGALRM, ring)
        self.addCleanup(signal.signal, signal.SIGALRM, old)
        self.addCleanup(signal.setitimer, signal.ITIMER_REAL, 0)
        for ask in (lambda: state.registers.known('xmm15'), lambda: trace.memory(0, 1), lambda: trace.last_write(0),
                    lambda: trace.next_access(0), lambda: trace.table('exec')):
            with self.assertRaises(Alarm):
                signal.setitimer(signal.ITIMER_REAL, 0.01)
                ask()
        self.assertFalse(state.registers.known('xmm15').any())
        self.assertEqual(len(trace.table('exec')), n)

    def test_a_name_that_is_no_text(self):
        # Change the name of the last register of 64-bit code; its value must stay the same.
        n = max(r['id'] for r in expected('plain64')['reg'] if r['m64'][0] != 0xFFFF and r['m64'][1])
        old = expected('plain64')['reg'][n]['name']
        folder = self.copy('plain64')
        with open(os.path.join(folder, 'context_map.itable'), 'r+b') as f:
            f.seek(1040 + 16 * n)
            f.write(b'X\xff\x00')
        registers = tracecodec.open(folder).at(1400).registers
        self.assertIn('x\udcff', registers.names)
        self.assertEqual(registers.bytes('x\udcff').tolist(), self.open('plain64').at(1400).registers.bytes(old).tolist())
        self.assertEqual(tracecodec.open(folder).table('context')[n]['name'], b'X\xff')

    def test_several_threads(self):
        trace = self.open('plain64')
        state, want, wrong = trace.at(1400), dict(self.open('plain64').at(1400).registers), []

        def ask():
            if dict(state.registers) != want:
                wrong.append(1)

        threads = [threading.Thread(target=ask) for _ in range(6)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(wrong, [])


# ---- RapidBin ----

@needs('simdjson')
class About(unittest.TestCase):
    """Compares the description of a trace with the trace's bytes."""

    @needs('simdjson', 'zydis')
    def test_x64dbg(self):
        text = content(X64DBG['x64'])
        size = int.from_bytes(text[4:8], 'little')
        header = json.loads(text[8:8 + size].rstrip(b'\0'))
        self.assertEqual(tracecodec.open(data(X64DBG['x64'])).about,
                         {'program': header['path'], 'arch': header['arch'], 'hash_algorithm': header['hashAlgorithm'],
                          'hash': header['hash']})
        text = json.dumps({'ver': 1, 'arch': 'x86', 'compression': '', 'path': 'C:\\ä.exe', 'by': [1], 'program': 2}).encode()
        made = b'TRAC' + len(text).to_bytes(4, 'little') + text
        about = tracecodec.open(made, format='x64dbg').about
        self.assertEqual(about, {'program': 'C:\\ä.exe', 'arch': 'x86', 'by': '[1]'})

    def test_rapidbin(self):
        with open(data('rapidbin', 'r250.data'), 'rb') as f:
            counts = struct.unpack('>hiiq', f.read(18))
        self.assertEqual(tracecodec.open(data('rapidbin', 'r250.data')).about,
                         dict(zip(('threads', 'locks', 'variables', 'events'), map(str, counts))))

    @needs('pugixml')
    def test_umtracer(self):
        self.assertEqual(tracecodec.open(data('umtracer', 'plain64')).about,
                         {'command_line': '"C:\\a & b.exe"', 'bitness': '64', 'process_id': '6151', 'xed': '20150121'})

    def test_nothing(self):
        for name in (('sed64.champsimtrace.xz',), ('rapidbin', 'r250.std')):
            self.assertIsNone(tracecodec.open(data(*name)).about)


class RapidBin(Folder):
    def test_metadata(self):
        for name in ('r250', 'r6000'):
            with open(data('rapidbin', name + '.json')) as f:
                want = json.load(f)
            for suffix in ('.data', '.std'):
                got = tracecodec.open(data('rapidbin', name + suffix)).metadata
                self.assertEqual(got.threads, {r['trace_id']: r['wasm_id'] for r in want['thread_records']})
                self.assertEqual(got.locks, {r['trace_id']: r['wasm_id'] for r in want['lock_records']})
                self.assertEqual(
                    {n: (v.address, v.width) for n, v in got.variables.items()},
                    {r['trace_id']: (r['wasm_id']['address'], r['wasm_id']['access_width'])
                     for r in want['memory_records']})
                self.assertEqual({n: (v.function, v.instruction) for n, v in got.locations.items()},
                                 {r['trace_id']: (r['wasm_id']['fidx'], r['wasm_id']['iidx'])
                                  for r in want['location_records']})
                self.assertEqual(got.shared, {int(n): tuple(sorted(threads))
                                              for n, threads in want['shared_variables'].items()})
                self.assertGreater(len(got.variables), 10)

    def test_without_metadata(self):
        path = os.path.join(self.folder, 't.data')
        shutil.copy(data('rapidbin', 'r250.data'), path)
        self.assertIsNone(tracecodec.open(path).metadata)
        self.assertIsNone(tracecodec.open(data('rapidbin', 'r250.data'), metadata='').metadata)
        given = tracecodec.open(path, metadata=data('rapidbin', 'r250.json')).metadata
        self.assertEqual(given, tracecodec.open(data('rapidbin', 'r250.data')).metadata)

    def test_names(self):
        text = (b'main|fork(w-1)|0\nw-1|acq(java.lang.Object@1f)|3\nw-1|wr(Foo.bar[3])|/home/a.c:14\n'
                b'w-1|wait(m)|3\nT7|rd(0x1f)|70000\nT7|r(V9)|5\n')
        path = os.path.join(self.folder, 'n.std')
        self.write('n.std', text)
        want = ({0: 'main', 1: 'w-1'}, {0: 'java.lang.Object@1f'}, {0: 'Foo.bar[3]', 1: '0x1f'},
                {1: '/home/a.c:14'})
        for trace in (tracecodec.open(text), tracecodec.open(path)):
            self.assertEqual(tuple(trace.names), want)
            columns = trace.instructions(['thread', 'decor', 'location']).read()
            self.assertEqual(columns.thread.tolist(), [0, 1, 1, 7, 7])
            self.assertEqual(columns.decor.tolist(), [1, 0, 0, 1, 9])
            self.assertEqual(columns.location.tolist(), [0, 3, 1, 70000, 5])
        # A number is the same id with and without its letter.
        both = tracecodec.open(b'T0|fork(1)|0\nT1|acq(7)|1\n1|rel(L7)|2\n')
        self.assertEqual(tuple(both.names), ({}, {}, {}, {}))
        self.assertEqual(both.instructions(['decor']).read().decor.tolist(), [1, 7, 7])
        self.assertEqual(both.instructions(['thread']).read().thread.tolist(), [0, 1, 1])
        # RapidBin traces have the names in their metadata.
        self.assertEqual(tuple(tracecodec.open(data('rapidbin', 'r250.data')).names), ({}, {}, {}, {}))
        self.write('n.json', b'{"thread_records": [], "lock_names": [{"name": "mine", "trace_id": 3}]}')
        shutil.copy(data('rapidbin', 'r250.data'), os.path.join(self.folder, 'n.data'))
        self.assertEqual(tracecodec.open(os.path.join(self.folder, 'n.data')).names.locks, {3: 'mine'})
        with self.assertRaises(TraceError) as e:
            tracecodec.open(data('umtracer', 'plain64')).names
        self.assertEqual(code_of(e), 'refused')

    def test_a_thread_by_its_name(self):
        # main has the id 0, so T0 is thread 1, and T1 is thread 2.
        text = b'main|fork(T0)|1\nT0|acq(m)|2\nT0|rel(m)|3\nT1|w(x)|4\n'
        path = os.path.join(self.folder, 'x.data')
        self.write('x.json', json.dumps({'thread_records': [], 'thread_names': [
            {'name': 'main', 'trace_id': 0}, {'name': 'T0', 'trace_id': 1},
            {'name': 'T1', 'trace_id': 2}]}).encode())
        # Big-endian: 3 threads, 1 lock, 1 variable, 4 events; then location, decor, operation and thread of each
        # event.
        words = [(1, 1, 4, 0), (2, 0, 0, 1), (3, 0, 1, 1), (4, 0, 3, 2)]
        self.write('x.data', struct.pack('>hiiq', 3, 1, 1, 4) + b''.join(
            struct.pack('>Q', at << 48 | decor << 14 | operation << 10 | thread)
            for at, decor, operation, thread in words))
        self.write('x.std', text)
        for trace in (text, os.path.join(self.folder, 'x.std'), path):
            for thread, want in (('main', [0]), ('T0', [1, 2]), ('T1', [3]), (0, [0]), (1, [1, 2]), (2, [3])):
                one = tracecodec.open(trace, thread=thread).instructions(['index']).read()
                self.assertEqual(one.index.tolist(), want, (trace, thread))
        with self.assertRaises(TraceError) as e:
            tracecodec.open(path, thread='nobody').instructions(['index']).read()
        self.assertEqual(code_of(e), 'refused')
        self.assertEqual(tracecodec.open(text, thread='nobody').instructions(['index']).read().index.tolist(), [])
        for other in (data('sed64.champsimtrace.xz'), data('umtracer', 'plain64')):
            with self.assertRaises(TraceError) as e:
                tracecodec.open(other, thread='main')
            self.assertEqual(code_of(e), 'refused')

    def test_strict_text(self):
        text = b'T0|w(V0)|1\nT0|wait(L1)|2\nT0|r(V0)|3\n'
        with warnings.catch_warnings(record=True):
            self.assertEqual(tracecodec.open(text).instructions(['location']).read().location.tolist(), [1, 3])
        with self.assertRaises(TraceError) as e:
            tracecodec.open(text, strict=True).instructions(['location']).read()
        self.assertEqual((code_of(e), e.exception.record, e.exception.field), ('refused', 1, 'operation'))
        with self.assertRaises(TraceError) as e:
            tracecodec.open(b'T0|w(V0)|1|more\n', strict=True).names
        self.assertEqual((code_of(e), e.exception.field), ('refused', 'location'))

    def test_damaged_metadata(self):
        path = os.path.join(self.folder, 't.data')
        shutil.copy(data('rapidbin', 'r250.data'), path)
        with open(data('rapidbin', 'r250.json'), 'rb') as f:
            whole = f.read()
        self.write('t.json', whole[:len(whole) // 2])
        with self.assertRaises(TraceError) as e:
            tracecodec.open(path).metadata
        self.assertEqual((code_of(e), os.path.basename(e.exception.file)), ('bad_value', 't.json'))


if __name__ == '__main__':
    unittest.main(argv=[sys.argv[0]], verbosity=2)
