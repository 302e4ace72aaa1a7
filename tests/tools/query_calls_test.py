# trace_query: callers, return-from and calls --of. The traces are of random programs, which a small machine here
# executes: it knows which call is running at each instruction, and its arguments and result.
import json
import os
import random
import re
import struct
import sys
import unittest

import support
from champsim_records import REGISTERS
from support import ProgramTest, content, needs, run
from x64dbg_model import Trace, header, snapshot

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'stf'))
import make_stf  # noqa: E402

DATA = support._arguments.data
INDUSTRY = os.path.join(os.environ.get('TRACECODEC_SAMPLES', 'TRACECODEC_SAMPLES'), 'industry', 'tarmac')
FUNCTIONS = [0x401000 + 0x1000 * n for n in range(6)]


class Jump(Exception):
    """longjmp() to the function at a level."""


class Machine:
    """Executes a random program. `calls` are its calls, with the number of each call instruction and of the last
    instruction. `running` is the call that is running at each instruction, or None."""
    NAMES = {'amd64': 'rdi rsi rdx rcx r8 r9 rax rbx'.split(), 'x86': 'eax ebx ecx edx'.split(),
             'aarch64': ['x%d' % n for n in range(10)]}
    # Registers of the arguments and of the result, by the conventions of System V, cdecl and AAPCS64.
    ARGUMENTS = {'amd64': 'rdi rsi rdx rcx r8 r9'.split(), 'x86': [], 'aarch64': ['x%d' % n for n in range(8)]}
    RESULT = {'amd64': 'rax', 'x86': 'eax', 'aarch64': 'x0'}

    def __init__(self, seed, dialect='amd64', steps=3000, longjmp=True):
        self.rng, self.dialect, self.longjmp = random.Random(seed), dialect, longjmp
        self.word = 4 if dialect == 'x86' else 8
        self.sp_name = {'amd64': 'rsp', 'x86': 'esp', 'aarch64': 'sp'}[dialect]
        self.registers, self.memory = {}, {}
        self.sp = 0x7ff00000
        self.frames, self.calls, self.running = [], [], []
        self.instructions = []  # ip, kind, next ip
        self.ip = 0x400800
        pc = {'amd64': 'rip', 'x86': 'eip', 'aarch64': 'pc'}[dialect]
        self.pc = pc
        self.lines = ['%s=%#x,%s=%#x' % (self.sp_name, self.sp, pc, self.ip)]
        while len(self.instructions) < steps:
            self.work()
            self.call(0)

    def text(self):
        return ('\n'.join(self.lines) + '\n').encode()

    def value(self):
        return self.rng.randrange(256 ** self.word)

    def step(self, kind='not_branch', then=None, changes=(), accesses=()):
        """Executes an instruction of 4 bytes. `changes` are registers; `accesses` are (kind, address, value)."""
        if kind == 'direct_jump' and self.registers.get('lr') == self.ip + 4:
            # A jump here would look like a call, because the link register has the address of the next instruction.
            self.step()
        self.running.append(self.frames[-1] if self.frames else None)
        ip, self.ip = self.ip, self.ip + 4 if then is None else then
        self.instructions.append((ip, kind, self.ip))
        items = []
        for name, value in dict(changes).items():
            if name == self.sp_name:
                self.sp = value
            self.registers[name] = value
            items.append('%s=%#x' % (name, value))
        items.append('%s=%#x' % (self.pc, self.ip))
        for access, address, value in accesses:
            data = value.to_bytes(self.word, 'little')
            for n, byte in enumerate(data):
                self.memory[address + n] = byte
            items.append('%s=%#x:%s' % (access, address, data.hex()))
        self.lines.append(','.join(items))

    def work(self):
        name = self.rng.choice(self.NAMES[self.dialect])
        if self.dialect == 'x86' and self.rng.random() < 0.5:
            # The arguments of cdecl are where esp points.
            self.step(accesses=[('mw', self.sp + 4 * self.rng.randrange(5), self.value())])
        else:
            self.step(changes={name: self.value()})

    def arguments(self):
        if self.dialect != 'x86':
            return [hex(self.registers[n]) if n in self.registers else '??' for n in self.ARGUMENTS[self.dialect]]
        found = []
        for n in range(4):
            data = [self.memory.get(self.sp + 4 * (n + 1) + k) for k in range(4)]
            found.append('??' if None in data else hex(int.from_bytes(bytes(data), 'little')))
        return found

    def enter(self, number, ip, function, caller, end):
        self.calls.append({'index': number, 'ip': hex(ip), 'address': hex(function), 'depth': len(self.frames),
                           'arguments': self.arguments(), 'jump': end is not None, 'caller': caller})
        if end is not None:
            self.calls[-1]['same'] = end

    def call(self, level):
        number, ip = len(self.instructions), self.ip
        function = self.rng.choice(FUNCTIONS)
        changes, accesses = {}, []
        if self.dialect == 'aarch64':
            changes['lr'] = ip + 4
        else:
            changes[self.sp_name] = self.sp - self.word
            accesses.append(('mw', self.sp - self.word, ip + 4))
        self.step('direct_call', function, changes, accesses)
        caller = self.frames[-1]['function'] if self.frames else 0x400800
        self.frames.append({'number': number, 'back': ip + 4, 'function': function, 'entry': self.sp})
        self.enter(number, ip, function, caller, None)
        self.frames[-1]['call'] = self.calls[-1]
        self.body(level + 1)

    def end(self, how, number, ip):
        frame = self.frames.pop()
        result = self.registers.get(self.RESULT[self.dialect])
        frame['call']['end'] = {'index': number, 'ip': hex(ip), 'how': how}
        frame['call']['result'] = '??' if how != 'returned' or result is None else hex(result)

    def body(self, level):
        """Executes a function up to its return."""
        rng, depth = self.rng, len(self.frames)
        entry, frame = self.sp, self.frames[-1]
        back = frame['back']
        while True:
            room = self.word * 2 * rng.randrange(1, 9)
            self.step(changes={self.sp_name: entry - room})
            self.step(accesses=[('mw', self.sp, back)])
            for _ in range(rng.randrange(5)):
                self.work()
                if level < 9 and rng.random() < 0.45:
                    try:
                        self.call(level)
                    except Jump as jump:
                        if jump.args[0] != level:
                            raise
                        # longjmp() continues elsewhere in this function.
                        self.step('direct_jump', frame['function'] + 0x800, {self.sp_name: entry - room})
                        number, ip = len(self.instructions) - 1, self.instructions[-1][0]
                        while len(self.frames) > depth:
                            self.end('unwound', number, ip)
                if self.longjmp and self.dialect != 'aarch64' and level > 2 and rng.random() < 0.05:
                    raise Jump(rng.randrange(1, level - 1))
            self.step(changes={self.sp_name: entry})
            if rng.random() > 0.2:
                break
            caller = frame['function']
            function = rng.choice([f for f in FUNCTIONS if f != caller])
            self.step('direct_jump', function)
            number, ip = len(self.instructions) - 1, self.instructions[-1][0]
            self.enter(number, ip, function, caller, frame['call'])
        number, ip = len(self.instructions), self.ip
        if self.dialect == 'aarch64':
            # A return to the next instruction would not look like a branch.
            self.step('direct_jump', frame['function'] + 0xc00)
            self.step(changes={'lr': back})
            number, ip = len(self.instructions), self.ip
            self.step('return', back)
        else:
            self.step('return', back, {self.sp_name: self.sp + self.word}, [('mr', self.sp, back)])
        self.end('returned', number, ip)


