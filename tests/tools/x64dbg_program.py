# Makes x64dbg traces of instructions that read and write memory.
import collections
import struct

import x64dbg_model

RAX, RSI, RDI = 0, 6, 7
READS = {1: '8a06', 2: '668b06', 4: '8b06', 8: '488b06', 16: 'f30f6f06'}     # from [rsi]
WRITES = {1: '8807', 2: '668907', 4: '8907', 8: '488907', 16: 'f30f7f07'}    # to [rdi]

Access = collections.namedtuple('Access', 'index ip thread address bytes written')


class X64dbgProgram:
    """Instructions that read and write memory, as an x64dbg trace, and the list of their accesses."""

    def __init__(self):
        self.memory = collections.defaultdict(int)
        self.accesses, self.count, self.ip = [], 0, 0x401000
        self.state, self.thread = {RAX: 0, RSI: 0, RDI: 0}, None
        self.trace = x64dbg_model.header()

    def bytes_at(self, address, size):
        return bytes(self.memory[address + i] for i in range(size))

    def instruction(self, code, registers, accesses=(), thread=4):
        """Adds a block: x64dbg stores whole words from each address on."""
        code = bytes.fromhex(code)
        if self.count == 0:
            values = [0] * x64dbg_model.WORDS['x64']
            for n, v in {**self.state, **registers}.items():
                values[n] = v
            values[16] = self.ip
            changed = dict(enumerate(values))
        else:
            changed = {n: v for n, v in registers.items() if self.state[n] != v}
            changed[16] = self.ip
        self.state.update(registers)
        own = thread != self.thread
        self.thread = thread
        block = bytes([0, len(changed), len(accesses), len(code) | 0x80 * own])
        block += struct.pack('<I', thread) * own + code
        last = -1
        for n in sorted(changed):
            block += bytes([n - last - 1])
            last = n
        block += b''.join(struct.pack('<Q', changed[n]) for n in sorted(changed))
        block += bytes(new is None for _, _, new in accesses)
        block += b''.join(struct.pack('<Q', a) for a, _, _ in accesses) + b''.join(o for _, o, _ in accesses)
        self.trace += block + b''.join(n for _, _, n in accesses if n is not None)
        self.count += 1
        self.ip += len(code)

    def read(self, address, size, value=None, thread=4):
        if value is not None:
            self.put(address, value)
        words = [(a, self.bytes_at(a, 8), None) for a in range(address, address + size, 8)]
        self.accesses.append(Access(self.count, self.ip, thread, address, self.bytes_at(address, size), False))
        self.instruction(READS[size], {RSI: address}, words, thread)

    def write(self, address, value, thread=4):
        starts = range(address, address + len(value), 8)
        old = [self.bytes_at(a, 8) for a in starts]
        self.put(address, value)
        words = [(a, o, self.bytes_at(a, 8)) for a, o in zip(starts, old)]
        self.accesses.append(Access(self.count, self.ip, thread, address, value, True))
        self.instruction(WRITES[len(value)], {RDI: address}, words, thread)

    def put(self, address, value):
        for i, b in enumerate(value):
            self.memory[address + i] = b

    def set_rax(self, value):
        """Adds an instruction after which rax has the value, and a nop."""
        self.instruction('48b8' + struct.pack('<Q', value).hex(), {})
        self.instruction('90', {RAX: value})
