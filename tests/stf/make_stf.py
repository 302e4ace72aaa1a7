"""Encodes STF and ZSTF traces, and makes the traces in tests/data/stf. Written from the table of the format, without the
library. Needs the program zstd.

    python3 tests/stf/make_stf.py tests/data/stf

A record is a tuple of its name and its fields. An Instruction has the records up to its opcode.
"""
import dataclasses
import gzip
import os
import random
import struct
import subprocess
import sys

EVENT64, OPERANDS, RV64, VECTOR = 0x80000, 0x4, 0x20, 0x40000
VLEN = 200  # bits of a vector register, which take four words
STATE, SOURCE, DESTINATION = 1, 2, 3
GENERAL, FLOATING, VECTORS, CONTROL = 1, 2, 3, 4
INTERRUPT, MODE_CHANGE = 1 << 63, 1 << 62

# Opcodes, their branch classes, and the bytes that they access. Targets of branches are 0x40 bytes after the opcode.
CODE = {
    'addi a0, a0, 1': (0x00150513, 'not_branch', 0),
    'c.nop': (0x0001, 'not_branch', 0),
    'ld a1, 0(a0)': (0x00053583, 'not_branch', 8),
    'lbu a1, 0(a0)': (0x00054583, 'not_branch', 1),
    'c.lw a1, 0(a0)': (0x410c, 'not_branch', 4),
    'c.sd a1, 0(a0)': (0xe10c, 'not_branch', 8),
    'sh a1, 0(a0)': (0x00b51023, 'not_branch', 2),
    'fld fa0, 0(a0)': (0x00053507, 'not_branch', 8),
    'amoadd.w a2, a1, (a0)': (0x00b5262f, 'not_branch', 4),
    'beq a0, a1, +0x40': (0x04b50063, 'conditional', 0),
    'c.beqz a0, +0x40': (0xc121, 'conditional', 0),
    'jal ra, +0x40': (0x040000ef, 'direct_call', 0),
    'jal x0, +0x40': (0x0400006f, 'direct_jump', 0),
    'c.j +0x40': (0xa081, 'direct_jump', 0),
    'jalr ra, 0(a0)': (0x000500e7, 'indirect_call', 0),
    'c.jr a0': (0x8502, 'indirect', 0),
    'c.jr ra': (0x8082, 'return', 0),
    'ecall': (0x00000073, 'not_branch', 0),
    'csrrw a0, mstatus, a1': (0x30059573, 'not_branch', 0),
    'vadd.vv v1, v2, v3': (0x022180d7, 'not_branch', 0),
    'vle64.v v1, (a0)': (0x02057087, 'not_branch', 0),
}


def text(number, size, s):
    return bytes([number]) + struct.pack(size, len(s)) + s


