# Reader and writer of x64dbg traces in Python, according to the format's description.
import functools
import json
import re
import struct

WORDS = {'x64': 172, 'x86': 216}
CIP = {'x64': 16, 'x86': 8}


class Trace:
    """Blocks of a whole trace: dictionaries with the keys of trace_view --json, and a few more."""

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
            block['state'], block['arch'] = dict(state), self.arch
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
    """Returns the part of a text row that comes from the block itself."""
    return {'index': b['index'], 'thread': b['thread'], 'ip': hex(b['ip']), 'opcode': b['opcode'],
            'registers': {name: hex(value) for w, v in b['registers']
                          for name, value in named(b['arch'], w, v)},
            'memory': [{'address': hex(a), 'old': hex(o), 'new': None if n is None else hex(n)}
                       for a, o, n in b['memory']],
            'offset': b['offset']}


def of_block(row):
    """Returns the same part of a row, without values from the disassembler and the next block."""
    row = {k: v for k, v in row.items()
           if k in ('index', 'thread', 'ip', 'opcode', 'registers', 'memory', 'offset')}
    row['memory'] = [{k: v for k, v in m.items() if k not in ('size', 'kind')}
                     for m in row['memory']]
    return row


def changes(arch, before, after):
    """Returns the registers that differ between two states, in the form of rows."""
    if before == after:
        return {}
    word = 8 if arch == 'x64' else 4
    raw = [b''.join(v.to_bytes(word, 'little') for _, v in sorted(s.items()))
           for s in (before, after)]
    all = {}
    for name, at, size in regdump(arch):
        general = name[0:1] in ('r', 'e') and size == word and name not in ('rip', 'eip')
        if not (general or re.fullmatch(r'[cdefgs]s|dr\d|x87\..*|mxcsr|last_error|[xy]?mm\d+', name)):
            continue
        old, new = (s[at:at + size] for s in raw)
        if old[16 if size == 32 else 0:] != new[16 if size == 32 else 0:]:
            form = '0x%%0%dx' % (2 * size) if size > 8 else '0x%x'
            all[name] = {'old': form % int.from_bytes(old, 'little'),
                         'new': form % int.from_bytes(new, 'little')}
    return all


FLAGS = {'CF': 0, 'PF': 2, 'AF': 4, 'ZF': 6, 'SF': 7, 'TF': 8, 'IF': 9, 'DF': 10, 'OF': 11,
         'NT': 14, 'RF': 16, 'VM': 17, 'AC': 18, 'VIF': 19, 'VIP': 20, 'ID': 21}


def flags(arch, state):
    eflags = state[CIP[arch] + 1]
    set = [name for name, bit in FLAGS.items() if eflags >> bit & 1]
    return set + (['IOPL=%d' % (eflags >> 12 & 3)] if eflags >> 12 & 3 else [])


def next_of_thread(blocks):
    """Returns the next block of the same thread for each block, or None."""
    after, last = [None] * len(blocks), {}
    for i, b in enumerate(blocks):
        if b['thread'] in last:
            after[last[b['thread']]] = b
        last[b['thread']] = i
    return after


