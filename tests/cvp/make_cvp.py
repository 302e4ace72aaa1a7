"""Encodes CVP-1 and CBP2025 traces, and makes the traces in tests/data/cvp. Written from the formats' table, without
the library.

    python3 tests/cvp/make_cvp.py tests/data/cvp

An instruction is an Instruction: its fields in both formats, with all classes and registers of CBP2025. Calls and
returns of CVP-1 have the classes of jumps, and CVP-1 has neither flags nor the zero register.
"""
import dataclasses
import gzip
import os
import random
import struct
import sys

ALU, LOAD, STORE, CONDITIONAL, JUMP, INDIRECT, FP, SLOW_ALU, UNDEFINED, CALL, INDIRECT_CALL, RETURN = range(12)
BRANCHES = (CONDITIONAL, JUMP, INDIRECT, CALL, INDIRECT_CALL, RETURN)
IN_CVP1 = {CALL: JUMP, INDIRECT_CALL: INDIRECT, RETURN: INDIRECT}
LR, SP, V0, FLAGS, ZERO = 30, 31, 32, 64, 65


@dataclasses.dataclass
class Instruction:
    pc: int = 0
    kind: int = ALU
    address: int = 0
    size: int = 0  # of one register
    registers: int = 1  # that are loaded or stored
    base_update: int = 0
    register_offset: int = 0
    taken: int = 0
    target: int = 0
    inputs: tuple = ()
    outputs: tuple = ()  # (register, value); the value of a vector is a pair of its halves


def encode(i, newer):
    """Returns the bytes of an instruction, in CBP2025's format if `newer` is true."""
    kind = i.kind if newer else IN_CVP1.get(i.kind, i.kind)
    made = struct.pack('<QB', i.pc, kind)
    if kind in (LOAD, STORE):
        made += struct.pack('<QB', i.address, i.size * i.registers if newer else i.size)
        if newer:
            made += bytes([i.base_update])
            if kind == STORE:
                made += bytes([i.register_offset])
    if i.kind in BRANCHES:
        made += bytes([i.taken])
        if i.taken:
            made += struct.pack('<Q', i.target)
    inputs = [r for r in i.inputs if newer or r < FLAGS]
    outputs = [(r, v) for r, v in i.outputs if newer or r < FLAGS]
    made += bytes([len(inputs), *inputs, len(outputs), *(r for r, _ in outputs)])
    for r, value in outputs:
        made += struct.pack('<QQ', *value) if V0 <= r < FLAGS else struct.pack('<Q', value)
    return made


