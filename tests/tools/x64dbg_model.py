# An x64dbg trace as Python reads it, from the format's description; and one that it writes.
import json
import struct

WORDS = {'x64': 172, 'x86': 216}
CIP = {'x64': 16, 'x86': 8}


class Trace:
    """The blocks of a whole trace: dictionaries with the keys of trace_view --json, and a few more."""

    def __init__(self, raw):
        assert raw[:4] == b'TRAC'
        length, = struct.unpack_from('<I', raw, 4)
        self.header = json.loads(raw[8:8 + length].rstrip(b'\0'))
        self.arch = self.header['arch']
        self.word = 8 if self.arch == 'x64' else 4
        self.raw, self.at = raw, 8 + length
        self.blocks, self.ends = [], []
        thread, state = None, {}
        while self.at < len(raw):
            block = self.block()
            if block is None:
                continue
            if block['own_thread'] is not None:
                thread = block['own_thread']
            state.update(block['registers'])
            block['thread'], block['ip'] = thread, state[CIP[self.arch]]
            block['state'] = dict(state)
            self.blocks.append(block)
            self.ends.append(self.at)

    def words(self, n):
        values = struct.unpack_from('<%d%s' % (n, 'Q' if self.word == 8 else 'I'), self.raw, self.at)
        self.at += n * self.word
        return values

    def take(self, n):
        self.at += n
        assert self.at <= len(self.raw)
        return self.raw[self.at - n:self.at]

    def block(self):
        start = self.at
        kind, registers, accesses, flags = self.take(4) if self.raw[start] < 0x80 else (
            self.raw[start], 0, 0, 0)
        if kind >= 0x80:
            _, size = struct.unpack('<BI', self.take(5))
            self.take(size)
            return None
        assert kind == 0 and flags & 0x70 == 0
        thread = struct.unpack('<I', self.take(4))[0] if flags & 0x80 else None
        opcode = self.take(flags & 15)
        positions, at = [], -1
        for step in self.take(registers):
            at += 1 + step
            positions.append(at)
        values = self.words(registers)
        access_flags = self.take(accesses)
        addresses, old = self.words(accesses), self.words(accesses)
        new = iter(self.words(sum(f & 1 == 0 for f in access_flags)))
        memory = [(a, o, None if f & 1 else next(new))
                  for f, a, o in zip(access_flags, addresses, old)]
        return {'index': len(self.blocks), 'offset': start, 'own_thread': thread,
                'opcode': opcode.hex(), 'registers': list(zip(positions, values)),
                'memory': memory}


def as_json(b):
    """A block as trace_view --json prints it."""
    return {'index': b['index'], 'offset': b['offset'], 'thread': b['thread'],
            'opcode': b['opcode'], 'ip': hex(b['ip']),
            'registers': [[w, hex(v)] for w, v in b['registers']],
            'memory': [{'address': hex(a), 'old': hex(o), 'new': None if n is None else hex(n)}
                       for a, o, n in b['memory']]}


def header(arch='x64', **changes):
    keys = {'ver': 1, 'arch': arch, 'hashAlgorithm': 'murmurhash', 'hash': '0x1', 'compression': '',
            'path': 'a.exe'}
    keys.update(changes)
    text = json.dumps({k: v for k, v in keys.items() if v is not None}).encode()
    return b'TRAC' + struct.pack('<I', len(text)) + text


def snapshot(opcode=b'\x90', ip=0x1000, thread=4, arch='x64'):
    """A block that gives every register, all 0 but the instruction pointer."""
    n, form = WORDS[arch], 'Q' if arch == 'x64' else 'I'
    values = [0] * n
    values[CIP[arch]] = ip
    return (bytes([0, n, 0, 0x80 | len(opcode)]) + struct.pack('<I', thread) + opcode + bytes(n) +
            struct.pack('<%d%s' % (n, form), *values))


def delta(opcode=b'\x90', ip=0x1001, arch='x64'):
    form = '<Q' if arch == 'x64' else '<I'
    return bytes([0, 1, 0, len(opcode)]) + opcode + bytes([CIP[arch]]) + struct.pack(form, ip)
