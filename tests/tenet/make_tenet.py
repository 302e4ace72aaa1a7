"""Makes Tenet's traces of a random program, as the description of the format says, and lists the instructions that
they contain. Reads lines without the library, too."""

import collections
import random

Instruction = collections.namedtuple('Instruction', 'ip kind target changes accesses')
# Access of an instruction. Its bytes are those after the instruction.
Access = collections.namedtuple('Access', 'address kind data')

NAMES = {
    'amd64': 'rax rbx rcx rdx rbp rsp rsi rdi r8 r9 r10 r11 r12 r13 r14 r15'.split(),
    'x86': 'eax ebx ecx edx ebp esp esi edi'.split(),
    'aarch64': ['x%d' % n for n in range(30)] + ['lr', 'sp']}
PC = {'amd64': 'rip', 'x86': 'eip', 'aarch64': 'pc'}
SIZE = {'amd64': 8, 'x86': 4, 'aarch64': 8}
STACK = {'amd64': 'rsp', 'x86': 'esp', 'aarch64': 'sp'}


class Program:
    """Executed instructions. `instructions` are those that a trace contains, with their effects. `initial` are the
    registers before the first one. The effects of the last instruction are on no line."""

    def __init__(self, seed, steps, dialect='amd64'):
        self.rng = rng = random.Random(seed)
        self.dialect, self.size = dialect, SIZE[dialect]
        self.names, self.stack, self.pc = NAMES[dialect], STACK[dialect], PC[dialect]
        self.largest = 256 ** self.size - 1
        self.registers = {name: rng.randrange(self.largest) for name in self.names}
        self.registers[self.stack] = 0x7ff0
        self.initial = dict(self.registers)
        self.memory, self.calls, self.instructions = {}, [], []
        ip = 0x401000
        for n in range(steps):
            kinds = ['alu'] * 4 + ['load', 'store', 'modify', 'jump', 'call', 'return', 'plain', 'two', 'repeat']
            ip = self.step(ip, rng.choice(kinds))
        last = self.instructions[-1]
        self.instructions[-1] = Instruction(last.ip, 'not_branch', 0, {}, [])
        self.names_used = set(self.names)

    def write(self, address, data):
        for n, byte in enumerate(data):
            self.memory[address + n] = byte

    def read(self, address, size):
        for n in range(size):
            self.memory.setdefault(address + n, self.rng.randrange(256))
        return bytes(self.memory[address + n] for n in range(size))

    def step(self, ip, kind):
        rng, arm = self.rng, self.dialect == 'aarch64'
        length = 4 if arm else rng.randrange(1, 16)
        then, changes, accesses, what = ip + length, {}, [], 'not_branch'
        free = [name for name in self.names if name not in (self.stack, 'lr')]
        address, size = 0x9000 + rng.randrange(512), rng.choice((1, 2, 4, 8, 16, 32))
        stack = self.registers[self.stack]

        def access(kind, address, size):
            accesses.append((kind, address, size))
        if kind == 'return' and not self.calls:
            kind = 'plain'
        if kind == 'alu':
            for name in rng.sample(free, rng.choice((1, 1, 2))):
                changes[name] = rng.randrange(self.largest)
        elif kind == 'load':
            access('mr', address, size)
            changes[rng.choice(free)] = rng.randrange(self.largest)
        elif kind in ('store', 'modify', 'two'):
            if kind == 'two':
                access('mr', address + 40, size)
            if kind == 'modify':
                access('mr', address, size)
            access('mw', address, size)
            self.write(address, rng.randbytes(size))
        elif kind == 'jump':
            then, what = ip + rng.choice((-1, 1)) * rng.randrange(16, 4000), 'direct_jump'
        elif kind == 'call' and arm:
            changes['lr'] = then
            self.calls.append(then)
            then, what = ip + rng.randrange(16, 4000), 'direct_call'
        elif kind == 'call':
            changes[self.stack] = stack - self.size
            access('mw', stack - self.size, self.size)
            self.write(stack - self.size, then.to_bytes(self.size, 'little'))
            self.calls.append(then)
            then, what = ip + rng.randrange(16, 4000), 'direct_call'
        elif kind == 'return' and arm:
            then, what = self.registers['lr'], 'return'
            self.calls.pop()
            if then in (ip, ip + 4):
                what = 'not_branch'
        elif kind == 'return':
            then, what = self.calls.pop(), 'return'
            access('mr', stack, self.size)
            changes[self.stack] = stack + self.size
        elif kind == 'repeat':
            access('mw', address, size)
            self.write(address, rng.randbytes(size))
            then = ip
        listed = [Access(a, k, self.read(a, n)) for k, a, n in accesses]
        self.registers.update(changes)
        self.instructions.append(Instruction(ip, what, then if what != 'not_branch' else 0, changes, listed))
        return then

    def states(self):
        """Returns the registers before each instruction."""
        all_, now = [], dict(self.initial)
        for i in self.instructions:
            all_.append(dict(now))
            now.update(i.changes)
        return all_

    def items(self, n, merge):
        """Returns the items of line `n`: what instruction n - 1 changed, and the address of instruction n."""
        changes = self.initial if n == 0 else self.instructions[n - 1].changes
        accesses = [] if n == 0 else self.instructions[n - 1].accesses
        items = ['%s=0x%x' % (name, value) for name, value in changes.items()]
        items.append('%s=0x%x' % (self.pc, self.instructions[n].ip))
        last = None
        for a in accesses:
            if merge and last == (a.address, a.data, 'mr') and a.kind == 'mw':
                items.pop()
                items.append('mrw=0x%x:%s' % (a.address, a.data.hex()))
            else:
                items.append('%s=0x%x:%s' % (a.kind, a.address, a.data.hex()))
            last = (a.address, a.data, a.kind)
        return items

    def text(self, newline='\n', merge=False, shuffle=False, upper=False, addresses=False):
        lines = []
        for n in range(len(self.instructions)):
            items = self.items(n, merge)
            if addresses:
                items = [i for i in items if i.startswith(self.pc)]
            if shuffle:
                self.rng.shuffle(items)
            lines.append(','.join(items) + newline)
        text = ''.join(lines)
        return text.upper().replace('0X', '0x') if upper else text


def read(text):
    """Returns the state on arrival of each line: (ip, registers, accesses)."""
    states, registers = [], {}
    for line in text.splitlines():
        ip, accesses = None, []
        for item in line.split(','):
            name, value = item.split('=')
            name = name.lower()
            if name in ('mr', 'mw', 'mrw'):
                address, data = value.split(':')
                accesses.append(Access(int(address, 16), name, bytes.fromhex(data)))
            elif name in PC.values():
                ip = int(value, 16)
            else:
                registers[name] = int(value, 16)
        states.append((ip, dict(registers), accesses))
    return states


if __name__ == '__main__':
    import gzip
    import os
    import sys
    for name, seed, steps in (('amd64', 54, 1000), ('x86', 55, 300), ('aarch64', 56, 300)):
        made = Program(seed, steps, name)
        with open(os.path.join(sys.argv[1], 'made_%s.tenet.log.gz' % name), 'wb') as out:
            out.write(gzip.compress(made.text(merge=name == 'x86').encode(), mtime=0))
        i = made.instructions
        print(name, len(i), sorted(collections.Counter(x.kind for x in i).items()),
              'reads', sum(a.kind == 'mr' for x in i for a in x.accesses),
              'writes', sum(a.kind == 'mw' for x in i for a in x.accesses),
              'bytes', sum(len(a.data) for x in i for a in x.accesses),
              'changes', sum(len(x.changes) for x in i),
              'sum', sum(x.ip + x.target for x in i))