class Program:
    """A program of random instructions that covers every case of the conversion to ChampSim."""

    CODE, DATA, STATIC = 0x400000, 0x7f001000, 420

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.values = {}
        self.code = [self.drawn(at) for at in range(self.STATIC)]

    def general(self, *without):
        return self.random.choice([r for r in (0, 1, 2, 3, 6, 8, 19, 25, 26, 29, 31) if r not in without])

    def drawn(self, at):
        """Returns a static instruction: its shape, registers, size and target. Branches go forward, so that no loop
        leaves out most of the program."""
        base = self.general()
        others = []
        while len(others) < 4:
            others.append(self.general(base, *others))
        return (self.random.randrange(30), base, others, self.random.choice((1, 2, 4, 8, 8, 8, 16)),
                (at + self.random.randrange(1, 6)) % self.STATIC)

    def address(self, base):
        """Returns an address near the base's value, or on a page of the code, or at the end of a line."""
        draw = self.random.random()
        if draw < 0.1:
            return self.CODE + 0x1000 * self.random.randrange(-1, 3) + self.random.randrange(0x1000)
        if draw < 0.2:
            return self.DATA + 64 * self.random.randrange(1, 4096) - self.random.randrange(1, 16)
        if draw < 0.6 and base in self.values:
            return max(0x2000, self.values[base] + self.random.randrange(-700, 700))
        return self.DATA + self.random.randrange(1 << 20)

    def word(self):
        return self.random.choice((0, 1, self.random.randrange(1 << 64), self.DATA + self.random.randrange(1 << 20)))

    def vector(self):
        return self.random.randrange(1 << 64), self.random.choice((0, self.random.randrange(1 << 64)))

    def executed(self, at):
        shape, base, (a, b, c, d), size, target = self.code[at]
        random = self.random
        i = Instruction(pc=self.CODE + 4 * at)
        ea = self.address(base)
        near = (ea + random.choice((0, 0, 8, 16, 255, -256, -8))) % (1 << 64)

        def memory(kind, inputs, outputs, size=size, **more):
            for name, value in dict(kind=kind, address=ea, size=size, inputs=inputs, outputs=outputs, **more).items():
                setattr(i, name, value)

        def computed(kind, inputs, outputs):
            i.kind, i.inputs, i.outputs = kind, inputs, outputs

        if shape == 0:
            computed(ALU, (a, b), ((c, self.word()),))
        elif shape == 1:  # sets the flags, and in CBP2025 also a register
            computed(ALU, (a,), ((FLAGS, random.randrange(16)), (b, self.word())) if d % 2 else
                     ((FLAGS, random.randrange(16)),))
        elif shape == 2:
            computed(FP, (V0 + a, V0 + b), ((V0 + c, self.vector()),))
        elif shape == 3:
            computed(random.choice((FP, SLOW_ALU)), (V0 + a, FLAGS), ())
        elif shape == 4:
            computed(SLOW_ALU, (a, b, c, d, base), ((a, self.word()),))
        elif shape == 5:
            memory(LOAD, (base,), ((a, self.word()),))
        elif shape == 6:  # a load that overwrites its base
            memory(LOAD, (base, a), ((base, self.word()),))
        elif shape == 7:
            memory(LOAD, (base,), ((base, near), (a, self.word())), base_update=1)
        elif shape == 8:  # a pair whose first register is the base
            memory(LOAD, (base,), ((base, random.choice((near, self.word()))), (a, self.word())), registers=2)
        elif shape == 9:
            memory(LOAD, (base,), ((a, self.word()), (b, self.word())), registers=2)
        elif shape == 10:
            memory(LOAD, (base,), ((base, near), (a, self.word()), (b, self.word())), registers=2, base_update=1)
        elif shape == 11:
            memory(LOAD, (base,), tuple((V0 + n, self.vector()) for n in range(4)), size=16, registers=4)
        elif shape == 12:  # a vector, and a base that a register updates
            memory(LOAD, (base, a), ((V0 + b, self.vector()), (base, self.word())), size=16, base_update=1)
        elif shape == 13:
            memory(LOAD, (base,), ())  # a prefetch
        elif shape == 14:
            memory(STORE, (base,), (), size=64)  # clears a line
        elif shape == 15:
            memory(STORE, (base, random.choice((a, ZERO))), ())
        elif shape == 16:
            memory(STORE, (base, a), ((base, near),), base_update=1)
        elif shape == 17:  # an exclusive store, with a status
            memory(STORE, (base, a), ((b, random.randrange(2)),))
        elif shape == 18:
            memory(STORE, (base, a, b), (), registers=2)
        elif shape == 19:
            memory(STORE, (base, a, b), (), register_offset=1)
        elif shape == 20:
            memory(STORE, (base, a, b), ((base, near),), registers=2, base_update=1)
        elif shape == 21:
            memory(STORE, (base, a, b), ((c, random.randrange(2)),), registers=2)
        elif shape == 22:  # compares and swaps a pair
            memory(STORE, (a, b, c, d, base), ((a, self.word()), (b, self.word())), registers=2)
        elif shape == 23:
            memory(STORE, (V0 + a, V0 + b, base), (), size=16, registers=2)
        elif shape == 24:
            computed(CONDITIONAL, (FLAGS,), ())
        elif shape == 25:
            computed(CONDITIONAL, (random.choice((a, 0, 30)),), ())
        elif shape == 26:
            computed(JUMP, (), ())
        elif shape == 27:
            computed(INDIRECT, (a,), ())
        elif shape == 28:
            r = random.choice((None, a, LR))
            computed(CALL if r is None else INDIRECT_CALL, () if r is None else (r,), ((LR, i.pc + 4),))
        else:
            computed(RETURN, (LR,), ())
        if i.kind in BRANCHES:
            i.taken = 1 if i.kind != CONDITIONAL else random.randrange(2)
            i.target = self.CODE + 4 * target if i.taken else 0
        for r, value in i.outputs:
            if r < V0:
                self.values[r] = value
        return i

    def run(self, count):
        at = 0
        for _ in range(count):
            i = self.executed(at)
            yield i
            at = (i.target - self.CODE) // 4 if i.taken else at + 1
            if at == self.STATIC:
                at = 0


def main(folder):
    os.makedirs(folder, exist_ok=True)
    for newer, name in ((False, 'made.cvp1.gz'), (True, 'made.cbp2025.gz')):
        with open(os.path.join(folder, name), 'wb') as raw, gzip.GzipFile('', 'wb', 9, raw, 0) as out:
            for i in Program(54).run(3000):
                out.write(encode(i, newer))


if __name__ == '__main__':
    main(sys.argv[1])
