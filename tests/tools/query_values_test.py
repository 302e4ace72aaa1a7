# trace_query: registers, last-set, uses and origin. The answers are compared with the states of traces that Python reads,
# with the operands in ChampSim traces of the same runs, and with small programs whose flow of data is known.
import gzip
import json
import os
import random
import struct
import sys

import branches_model
import support
from support import SED, ProgramTest, content, file_bytes, needs, records, run
from x64dbg_model import CIP, WORDS, Trace, header, value_of

for folder in ('cvp', 'stf', 'tarmac', 'tenet'):
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', folder))
import make_cvp  # noqa: E402
import make_stf  # noqa: E402
import make_tarmac  # noqa: E402
import make_tenet  # noqa: E402

NUMBERS = {name: n for n, name in enumerate('rdi rsi rbp rsp rbx rdx rcx rax r8 r9 r10 r11 r12 r13 r14 r15'.split(), 3)}
# Words of REGDUMP.
PLACES = {name: n for n, name in enumerate(
    'rax rcx rdx rbx rsp rbp rsi rdi r8 r9 r10 r11 r12 r13 r14 r15 rip rflags'.split())}
XMM0 = 40


def sample(name):
    return os.path.join(os.path.dirname(SED), name)


def block(code, changes, memory, arch='x64', thread=None, whole=False):
    """Returns a block of an x64dbg trace. `memory` are words (address, old value, new value or None)."""
    form = '<%d' + ('Q' if arch == 'x64' else 'I')
    words = sorted(changes.items())
    if whole:
        words = [(w, changes.get(w, 0)) for w in range(WORDS[arch])]
    steps, last = [], -1
    for w, _ in words:
        steps.append(w - last - 1)
        last = w
    raw = bytes([0, len(words), len(memory), len(code) | (0x80 if thread is not None else 0)])
    raw += (struct.pack('<I', thread) if thread is not None else b'') + code + bytes(steps)
    raw += struct.pack(form % len(words), *(v for _, v in words))
    raw += bytes(0 if new is not None else 1 for _, _, new in memory)
    new = [n for _, _, n in memory if n is not None]
    for values in ([a for a, _, _ in memory], [o for _, o, _ in memory], new):
        raw += struct.pack(form % len(values), *values)
    return raw


class Program:
    """Steps of a small program, as an x64dbg trace."""

    def __init__(self, arch='x64', **registers):
        self.arch, self.ip, self.raw = arch, 0x401000, header(arch)
        self.state, self.first = self.words(registers), True

    def words(self, registers):
        found = {}
        for name, value in registers.items():
            if name.startswith('xmm'):
                n = XMM0 + 2 * int(name[3:])
                found.update({n: value & (1 << 64) - 1, n + 1: value >> 64})
            else:
                found[PLACES['r' + name[1:] if self.arch == 'x86' else name]] = value
        return found

    def step(self, code, *memory, **changes):
        """Adds an instruction, with the memory that it accesses and the registers that it changes."""
        code = bytes.fromhex(code)
        state = {**self.state, CIP[self.arch]: self.ip}
        self.raw += block(code, state, list(memory), self.arch, 4 if self.first else None, self.first)
        self.state, self.first = self.words(changes), False
        self.ip += len(code)
        return self