def expected(call, values=True):
    """Returns a call as trace_query prints it."""
    ended = call.get('same', call)
    row = {key: call[key] for key in ('index', 'ip', 'address', 'depth', 'jump')}
    row['arguments'] = call['arguments'] if values else []
    row['end'] = ended.get('end')
    row['result'] = ended.get('result', '??') if values else '??'
    return row


class Calls(ProgramTest):
    def rows(self, *arguments):
        r = run('trace_query', self.trace, *map(str, arguments), '--json')
        self.assertEqual(r.returncode, 0 if r.stdout else 1, r.stderr)
        return [json.loads(line) for line in r.stdout.splitlines()]

    def calls_of(self, function, *arguments):
        rows = self.rows('calls', '--of', hex(function), *arguments)
        for row in rows:
            self.assertEqual(row.pop('function'), hex(function))
            row.pop('thread')
        return rows

    def check(self, machine, values=True):
        of_function = {f: [c for c in machine.calls if c['address'] == hex(f)] for f in FUNCTIONS}
        for function, calls in of_function.items():
            self.assertEqual(self.calls_of(function), [expected(c, values) for c in calls])
            sites = {}
            for c in calls:
                site = sites.setdefault(c['ip'], {'ip': c['ip'], 'calls': 0, 'index': c['index'], 'jump': c['jump'],
                                                  'function': hex(c['caller'])})
                site['calls'] += 1
            got = self.rows('callers', hex(function))
            self.assertEqual(sorted(got, key=lambda r: r['ip']), sorted(sites.values(), key=lambda r: r['ip']))
            self.assertEqual([r['calls'] for r in got], sorted((r['calls'] for r in got), reverse=True))
        for n in random.Random(1).sample(range(len(machine.running)), 25):
            frame, got = machine.running[n], self.rows('return-from', n)
            if frame is None or 'end' not in frame['call']:
                self.assertEqual(got, [], n)
                continue
            call, end = frame['call'], frame['call']['end']
            self.assertEqual([(r['index'], r['ip'], r['end'], r['call'], r['address']) for r in got],
                             [(end['index'], end['ip'], end['how'], call['index'], call['address'])], n)

    def use(self, raw, name='trace'):
        self.trace = self.write(name, raw)

    def test_stack_pointers_and_values_of_x86_64(self):
        machine = Machine(1)
        self.use(machine.text(), 'x.tenet.log')
        ends = [c['end']['how'] for c in machine.calls if 'end' in c]
        self.assertGreater(ends.count('unwound'), 5)
        self.assertGreater(sum(c['jump'] for c in machine.calls), 50)
        self.check(machine)

    def test_stack_pointers_and_values_of_32_bits(self):
        machine = Machine(2, 'x86')
        self.use(machine.text(), 'x.tenet.log')
        self.check(machine)

    def test_link_register(self):
        machine = Machine(3, 'aarch64')
        self.use(machine.text(), 'x.tenet.log')
        self.check(machine)

    def test_conventions(self):
        machine = Machine(4, steps=300)
        self.use(machine.text(), 'x.tenet.log')
        machine.ARGUMENTS = {'amd64': ['rcx', 'rdx', 'r8', 'r9']}
        call = next(c for c in machine.calls if not c['jump'])
        row = self.calls_of(int(call['address'], 16), '--abi', 'microsoft', '-m', 1)[0]
        self.assertEqual(row['arguments'], [call['arguments'][n] for n in (3, 2, 4, 5)])
        r = run('trace_query', self.trace, 'calls', '--of', call['address'], '-m', '1')
        arguments = ', '.join(call['arguments'])
        self.assertIn('%s(%s) = %s at %d' % (call['address'], arguments, call['result'], call['end']['index']),
                      r.stdout.decode())
        # The trace does not have the values before its first instructions.
        self.assertEqual(len(self.rows('calls', '--of', call['address'], '--before', call['index'])), 0)

    def test_two_threads_without_values(self):
        machines = [Machine(5, longjmp=False), Machine(6, longjmp=False)]
        rng = random.Random(7)
        at, raw, numbers = [0, 0], [], [[], []]
        while any(at[n] < len(machines[n].instructions) for n in (0, 1)):
            n = rng.choice([n for n in (0, 1) if at[n] < len(machines[n].instructions)])
            ip, kind, _ = machines[n].instructions[at[n]]
            written, read = REGISTERS[kind]
            written, read = (list(all_of) + [0] * 4 for all_of in (written, read))
            numbers[n].append(len(raw))
            raw.append(struct.pack('<Q2B4B4B6x4Q4Q2B6x', ip, kind != 'not_branch', kind != 'not_branch', *written[:4],
                                   *read[:4], *[0] * 8, n, n))
            at[n] += 1
        self.use(b''.join(raw), 'x.cloudsuite.trace')
        calls = []
        for machine, number in zip(machines, numbers):
            for c in machine.calls:
                c['index'] = number[c['index']]
                if 'end' in c:
                    c['end']['index'] = number[c['end']['index']]
                    # Nothing shows where the last instruction of a thread goes to.
                    if c['end']['index'] == number[-1]:
                        del c['end']
            calls += machine.calls
        calls.sort(key=lambda c: c['index'])
        self.assertEqual([len(m.calls) - sum('end' in c or 'same' in c for c in m.calls) for m in machines], [1, 1])
        for function in FUNCTIONS:
            rows = self.rows('calls', '--cloudsuite', '--of', hex(function))
            for row in rows:
                row.pop('function')
                row.pop('thread')
            # A thread's call can be before another thread's, although its function begins later.
            rows.sort(key=lambda r: r['index'])
            self.assertEqual(rows, [expected(c, False) for c in calls if c['address'] == hex(function)])

    def test_stack_pointers_of_operands(self):
        """A function of a RISC-V program leaves itself by a jump, after it has dropped its frame and its caller's."""
        features, base = make_stf.OPERANDS | make_stf.RV64, 0x80000000

        def step(opcode, sp=None, target=0, is_known=True):
            records = []
            if sp is not None:
                records.append(('reg', 2, make_stf.SOURCE, make_stf.GENERAL, sp[0]))
                if is_known:
                    records.append(('reg', 2, make_stf.DESTINATION, make_stf.GENERAL, sp[1]))
            if target:
                records.append(('target', base + target))
            records.append(('opcode16' if opcode < 0x10000 else 'opcode32', opcode))
            return b''.join(make_stf.encode(r, features, make_stf.VLEN) for r in records)

        addi, call, jump, nop = 0xff010113, 0x040000ef, 0x8502, 0x0001  # addi sp, sp, -16; jal ra; c.jr a0; c.nop
        for is_known in (True, False):
            raw = make_stf.header(base, features, make_stf.VLEN)
            raw += step(addi, (0x9000, 0x8ff0)) + step(call, target=0x44)            # 0: 80000000, call 80000044
            raw += step(addi, (0x8ff0, 0x8fe0)) + step(call, target=0x88)            # 2: 80000044, call 80000088
            raw += step(addi, (0x8fe0, 0x8fd0))                                      # 4: 80000088
            # 0x01018113 is addi sp, gp, 16: the stack pointer is that of the caller's caller.
            raw += step(0x01018113, (0x8fd0, 0x8ff8), is_known=is_known)             # 5
            raw += step(jump, target=0x200) + step(nop) + step(nop)                  # 6
            self.use(raw, 'x.stf')
            rows = self.rows('calls')
            own = {r['address']: r['own'] for r in rows}
            self.assertEqual(own, {'0x80000000': 5, '0x80000044': 2, '0x80000088': 2} if is_known else
                             {'0x80000000': 2, '0x80000044': 2, '0x80000088': 5})

    def test_another_stack(self):
        # A fiber's stack is above that of the thread: its call does not end the thread's calls.
        lines = ['rsp=0x10000,rip=0x1000']

        def step(then, sp=None, access=''):
            lines.append(('' if sp is None else 'rsp=%#x,' % sp) + 'rip=%#x' % then + access)
        step(0x2000, 0xfff8, ',mw=0xfff8:0410000000000000')      # 0: call 0x2000
        step(0x3000, 0x8000000)                                  # 1: to the fiber
        step(0x4000, 0x7fffff8, ',mw=0x7fffff8:0430000000000000')  # 2: call 0x4000
        step(0x2004, 0xfff8)                                     # 3: back to the thread
        step(0x2008)                                             # 4
        step(0x4004, 0x7fffff8)                                  # 5: to the fiber
        step(0x3004, 0x8000000, ',mr=0x7fffff8:0430000000000000')  # 6: return
        step(0x200c, 0xfff8)                                     # 7: back to the thread
        step(0x1004, 0x10000, ',mr=0xfff8:0410000000000000')     # 8: return
        self.use(('\n'.join(lines) + '\n').encode(), 'x.tenet.log')
        self.assertEqual(self.rows('calls', '--of', '0x2000')[0]['end'],
                         {'index': 8, 'ip': '0x200c', 'how': 'returned'})
        row = self.rows('calls', '--of', '0x4000')[0]
        self.assertEqual((row['end'], row['depth']), ({'index': 6, 'ip': '0x4004', 'how': 'returned'}, 1))

    def test_names(self):
        machine = Machine(8, steps=300)
        self.use(machine.text(), 'x.tenet.log')
        symbols = self.write('x.symbols', b'0000000000401000 T first\n0000000000402000 T second\n')
        rows = self.rows('calls', '--of', 'second', '--symbols', symbols)
        self.assertEqual([r['index'] for r in rows],
                         [c['index'] for c in machine.calls if c['address'] == '0x402000'])
        self.assertTrue(rows)
        self.assertEqual({r['function'] for r in rows}, {'second'})
        self.assertEqual(len(self.rows('callers', 'second', '--symbols', symbols)), len({r['ip'] for r in rows}))
        r = run('trace_query', self.trace, 'callers', 'third', '--symbols', symbols)
        self.assertEqual(r.returncode, 2)
        self.assertIn(b"no function 'third'", r.stderr)

    def test_what_precedes_damage_is_printed(self):
        machine = Machine(10, steps=500)
        self.use(machine.text() + b'rip=nothing\n', 'x.tenet.log')
        calls = [expected(c) for c in machine.calls if c['address'] == '0x402000']
        r = run('trace_query', self.trace, 'calls', '--of', '0x402000', '--json')
        self.assertEqual((r.returncode, [json.loads(line)['index'] for line in r.stdout.splitlines()]),
                         (2, [c['index'] for c in calls]))
        self.assertIn(b'expected a hexadecimal number', r.stderr)
        r = run('trace_query', self.trace, 'callers', '0x402000', '--json')
        self.assertEqual((r.returncode, sum(json.loads(line)['calls'] for line in r.stdout.splitlines())),
                         (2, len(calls)))
        for question in ('calls', 'functions'):
            r = run('trace_query', self.trace, question)
            self.assertEqual((r.returncode, r.stdout[:12]), (2, b'instructions'))

    def test_wrong_command_lines(self):
        self.use(Machine(9, steps=10).text(), 'x.tenet.log')
        for arguments in (['return-from', 'x'], ['callers'], ['calls', '--abi', 'sysv'],
                          ['functions', '--of', '0x1000'], ['calls', '--of', '0x1000', '--abi', 'pascal'],
                          ['calls', '--of', '0x1000', '--depth', '2']):
            r = run('trace_query', self.trace, *arguments)
            self.assertEqual(r.returncode, 2, (arguments, r.stderr))


