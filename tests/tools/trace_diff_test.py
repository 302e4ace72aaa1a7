# trace_diff: traces with known differences, in each format, in two formats, and of one program
# recorded with different inputs.
import json
import os
import random
import shutil
import struct
import subprocess
import unittest

import support
import x64dbg_model
from support import PARTS, SED, WORK, content, file_bytes, needs

CASES = os.path.join(os.environ.get('TRACECODEC_SAMPLES', 'TRACECODEC_SAMPLES'), '..', 'cases')

# True if the build reads traces that contain code: x64dbg's, and UMTracer's as instructions.
READS_CODE = {'simdjson', 'zydis'} <= PARTS

END = r'''
  .rept 20
  nop
  .endr
  mov $60, %eax
  xor %edi, %edi
  syscall
'''

# Executes its loop of two instructions argc times, then 20 others, then three more if there
# are arguments.
LOOP = r'''
.globl _start
_start:
  mov (%rsp), %ecx
again:
  dec %ecx
  jnz again
  .rept 20
  nop
  .endr
  cmpl $1, (%rsp)
  je quiet
  nop
  nop
  nop
quiet:
''' + END

# Continues at `zero` if N is 0.
CHOICE = r'''
.globl _start
_start:
  mov $N, %eax
  test %eax, %eax
  jz zero
  nop
zero:
''' + END

# Reads the 16 random bytes that the system provides.
RANDOM = r'''
.globl _start
_start:
  mov %rsp, %rdi
  mov (%rdi), %ecx
  lea 16(%rdi,%rcx,8), %rdi
environment:
  add $8, %rdi
  cmpq $0, -8(%rdi)
  jne environment
vector:
  add $16, %rdi
  cmpq $25, -16(%rdi)
  jne vector
  mov -8(%rdi), %rsi
  mov (%rsi), %rax
  mov 8(%rsi), %rdx
''' + END

# Reads the first letter of its argument and writes it to the stack.
LETTER = r'''
.globl _start
_start:
  mov 16(%rsp), %rsi
  movzbl (%rsi), %eax
  mov %eax, -64(%rsp)
  nop
  nop
  mov $60, %eax
  xor %edi, %edi
  syscall
'''


def sample(name):
    return os.path.join(os.path.dirname(SED), name)