def encode(record, features, vlen):
    """Returns the bytes of a record."""
    name, *f = record
    if name == 'comment':
        return text(3, '<I', f[0])
    if name == 'extended_isa':
        return text(13, '<I', f[0])
    if name == 'trace_info':
        return struct.pack('<BB3B', 6, f[0], *f[1]) + struct.pack('<H', len(f[2])) + f[2]
    if name == 'reg':
        register, role, kind, value = f
        words = value if kind == VECTORS else (value,)
        assert kind != VECTORS or len(words) == -(-vlen // 64)
        return struct.pack('<BHB%dQ' % len(words), 40, register, role << 4 | kind, *words)
    if name == 'page_table_walk':
        va, index, size, levels = f
        return struct.pack('<BQQIB', 50, va, index, size, len(levels)) + b''.join(
            struct.pack('<QQ', *level) for level in levels)
    if name == 'event':
        cause, arguments = f
        return struct.pack('<BQ' if features & EVENT64 else '<BI', 100, cause) + struct.pack(
            '<B%dQ' % len(arguments), len(arguments), *arguments)
    number, form = {
        'isa': (4, 'H'), 'encoding': (5, 'H'), 'features': (7, 'Q'), 'process': (8, 'III'), 'force_pc': (9, 'Q'),
        'vector_length': (10, 'I'), 'end_header': (19, ''), 'target': (31, 'Q'), 'ready_reg': (41, 'H'),
        'access': (60, 'QHHB'), 'content': (61, 'Q'), 'bus_access': (62, 'QHBBIB'), 'bus_content': (63, 'Q'),
        'event_target': (101, 'Q'), 'micro_op': (230, 'BI'), 'opcode32': (240, 'I'), 'opcode16': (241, 'H')}[name]
    return struct.pack('<B' + form, number, *f)


@dataclasses.dataclass
class Instruction:
    records: list
    pc: int = 0
    next_pc: int = 0
    code: str = ''
    target: int = 0  # 0 if the branch is not taken
    data: bytes = b''

    @property
    def branch(self):
        return CODE[self.code][1]


def header(pc, features=EVENT64 | OPERANDS | RV64 | VECTOR, vlen=VLEN):
    """Returns the bytes of a header."""
    records = [('comment', b'made by make_stf.py'), ('isa', 1), ('encoding', 2), ('trace_info', 7, (1, 2, 3), b'stf'),
               ('extended_isa', b'rv64gcv'), ('features', features), ('vector_length', vlen), ('force_pc', pc),
               ('end_header',)]
    return b'\x01STF' + struct.pack('<BII', 2, 1, 5) + b''.join(encode(r, features, vlen) for r in records)


class Program:
    """Random instructions that cover every kind of record."""

    def __init__(self, seed, features=EVENT64 | OPERANDS | RV64 | VECTOR):
        self.random = random.Random(seed)
        self.features = features
        self.start = self.pc = 0x80000000

    def header(self):
        return header(self.start, self.features)

    def register(self, role, register, kind=GENERAL):
        word = lambda: self.random.choice((0, 1, self.random.randrange(1 << 64)))
        return ('reg', register, role, kind, tuple(word() for _ in range(4)) if kind == VECTORS else word())

    def access(self, size, kind):
        address = 0x90000000 + 8 * self.random.randrange(1 << 20)
        return [('access', address, size, 0, kind), ('content', self.random.randrange(1 << 8 * size))]

    def run(self, count):
        for n in range(count):
            yield self.executed(n)

    def executed(self, n):
        rnd = self.random
        i = Instruction([], pc=self.pc, code=rnd.choice(list(CODE)))
        opcode, branch, size = CODE[i.code]
        length = 2 if opcode < 0x10000 else 4
        name = i.code.split()[0]
        if n % 97 == 50:
            i.pc = self.pc + 0x1000
            i.records.append(('force_pc', i.pc))
        if n % 53 == 7:
            i.records.append(('comment', b'instruction %d' % n))
        if n % 61 == 9:
            i.records.append(('process', 1, 2, n))
        if n % 31 == 3:
            i.records.append(('page_table_walk', i.pc, n, 4096, [(0x1000 * k, 0x401 + k) for k in range(n % 4)]))
        if n % 37 == 4:
            i.records.append(self.register(STATE, 0x300, CONTROL))
        if n % 41 == 5:
            i.records += [('bus_access', 0xa0000000 + n, 64, 1, 2, 3, 1), ('bus_content', n)]
        if self.features & OPERANDS and name.startswith('v'):
            i.records += [self.register(SOURCE, 2, VECTORS), self.register(DESTINATION, 1, VECTORS)]
        elif self.features & OPERANDS and name == 'addi':
            i.records += [self.register(SOURCE, 10), self.register(DESTINATION, 10)]
        elif self.features & OPERANDS and name == 'fld':
            i.records += [self.register(SOURCE, 10), self.register(DESTINATION, 10, FLOATING)]
        elif self.features & OPERANDS and name == 'csrrw':
            i.records += [self.register(SOURCE, 11), self.register(SOURCE, 0x300, CONTROL),
                          self.register(DESTINATION, 10), self.register(DESTINATION, 0x300, CONTROL)]
        if n % 43 == 6:
            i.records += [('ready_reg', 10), ('micro_op', 4, opcode & 0xffff)]
        if name in ('c.sd', 'sh'):
            i.records += self.access(size, 2)
        elif name.startswith('amo'):
            i.records += self.access(size, 1) + self.access(size, 2)
        elif name == 'vle64.v':
            i.records += [r for _ in range(3) for r in self.access(8, 1)]
        elif size:
            i.records += self.access(size, 1)
        i.next_pc = i.pc + length
        if branch != 'not_branch' and (branch != 'conditional' or rnd.random() < 0.5):
            direct = branch in ('conditional', 'direct_jump', 'direct_call')
            i.target = i.next_pc = i.pc + 0x40 if direct else 0x80000000 + 4 * rnd.randrange(1 << 10)
            i.records.append(('target', i.target))
        if name == 'ecall':
            i.next_pc = 0x80008000
            i.records += [('event', 8, (n, 1)), ('event', MODE_CHANGE | 3, ()) if self.features & EVENT64 else
                          ('event', 3, ()), ('event_target', i.next_pc)]
        i.records.append(('opcode16' if length == 2 else 'opcode32', opcode))
        self.pc = i.next_pc
        i.data = b''.join(encode(r, self.features, VLEN) for r in i.records)
        return i


def compressed(data):
    return subprocess.run(['zstd', '-q', '-c'], input=data, stdout=subprocess.PIPE, check=True).stdout


def zstf(head, instructions, per_chunk):
    """Returns a ZSTF file with chunks of `per_chunk` instructions."""
    made = bytearray(b'ZSTF' + struct.pack('<QQ', per_chunk, 0))
    index = []
    for at in range(0, len(instructions), per_chunk):
        part = instructions[at:at + per_chunk]
        content = (head if at == 0 else b'') + b''.join(i.data for i in part)
        start = instructions[at - 1].next_pc if at else 0
        index.append(struct.pack('<QQQ', len(made), start, len(content)))
        made += compressed(content)
    struct.pack_into('<Q', made, 12, len(made))
    return bytes(made) + struct.pack('<Q', len(index)) + b''.join(index)


def main(folder):
    program = Program(54)
    instructions = list(program.run(1000))
    stream = program.header() + b''.join(i.data for i in instructions)
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, 'made.stf.gz'), 'wb') as f:
        f.write(gzip.compress(stream, mtime=0))
    with open(os.path.join(folder, 'made.zstf'), 'wb') as f:
        f.write(zstf(program.header(), instructions, 300))
    counts = {}
    for i in instructions:
        for r in i.records:
            counts[r[0]] = counts.get(r[0], 0) + 1
        counts[i.branch] = counts.get(i.branch, 0) + 1
    print(len(stream), counts, sum(bool(i.target) for i in instructions))
    for n in (299, 300, 500, 999):
        print(n, hex(instructions[n].pc))


if __name__ == '__main__':
    main(sys.argv[1])