def calls_of_blocks(trace):
    """Returns the calls in an x64dbg trace, as the stack pointers show them."""
    stack_word, bits = 4, trace.word
    threads, calls, memory = {}, [], {}
    for b in trace.blocks:
        t = threads.setdefault(b['thread'], {'open': [], 'last': None, 'call': None})
        sp = b['state'][stack_word]
        if t['call'] is not None:
            call = t['call']
            args = [memory.get(sp + bits * (n + 1)) for n in range(4)]
            call.update(entry=sp, address=b['ip'], before=b['state'], words=args)
            t['open'].append(call)
            call['depth'] = len(t['open'])
            calls.append(call)
        else:
            ended = []
            while t['open'] and t['open'][-1]['entry'] < sp:
                ended.append(t['open'].pop())
                ended[-1]['end'] = {'index': t['last']['index'], 'ip': hex(t['last']['ip']), 'how': 'unwound'}
            if ended and ended[-1]['back'] == b['ip']:
                ended[-1]['end']['how'] = 'returned'
                ended[-1]['after'] = b['state']
        opcode = bytes.fromhex(b['opcode']).lstrip(b'\x26\x2e\x36\x3e\x64\x65\x66\xf2\xf3')
        if trace.arch == 'x64':
            opcode = opcode.lstrip(bytes(range(0x40, 0x50)))
        is_call = opcode[:1] == b'\xe8' or (opcode[:1] == b'\xff' and opcode[1] >> 3 & 7 in (2, 3))
        back = b['ip'] + len(b['opcode']) // 2
        t['call'] = {'index': b['index'], 'ip': b['ip'], 'back': back, 'thread': b['thread']} if is_call else None
        t['last'] = b
        for address, old, new in b['memory']:
            memory[address] = old if new is None else new
    return calls