class Values(ProgramTest):
    program = 'trace_query'

    def rows(self, trace, *arguments):
        r = run('trace_query', trace, *map(str, arguments), '--json')
        self.assertEqual(r.returncode, 0 if r.stdout else 1, r.stderr)
        return [json.loads(line) for line in r.stdout.splitlines()]

    def registers(self, trace, at):
        return {r['register']: r for r in self.rows(trace, 'registers', '--at', at)}

    # Registers

    @needs('xz', 'simdjson', 'zydis')
    def test_registers_of_x64dbg_are_those_of_the_states(self):
        for name, names in (('work32.trace32.xz', 'eax ecx edx ebx esp ebp esi edi'),
                            ('threads3_64.trace64.xz', 'rax rbx rsp rdi r8 r15 ymm0 ymm15')):
            blocks = Trace(content(sample(name))).blocks
            for at in [0, len(blocks) - 1] + random.Random(1).sample(range(len(blocks)), 10):
                found = self.registers(sample(name), at)
                for register in names.split():
                    value, size = value_of(blocks[at], register)
                    self.assertEqual(found[register]['bytes'], value.to_bytes(size, 'little').hex(), (at, register))
                    self.assertEqual([s['index'] for s in found[register]['shown']], [at])

    def test_registers_of_tenet_are_those_of_the_lines(self):
        for name, seed, steps in (('amd64', 54, 1000), ('aarch64', 56, 300)):
            path = os.path.join(support._arguments.data, 'tenet', 'made_%s.tenet.log.gz' % name)
            states = make_tenet.read(gzip.decompress(file_bytes(path)).decode())
            for at in random.Random(1).sample(range(1, len(states)), 12):
                found = self.registers(path, at)
                for register, value in states[at][1].items():
                    row = found[{'lr': 'x30'}.get(register, register)]
                    self.assertEqual(row['bytes'], value.to_bytes(8, 'little').hex(), (at, register))

    def test_registers_of_cvp_are_the_last_outputs(self):
        raw = list(make_cvp.Program(54).run(3000))
        path = os.path.join(support._arguments.data, 'cvp', 'made.cbp2025.gz')
        for at in [0] + random.Random(1).sample(range(3000), 15):
            last = {}
            for n, i in enumerate(raw[:at]):
                for r, value in i.outputs:
                    last[r] = (n, value)
            found = self.registers(path, at)
            for r in range(make_cvp.FLAGS):
                name = 'sp' if r == make_cvp.SP else 'x%d' % r if r < make_cvp.V0 else 'v%d' % (r - make_cvp.V0)
                row = found[name]
                if r not in last:
                    self.assertEqual(set(row['bytes']), {'?'}, (at, name))
                    continue
                n, value = last[r]
                low, high = value if isinstance(value, tuple) else (value, None)
                expected = low.to_bytes(8, 'little') + (b'' if high is None else high.to_bytes(8, 'little'))
                self.assertEqual(row['bytes'], expected.hex(), (at, name))
                self.assertEqual([(s['index'], s['later']) for s in row['shown']], [(n, False)])

    def test_registers_of_stf_may_be_shown_later(self):
        made = list(make_stf.Program(54).run(1000))
        path = os.path.join(support._arguments.data, 'stf', 'made.stf.gz')
        # Register a0 (x10) has values where an instruction lists it. Others that write it show no value.
        writes = {'c.lw a1, 0(a0)': 'a1', 'ld a1, 0(a0)': 'a1', 'lbu a1, 0(a0)': 'a1', 'jal ra, +0x40': 'ra',
                  'jalr ra, 0(a0)': 'ra', 'amoadd.w a2, a1, (a0)': 'a2'}
        for register, number in (('a0', 10), ('a1', 11)):
            events = []  # (number, value before, is written, value after)
            for n, i in enumerate(made):
                old = new = None
                for r in i.records:
                    if r[0] == 'reg' and r[1] == number and r[3] == make_stf.GENERAL:
                        if r[2] == make_stf.SOURCE:
                            old = r[4]
                        elif r[2] == make_stf.DESTINATION:
                            new = r[4]
                written = new is not None or writes.get(i.code) == register
                if old is not None or written:
                    events.append((n, old, written, new))
            later = unknown = 0
            for at in random.Random(2).sample(range(1000), 40):
                expected = None
                for n, old, written, new in reversed([e for e in events if e[0] < at]):
                    expected = (new, n) if written else (old, n)
                    break
                if expected is None or expected[0] is None:
                    expected = None
                    for n, old, written, new in (e for e in events if e[0] >= at):
                        expected = None if old is None else (old, n)
                        break
                    later += expected is not None
                row = self.registers(path, at)[register]
                unknown += expected is None
                if expected is None:
                    self.assertEqual(row['bytes'], '?' * 16, (register, at))
                else:
                    self.assertEqual(row['bytes'], expected[0].to_bytes(8, 'little').hex(), (register, at))
                    self.assertEqual([(s['index'], s['later']) for s in row['shown']],
                                     [(expected[1], expected[1] >= at)])
            if register == 'a1':
                self.assertGreater(unknown, 5)
                self.assertGreater(later, 0)

    def test_registers_of_aarch64(self):
        made = make_tarmac.Program(2024, 400)
        path = os.path.join(support._arguments.data, 'tarmac', 'made.tarmac.gz')
        changes = [{r.name.lower(): r.value for r in s.registers} for s in made.steps]
        rng = random.Random(8)
        for _ in range(8):
            at, state = rng.randrange(1, 400), {r.name.lower(): r.value for r in made.start}
            for c in changes[:at]:
                state.update(c)
            found = self.registers(path, at)
            for n in range(31):
                self.assertEqual(found['x%d' % n]['value'], hex(state['x%d' % n]), (at, n))
            name = 'x%d' % rng.randrange(29)
            sets = [n for n in range(at) if name in changes[n] or name in made.steps[n].written][-1:]
            # An instruction has several lines, which are rows.
            found = {r['index'] for r in self.rows(path, 'last-set', name, '--before', at)}
            self.assertEqual(found, set(sets), (name, at))
            # All results depend on all registers that the instruction reads.
            rows = self.rows(path, 'origin', name, '--at', at, '-m', 1)
            self.assertEqual([r['index'] for r in rows[1:]], sets)
            if sets and made.steps[sets[0]].branch == 'not_branch':
                read = {s['register'] for f in rows[1]['flows'] for s in f['from'] if 'register' in s}
                self.assertEqual(read, set(made.steps[sets[0]].read), made.steps[sets[0]])

    @needs('xz')
    def test_a_trace_without_values_has_no_registers(self):
        self.bad(2, SED, 'registers', '--at', '5', about=b'do not have the values of registers')

    # The last instruction that sets a register, and those that use it

    def operands(self, name):
        """Returns (destinations, sources) of each instruction of a ChampSim trace."""
        return [(set(r['destination_registers']), set(r['source_registers'])) for r in records(content(sample(name)))]

    @needs('xz')
    def test_last_set_and_uses_of_champsim_are_those_of_the_records(self):
        rng, all = random.Random(3), self.operands('sed64.champsimtrace.xz')
        for _ in range(12):
            register, at = rng.choice(list(NUMBERS)), rng.randrange(len(all))
            n = NUMBERS[register]
            expected = [k for k in range(at) if n in all[k][0]][-1:]
            found = self.rows(SED, 'last-set', rng.choice((register, n)), '--before', at)
            self.assertEqual([r['index'] for r in found], expected, (register, at))
            expected = []
            for k in range(at, len(all)):
                if n in all[k][1]:
                    expected.append(k)
                if n in all[k][0]:
                    break
            found = self.rows(SED, 'uses', register, '--at', at)
            self.assertEqual([r['index'] for r in found], expected, (register, at))

    @needs('xz', 'simdjson', 'zydis')
    def test_last_set_of_x64dbg_is_that_of_the_same_run(self):
        """An instruction with more than two destinations has not all of them in ChampSim's record, but changes them."""
        for trace, records_of, arch in (('work32.trace32.xz', 'work32.champsimtrace.xz', 'e'),
                                        ('threads3_64.trace64.xz', 'threads3_64.champsimtrace.xz', 'r')):
            blocks, all = Trace(content(sample(trace))).blocks, self.operands(records_of)
            self.assertEqual(len(blocks), len(all))
            rng = random.Random(4)
            names = list(NUMBERS)[:8] if arch == 'e' else list(NUMBERS)
            for _ in range(20):
                name, at = rng.choice(names), rng.randrange(len(blocks))
                same = [k for k in range(at + 1) if blocks[k]['thread'] == blocks[at]['thread']]
                shown = arch + name[1:]
                word = (PLACES[name] if arch == 'r' else
                        'rax rcx rdx rbx rsp rbp rsi rdi'.split().index(name))
                set = [k for k, after in zip(same, same[1:])
                       if NUMBERS[name] in all[k][0] or blocks[k]['state'][word] != blocks[after]['state'][word]]
                found = self.rows(sample(trace), 'last-set', shown, '--before', at)
                self.assertEqual([r['index'] for r in found], set[-1:], (shown, at))

    @needs('xz', 'simdjson', 'zydis')
    def test_uses_in_x64dbg_are_those_of_the_same_run(self):
        blocks = Trace(content(sample('work32.trace32.xz'))).blocks
        all, rng, some = self.operands('work32.champsimtrace.xz'), random.Random(5), 0
        for name in ('esi', 'edi', 'ebp') * 6:  # without bytes that can be written alone
            n, at = NUMBERS['r' + name[1:]], rng.randrange(len(blocks))
            expected = []
            for k in range(at, len(blocks)):
                code = bytes.fromhex(blocks[k]['opcode'])
                clears = code[0] in (0x31, 0x33, 0x29, 0x2b) and code[1] >> 3 & 7 == code[1] & 7 and code[1] >> 6 == 3
                if n in all[k][1] and not clears:
                    expected.append(k)
                if n in all[k][0]:
                    break
            found = [r['index'] for r in self.rows(sample('work32.trace32.xz'), 'uses', name, '--at', at)]
            self.assertEqual(found, expected, (name, at))
            some += len(found)
        self.assertGreater(some, 15)

    # Origins of small programs

    def origin(self, program, what, at, *more):
        """Returns the sources of the question, and {number: {result: (is copy, sources)}}. A source is written as the
        bytes, and the number of the instruction or the end."""
        rows = self.rows(self.write('t.trace64', program.raw), 'origin', what, '--at', at, *more)

        def place(p):
            return p.get('register') or ('%s+%d' % (p['address'], p['size']) if 'address' in p else '')

        def sources(of):
            return [(place(s) + ' ' if place(s) else '') + str(s.get('index', s.get('end'))) for s in of]
        first = [] if 'flows' in rows[0] else [sources(rows.pop(0)['from'])]
        return (*first, {r['index']: {place(f): (('=' if f['copy'] else '<'), *sources(f['from'])) for f in r['flows']}
                         for r in rows})

    @needs('simdjson', 'zydis')
    def test_parts_of_registers(self):
        p = Program(rax=7, rbx=0x55, rcx=0x66)
        p.step('b844332211', rax=0x11223344).step('88d8', rax=0x11223355).step('88cc', rax=0x11226655)
        p.step('89c2', rdx=0x11226655).step('90')
        asked, steps = self.origin(p, 'rdx', 4)
        self.assertEqual(asked, ['rdx 3'])
        self.assertEqual(steps, {3: {'edx': ('=', 'al 1', 'ah 2', 'rax[2-3] 0'), 'rdx[4-7]': ('<', 'constant')},
                                 2: {'ah': ('=', 'cl beginning')}, 1: {'al': ('=', 'bl beginning')},
                                 0: {'rax[2-3]': ('<', 'constant')}})
        asked, steps = self.origin(p, 'dh', 4)
        self.assertEqual((asked, steps), (['dh 3'], {3: {'dh': ('=', 'ah 2')}, 2: {'ah': ('=', 'cl beginning')}}))
        asked, steps = self.origin(p, 'rax', 3)
        self.assertEqual(asked, ['al 1', 'ah 2', 'rax[2-7] 0'])
        self.assertEqual(steps[0], {'rax[2-3]': ('<', 'constant'), 'rax[4-7]': ('<', 'constant')})
        forward, = self.origin(p, 'cl', 0, '--forward')
        self.assertEqual(forward, {2: {'ah': ('=', 'cl question')}, 3: {'dh': ('=', 'ah 2')}})

    @needs('simdjson', 'zydis')
    def test_overlapping_stores_and_the_stack(self):
        value = 0x1122334455667788
        p = Program(rsp=0x7000, rdi=0x5000, rcx=0xabcd)
        p.step('48b8' + struct.pack('<Q', value).hex(), rax=value)
        p.step('488907', (0x5000, 0, value))                      # mov [rdi], rax
        p.step('66894f02', (0x5002, value >> 16, value >> 16 & ~0xffff | 0xabcd))  # mov [rdi+2], cx
        seen = (value & ~0xffff0000 | 0xabcd0000) >> 8 | 0x99 << 56
        p.step('488b5f01', (0x5001, seen, None), rbx=seen)        # mov rbx, [rdi+1]
        p.step('53', (0x6ff8, 0, seen), rsp=0x6ff8)               # push rbx
        p.step('5e', (0x6ff8, seen, None), rsi=seen, rsp=0x7000)  # pop rsi
        p.step('4989f0', r8=seen).step('90')                      # mov r8, rsi
        asked, steps = self.origin(p, 'r8', 7)
        self.assertEqual(asked, ['r8 6'])
        self.assertEqual(steps, {
            6: {'r8': ('=', 'rsi 5')}, 5: {'rsi': ('=', '0x6ff8+8 4')}, 4: {'0x6ff8+8': ('=', 'rbx 3')},
            3: {'rbx': ('=', '0x5001+1 1', '0x5002+2 2', '0x5004+4 1', '0x5008+1 input')},
            2: {'0x5002+2': ('=', 'cx beginning')},
            1: {'0x5001+1': ('=', 'ah 0'), '0x5004+4': ('=', 'rax[4-7] 0')},
            0: {'rax[1-7]': ('<', 'constant')}})
        forward, = self.origin(p, 'ch', 1, '--forward')
        self.assertEqual(forward, {
            2: {'0x5003+1': ('=', 'ch question')}, 3: {'rbx[2]': ('=', '0x5003+1 2')},
            4: {'0x6ffa+1': ('=', 'rbx[2] 3')}, 5: {'rsi[2]': ('=', '0x6ffa+1 4')}, 6: {'r8[2]': ('=', 'rsi[2] 5')}})
        # A part of the memory, and the index.
        self.assertEqual(self.origin(p, '0x5002+1', 3)[0], ['0x5002+1 2'])
        path = self.path('t.trace64')
        self.assertEqual(run('trace_index', path).returncode, 0)
        with_index = self.rows(path, 'origin', 'r8', '--at', 7)
        self.assertEqual(self.rows(path, 'origin', 'r8', '--at', 7, '--no-index'), with_index)

    @needs('simdjson', 'zydis')
    def test_a_repeated_copy_that_overlaps(self):
        """rep movsb copies bytes 3 ahead, so each byte comes from the one 3 bytes before."""
        memory = {0x5000 + n: 0 for n in range(24)}
        p = Program(rax=0x41, rsi=0x5000, rdi=0x5003, rcx=6)

        def word(at):
            return sum(memory[at + k] << 8 * k for k in range(8))

        old = word(0x5000)
        memory[0x5000] = 0x41
        p.step('8806', (0x5000, old, word(0x5000)))  # mov [rsi], al
        for n in range(6):
            to, source = 0x5003 + n, 0x5000 + n
            shown, old = word(source), word(to)
            memory[to] = memory[source]
            p.step('f3a4', (source, shown, None), (to, old, word(to)), rsi=source + 1, rdi=to + 1, rcx=5 - n)
        p.step('8a06', (0x5006, word(0x5006), None), rax=0x41).step('90')  # mov al, [rsi]
        asked, steps = self.origin(p, 'al', 8)
        self.assertEqual(asked, ['al 7'])
        self.assertEqual(steps, {7: {'al': ('=', '0x5006+1 4')}, 4: {'0x5006+1': ('=', '0x5003+1 1')},
                                 1: {'0x5003+1': ('=', '0x5000+1 0')}, 0: {'0x5000+1': ('=', 'al beginning')}})
        asked, steps = self.origin(p, 'rsi', 3)
        self.assertEqual((asked, steps), (['rsi 2'], {2: {'rsi': ('<', 'rsi 1')}, 1: {'rsi': ('<', 'rsi beginning')}}))

    @needs('simdjson', 'zydis')
    def test_the_maximum_is_told(self):
        p = Program(rax=1, rbx=2)
        p.step('4801d8', rax=3).step('4801d8', rax=5).step('4801d8', rax=7).step('90')
        path = self.write('t.trace64', p.raw)
        r = run('trace_query', path, 'origin', 'rax', '--at', '3', '-m', '2')
        self.assertIn(b'more than 2 instructions', r.stderr)
        self.assertIn(b'rax (not followed)', r.stdout)
        self.assertEqual(self.origin(p, 'rax', 3)[1],
                         {n: {'rax': ('<', 'rax %s' % (n - 1 if n else 'beginning'), 'rbx beginning')} for n in range(3)})

    @needs('simdjson', 'zydis')
    def test_results_from_outside(self):
        p = Program(rax=0x01010101, rdi=0x5000)
        p.step('8907', (0x5000, 0, 0x01010101)).step('0f05', rax=4)       # mov [rdi], eax; syscall
        # mov ecx, [rdi]: the system call changed it
        p.step('8b0f', (0x5000, 0x09090909, None), rcx=0x09090909)
        p.step('01c1', rcx=0x0909090d).step('90')                         # add ecx, eax
        asked, steps = self.origin(p, 'ecx', 4)
        self.assertEqual((asked, steps), (['ecx 3'], {3: {'ecx': ('<', 'ecx 2', 'eax 1')},
                                                      2: {'ecx': ('=', '0x5000+4 input')}, 1: {'eax': ('<', 'input')}}))
        # The value does not reach the load.
        self.assertEqual(self.origin(p, 'eax', 0, '--forward'), ({0: {'0x5000+4': ('=', 'eax question')}},))

    @needs('simdjson', 'zydis')
    def test_computations_and_vectors(self):
        wide = 0x00112233445566778899aabbccddeeff
        low, high = wide & (1 << 64) - 1, wide >> 64
        p = Program(rax=3, rbx=5, rcx=2, rsi=0x5000, rdi=0x6000)
        p.step('31c0', rax=0)                                          # xor eax, eax
        p.step('488d444b08', rax=17)                                   # lea rax, [rbx+rcx*2+8]
        p.step('0fb6d0', rdx=17)                                       # movzx edx, al
        p.step('4887d3', rdx=5, rbx=17)                                # xchg rbx, rdx
        p.step('f30f6f06', (0x5000, low, None), (0x5008, high, None), xmm0=wide)  # movdqu xmm0, [rsi]
        p.step('f30f7f07', (0x6000, 0, low), (0x6008, 0, high))        # movdqu [rdi], xmm0
        seen = wide >> 48 & (1 << 64) - 1
        p.step('8b4706', (0x6006, seen, None), rax=seen & 0xffffffff)  # mov eax, [rdi+6]
        p.step('4801d8', rax=17).step('0f44c2').step('90')             # add rax, rbx; cmovz eax, edx
        asked, steps = self.origin(p, 'rbx', 4)
        self.assertEqual((asked, steps), (['rbx 3'], {
            3: {'rbx': ('=', 'rdx 2')}, 2: {'dl': ('=', 'al 1'), 'rdx[1-3]': ('<', 'constant'),
                                            'rdx[4-7]': ('<', 'constant')},
            1: {'al': ('<', 'rbx beginning', 'rcx beginning')}}))
        asked, steps = self.origin(p, 'xmm0', 5)
        self.assertEqual((asked, steps), (['xmm0 4'], {4: {'xmm0': ('=', '0x5000+16 input')}}))
        asked, steps = self.origin(p, 'eax', 9)
        self.assertEqual(steps[8], {'eax': ('<', 'eax 7', 'edx 3', 'flags 7')})
        self.assertEqual(steps[7], {'eax': ('<', 'rax 6', 'rbx 3'), 'flags': ('<', 'rax 6', 'rbx 3')})
        self.assertEqual(steps[6], {'eax': ('=', '0x6006+4 5'), 'rax[4-7]': ('<', 'constant')})
        self.assertEqual(steps[5], {'0x6006+4': ('=', 'v0[6-9] 4')})
        self.assertEqual(self.origin(p, 'flags', 1), (['flags 0'], {0: {'flags': ('<', 'constant')}}))

    @needs('simdjson', 'zydis')
    def test_32_bit_code(self):
        p = Program('x86', eax=1, esp=0x7000)
        p.step('b805000000', eax=5).step('50', (0x6ffc, 0, 5), esp=0x6ffc)
        p.step('59', (0x6ffc, 5, None), ecx=5, esp=0x7000).step('40', eax=6).step('90')
        asked, steps = self.origin(p, 'ecx', 4)
        self.assertEqual((asked, steps), (['ecx 2'], {2: {'ecx': ('=', '0x6ffc+4 1')}, 1: {'0x6ffc+4': ('=', 'eax 0')},
                                                      0: {'eax': ('<', 'constant')}}))
        self.bad(2, self.path('t.trace64'), 'origin', 'rax', '--at', '1', about=b'expected a register')

    # Origins in real traces

    @needs('xz', 'simdjson', 'zydis')
    def test_values_stay_the_same_between_instructions(self):
        """A value that comes from an instruction is what the instruction left, and a copy is equal to its source."""
        copies = edges = 0
        for name, arch in (('work32.trace32.xz', 'x86'), ('threads3_64.trace64.xz', 'x64')):
            blocks = Trace(content(sample(name))).blocks
            after, last = [None] * len(blocks), {}
            for n, b in enumerate(blocks):
                if b['thread'] in last:
                    after[last[b['thread']]] = n
                last[b['thread']] = n
            names = 'eax ecx edx esi edi ebx' if arch == 'x86' else 'rax rbx rsi r12 ecx dl'
            rng = random.Random(6)

            def value(n, register):
                """Returns the value of a general register or part before block `n`, or None for other names."""
                whole, _, part = register.partition('[')
                parts = {'l': (0, 1), 'h': (1, 1)}
                if whole[0] == 'r' and whole[1].isdigit():
                    base, at, size = whole.rstrip('dwb'), 0, {'d': 4, 'w': 2, 'b': 1}.get(whole[-1], 8)
                elif whole in ('al', 'bl', 'cl', 'dl', 'ah', 'bh', 'ch', 'dh'):
                    base, (at, size) = whole[0] + 'x', parts[whole[1]]
                else:
                    at, size = 0, {'r': 8, 'e': 4}.get(whole[0], 2)
                    base = whole[1:] if whole[0] in 're' and not whole[1:].isdigit() else whole
                if part:
                    first, _, end = part.rstrip(']').partition('-')
                    at, size = int(first), int(end or first) - int(first) + 1
                full = ('e' if arch == 'x86' else 'r') + base if base[0] != 'r' else base
                try:
                    v, _ = value_of(blocks[n], full)
                except StopIteration:
                    return None
                return v >> 8 * at & (1 << 8 * size) - 1

            for _ in range(12):
                at, register = rng.randrange(len(blocks)), rng.choice(names.split())
                rows = self.rows(sample(name), 'origin', register, '--at', at, '-m', 200)
                readers = [(at, rows[0]['from'])] + [(r['index'], f['from']) for r in rows[1:] for f in r['flows']]
                for reader, sources in readers:
                    for s in sources:
                        if 'register' in s and 'index' in s and after[s['index']] is not None:
                            a, b = value(after[s['index']], s['register']), value(reader, s['register'])
                            self.assertEqual(a, b, (name, at, reader, s))
                            edges += a is not None
                for r in rows[1:]:
                    for f in r['flows']:
                        if not f['copy'] or 'register' not in f or after[r['index']] is None:
                            continue
                        if len(f['from']) == 1 and 'register' in f['from'][0]:
                            a, b = value(r['index'], f['from'][0]['register']), value(after[r['index']], f['register'])
                            if None not in (a, b):  # names such as xmm0 and sil are left out
                                self.assertEqual(a, b, (name, r))
                                copies += 1
        self.assertGreater(edges, 100)
        self.assertGreater(copies, 20)

    @needs('xz', 'zstd', 'simdjson', 'zydis')
    def test_traces_with_the_same_code_have_the_same_flows(self):
        trace = sample('work32.trace32.xz')
        for name in ('w.tpack', 'w.drmemtrace'):
            copy = self.path(name)
            self.assertEqual(run('trace_convert', trace, copy).returncode, 0)
            rng = random.Random(9)
            for _ in range(5):
                register, at = rng.choice(('eax', 'esi', 'edi')), rng.randrange(1000, 50000)
                found = [[(r.get('index'), r.get('flows')) for r in
                          self.rows(path, 'origin', register, '--at', at, '-m', 5)] for path in (trace, copy)]
                self.assertEqual(found[1], found[0], (register, at))

    # Branches that decided

    @needs('simdjson', 'zydis')
    def test_branches_of_a_small_program(self):
        p = Program(rax=2, rbx=1)
        start = p.ip
        for round_ in range(2):
            p.ip = start
            p.step('83f801', rflags=0x206).step('7502')              # cmp eax, 1; jne over the next one
            if round_ == 0:
                p.step('b305', rbx=5)                                # mov bl, 5
            else:
                p.ip += 2
            p.step('88d9', rcx=5).step('ffc8', rax=1 - round_).step('75f3')  # mov cl, bl; dec eax; jne to the start
        p.step('90')
        path = self.write('t.trace64', p.raw)
        at = 11
        self.assertEqual([x['decided_by'] for x in self.rows(path, 'origin', 'cl', '--at', at, '--branches', 'list')[1:]],
                         [5, None, 1, None])
        self.assertEqual([x.get('decides') for x in self.rows(path, 'origin', 'cl', '--at', at)], [None] * 3)
        first, *rows = self.rows(path, 'origin', 'cl', '--at', at, '--branches', 'follow')
        self.assertEqual([(x['index'], x['decides'], x['decided_by']) for x in rows],
                         [(8, False, 5), (5, True, None), (4, False, None), (2, False, 1), (1, True, None),
                          (0, False, None)])
        reads = {x['index']: [s for f in x['flows'] for s in f['from']] for x in rows}
        self.assertEqual(reads[5], [{'register': 'flags', 'index': 4}])
        self.assertEqual(reads[1], [{'register': 'flags', 'index': 0}])
        text = self.good(path, 'origin', 'cl', '--at', '11', '--branches', 'list', '--no-index').decode()
        self.assertIn('decided by [5]', text)
        self.assertIn('reads flags (not followed)', text)
        text = self.good(path, 'origin', 'cl', '--at', '11', '--branches', 'follow', '--graphviz', '--no-index').decode()
        self.assertIn('"5" -> "8" [style=dashed', text)
        self.bad(2, path, 'origin', 'cl', '--at', '1', '--forward', '--branches', 'list', about=b'--forward')

    @needs('xz', 'simdjson', 'zydis')
    def test_branches_are_those_of_the_model(self):
        for name, prefix in (('work32.trace32.xz', 'e'), ('threads3_64.trace64.xz', 'r')):
            blocks = Trace(content(sample(name))).blocks
            expected = branches_model.decided(blocks)
            rng, some = random.Random(11), 0
            for _ in range(6):
                register, at = prefix + rng.choice(('ax', 'si', 'di', 'bx')), rng.randrange(len(blocks) // 2, len(blocks))
                plain = self.rows(sample(name), 'origin', register, '--at', at, '-m', 60)
                rows = self.rows(sample(name), 'origin', register, '--at', at, '-m', 120, '--branches', 'list')
                data = [x['index'] for x in rows[1:] if x['decided_by'] is not None or not x['decides']]
                if len(rows) <= 120:
                    self.assertEqual(data[:len(plain) - 1], [x['index'] for x in plain[1:]][:len(data)])
                followed = self.rows(sample(name), 'origin', register, '--at', at, '-m', 300, '--branches', 'follow')
                for x in followed[1:] + [x for x in rows[1:] if not x['decides']]:
                    self.assertEqual(x['decided_by'], expected[x['index']], (name, register, at, x['index']))
                    some += x['decided_by'] is not None
                last = followed[-1].get('index', 0)
                self.assertEqual({x['index'] for x in followed[1:] if x['decides']},
                                 {x['decided_by'] for x in followed[1:] if x['decided_by'] is not None and x['decided_by'] >= last})
            self.assertGreater(some, 100)

    def test_branches_of_a_trace_without_branches(self):
        path = os.path.join(os.path.dirname(SED), 'listed', 'loads.mldpc')
        r = run('trace_query', path, 'origin', '0x7000', '--at', '1', '--branches', 'list', '--no-index')
        self.assertEqual((r.returncode, r.stdout), (2, b''))
        self.assertIn(b'do not have branches', r.stderr)

    @needs('xz')
    def test_records_of_champsim_have_a_coarse_slice(self):
        """Every result of a record depends on all its registers and addresses."""
        all = records(content(SED))
        rng = random.Random(7)
        for _ in range(4):
            at, register = rng.randrange(1000, len(all)), rng.choice(('rax', 'rdi', 'rcx', 'r12'))
            live, expected = {NUMBERS[register]}, []
            for n in range(at - 1, -1, -1):
                r = all[n]
                written = {d for d in r['destination_registers'] if d not in (0, 26)}
                written |= {('m', a) for a in r['destination_memory'] if a}
                if not written & live:
                    continue
                if len(expected) == 30:
                    break
                live -= written
                marks = (0, 26) + ((56, 255) if r['is_branch'] else ())
                live |= {s for s in r['source_registers'] if s not in marks}
                live |= {('m', a) for a in r['source_memory'] if a}
                expected.append(n)
            r = run('trace_query', SED, 'origin', register, '--at', str(at), '-m', '30', '--json')
            self.assertEqual([json.loads(line)['index'] for line in r.stdout.splitlines()[1:]], expected, (register, at))
            self.assertIn(b'depends on all operands', r.stderr)

    def test_tenet_has_no_registers_that_are_read(self):
        path = os.path.join(support._arguments.data, 'tenet', 'made_amd64.tenet.log.gz')
        steps = make_tenet.Program(54, 1000).instructions
        at = 400
        last = max(n for n in range(at) if 'rax' in steps[n].changes)
        rows = self.rows(path, 'origin', 'rax', '--at', at, '-m', 1)
        self.assertEqual(rows[0]['from'], [{'register': 'rax', 'index': last}])
        self.assertEqual(rows[1]['flows'][0]['from'][-1], {'end': 'unknown'})
        self.assertEqual([r['index'] for r in self.rows(path, 'last-set', 'rax', '--before', at)], [last])

    @needs('simdjson', 'zydis')
    def test_graphviz(self):
        p = Program(rbx=5).step('4889d8', rax=5).step('90')
        path = self.write('t.trace64', p.raw)
        text = self.good(path, 'origin', 'rax', '--at', '1', '--graphviz', '--no-index').decode()
        self.assertIn('digraph', text)
        self.assertIn('"0" -> "question" [label="rax"]', text)
        self.assertIn('"end0" -> "0" [label="rbx"]', text)


if __name__ == '__main__':
    support.main()