class Diff(support.RecordingTest):
    program = 'trace_diff'

    def summary(self, *args, code):
        r = self.run_program('--json', *args)
        self.assertEqual((r.returncode, r.stderr), (code, b''), args)
        return json.loads(r.stdout)

    def test_a_trace_and_itself(self):
        with_code = ('work32.trace32.xz', 'threads3_64.trace64.xz', 'umtracer/plain64')
        for name in ('sed64.champsimtrace.xz', 'rapidbin/r250.data', 'rapidbin/r250.std',
                     *(with_code if READS_CODE else ())):
            got = self.summary(sample(name), sample(name), code=0)
            self.assertTrue(got['same'], name)
            self.assertGreater(got['aligned'], 100, name)
            self.assertEqual(self.run_program(sample(name), sample(name)).stdout.splitlines()[-1],
                             b'The traces are the same.')

    def test_known_changes(self):
        raw = bytearray(content(WORK)[:64 * 3000])
        good = self.write('good', raw)
        struct.pack_into('<Q', raw, 64 * 100 + 32, 0x1234)  # the address of a load
        raw[64 * 200 + 12] ^= 0x40  # a source register
        del raw[64 * 1000:64 * 1007]
        changed = self.write('changed', raw)
        got = self.summary(good, changed, code=1)
        self.assertEqual((got['memory'], got['registers']), (1, 1))
        self.assertEqual((got['divergences'], got['only_a'], got['only_b']), (1, 7, 0))
        self.assertEqual(got['aligned'], 2993)
        text = self.run_program(good, changed).stdout.decode()
        self.assertIn('(100 | 100), memory read ', text)
        self.assertRegex(text, r'(?m)^- +1000 +0x')
        self.assertIn('- and 2 more\n', text)
        ignored = self.run_program('--ignore', 'memory', '--ignore', 'registers', good, changed)
        self.assertNotIn(b'memory', ignored.stdout)
        self.assertEqual(ignored.returncode, 1)

    @needs('simdjson', 'zydis')
    def test_two_formats(self):
        a, b = sample('work32.champsimtrace.xz'), sample('work32.trace32.xz')
        got = self.summary(a, b, code=1)
        # The ChampSim trace was recorded with another disassembler, whose lists of registers
        # differ.
        self.assertEqual((got['aligned'], got['divergences'], got['memory'], got['outcome']),
                         (50000, 0, 0, 0))
        self.assertTrue(self.summary('--ignore', 'registers', a, b, code=0)['same'])
        # Options that only one of the formats supports do not prevent a comparison.
        self.assertTrue(self.summary('--ignore', 'registers', '--thread', '6700', '--repair', a, b,
                                     code=0)['same'])
        trace = self.path('t.champsimtrace')
        self.assertEqual(support.run('trace_convert', sample('umtracer/plain64'), trace).returncode,
                         0)
        # The records are not in a thread's order: another thread's instruction may follow a
        # branch.
        got = self.summary('--ignore', 'outcome', sample('umtracer/plain64'), trace, code=0)
        self.assertGreater(got['aligned'], 1000)

    @needs('simdjson', 'zydis')
    def test_threads_are_compared_in_the_order_in_which_they_appear(self):
        a = sample('threads3_64.trace64.xz')
        r = self.run_program(a, a)
        self.assertEqual(r.stdout.count(b'thread '), 3)
        one = self.path('one.trace64')
        self.assertEqual(support.run('trace_convert', '--thread', '6700', a, one).returncode, 0)
        got = self.summary('--thread', '6700', a, one, code=0)
        self.assertTrue(got['same'])
        r = self.run_program(a, one)
        self.assertEqual(r.returncode, 1)
        self.assertIn(b'threads of the first                           3\n', r.stdout)
        self.assertIn(b'threads of the second                          1\n', r.stdout)

    def test_threads_with_equal_ids_are_compared(self):
        # Finally, the second trace lacks the first thread.
        a = sample('rapidbin/r250.data')
        both = self.summary('--thread', '0', '--thread', '1', a, a, code=0)
        single = [self.summary('--thread', t, a, a, code=0)['aligned'] for t in '01']
        self.assertEqual(both['aligned'], sum(single))
        self.assertEqual(both['threads_a'], 2)
        late = self.path('late.data')
        self.assertEqual(support.run('trace_convert', '--thread', '1', a, late).returncode, 0)
        got = self.summary('--no-metadata', a, late, code=1)
        self.assertEqual((got['aligned'], got['divergences']), (single[1], 0))

    @needs('simdjson', 'zydis')
    def test_the_address_spaces_of_cloudsuite(self):
        trace = sample('threads3_64.trace64.xz')
        whole = self.path('whole')
        self.assertEqual(support.run('trace_convert', '--to', 'cloudsuite', trace, whole).returncode,
                         0)
        raw = content(whole)
        of = {}
        for at in range(0, len(raw), 96):
            of.setdefault(raw[at + 88:at + 90], []).append(raw[at:at + 96])
        self.assertEqual(len(of), 3)
        # The same records with other thread switches.
        in_turn = b''.join(b''.join(records) for records in of.values())
        self.assertNotEqual(in_turn, raw)
        other = self.write('other', in_turn)
        got = self.summary('--format', 'cloudsuite', whole, other, code=0)
        self.assertEqual((got['aligned'], got['threads_a']), (len(raw) // 96, 3))
        # Comparison with the trace from which they were made.
        got = self.summary('--ignore', 'registers', '--ignore', 'memory', trace, whole, code=0)
        self.assertEqual((got['aligned'], got['threads_b']), (len(raw) // 96, 3))
        # One thread against a trace in the other format, which has no threads.
        records = of[(6704).to_bytes(2, 'little')]
        one = self.path('one')
        self.assertEqual(support.run('trace_convert', '--thread', '6704', '--to', 'champsim', trace,
                                     one).returncode, 0)
        for a in (trace, whole):
            got = self.summary('--ignore', 'registers', '--ignore', 'memory', '--thread', '6704', a,
                               one, code=0)
            self.assertEqual((got['aligned'], got['only_a']), (len(records), 0), a)

    def test_a_thread_that_is_not_there(self):
        trace, records = sample('rapidbin/r250.data'), sample('sed64.champsimtrace.xz')
        for pair, said in (((trace, trace), b'neither trace has an instruction of thread 1000\n'),
                           ((records, records), b'neither trace has threads\n')):
            r = self.run_program('--thread', '1000', *pair)
            self.assertEqual((r.returncode, r.stdout), (2, b''))
            self.assertTrue(r.stderr.endswith(said), r.stderr)

    @unittest.skipIf(support.WINDOWS, 'Windows has no such names')
    def test_pipes(self):
        raw = bytearray(content(WORK)[:64 * 5000])
        a = self.write('a', raw)
        raw[64 * 5 + 40] ^= 1
        b = self.write('b', raw)
        r = subprocess.run(['bash', '-c', '%s --json <(cat %s) <(cat %s)'
                            % (support.PROGRAMS['trace_diff'], a, b)], stdout=subprocess.PIPE)
        self.assertEqual(r.returncode, 1)
        got = json.loads(r.stdout)
        self.assertEqual((got['aligned'], got['memory']), (5000, 1))

    def test_two_recordings_of_a_program(self):
        if 'trace_record' not in support.PROGRAMS:
            self.skipTest('no trace_record')
        program = self.program_of(LOOP, '-nostdlib', '-static', '-no-pie', suffix='.s')
        few, many = self.path('few.trace64'), self.path('many.trace64')
        self.record(few, '--', program)
        self.record(many, '--', program, 'a', 'b', 'c')
        got = self.summary('--ignore', 'values', few, many, code=1)
        # Two branches have another outcome: the last one of the loop in the first run, and je.
        self.assertEqual((got['aligned'], got['memory'], got['outcome'], got['divergences'],
                          got['only_a'], got['only_b']), (48, 0, 2, 2, 0, 9))
        text = self.run_program(few, many).stdout.decode()
        self.assertEqual(text.count('and meet again at\n'), 2)
        self.assertRegex(text, r'differ at 0x[0-9a-f]+ \(2 \| 2\), conditional not taken \| '
                         r'conditional to 0x[0-9a-f]+, flags 0x44 \| 0x4  ; jnz 0x[0-9A-F]+\n')
        # An instruction of both traces, and one of only the second trace.
        self.assertRegex(text, r'\n +1 +1  0x[0-9a-f]+  ; dec ecx\n')
        self.assertRegex(text, r'\n\+ +3  0x[0-9a-f]+  ; dec ecx\n')
        again = self.path('again.trace64')
        self.record(again, '--', program)
        self.assertTrue(self.summary(few, again, code=0)['same'])

    def test_what_is_chance_is_the_same_in_each_recording(self):
        if 'trace_record' not in support.PROGRAMS:
            self.skipTest('no trace_record')
        program = self.program_of(RANDOM, '-nostdlib', '-static', '-no-pie', suffix='.s')
        traces = [self.path(name) for name in ('1.trace64', '2.trace64')]
        for t in traces:
            self.record(t, '--', program)
        self.assertTrue(self.summary(*traces, code=0)['same'])
        first = json.loads(support.run('trace_view', '--json', '-n', 'all', traces[0]).stdout
                           .splitlines()[0]) if 'trace_view' in support.PROGRAMS else None
        if first is not None:
            self.assertEqual(int(first['registers']['rsp'], 16) % 65536, 0, first)

    def test_code_that_differs(self):
        if 'trace_record' not in support.PROGRAMS:
            self.skipTest('no trace_record')
        traces = []
        for n in '01':
            program = self.program_of(CHOICE.replace('$N', '$' + n), '-nostdlib', '-static',
                                      '-no-pie', suffix='.s')
            traces.append(self.path(n + '.trace64'))
            self.record(traces[-1], '--', program)
        lines = self.run_program('--ignore', 'values', '--ignore', 'outcome',
                                 *traces).stdout.decode().splitlines()
        parts = lines.index('diverge after')
        for line, said in zip(lines[parts + 1:], (
                r' +0 +0  0x[0-9a-f]+  ; mov eax, 0x00 \| mov eax, 0x01',
                r' +1 +1  0x[0-9a-f]+  ; test eax, eax',
                r' +2 +2  0x[0-9a-f]+, conditional to 0x[0-9a-f]+ \| conditional not taken  ; '
                r'jz 0x[0-9A-F]+',
                r'\+ +3  0x[0-9a-f]+  ; nop', 'and meet again at',
                r' +3 +4  0x[0-9a-f]+  ; nop')):
            self.assertRegex(line, '^' + said + '$')

    @support.needs('simdjson', 'zydis')
    def test_code_at_the_same_ip(self):
        # The second instruction is jz in the first trace and jnz in the second, neither taken.
        traces = []
        for name, opcode in ('z', b'\x74\x06'), ('nz', b'\x75\x06'):
            traces.append(self.write(name + '.trace64', x64dbg_model.header() + b''.join((
                x64dbg_model.snapshot(ip=0x1000), x64dbg_model.delta(opcode, 0x1001),
                x64dbg_model.delta(ip=0x1003), x64dbg_model.delta(ip=0x1004)))))
        got = self.summary(*traces, code=1)
        self.assertEqual({key: got[key] for key in ('same', 'aligned', 'code', 'outcome', 'values',
                                                    'registers', 'memory', 'divergences')},
                         {'same': False, 'aligned': 4, 'code': 1, 'outcome': 0, 'values': 0,
                          'registers': 0, 'memory': 0, 'divergences': 0})
        lines = self.run_program(*traces).stdout.decode().splitlines()
        self.assertRegex(lines[0], r'^differ at 0x1001 \(1 \| 1\), code 74 06 \| 75 06'
                                   r'  ; jz 0x\w+1009 \| jnz 0x\w+1009$')
        self.assertRegex('\n'.join(lines), '(?m)^  code differs +1$')
        got = self.summary('--ignore', 'code', *traces, code=0)
        self.assertTrue(got['same'])
        self.assertNotIn('code', got)
        self.assertEqual(self.summary(traces[0], traces[0], code=0)['code'], 0)

    def test_events(self):
        with open(sample('rapidbin/r250.data'), 'rb') as f:
            raw = f.read()
        names = ('acquire', 'release', 'read', 'write', 'fork', 'join', 'begin', 'end', 'request')
        events = [int.from_bytes(raw[i:i + 8], 'big') for i in range(18, len(raw), 8)]
        operations = [names[e >> 10 & 15] for e in events]

        def compare(n, change, *args, code=1):
            changed = bytearray(raw)
            changed[18 + 8 * n:26 + 8 * n] = (events[n] ^ change).to_bytes(8, 'big')
            return self.summary('--no-metadata', *args, sample('rapidbin/r250.data'),
                                self.write('changed.data', bytes(changed)), code=code)
        found = lambda got: tuple(got[key] for key in ('events', 'memory', 'divergences'))
        other_operation, other_decor = lambda a, b: (names.index(a) ^ names.index(b)) << 10, 1 << 14
        for operation, change, expected in (
                ('acquire', other_operation('acquire', 'release'), (1, 0, 0)),
                ('release', other_operation('release', 'request'), (1, 1, 0)),
                ('read', other_operation('read', 'write'), (1, 1, 0)),
                ('fork', other_operation('fork', 'join'), (1, 0, 0)),
                ('fork', other_decor, (1, 0, 0)), ('join', other_decor, (1, 0, 0)),
                ('request', other_decor, (1, 0, 0)), ('acquire', other_decor, (0, 1, 0)),
                ('write', other_decor, (0, 1, 0))):
            n = operations.index(operation)
            with self.subTest(operation=operation, change=change):
                self.assertEqual(found(compare(n, change)), expected)
                if expected == (1, 0, 0):
                    got = compare(n, change, '--ignore', 'events', code=0)
                    self.assertTrue(got['same'])
                    self.assertNotIn('events', got)
        # Events in STD text, and their differences in text.
        a, b = self.write('a.std', b'T0|acq(L1)|5\nT0|req(L1)|6\nT0|fork(T1)|7\n'), self.write(
            'b.std', b'T0|rel(L1)|5\nT0|req(L2)|6\nT0|fork(T2)|7\n')
        lines = self.run_program(a, b).stdout.decode().splitlines()
        for line, said in zip(lines, (r'acquire \| release', r'request 0x\w+ \| request 0x\w+',
                                      r'fork 1 \| fork 2')):
            self.assertRegex(line, r'^differ at 0x[0-9a-f]+ \(\d \| \d\), ' + said + '$')
        self.assertRegex('\n'.join(lines), '(?m)^  events differ +3$')

    WORDS = {'rax': 0, 'rcx': 1, 'rdx': 2, 'rbx': 3, 'rsp': 4, 'rbp': 5, 'rsi': 6, 'rdi': 7}

    def x64dbg(self, name, steps):
        """Returns an x64dbg trace of steps: ip, opcode, registers before the step, accesses (address, old, new)."""
        raw, last = x64dbg_model.header(), None
        for ip, opcode, registers, *memory in steps:
            now = dict(last or {}, rip=ip, **registers)
            if last is None:
                values = [0] * 172
                for r, v in now.items():
                    values[16 if r == 'rip' else self.WORDS[r]] = v
                words = list(enumerate(values))
                head = b'\x80'
            else:
                words = sorted((16 if r == 'rip' else self.WORDS[r], v) for r, v in now.items()
                               if last.get(r, 0) != v)
                head = b'\0'
            last = now
            code, at = bytes.fromhex(opcode), -1
            places = []
            for w, _ in words:
                places.append(w - at - 1)
                at = w
            raw += bytes([0, len(words), len(memory), head[0] | len(code)])
            raw += struct.pack('<I', 7) if head[0] else b''
            raw += code + bytes(places) + b''.join(struct.pack('<Q', v) for _, v in words)
            raw += bytes(int(new is None) for _, _, new in memory)
            for n in range(2):
                raw += b''.join(struct.pack('<Q', m[n]) for m in memory)
            raw += b''.join(struct.pack('<Q', m[2]) for m in memory if m[2] is not None)
        return self.write(name, raw)

    def clock(self, name, time, after):
        """Returns a program that reads the clock, computes with the value, stores it and reads it back. Then it
        loads 0 and `after`."""
        low, high, at = time & 0xFFFFFFFF, time >> 32, 0x8000
        return self.x64dbg(name, [
            (0x1000, '0f31', {'rsp': at}),                       # rdtsc
            (0x1002, '48c1e220', {'rax': low, 'rdx': high}),     # shl rdx, 32
            (0x1006, '4809d0', {'rdx': high << 32}),             # or rax, rdx
            (0x1009, '48894424c0', {'rax': time}, (at - 64, 0, time)),   # mov [rsp-64], rax
            (0x100e, '488b5c24c0', {}, (at - 64, time, None)),   # mov rbx, [rsp-64]
            (0x1013, '31c0', {'rbx': time}),                     # xor eax, eax
            (0x1015, 'bb00000000', {'rax': 0}),                  # mov ebx, ...
            (0x101a, '90', {'rbx': after}),
            (0x101b, '90', {})])

    @needs('simdjson', 'zydis')
    def test_values_that_instructions_write_as_expected(self):
        one, two = (self.clock(n, t, 5) for n, t in (('a.trace64', 0xC6342EF6D4F),
                                                     ('b.trace64', 0xC6549AB3751)))
        self.assertEqual(self.summary(one, two, code=1)['values'], 3)
        for words in (['rdtsc'], ['RDTSC'], ['clock'], ['cpuid', 'clock']):
            options = [o for w in words for o in ('--ignore', w)]
            got = self.summary(*options, one, two, code=0)
            self.assertEqual((got['same'], got['values'], got['aligned']), (True, 0, 9))
            self.assertGreater(got['values_expected'], 0)
        self.assertEqual(self.summary('--ignore', 'cpuid', one, two, code=1)['values'], 3)
        # If another instruction writes the register, the values count as different again.
        other = self.clock('c.trace64', 0xC6549AB3751, 6)
        r = self.run_program('--ignore', 'clock', one, other)
        self.assertEqual(r.returncode, 1)
        self.assertEqual(r.stdout.decode().splitlines()[0],
                         'differ at 0x101a (7 | 7), rbx 0x5 | 0x6  ; nop')
        self.assertIn(b'values become different                      1\n', r.stdout)

    @needs('simdjson', 'zydis')
    def test_what_is_ignored_is_named(self):
        a = self.clock('a.trace64', 1, 1)
        for words in (['--ignore', 'rdtcs'], ['--ignore', 'rdtsc,cpuid'], ['--ignore', '']):
            r = self.run_program(*words, a, a)
            self.assertEqual((r.returncode, r.stdout), (2, b''), words)
            self.assertIn(b'--ignore', r.stderr)

    def elsewhere(self, name, module, stack, number):
        """Returns a program at `module` with its stack at `stack`. It reads its data and pushes a register."""
        data = module + 0x4000
        return self.x64dbg(name, [
            (module + 0x1000, '488b1f', {'rsp': stack, 'rdi': data}, (data, 77, None)),  # mov rbx, [rdi]
            (module + 0x1003, '57', {'rbx': 77}, (stack - 8, 0, data)),                   # push rdi
            (module + 0x1004, '488d4c2408', {'rsp': stack - 8}),                           # lea rcx, [rsp+8]
            (module + 0x1009, '90', {'rcx': stack}),
            (module + 0x100a, 'ba00000000', {}),                                           # mov edx, ...
        ] + [(module + 0x100f + n, '90', {'rdx': number}) for n in range(20)])

    @needs('simdjson', 'zydis')
    def test_modules_that_moved(self):
        one = self.elsewhere('a.trace64', 0x400000, 0x7FF000, 3)
        two = self.elsewhere('b.trace64', 0x550000, 0x7FF000, 3)
        r = self.run_program('--json', one, two)
        far = json.loads(r.stdout)
        self.assertEqual((r.returncode, far['aligned'], far['only_a'], far['only_b']), (1, 0, 25, 25))
        self.assertIn(b'use --relocate auto', r.stderr)
        # A region without a size extends to the next one. The stack has not moved.
        stack = ['--relocate', '0x7f0000=0x7f0000']
        for where in (['0x400000=0x550000+0x10000'], ['0x400000=0x550000', *stack],
                      ['4194304=5570560+65536']):
            got = self.summary('--relocate', *where, one, two, code=0)
            self.assertEqual((got['aligned'], got['memory'], got['values'], got['outcome']),
                             (25, 0, 0, 0), where)
        # A value that does not move with its module is a difference, and so are data outside
        # the region.
        got = self.summary('--relocate', '0x400000=0x550000+0x4000', one, two, code=1)
        self.assertEqual((got['aligned'], got['memory'], got['values']), (25, 1, 2))
        other = self.elsewhere('c.trace64', 0x550000, 0x7FF000, 4)
        got = self.run_program('--relocate', '0x400000=0x550000', *stack, one, other)
        self.assertIn(b'differ at 0x40100f (5 | 5), rdx 0x3 | 0x4  ; nop\n', got.stdout)
        self.assertIn(b'values become different                      1\n', got.stdout)
        for wrong in ('0x400000', '1=2+0', 'a=b', '0x400000=0x550004', '1=2+x', '=5'):
            r = self.run_program('--relocate', wrong, one, two)
            self.assertEqual((r.returncode, r.stdout), (2, b''), wrong)
            self.assertIn(b'--relocate', r.stderr)
        r = self.run_program('--relocate', '0=0x1000+0x1000', '--relocate', '0x5000=0x1800', one, two)
        self.assertEqual(r.returncode, 2)
        self.assertIn(b'overlap', r.stderr)

    @needs('simdjson', 'zydis')
    def test_values_that_moved(self):
        def trace(name, module, stack, last):
            rng, ip, steps = random.Random(1), module + 0x1000, []
            for n in range(200):
                # Instructions of 1 to 7 bytes. The registers are addresses of the module and of the stack.
                code = rng.choice(('90', '6690', '0f1f00', '0f1f4000', '0f1f440000', '660f1f440000', '0f1f8000000000'))
                steps.append((ip, code, {'rcx': module + 8 * n, 'rdx': n, 'rsp': stack - 8 * (n // 8)}))
                ip += len(code) // 2
                if n % 8 == 7:
                    steps.append((ip, '50', {'rax': module + n}, (stack - 8 * (n // 8 + 1), 0, module + n)))  # push rax
                    ip += 1
            return self.x64dbg(name, steps + [(ip, '90', {'rbx': last})])
        one = trace('a.trace64', 0x140000000, 0x14ff00, 3)
        two = trace('b.trace64', 0x7ff612340000, 0x6efc28, 3)
        got = self.summary('--relocate', 'auto', one, two, code=0)
        self.assertEqual((got['aligned'], got['values'], got['memory']), (226, 0, 0))
        self.assertEqual([(int(r['b'], 16) - int(r['a'], 16), r['instructions'] != 0) for r in got['moved']['regions']],
                         [(0x6efc28 - 0x14ff00, False), (0x7ff612340000 - 0x140000000, True)])
        other = trace('c.trace64', 0x7ff612340000, 0x6efc28, 4)
        self.assertEqual(self.summary('--relocate', 'auto', one, other, code=1)['values'], 1)

    @needs('simdjson', 'zydis')
    def test_addresses_that_moved(self):
        one = self.elsewhere('a.trace64', 0x400000, 0x7FF000, 3)
        two = self.elsewhere('b.trace64', 0x400000, 0x6FE010, 3)
        got = self.summary(one, two, code=1)
        self.assertGreater(got['memory'], 0)
        self.assertEqual(got['values'], 2)  # rsp, and rcx, which is computed from it
        got = self.summary('--ignore', 'addresses', one, two, code=0)
        self.assertEqual((got['aligned'], got['values']), (25, 0))
        self.assertNotIn('memory', got)
        other = self.elsewhere('c.trace64', 0x400000, 0x6FE010, 4)
        self.assertEqual(self.summary('--ignore', 'addresses', one, other, code=1)['values'], 1)

    @needs('simdjson', 'zydis')
    def test_from_an_address(self):
        def trace(name, before, ending):
            return self.x64dbg(name, [(0x1000 + n, '90', {}) for n in before] +
                               [(0x2000 + n, '90', {'rbx': ending}) for n in range(30)])
        one, two = trace('a.trace64', range(40), 1), trace('b.trace64', [3, 200, 8], 1)
        self.assertEqual(self.summary(one, two, code=1)['divergences'], 1)
        got = self.summary('--from', '0x2000', one, two, code=0)
        self.assertEqual((got['aligned'], got['divergences'], got['only_a']), (30, 0, 0))
        self.assertEqual(self.summary('--from', '8210', one, two, code=0)['aligned'], 12)
        other = trace('c.trace64', [], 2)
        r = self.run_program('--from', '0x2000', one, other)
        self.assertTrue(r.stdout.startswith(b'differ at 0x2000 (40 | 0), rbx 0x1 | 0x2'), r.stdout)
        for wrong in ('0x3000', '0x1001', 'main+x'):
            r = self.run_program('--from', wrong, one, two)
            self.assertEqual((r.returncode, r.stdout), (2, b''), wrong)
            self.assertIn(b'--from', r.stderr)
        # With modules that moved, the address is one of the first trace.
        moved = self.x64dbg('d.trace64', [(0x9000 + n, '90', {'rbx': 1}) for n in range(30)])
        got = self.summary('--from', '0x2004', '--relocate', '0x2000=0x9000', one, moved, code=0)
        self.assertEqual(got['aligned'], 26)

    def changed(self, file, at, raw):
        """Returns a copy of plain64 with these bytes at an offset of a file."""
        folder = self.path('changed')
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(sample('umtracer/plain64'), folder, copy_function=shutil.copyfile)
        with open(os.path.join(folder, file), 'r+b') as f:
            f.seek(at)
            f.write(raw)
        return folder

    @needs('simdjson', 'zydis')
    def test_what_is_no_instruction(self):
        plain = sample('umtracer/plain64')
        rows = [json.loads(r) for r in content(plain + '.expected.jsonl.xz').splitlines()]
        exec_rows = [r for r in rows if r['t'] == 'exec']
        calls = [r for r in rows if r['t'] == 'sys']
        file = lambda name: support.file_bytes(os.path.join(plain, name))
        offsets = struct.unpack('<%dq' % (len(exec_rows) + 1), file('exec.offsets'))
        places = struct.unpack('<%dq' % (2 * len(calls)), file('syscall.offsets'))
        keys = ('system_calls', 'contexts', 'thread_events')

        def differs(folder, counts, *lines):
            r = self.run_program(plain, folder)
            text = r.stdout.decode().splitlines()
            self.assertEqual((r.returncode, r.stderr), (1, b''))
            titles = ('system calls differ', 'contexts differ', 'records of threads differ')
            for title, n in zip(titles, counts):
                self.assertIn('%-34s%14d' % (title, n), text)
            for line in lines:
                self.assertIn(line, text)

        got = self.summary(plain, plain, code=0)
        self.assertEqual([got[k] for k in keys], [0, 0, 0])

        end = next(r for r in exec_rows if r['type'] in (2, 3))
        folder = self.changed('exec.vtable', offsets[end['id']] + 6, struct.pack('<I', 4711))
        differs(folder, (0, 0, 1), 'threads differ, records {0} | {0}: exit code {1} | 4711'.format(
            end['id'], end['code']))
        self.assertTrue(self.summary('--ignore', 'events', plain, folder, code=0)['same'])

        call = next(c for c in calls if c['done'] and c['args'])
        at = places[2 * call['id']]
        folder = self.changed('syscall.vtable', at + 32, struct.pack('<Q', 0xABCD))
        differs(folder, (1, 0, 0), 'system calls differ, records {0} | {0}: result {1} | 0xabcd'.format(
            call['begin'], call['res']))
        self.assertTrue(self.summary('--ignore', 'syscalls', plain, folder, code=0)['same'])
        pointer, = struct.unpack_from('<q', file('syscall.vtable'), at + 40)
        folder = self.changed('syscall.vtable', at + pointer, struct.pack('<Q', 0xABCD))
        differs(folder, (1, 0, 0), 'system calls differ, records {0} | {0}: argument 0 {1} | 0xabcd'
                .format(call['begin'], call['args'][0]))
        # Another call, whose entry and exit therefore have no counterpart.
        folder = self.changed('syscall.vtable', at + 2, struct.pack('<H', 60000))
        differs(folder, (0, 0, 4), '- record %d: system call entry %d' % (call['begin'], call['uid']),
                '+ record %d: system call entry 60000' % call['begin'])

        registers = {r['name']: r for r in rows if r['t'] == 'reg'}
        place, size, _ = registers['RBX']['m64']
        row = next(r for r in exec_rows if r.get('regs') and r['flags'] & 1)
        raw = bytes.fromhex(row['regs'])
        start = file('exec.vtable').index(raw, offsets[row['id']])
        folder = self.changed('exec.vtable', start + place, struct.pack('<Q', 0x1234))
        was = int.from_bytes(raw[place:place + size], 'little')
        differs(folder, (0, 1, 0), 'contexts differ, records {0} | {0}: RBX {1} | 0x1234'.format(
            row['id'], hex(was)))
        self.assertTrue(self.summary('--ignore', 'contexts', plain, folder, code=0)['same'])

    @needs('simdjson', 'zydis')
    def test_text_of_a_trace_does_not_steer_the_terminal(self):
        folder = self.path('steers')
        shutil.copytree(sample('umtracer/plain64'), folder)
        changed = 0
        for name in os.listdir(folder):
            with open(os.path.join(folder, name), 'r+b') as f:
                text = f.read()
                changed += text.count(b'add ch, 0x11')
                f.seek(0)
                f.write(text.replace(b'add ch, 0x11', b'\x1b[1 ch, 0x11'))
        self.assertEqual(changed, 1)
        out = self.run_program(folder, sample('umtracer/awkward64')).stdout
        self.assertIn(b'  ; \\x1b[1 ch, 0x11\n', out)
        self.assertNotIn(b'\x1b', out)

    def test_values_of_two_recordings(self):
        if 'trace_record' not in support.PROGRAMS:
            self.skipTest('no trace_record')
        program = self.program_of(LETTER, '-nostdlib', '-static', '-no-pie', suffix='.s')
        traces = {}
        for letter in ('a', 'b'):
            traces[letter] = self.path(letter + '.trace64')
            self.record(traces[letter], '--', program, letter)
            folder = self.path(letter + '.umtracer')
            r = support.run('trace_convert', '--to', 'umtracer', traces[letter], folder)
            self.assertEqual(r.returncode, 0, r.stderr)
            traces[letter + ' of UMTracer'] = folder
        a, b = traces['a'], traces['b']
        # Differences where the letter is read, and where it is in rax and gets written.
        got = self.summary(a, b, code=1)
        self.assertEqual((got['aligned'], got['values'], got['registers'], got['memory'],
                          got['outcome'], got['divergences']), (8, 2, 0, 0, 0, 0))
        lines = self.run_program(a, b).stdout.decode().splitlines()
        self.assertRegex(lines[0], r'^differ at 0x[0-9a-f]+ \(1 \| 1\), '
                         r'\[0x[0-9a-f]+\] 61( [0-9a-f]{2})* \| 62( [0-9a-f]{2})*'
                         r'  ; movzx eax, byte ptr \[rsi\]$')
        self.assertRegex(lines[1], r'\(2 \| 2\), rax 0x61 \| 0x62, \[0x[0-9a-f]+\] written '
                         r'61 00 00 00( 00)* \| 62 00 00 00( 00)*  ; mov \[rsp-0x40\], eax$')
        # rax becomes equal when it is overwritten, which is not a difference.
        self.assertRegex(lines[2], '^instructions at equal ips +8$')
        self.assertIn('  values become different                      2', lines)
        self.assertTrue(self.summary('--ignore', 'values', a, b, code=0)['same'])
        self.assertNotIn('values', self.summary('--ignore', 'values', a, b, code=0))
        # UMTracer's operands: both traces have the letter where it is read, and what is
        # written.
        got = self.summary(traces['a of UMTracer'], traces['b of UMTracer'], code=1)
        self.assertEqual((got['aligned'], got['values'], got['divergences']), (8, 2, 0))
        text = self.run_program(traces['a of UMTracer'], traces['b of UMTracer']).stdout.decode()
        self.assertRegex(text, r'\(1 \| 1\), \[0x[0-9a-f]+\] 61 \| 62, rax written 0x61 \| 0x62'
                         r'  ; movzx eax, byte ptr \[rsi\]\n')
        # Comparison of one trace in each format.
        for letter in ('a', 'b'):
            got = self.summary(traces[letter], traces[letter + ' of UMTracer'], code=0)
            self.assertEqual((got['aligned'], got['values']), (8, 0))
        got = self.summary(a, traces['b of UMTracer'], code=1)
        self.assertEqual((got['aligned'], got['values'], got['divergences']), (8, 2, 0))

    @support.needs('simdjson', 'zydis')
    def test_values_that_are_too_many(self):
        # All registers change at each instruction, and the traces meet again far away. The
        # search covers more values than can be kept.
        def written(more):
            raw = x64dbg_model.header()
            for i in range(5000):
                for k in range(more if i == 500 else 0):
                    raw += x64dbg_model.snapshot(ip=0x10000 + k)
                block = x64dbg_model.snapshot(ip=0x1000 + i)
                values = 8 * x64dbg_model.WORDS['x64']
                words = struct.unpack('<%dQ' % (values // 8), block[-values:])
                raw += block[:-values] + struct.pack('<%dQ' % (values // 8), *(
                    w or 77 * i + n for n, w in enumerate(words)))
            return self.write('%d.trace64' % more, raw)
        a, b = written(0), written(400)
        self.assertNotIn('values_left_out', self.summary('--window', '8192', a, a, code=0))
        got = self.summary('--window', '8192', a, b, code=1)
        self.assertEqual((got['aligned'], got['only_b'], got['values']), (5000, 400, 0))
        self.assertGreater(got['values_left_out'], 0)
        self.assertLess(got['values_left_out'], 5000)
        lines = self.run_program('--window', '8192', a, b).stdout.decode()
        self.assertRegex(lines, '(?m)^  values not all compared +%s$'
                         % format(got['values_left_out'], ','))

    @needs('zydis')
    def test_values_of_an_operand_that_is_too_long(self):
        path = sample('umtracer/long_operand')
        got = self.summary(path, path, code=0)
        self.assertEqual((got['aligned'], got['values'], got['values_left_out']), (2, 0, 1))
        lines = self.run_program(path, path).stdout.decode().splitlines()
        self.assertRegex('\n'.join(lines), '(?m)^  values not all compared +1$')
        self.assertEqual(lines[-1], 'The traces are the same, but not all values were compared.')

    def test_values_are_told_where_both_know_them(self):
        for name, known in (('sed64.champsimtrace.xz', False), ('rapidbin/r250.data', False),
                            ('work32.trace32.xz', True), ('umtracer/plain32', True)):
            if READS_CODE or not known:
                got = self.summary(sample(name), sample(name), code=0)
                self.assertEqual(got.get('values'), 0 if known else None, name)

    @needs('simdjson', 'zydis')
    def test_values_that_one_knows(self):
        got = self.summary('--ignore', 'registers', sample('work32.champsimtrace.xz'),
                           sample('work32.trace32.xz'), code=0)
        self.assertIsNone(got['values'])

    @needs('simdjson', 'zydis')
    def test_values_of_threads(self):
        # Only the thread ids are damaged.
        a, b = sample('threads3_64.trace64.xz'), sample('threads3_64_legacybug.trace64.xz')
        got = self.summary('--repair', a, b, code=0)
        self.assertEqual((got['aligned'], got['values'], got['threads_a']), (30000, 0, 3))

    def test_most(self):
        raw = bytearray(content(WORK)[:64 * 3000])
        good = self.write('good', raw)
        for i in range(100, 112):
            struct.pack_into('<Q', raw, 64 * i + 32, 0x1234 + i)
        for i in (2600, 2000, 1400):
            del raw[64 * i:64 * (i + 3)]
        changed = self.write('changed', raw)
        for most, differ, diverge, rest in (
                ((), 10, 3, ['and 2 more instructions that differ']),
                (('--most', '2'), 2, 2, ['and 10 more instructions that differ',
                                         'and 1 more divergence']),
                (('--most', '0'), 0, 0, ['and 12 more instructions that differ',
                                         'and 3 more divergences']),
                (('--most', '100'), 12, 3, [])):
            lines = self.run_program(*most, good, changed).stdout.decode().splitlines()
            self.assertEqual(sum(s.startswith('differ at') for s in lines), differ, most)
            self.assertEqual(lines.count('diverge after'), diverge, most)
            self.assertEqual([s for s in lines if s.startswith('and ') and ' more ' in s],
                             rest, most)
            # All differences are counted nevertheless.
            self.assertIn('  memory addresses differ                     12', lines, most)
            self.assertIn('divergences                                    3', lines, most)

    def test_the_branch_where_they_part(self):
        raw = bytearray(content(WORK)[:64 * 3000])
        good = self.write('good', raw)
        # The first taken conditional branch becomes not taken, and its target is left out.
        at = next(i for i in range(100, 2000) if raw[64 * i + 8] and raw[64 * i + 9] and
                  raw[64 * (i + 1):64 * (i + 1) + 8] not in raw[:64 * i] and
                  25 in raw[64 * i + 12:64 * i + 16])
        raw[64 * at + 9] = 0
        del raw[64 * (at + 1):64 * (at + 2)]
        out = self.run_program('--ignore', 'outcome', good, self.write('other', raw)).stdout
        self.assertRegex(out.decode(), r'(?m)^ +%d +%d  0x\w+, conditional to 0x\w+ \| '
                         r'conditional not taken\n-' % (at, at))

    def test_context(self):
        raw = content(WORK)[:64 * 300]
        good = self.write('good', raw)
        changed = self.write('changed', raw[:64 * 20] + raw[64 * 22:])

        def before(*args):
            lines = self.run_program(*args, good, changed).stdout.decode().splitlines()
            end = next(i for i, s in enumerate(lines) if s.startswith('-'))
            return lines[0], [s.split()[:2] for s in lines[1:end]]
        for n, shown in ((3, 3), (1, 1), (7, 7), (20, 20), (5000, 20)):
            self.assertEqual(before('--context', str(n)),
                             ('diverge after', [[str(i)] * 2 for i in range(20 - shown, 20)]))
        self.assertEqual(before(), before('--context', '3'))
        self.assertEqual(before('--context', '0'), ('diverge', []))

    def test_retry(self):
        raw = content(WORK)
        records = [raw[64 * i:64 * (i + 1)] for i in range(400)]

        def trace(name, first):
            # 1,000 instructions that only this trace has, then the original ones.
            own = b''.join(struct.pack('<Q', first + 4 * i) + raw[8:64] for i in range(1000))
            return self.write(name, b''.join(records[:100]) + own + b''.join(records[300:]))
        a, b = trace('a', 0x10000000), trace('b', 0x20000000)
        got = self.summary('--window', '300', a, b, code=1)
        self.assertEqual((got['aligned'], got['divergences'], got['only_a'], got['only_b'],
                          got['retries']), (200, 1, 1000, 1000, 3))
        self.assertTrue(got['compared_to_the_end'])
        text = self.run_program('--window', '300', a, b).stdout
        self.assertIn(b'  windows without a meeting point              3\n', text)
        for n in ('0', '2'):
            got = self.summary('--window', '300', '--retry', n, a, b, code=1)
            self.assertEqual((got['aligned'], got['compared_to_the_end'], got['only_a']),
                             (100, False, 300 * (int(n) + 1)))
            text = self.run_program('--window', '300', '--retry', n, a, b).stdout
            self.assertIn(b'the rest is not compared', text)
        self.assertNotIn('retries', self.summary(a, b, code=1))

    def test_as_far_as_they_can_be_read(self):
        cut = self.write('cut', content(WORK)[:6390])
        r = self.run_program(cut, cut)
        self.assertEqual((r.returncode, r.stdout.splitlines()[-1]),
                         (2, b'The parts that can be read are the same.'))
        r = self.run_program('--json', cut, cut)
        got = json.loads(r.stdout)
        self.assertEqual((r.returncode, got['same'], got['aligned'], got['compared_to_the_end']),
                         (2, None, 99, False))
        # A difference before the damage is still a difference.
        raw = bytearray(content(WORK)[:6390])
        raw[64 * 7] ^= 4
        got = json.loads(self.run_program('--json', cut, self.write('other', raw)).stdout)
        self.assertEqual((got['same'], got['compared_to_the_end']), (False, False))

    def test_the_second_is_cut(self):
        # The trace ends within its last instruction, or after the traces diverge.
        raw = content(WORK)
        good = self.write('good', raw[:64 * 200])
        away = b''.join(struct.pack('<Q', 0x30000000 + i) + raw[8:64] for i in range(50))
        cut = self.write('cut', raw[:64 * 100] + away[:-1])
        out = self.bad(2, good, cut, about=b'record 149')
        self.assertIn(b'equal ips                    100\n', out)
        self.assertIn(b'in the second             49\n', out)
        self.assertIn(b'The traces differ.', out)

    @needs('simdjson', 'zydis')
    def test_the_second_is_cut_and_holds_values(self):
        whole = content(sample('work32.trace32.xz'))
        cut = self.write('cut.trace32', whole[:len(whole) // 2])
        out = self.bad(2, sample('work32.trace32.xz'), cut, about=b'cut.trace32')
        self.assertIn(b'  values become different                      0\n', out)
        aligned = next(s for s in out.splitlines() if b'equal ips' in s)
        self.assertGreater(int(aligned.split()[-1].replace(b',', b'')), 20000)

    def test_what_cannot_be_compared(self):
        good = self.write('good', content(WORK)[:6400])
        cut = self.write('cut', content(WORK)[:6390])
        for args, about in (((good, self.path('missing')), b'No such file'),
                            ((good, self.write('empty', b'')), b'empty'),
                            ((good, cut), b'record 99'), ((cut, good), b'record 99'),
                            (('-', '-'), b'only one of the traces'), ((good,), b'required'),
                            ((good, good, '--window', '3'), b'--window')):
            r = self.run_program(*args)
            self.assertEqual(r.returncode, 2, (args, r.stderr))
            self.assertIn(about, r.stderr, args)
            self.assertEqual(r.stderr.count(b'\n'), 1)
            # The intact records were compared.
            self.assertEqual(b'equal ips                     99\n' in r.stdout, cut in args, args)
        r = self.run_program('-', good, stdin=content(WORK)[:6400])
        self.assertEqual(r.returncode, 0, r.stderr)

    def test_full_disk(self):
        self.check_full_disk(SED, SED, code=2, about=b'No space')


class Conversions(support.FormatTest):
    """Tests a trace against its own conversion. They must be equal, or a message must name the data that the other
    format cannot store."""

    def diff(self, *arguments):
        r = self.run_tool('trace_diff', *arguments)
        self.assertIn(r.returncode, (0, 1), r.stderr)
        return r

    def converted(self, source, name, *options):
        os.makedirs(self.path('other'), exist_ok=True)
        out = self.path('other/' + name)
        self.run_ok('trace_convert', *options, source, out)
        return out

    @needs('simdjson')
    def test_metadata_of_one_alone(self):
        shutil.copy(sample('rapidbin/r6000.data'), self.path('t.data'))
        shutil.copy(sample('rapidbin/r6000.json'), self.path('t.json'))
        trace = self.path('t.data')
        text = self.converted(trace, 't.std')
        for a, b, which in ((trace, text, 'second'), (text, trace, 'first')):
            r = self.diff('-m', '0', a, b)
            self.assertEqual(r.returncode, 0, r.stdout)
            self.assertEqual(r.stderr.count('note: '), 1, r.stderr)
            self.assertIn('note: the %s trace has no metadata: ' % which, r.stderr)
            self.assertIn('--no-metadata', r.stderr)
            self.assertIn('instructions at equal ips                  6,002\n', r.stdout)
        # Nothing is printed if metadata are excluded, or if both traces have them.
        for arguments in (['--no-metadata', trace, text], ['--metadata', self.path('t.json'), trace, text]):
            r = self.diff(*arguments)
            self.assertEqual((r.returncode, r.stderr), (0, ''))
        # Differences are found nevertheless.
        with open(text) as f:
            lines = f.read().splitlines(True)
        lines[40] = lines[40].rsplit('|', 1)[0] + '|7\n'
        r = self.diff(trace, self.write('other/u.std', ''.join(lines).encode()))
        self.assertEqual(r.returncode, 1)
        self.assertIn('divergences                                    1\n', r.stdout)

    @needs('simdjson')
    def test_numbers_that_are_given_otherwise(self):
        shutil.copy(sample('rapidbin/r6000.data'), self.path('t.data'))
        shutil.copy(sample('rapidbin/r6000.json'), self.path('t.json'))
        trace = self.path('t.data')
        other = self.write('u.std', b''.join(b'T0|w(V%d)|%d\n' % (i, 30000 + i) for i in range(100)))
        r = self.diff(trace, other)
        self.assertEqual(r.returncode, 1)
        self.assertIn('note: the traces have no location in common', r.stderr)
        self.assertIn('--renumber', r.stderr)
        # As ChampSim instructions, whose addresses depend on metadata.
        records = self.converted(trace, 't.champsimtrace', '--no-metadata')
        r = self.diff(trace, records)
        self.assertEqual(r.returncode, 1)
        self.assertIn('--no-metadata uses only numbers', r.stderr)
        self.assertEqual(self.diff('--no-metadata', trace, records).returncode, 0)
        self.assertEqual(self.diff(trace, self.converted(trace, 'n.champsimtrace')).returncode, 0)

    @needs('simdjson', 'zydis', 'xz')
    def test_threads_of_one_alone(self):
        for name in ('threads3_64.trace64.xz', 'umtracer/plain64', 'umtracer/awkward64'):
            trace = sample(name)
            records = self.converted(trace, 'c.champsimtrace')
            r = self.diff('-m', '0', trace, records)
            self.assertEqual(r.returncode, 1, name)
            self.assertRegex(r.stderr, r'note: the first trace has \d+ threads, which records of champsim cannot store')
            self.assertIn('--thread', r.stderr)
            self.assertIn('--ignore outcome', r.stderr)
            self.assertIn('note: the second trace has ', self.diff('-m', '0', records, trace).stderr)
            self.assertEqual(self.diff('--ignore', 'outcome', trace, records).returncode, 0)
            wide = self.diff(trace, self.converted(trace, 'c.cloudsuite', '--to', 'cloudsuite'))
            self.assertNotIn('cannot store', wide.stderr)
        one = self.converted(sample('threads3_64.trace64.xz'), 'one.champsimtrace', '--thread', '6708')
        r = self.diff('--thread', '6708', sample('threads3_64.trace64.xz'), one)
        self.assertEqual((r.returncode, r.stderr), (0, ''))

    # A record with CloudSuite's operands after a number. The file has a header.
    TABLE = (b'header: 12 464f524b\n0 4 number u32 little\n4 2 asid u16 little\n8 8 ip u64 little\n'
             b'16 1 is_branch u8\n17 1 branch_taken u8\n18 4 destination_registers u8[4]\n'
             b'22 4 source_registers u8[4]\n32 32 destination_memory u64[4] little\n'
             b'64 32 source_memory u64[4] little\n')

    def fork(self, count=3000):
        raw = content(support.SED)[:64 * count]
        out = [b'FORK' + bytes(8)]
        for n in range(count):
            ip, branch, taken, d1, d2, *rest = struct.unpack_from('<QBB2B4B6Q', raw, 64 * n)
            out.append(struct.pack('<IHxxQBB4B4B6x4Q4Q', n, 7, ip, branch, taken, d1, d2, 0, 0, *rest[:4],
                                   *rest[4:6], 0, 0, *rest[6:]))
        return self.write('fork.bin', b''.join(out))

    @needs('xz')
    def test_described_records_and_their_conversion(self):
        table, trace = self.write('t.txt', self.TABLE), self.fork()
        for name, to, note in (('c.cloudsuite', None, 'cloudsuite'), ('c.bin', 'cloudsuite', 'cloudsuite'),
                               ('c.champsim', None, 'cloudsuite'), ('d.champsim', 'champsim', 'champsim'),
                               ('c.tpack', None, None)):
            if note is None and 'zstd' not in support.CODECS:
                continue
            other = self.converted(trace, name, '--record', table, *(['--to', to] if to else []))
            for a, b in ((trace, other), (other, trace)):
                r = self.diff('--record', table, a, b)
                self.assertEqual(r.returncode, 0, (name, r.stdout, r.stderr))
                self.assertIn('instructions at equal ips                  3,000\n', r.stdout)
                if note:
                    self.assertEqual(r.stderr, 'trace_diff: note: %s: recognised and read as %s; --record applies '
                                     'only to %s\n' % (other, note, trace))
        # Two traces with such records are read with the table.
        shutil.copy(trace, self.path('same.bin'))
        r = self.diff('--record', table, trace, self.path('same.bin'))
        self.assertEqual((r.returncode, r.stderr), (0, ''))
        # A table without the header's first bytes, which identify the records best.
        table = self.write('u.txt', self.TABLE.replace(b' 464f524b', b''))
        r = self.diff('--record', table, trace, self.path('other/c.bin'))
        self.assertEqual(r.returncode, 0, r.stdout)
        # A difference is found.
        with open(self.converted(trace, 'c.cloudsuite', '--record', table), 'r+b') as f:
            f.seek(96 * 1000 + 10)
            f.write(bytes([99]))
        r = self.diff('--record', table, trace, self.path('other/c.cloudsuite'))
        self.assertEqual(r.returncode, 1)
        self.assertIn('differ at ', r.stdout)
        self.assertIn(' (1000 | 1000), registers written', r.stdout)

    @needs('xz')
    def test_described_records_of_a_usual_size(self):
        # Records of 64 bytes: content alone does not show which trace has them, but the name
        # does.
        table = self.write('t.txt', b'0 8 ip u64 little\n8 1 is_branch u8\n9 1 branch_taken u8\n'
                                    b'10 4 source_registers u8[4]\n14 2 destination_registers u8[2]\n'
                                    b'16 16 destination_memory u64[2] little\n32 32 source_memory u64[4] little\n')
        raw = content(support.SED)[:64 * 2000]
        trace = self.write('fork.bin', b''.join(raw[at:at + 10] + raw[at + 12:at + 16] + raw[at + 10:at + 12] +
                                                raw[at + 16:at + 64] for at in range(0, len(raw), 64)))
        other = self.write('usual.champsimtrace', raw)
        r = self.diff('--record', table, trace, other)
        self.assertEqual(r.returncode, 0, r.stdout)
        self.assertIn('note: %s: recognised and read as champsim' % other, r.stderr)
        r = self.diff('--record', table, trace, trace)
        self.assertEqual((r.returncode, r.stderr), (0, ''))

    @needs('xz')
    def test_records_that_nothing_says(self):
        # A trace from a pipe is read with the described records. A note mentions the
        # alternative.
        table = self.write('t.txt', self.TABLE.split(b'\n', 1)[1])
        trace = self.write('plain.bin', support.file_bytes(self.fork())[12:])
        r = support.run('trace_diff', '--record', table, trace, '-', stdin=content(support.SED)[:64 * 3000])
        self.assertEqual(r.returncode, 1, r.stderr)
        self.assertIn(b'note: both traces are read with the records of --record', r.stderr)
        self.assertIn(b'trace_convert --record', r.stderr)

    @needs('xz')
    def test_mapped_registers_of_one(self):
        option = ('--map-registers', 'ip=35,sp=7,flags=34')
        swap = {35: 26, 26: 35, 7: 6, 6: 7, 34: 25, 25: 34}
        raw = content(support.SED)[:64 * 3000]
        usual = self.write('usual.champsim', raw)
        trace = self.write('trace.champsim', b''.join(
            raw[at:at + 10] + bytes(swap.get(r, r) for r in raw[at + 10:at + 16]) + raw[at + 16:at + 64]
            for at in range(0, len(raw), 64)))
        note = ('trace_diff: note: %s: its branches already have ChampSim\'s register numbers, which --map-registers '
                'does not change\n' % usual)
        for a, b in ((trace, usual), (usual, trace)):
            r = self.diff(*option, a, b)
            self.assertEqual((r.returncode, r.stderr), (0, note), r.stdout)
            self.assertIn('instructions at equal ips                  3,000\n', r.stdout)
        r = self.diff(*option, trace, trace)
        self.assertEqual((r.returncode, r.stderr), (0, ''))
        self.assertEqual(self.diff('--map-registers', 'ip=35', trace, usual).returncode, 1)
        self.assertEqual(self.diff(*option, self.converted(trace, 'c.champsim', *option), usual).returncode, 0)

    @needs('xz')
    def test_options_that_neither_trace_has(self):
        usual = self.write('usual.champsim', content(support.SED)[:64 * 3000])
        events = self.write('e.std', b'T0|w(V1)|1\nT1|w(V2)|2\n')
        wide = self.write('c.cloudsuite', b''.join(
            support.as_cloudsuite([r], [1, 0]) for r in support.records(content(support.SED))[:300]))
        for options, trace, other, said in (
                (['--repair'], usual, wide, '--repair: neither trace'),
                (['--thread', '1', '--thread', '2'], wide, wide, '--thread: only RapidBin traces accept several'),
                (['--branch-rules', '2022'], events, events, '--branch-rules: neither trace'),
                (['--map-registers', 'ip=35'], events, events, '--map-registers: neither trace')):
            r = self.run_tool('trace_diff', *options, trace, other)
            self.assertEqual((r.returncode, r.stdout), (2, ''), said)
            self.assertIn(said, r.stderr)
        # Options that only one of the traces supports apply to that trace.
        self.diff('--thread', '0', '--thread', '1', events, self.converted(events, 'e.champsim'))

    @needs('simdjson', 'zydis', 'xz', 'zstd')
    def test_without_a_word(self):
        trace = sample('work32.trace32.xz')
        for name in ('w.champsimtrace', 'w.tpack', 'w.cloudsuite'):
            r = self.diff(trace, self.converted(trace, name))
            self.assertEqual((r.returncode, r.stderr), (0, ''), name)


class Run:
    """A run of a random program. Its modules, heap and stack begin at the addresses `bases`, and each has code or
    data at the same offsets in every run. `places` are the module and the offset of each instruction; `touched` are
    the region and the offset of each address."""
    SIZES = {'program': 0x6000, 'library': 0x9000, 'other': 0x2000, 'heap': 0x20000, 'stack': 0x3000}
    MODULES = ('program', 'library', 'other')

    def __init__(self, bases, choices=1, program=1, functions=120):
        rng = random.Random(program)  # the same for all runs of a program
        self.bases, self.places, self.touched, self.raw = bases, [], set(), b''
        self.functions = []
        used = {m: 0x100 for m in self.MODULES}
        for _ in range(functions):
            module = rng.choice(self.MODULES)
            code, at = [], used[module]
            for _ in range(rng.randrange(5, 30)):
                access = rng.choice((None, None, ('heap', 8 * rng.randrange(0x4000)), ('stack', 8 * rng.randrange(0x600)),
                                     (module, 0x1800 + 8 * rng.randrange(256))))
                code.append((at, access, rng.random() < 0.5))
                at += rng.choice((1, 2, 3, 3, 4, 4, 5, 7))
            used[module] = at + rng.randrange(16)
            self.functions.append((module, code))
        # The functions that run, and how often their loops repeat.
        self.order = [(rng.randrange(functions), rng.randrange(1, 4)) for _ in range(400)]
        rng = random.Random(choices)
        for n in range(len(self.order)):
            if choices != 1 and n % 10 == 9:
                self.order[n] = (rng.randrange(functions), 1)
        for function, times in self.order:
            module, code = self.functions[function]
            for _ in range(times):
                for offset, access, write in code:
                    self.add(module, offset, access, write)

    def add(self, module, offset, access, write):
        self.places.append((module, offset))
        address = 0
        if access:
            self.touched.add(access)
            address = self.bases[access[0]] + access[1]
        self.raw += struct.pack('<Q2B2B4B2Q4Q', self.bases[module] + offset, 0, 0, 1, 0, 2, 0, 0, 0,
                                address if write else 0, 0, 0 if write else address, 0, 0, 0)


class Relocation(support.ProgramTest):
    HERE = {'program': 0x555555554000, 'library': 0x7ffff7a00000, 'other': 0x7ffff7fd0000, 'heap': 0x555555580000,
            'stack': 0x7ffffffde000}
    THERE = {'program': 0x55f3a1c22000, 'library': 0x7f12e8c00000, 'other': 0x7f12e91c7000, 'heap': 0x55f3a2f0b000,
             'stack': 0x7ffd3a6b1550}

    def compare(self, a, b, *arguments):
        a, b = self.write('a.champsimtrace', a), self.write('b.champsimtrace', b)
        r = support.run('trace_diff', '--relocate', 'auto', '--json', *arguments, a, b)
        self.assertEqual(r.stderr, b'')
        return r.returncode, json.loads(r.stdout)

    def check_regions(self, got, a, b, places):
        """Checks that the regions map each address of `b` to that of `a`."""
        for region, offset in places:
            address = b.bases[region] + offset
            found = [r for r in got['moved']['regions'] if int(r['b'], 16) <= address < int(r['b'], 16) + int(r['size'], 16)]
            self.assertEqual(len(found), 1, (region, hex(address)))
            self.assertEqual(address - int(found[0]['b'], 16) + int(found[0]['a'], 16), a.bases[region] + offset, region)

    def test_two_runs(self):
        a, b = Run(self.HERE), Run(self.THERE)
        code, got = self.compare(a.raw, b.raw)
        self.check_regions(got, a, b, set(b.places) | b.touched)
        self.assertEqual((code, got['same'], got['aligned'], got['memory']), (0, True, len(a.places), 0))
        self.assertEqual(got['moved']['instructions_agree'], got['moved']['instructions'])
        self.assertGreater(got['moved']['instructions'], 0.8 * len(a.places))
        # Without the option, the traces differ everywhere, and the hint names the option.
        r = support.run('trace_diff', self.path('a.champsimtrace'), self.path('b.champsimtrace'))
        self.assertEqual(r.returncode, 1)
        self.assertIn(b'no instructions are at equal addresses. If the addresses were randomised, use --relocate auto',
                      r.stderr)
        r = support.run('trace_diff', '--relocate', 'auto', self.path('a.champsimtrace'), self.path('b.champsimtrace'))
        self.assertEqual(r.stdout.count(b'moved 0x'), 5)
        self.assertIn(b' addresses agree\n0 regions did not move; ', support.text(r.stdout))
        # trace_query compares in the same way, and also where no relocation is possible. A difference is an answer.
        for one, other, status in ((a.raw, self.path('a.champsimtrace'), 1), (b.raw, self.path('a.champsimtrace'), 0)):
            r = support.run('trace_query', '-', 'compare', other, '--json', stdin=one)
            self.assertEqual((r.returncode, json.loads(r.stdout)['same']), (status, status == 1))
        r = support.run('trace_query', sample('rapidbin/r250.std'), 'compare', sample('rapidbin/r250.std'))
        self.assertEqual((r.returncode, r.stderr), (1, b''))
        r = support.run('trace_query', self.path('a.champsimtrace'), 'compare', self.path('b.champsimtrace'), '--json')
        self.assertEqual((r.returncode, json.loads(r.stdout)), (1, got))

    def test_parts_that_differ(self):
        a, b = Run(self.HERE), Run(self.THERE, choices=2)
        code, got = self.compare(a.raw, b.raw)
        self.check_regions(got, a, b, set(b.places) & set(a.places))
        common = 0
        for x, y in zip(a.order, b.order):
            if x == y:
                common += x[1] * len(a.functions[x[0]][1])
        self.assertEqual(code, 1)
        # Some of what both execute is too short to end a divergence.
        self.assertGreaterEqual(got['aligned'], 0.99 * common)
        first = sum(x[1] * len(a.functions[x[0]][1]) for x in a.order[:9])
        self.assertEqual(got['diverge_at'], {'a': first, 'b': first})
        share = got['moved']['instructions_agree'] / got['moved']['instructions']
        self.assertTrue(0.5 < share < 1, share)

    def test_some_regions_stay(self):
        there = {**self.HERE, 'library': 0x7ffff7a01000, 'stack': 0x7ffffffde040}
        a, b = Run(self.HERE), Run(there)
        code, got = self.compare(a.raw, b.raw)
        self.check_regions(got, a, b, set(b.places) | b.touched)
        self.assertEqual((code, got['same']), (0, True))
        code, got = self.compare(a.raw, a.raw)
        self.assertEqual((code, got['same']), (0, True))
        self.assertEqual([r for r in got['moved']['regions'] if r['a'] != r['b']], [])

    def test_another_program(self):
        a, b = Run(self.HERE), Run(self.THERE, program=2)
        code, got = self.compare(a.raw, b.raw)
        self.assertEqual((code, got['aligned'], got['moved']['regions']), (1, 0, []))
        r = support.run('trace_diff', '--relocate', 'auto', self.path('a.champsimtrace'), self.path('b.champsimtrace'))
        self.assertIn(b'no region is found that moved: the traces have too little code in common\n', support.text(r.stdout))
        self.assertEqual(r.stderr, b'')

    def test_short_and_wrong(self):
        self.assertEqual(self.compare(Run(self.HERE).raw[:64 * 5], Run(self.THERE).raw[:64 * 5])[1]['moved']['regions'], [])
        a = self.path('a.champsimtrace')
        for arguments in (['--relocate', 'auto', '--relocate', '0x1000=0x2000', a, a], ['--relocate', 'auto', '-', a],
                          ['--relocate', 'auto', sample('rapidbin/r250.std'), sample('rapidbin/r250.std')]):
            r = support.run('trace_diff', *arguments, stdin=file_bytes(a))
            self.assertEqual((r.returncode, r.stdout), (2, b''), arguments)
            self.assertIn(b'--relocate', r.stderr)

    @unittest.skipUnless(os.path.exists(os.path.join(CASES, 'aslr-a.champsim.xz')), 'needs two recorded runs')
    @needs('xz')
    def test_two_recorded_runs(self):
        r = support.run('trace_diff', '--relocate', 'auto', '--json',
                        *(os.path.join(CASES, 'aslr-%s.champsim.xz' % n) for n in 'ab'))
        got = json.loads(r.stdout)
        self.assertEqual((got['same'], got['aligned'], got['memory']), (True, 3000, 0))
        # The distances are those between the ips of the records.
        self.assertEqual([int(r['b'], 16) - int(r['a'], 16) for r in got['moved']['regions']
                          if r['instructions']], [0x5000, 0xf000])


if __name__ == '__main__':
    support.main()