class X64dbg(ProgramTest):
    def calls(self, name, function, *arguments):
        r = run('trace_query', os.path.join(DATA, name), 'calls', '--of', hex(function), '--json', *arguments)
        rows = [json.loads(line) for line in r.stdout.splitlines()]
        return [row for row in rows if not row['jump']]

    def check(self, name, per_function):
        trace = Trace(content(os.path.join(DATA, name)))
        of = {}
        for call in calls_of_blocks(trace):
            of.setdefault(call['address'], []).append(call)
        most = sorted(of, key=lambda f: (-len(of[f]), f))[:10]
        for function in most:
            rows = self.calls(name, function)
            self.assertEqual(
                [(r['index'], r['ip'], r['thread'], r['depth'], r['end'], r['result']) for r in rows],
                [(c['index'], hex(c['ip']), c['thread'], c['depth'], c.get('end'),
                  hex(c['after'][0]) if 'after' in c else '??') for c in of[function]], hex(function))
            per_function(of[function], rows)
        return of, most

    @needs('simdjson', 'zydis')
    def test_three_threads(self):
        words = {'rcx': 1, 'rdx': 2, 'rsi': 6, 'rdi': 7, 'r8': 8, 'r9': 9}

        def values(calls, names):
            return [[hex(c['before'][words[n]]) for n in names.split()] for c in calls]
        # The program's path is one of Windows.
        of, most = self.check('threads3_64.trace64.xz', lambda calls, rows: self.assertEqual(
            [r['arguments'] for r in rows], values(calls, 'rcx rdx r8 r9')))
        self.assertEqual(len({c['thread'] for calls in of.values() for c in calls}), 3)
        self.assertEqual([r['arguments'] for r in self.calls('threads3_64.trace64.xz', most[0], '--abi', 'sysv')],
                         values(of[most[0]], 'rdi rsi rdx rcx r8 r9'))

    @needs('simdjson', 'zydis')
    def test_arguments_on_the_stack(self):
        known = []

        def compare(calls, rows):
            for call, row in zip(calls, rows):
                for value, word in zip(row['arguments'], call['words']):
                    known.append(value != '??')
                    if value != '??' and word is not None:
                        self.assertEqual(value, hex(word), row)
        self.check('work32.trace32.xz', compare)
        self.assertGreater(sum(known), len(known) / 2)

    @needs('simdjson', 'zydis')
    def test_a_program_of_windows(self):
        words = {'rax': 0, 'rcx': 1, 'rdx': 2, 'rsp': 4, 'rdi': 7, 'r8': 8, 'r9': 9}
        state = dict(zip(words, (0, 1, 2, 0x8000, 5, 3, 4)))
        raw = header(path='C:\\a.exe')
        for ip, opcode, changes in ((0x1000, 'e8fb0f0000', {}), (0x2000, '90', {'rsp': 0x7ff8}), (0x2001, 'c3', {}),
                                    (0x1005, '90', {'rsp': 0x8000, 'rax': 9})):
            state.update(changes)
            values = [0] * 172
            for name, value in state.items():
                values[words[name]] = value
            raw += snapshot(bytes.fromhex(opcode), ip, values=values)
        path = self.write('a.trace64', raw)
        row = json.loads(run('trace_query', path, 'calls', '--of', '0x2000', '--json').stdout)
        self.assertEqual((row['arguments'], row['result']), (['0x1', '0x2', '0x3', '0x4'], '0x9'))
        self.assertEqual(row['end'], {'index': 2, 'ip': '0x2001', 'how': 'returned'})


