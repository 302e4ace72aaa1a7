"""Converts CVP-1 and CBP2025 traces to ChampSim's records. Written from docs/formats/cvp.md's description of the
improvements, independently of the library.

    python3 tests/cvp/champsim_model.py cvp1|cbp2025 FILE[.gz] OUT [original|all|NAME,...]
"""
import gzip
import struct
import sys

NAMES = ('mem-regs', 'base-update', 'mem-footprint', 'call-stack', 'branch-regs', 'flag-reg')
IP, SP, FLAGS, LR, NZCV, ZERO = 26, 6, 25, 30, 64, 65
LOAD, STORE = 1, 2
BRANCHES = {3: 'conditional', 4: 'jump', 5: 'indirect', 9: 'call', 10: 'indirect_call', 11: 'return'}
RECORD = struct.Struct('<Q8B6Q')


class Instruction:
    __slots__ = ('pc', 'kind', 'address', 'size', 'base_update', 'taken', 'target', 'inputs', 'outputs', 'values', 'end')


def decode(data, newer):
    """Yields the instructions of a trace."""
    at = 0
    while at < len(data):
        i = Instruction()
        i.pc, i.kind = struct.unpack_from('<QB', data, at)
        at += 9
        i.base_update = i.taken = i.target = 0
        if i.kind in (LOAD, STORE):
            i.address, i.size = struct.unpack_from('<QB', data, at)
            at += 9
            if newer:
                i.base_update = data[at]
                at += i.kind  # a store also has a flag for a register offset
        elif i.kind in BRANCHES:
            i.taken = data[at]
            at += 1
            if i.taken:
                i.target, = struct.unpack_from('<Q', data, at)
                at += 8
        for member in 'inputs', 'outputs':
            n = data[at]
            setattr(i, member, tuple(data[at + 1:at + 1 + n]))
            at += 1 + n
        i.values = []
        for r in i.outputs:
            i.values.append(struct.unpack_from('<Q', data, at)[0])
            at += 16 if 32 <= r < 64 else 8
        i.end = at
        yield i