@functools.cache
def regdump(arch):
    """Returns the fields of x64dbg's C struct REGDUMP: name, offset and size, in order."""
    wide = arch == 'x64'
    word, vectors = (8, 16) if wide else (4, 8)
    fields, at = [], 0

    def add(names, size, align=None):
        nonlocal at
        for name in names:
            at += -at % (align or size)
            fields.append((name, at, size))
            at += size

    general = ['ax', 'cx', 'dx', 'bx', 'sp', 'bp', 'si', 'di']
    add([('r' if wide else 'e') + g for g in general], word)
    add(['r%d' % i for i in range(8, 16)] if wide else [], word)
    add(['rip', 'rflags'] if wide else ['eip', 'eflags'], word)
    add(['gs', 'fs', 'es', 'ds', 'cs', 'ss'], 2)
    add(['dr0', 'dr1', 'dr2', 'dr3', 'dr6', 'dr7'], word)
    add([''], 80, 1)
    add(['x87.control_word', 'x87.status_word', 'x87.tag_word'], 2)
    add(['x87.' + n for n in ('error_offset', 'error_selector', 'data_offset', 'data_selector',
                              'cr0_state')], 4)
    add(['mxcsr'], 4)
    add(['xmm%d' % i for i in range(vectors)], 16, 8)
    add(['ymm%d' % i for i in range(vectors)], 32, 8)
    add(['cf', 'pf', 'af', 'zf', 'sf', 'tf', 'if', 'df', 'of'], 1)
    for i in range(8):
        add(['x87r%d' % i], 10, 4)
        add(['x87r%d.st_value' % i, 'x87r%d.tag' % i], 4)
    add(['mm%d' % i for i in range(8)], 8)
    add(['mxcsr_parts.' + n for n in ('fz pm um om zm im dm daz pe ue oe ze de ie').split()], 1)
    add(['mxcsr_parts.rc'], 2)
    add(['x87_status.' + n for n in 'b c3 c2 c1 c0 es sf p u o z d i'.split()], 1)
    add(['x87_status.top'], 2)
    add(['x87_control.' + n for n in 'ic iem pm um om zm dm im'.split()], 1)
    add(['x87_control.rc', 'x87_control.pc'], 2)
    add(['last_error'], 4)
    return fields


def named(arch, w, v):
    """Returns word `w` with value `v` as (name, value) pairs: a register, a word of a register, or the fields of
    the word."""
    word = 8 if arch == 'x64' else 4
    start = w * word
    here = [f for f in regdump(arch) if f[1] < start + word and f[1] + f[2] > start]
    name, at, size = here[0] if here else ('', 0, 0)
    if name and at % word == 0 and size % word == 0 and len(here) == 1:
        return [(name if size == word else '%s_%d' % (name, (start - at) // word), v)]
    told = [(n, v >> 8 * (a - start) & (1 << 8 * s) - 1) for n, a, s in here
            if a >= start and a + s <= start + word]
    # Some of the word's bytes belong to a longer field.
    return told + ([('word_%d' % w, v)] if len(told) != len(here) or not here else [])


def value_of(block, name):
    """Returns the value and size of a register in a block's state."""
    word = 8 if block['arch'] == 'x64' else 4
    at, size = next((a, s) for n, a, s in regdump(block['arch']) if n == name)
    raw = b''.join(v.to_bytes(word, 'little') for _, v in sorted(block['state'].items()))
    return int.from_bytes(raw[at:at + size], 'little'), size


def header(arch='x64', **changes):
    keys = {'ver': 1, 'arch': arch, 'hashAlgorithm': 'murmurhash', 'hash': '0x1', 'compression': '',
            'path': 'a.exe'}
    keys.update(changes)
    text = json.dumps({k: v for k, v in keys.items() if v is not None}).encode()
    return b'TRAC' + struct.pack('<I', len(text)) + text


def snapshot(opcode=b'\x90', ip=0x1000, thread=4, arch='x64', values=None):
    """Returns a block with all registers: either `values`, or 0. The instruction pointer is `ip`."""
    n, form = WORDS[arch], 'Q' if arch == 'x64' else 'I'
    values = list(values or [0] * n)
    values[CIP[arch]] = ip
    return (bytes([0, n, 0, 0x80 | len(opcode)]) + struct.pack('<I', thread) + opcode + bytes(n) +
            struct.pack('<%d%s' % (n, form), *values))


def delta(opcode=b'\x90', ip=0x1001, arch='x64'):
    form = '<Q' if arch == 'x64' else '<I'
    return bytes([0, 1, 0, len(opcode)]) + opcode + bytes([CIP[arch]]) + struct.pack(form, ip)