@unittest.skipUnless(os.path.isdir(INDUSTRY), "needs the samples of Arm's tarmac-trace-utilities")
class Tarmac(ProgramTest):
    """Arm's tools print the same calls of their samples (the .ref files)."""

    def trace(self, name):
        return os.path.join(INDUSTRY, name + '.tarmac')

    def ref(self, name):
        with open(os.path.join(INDUSTRY, name + '.ref')) as f:
            return f.read().splitlines()

    def lines(self, *arguments):
        r = run('trace_query', *arguments)
        self.assertEqual(r.returncode, 0, r.stderr)
        return r.stdout.decode().splitlines()

    def test_flame_graph(self):
        def totals(stacks):
            """Returns the instructions of each stack and of those within it."""
            found = {}
            for stack, count in stacks:
                for n in range(1, len(stack) + 1):
                    found[stack[:n]] = found.get(stack[:n], 0) + count
            return found
        symbols = os.path.join(INDUSTRY, 'quicksort.symbols')
        got = [line.rsplit(' ', 1) for line in
               self.lines(self.trace('quicksort'), 'export', 'folded', '--symbols', symbols)]
        got = totals([(tuple(stack.split(';')), int(count)) for stack, count in got])
        nodes, path = {}, []
        for row in map(json.loads, self.lines(self.trace('quicksort'), 'calls', '--symbols', symbols, '--json')):
            path[row['depth']:] = [row['function']]
            nodes[tuple(path)] = row['calls']
        self.assertEqual(set(got), set(nodes))
        # Arm's tool has only calls that return, so c_entry() is a part of _start(). It counts the time from the first
        # instruction of a call to its last, so each call has one instruction more.
        del got['_start', 'c_entry']
        got = {tuple(name for name in stack if name != 'c_entry'): count - nodes[stack]
               for stack, count in got.items()}
        ref = [line.rsplit(' ', 1) for line in self.ref('flamegraph-quicksort-symbols')]
        self.assertEqual(got, totals([(tuple(stack.split(';')), int(count)) for stack, count in ref]))

    def calls(self, name, entries):
        """Returns the calls of the functions at `entries`."""
        return [json.loads(line) for entry in sorted(entries)
                for line in self.lines(self.trace(name), 'calls', '--of', entry, '--json')]

    def tree(self, lines):
        """Returns the calls of a call tree: times and ips of the call and of the last instruction, and the function's
        address."""
        found, call = [], None
        for line in lines:
            # "- t:9 l:175 pc:0x8020 - t:2028 l:4286 pc:0x8024" is the call and where it returns to, and the next line
            # is the function, with its first and last instruction.
            m = re.match(r' *([-o]) t:(\d+) l:\d+ pc:(\w+) - t:(\d+) l:\d+ pc:(\w+)', line)
            if not m:
                continue
            kind, first, ip, last, last_ip = m.groups()
            if kind == '-':
                call = int(first), ip
            elif call:
                found.append((*call, ip, int(last), last_ip))
        return found

    def test_call_trees(self):
        for name, ref in (('quicksort', 'calltree-quicksort-addr'), ('calltest64', 'calltest64'),
                          ('calltest32', 'calltest32')):
            tree = self.tree(self.ref(ref))
            self.assertGreater(len(tree), 8, name)
            # The time of the first instruction is 1 in the first trace, and 1,000,000 in the others.
            unit = 1 if name == 'quicksort' else 1000000
            wanted = [(t // unit - 1, ip, entry, last // unit - 1, last_ip) for t, ip, entry, last, last_ip in tree]
            # The numbers of the instructions show which call is in which.
            calls = self.calls(name, {c[2] for c in tree})
            got = [(c['index'], c['ip'], c['address'], c['end']['index'], c['end']['ip']) for c in calls
                   if c['end'] and c['end']['how'] == 'returned' and not c['jump']]
            # For Arm's tool, a jump is a call if the program has set the link register before it.
            jumps = {(c['index'], c['ip'], c['address']) for c in calls if c['jump']}
            self.assertLessEqual(set(got), set(wanted), name)
            self.assertLessEqual({c[:3] for c in wanted} - {c[:3] for c in got}, jumps, name)
            self.assertEqual(len(wanted) - len(got), {'quicksort': 0}.get(name, 4), name)

    def test_profile(self):
        rows = [line.split() for line in self.ref('profile-quicksort-symbols')[1:]]
        for address, count, time, name in rows[1:]:
            calls = self.calls('quicksort', [address])
            self.assertEqual(len(calls), int(count), name)
            # The time of a call is from its first instruction to the one after its last.
            self.assertEqual(sum(c['end']['index'] - c['index'] for c in calls), int(time), name)


if __name__ == '__main__':
    support.main()