class Converter:
    def __init__(self, trace, newer, improvements, original=False):
        self.newer, self.original = newer, original
        self.on = {name: name in improvements for name in NAMES}
        self.code = {i.pc >> 12 for i in trace}
        self.data = {i.address >> 12 for i in trace if i.kind in (LOAD, STORE)}
        self.moved, self.free = {}, 0x1000
        self.modes, self.written = {}, {}
        self.last_taken = 0

    def number(self, r):
        return {26: 64, 6: 65, 25: 66, 0: 67, ZERO: None, NZCV: FLAGS if self.on['flag-reg'] else NZCV}.get(r, r)

    def numbers(self, registers):
        return [n for n in map(self.number, registers) if n is not None]

    def data_address(self, address):
        page = address >> 12
        if page in self.code:
            if page not in self.moved:
                while self.free in self.code or self.free in self.data:
                    self.free += 1
                self.moved[page] = self.free
                self.free += 1
            page = self.moved[page]
        return page << 12 | address & 0xfff

    def branch(self, i):
        kind = BRANCHES[i.kind]
        if kind == 'conditional' or (self.newer and self.on['call-stack']):
            return kind
        direct = kind in ('jump', 'call')
        calls = i.outputs == (LR,)
        returns = i.inputs == (LR,)
        if self.on['call-stack']:
            returns = returns and not i.outputs
        if returns:
            return 'return'
        if calls:
            return 'call' if direct else 'indirect_call'
        return 'jump' if direct else 'indirect'

    def branch_record(self, i):
        kind = self.branch(i)
        own = self.numbers(i.inputs) if self.on['branch-regs'] else []
        outputs = [IP, SP] if kind in ('call', 'indirect_call', 'return') else [IP]
        if self.on['branch-regs']:
            outputs += self.numbers(i.outputs)
        inputs = {'jump': [], 'conditional': [IP] + (own or [FLAGS]), 'call': [IP, SP],
                  'indirect_call': [IP, SP] + (own or [56]), 'return': [SP] + own, 'indirect': own or [56]}[kind]
        taken = i.taken if kind in ('jump', 'conditional') else 1
        self.last_taken = taken
        return self.record(i.pc, 1, taken, outputs, inputs)

    @staticmethod
    def record(pc, is_branch, taken, outputs, inputs, written=(), read=()):
        def slots(values, n):
            return (list(values) + [0] * n)[:n]
        return RECORD.pack(pc, is_branch, taken, *slots(outputs, 2), *slots(inputs, 4), *slots(written, 2),
                           *slots(read, 4))

    @staticmethod
    def in_order(registers):
        """Returns the registers of a load or a store with the vectors last."""
        return sorted(registers, key=lambda r: 32 <= r < 64)

    def decide(self, i):
        """Returns the bytes of an access, the register that it updates or None, and True if it is certain."""
        value = dict(zip(i.outputs, i.values))
        inputs, outputs = self.in_order(i.inputs), self.in_order(i.outputs)
        read = [r for r in outputs if r < 32 and r in inputs]
        if self.newer:
            return i.size, read[0] if i.base_update and read else None, True

        def distance(a, b):
            return (a - b + (1 << 63)) % (1 << 64) - (1 << 63)

        if i.kind == LOAD:
            general = [r for r in inputs if not 32 <= r < 64]
            base = None
            if len(outputs) == 2 and len(general) == 1:
                if general[0] in read and -256 <= distance(value[general[0]], i.address) <= 255:
                    base = general[0]
            elif len(outputs) >= 2 and outputs[0] in read:
                base = outputs[0]
            return i.size * (max(1, len(outputs)) if base is None else len(outputs) - 1), base, True
        if len(outputs) > 1:
            return i.size * len(outputs), None, True
        if len(inputs) < 2 or (len(inputs) == 2 and not outputs):
            return i.size, None, True
        if len(inputs) == 2:
            return i.size, outputs[0] if outputs[0] in read and outputs[0] == inputs[0] else None, True
        if outputs:
            if value[outputs[0]] in (0, 1):
                return 2 * i.size, None, True
            return (i.size * (len(inputs) - 1), outputs[0], True) if read else (i.size, None, True)
        base = next((r for r in inputs if r < 32), None)
        if base not in self.written:
            return i.size, None, False
        pair = -64 * i.size <= distance(i.address, self.written[base]) <= 63 * i.size
        return i.size * (2 if pair else 1), None, True

    def mode(self, i):
        shape = (i.kind, i.inputs, i.outputs)
        known = self.modes.get(i.pc)
        if self.newer or known is None or known[0] != shape or not known[1][2]:
            known = self.modes[i.pc] = shape, self.decide(i)
        return known[1]

    def convert(self, i):
        """Returns the records of an instruction."""
        if i.kind not in (LOAD, STORE):
            self.modes.pop(i.pc, None)
        if i.kind in BRANCHES:
            made = [self.branch_record(i)]
            self.written.update((r, v) for r, v in zip(i.outputs, i.values) if r < 32)
            return made
        memory = i.kind in (LOAD, STORE)
        taken = self.last_taken if self.original else 0
        size, base, _ = self.mode(i) if memory else (0, None, True)
        if not self.on['base-update']:
            base = None
        for r, v in zip(i.outputs, i.values):
            if r < 32:
                self.written[r] = v
        # The base leaves the record first, so that the loaded register is the first destination.
        inputs, outputs = i.inputs, [r for r in i.outputs if r != base]
        if memory and not self.original:
            inputs, outputs = self.in_order(inputs), self.in_order(outputs)
        if not self.on['mem-regs' if memory else 'flag-reg']:
            outputs = outputs[:1]
        if not i.outputs and self.on['flag-reg'] and not self.newer and i.kind in (0, 6):
            outputs = [FLAGS]
        elif outputs:
            outputs = self.numbers(outputs)
        elif not self.on['mem-regs']:
            outputs = [67]
        addresses = []
        if memory:
            first = i.address
            if self.on['mem-footprint']:
                if i.kind == STORE and len(i.inputs) < 2 and i.size == 64:
                    first -= first % 64
                last = first + max(size, 1) - 1
                addresses = [first] + ([last - last % 64] if first // 64 != last // 64 else [])
            else:
                addresses = [first]
            addresses = [self.data_address(a) for a in addresses]
        reads, writes = (addresses, ()) if i.kind == LOAD else ((), addresses)
        inputs = self.numbers(inputs)
        if base is None:
            return [self.record(i.pc, 0, taken, outputs, inputs, writes, reads)]
        before = i.values[i.outputs.index(base)] == i.address
        register = [self.number(base)]
        update = self.record(i.pc if before else i.pc + 2, 0, 0, register, register)
        access = self.record(i.pc + 2 if before else i.pc, 0, 0, outputs, inputs, writes, reads)
        return [update, access] if before else [access, update]


def converted(data, newer, improvements, original=False):
    """Yields the records of each instruction, as a list of bytes."""
    trace = list(decode(data, newer))
    converter = Converter(trace, newer, improvements, original)
    for i in trace:
        yield converter.convert(i)


def improvements_of(word):
    return () if word == 'original' else NAMES if word == 'all' else tuple(word.split(','))


if __name__ == '__main__':
    kind, source, to, how = sys.argv[1:5]
    with (gzip.open if source.endswith('.gz') else open)(source, 'rb') as trace_file:
        content = trace_file.read()
    with open(to, 'wb') as out:
        for records in converted(content, kind == 'cbp2025', improvements_of(how), how == 'original'):
            out.write(b''.join(records))
