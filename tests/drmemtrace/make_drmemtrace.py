"""Makes drmemtrace traces, independently of the library: docs/formats/drmemtrace.md describes the records.

Usage: make_drmemtrace.py FOLDER, which writes the traces of tests/data/drmemtrace. Their instructions and records are
also available to tests: program() yields the steps of one thread, and records() the records of a list of steps.
"""
import dataclasses
import gzip
import io
import os
import struct
import sys
import zipfile

READ, WRITE, INSTR, DIRECT_JUMP, INDIRECT_JUMP, CONDITIONAL, DIRECT_CALL, INDIRECT_CALL, RETURN = (
    0, 1, 10, 11, 12, 13, 14, 15, 16)
BUNDLE, THREAD, THREAD_EXIT, PID, HEADER, FOOTER, MARKER, NO_FETCH, SYSENTER, ENCODING, TAKEN, UNTAKEN = (
    17, 22, 23, 24, 25, 26, 28, 29, 31, 47, 48, 49)
KERNEL_EVENT, KERNEL_XFER, TIMESTAMP, CPU_ID, FILETYPE, CACHE_LINE_SIZE, VERSION, PAGE_SIZE = 0, 1, 2, 3, 9, 10, 12, 18
CHUNK_INSTR_COUNT, CHUNK_FOOTER, RECORD_ORDINAL, SYSCALL, BRANCH_TARGET, CORE_IDLE = 20, 21, 22, 25, 29, 33
X86_64, X86_32, ENCODINGS, SYSCALL_NUMBERS, REGDEPS = 0x40, 0x20, 0x200, 0x400, 0x20000
INDIRECT = (INDIRECT_JUMP, INDIRECT_CALL, RETURN)
# Classes in the library's order: direct_jump, indirect, conditional, direct_call, indirect_call, return, other, none.
CLASSES = {DIRECT_JUMP: 0, INDIRECT_JUMP: 1, CONDITIONAL: 2, TAKEN: 2, UNTAKEN: 2, DIRECT_CALL: 3, INDIRECT_CALL: 4,
           RETURN: 5}
BASE, FUNCTION, POINTER, STACK = 0x401000, 0x402000, 0x403000, 0x7fff0000


@dataclasses.dataclass
class Step:
    """Instruction with its accesses (write, address, size)."""
    pc: int
    code: bytes
    type: int = INSTR
    accesses: tuple = ()
    target: int = 0  # of a taken branch
    fetched: bool = True
    number: int = -1  # of a system call

    @property
    def branch(self):
        return CLASSES.get(self.type, 7) if self.fetched else 7


def program(rounds):
    """Yields the steps of a loop that contains each kind of branch, a gather, a rep movsb and a system call."""
    for n in range(rounds):
        pc = BASE

        def step(code, *args, **more):
            nonlocal pc
            made = Step(pc, bytes.fromhex(code), *args, **more)
            pc += len(made.code)
            return made

        data = 0x10000 + 64 * n
        yield step('488b07', accesses=((False, data, 8),))  # mov rax, [rdi]
        yield step('4801d8')  # add rax, rbx
        yield step('488906', accesses=((True, data + 8, 8),))  # mov [rsi], rax
        if n % 3 == 0:
            yield step('7502', TAKEN, target=pc + 4)  # jnz
            pc += 2
        else:
            yield step('7502', UNTAKEN)
            yield step('6690')  # nop
        yield step('eb00', DIRECT_JUMP, target=pc + 2)  # jmp to the next instruction
        after = pc + 5
        offset = struct.pack('<i', FUNCTION - after).hex()
        yield step('e8' + offset, DIRECT_CALL, ((True, STACK - 8, 8),), FUNCTION)  # call
        yield Step(FUNCTION, bytes.fromhex('c3'), RETURN, ((False, STACK - 8, 8),), after)  # ret
        after = pc + 2
        yield step('ffd1', INDIRECT_CALL, ((True, STACK - 8, 8),), POINTER)  # call rcx
        yield Step(POINTER, bytes.fromhex('c3'), RETURN, ((False, STACK - 8, 8),), after)
        yield step('c4e26d900488', accesses=tuple((False, data + 0x1000 * k, 4) for k in range(8)))  # vpgatherdd
        for k in range(3):  # rep movsb
            made = Step(pc, bytes.fromhex('f3a4'), accesses=((False, data + k, 1), (True, data + 32 + k, 1)),
                        fetched=k == 0)
            yield made
        pc += 2
        yield step('0f05', number=n)  # syscall
        yield step('ffe2', INDIRECT_JUMP, target=BASE)  # jmp rdx


def record(kind, size, value, narrow=False):
    return struct.pack('<HHI' if narrow else '<HHQ', kind, size, value & (0xffffffff if narrow else (1 << 64) - 1))


def is_visible(one):
    """Returns whether tools see a record. Those that a chunk repeats at its start are not visible, either."""
    kind, size = struct.unpack_from('<HH', one)
    return kind not in (HEADER, THREAD, PID, ENCODING, FOOTER) and (kind, size) != (MARKER, BRANCH_TARGET)


def head(thread, version=7, filetype=X86_64 | ENCODINGS | SYSCALL_NUMBERS, chunk=0, narrow=False):
    """Returns the first records of a file, without the first timestamp."""
    def one(*args):
        return record(*args, narrow)
    all_of = [one(HEADER, 0, version), one(MARKER, VERSION, version), one(MARKER, FILETYPE, filetype),
              one(THREAD, 4, thread), one(PID, 4, 77), one(MARKER, CACHE_LINE_SIZE, 64)]
    if chunk:
        all_of.append(one(MARKER, CHUNK_INSTR_COUNT, chunk))
    return all_of + [one(MARKER, PAGE_SIZE, 4096)]


def records(steps, thread, time=1000, chunk=0, version=7, filetype=X86_64 | ENCODINGS | SYSCALL_NUMBERS, narrow=False,
            encode=None):
    """Returns the chunks of a file, as lists of records. Each chunk but the last has `chunk` instructions.

    `time` is the first timestamp. `encode` returns the encoding of a step; by default, it is the code.
    """
    def one(*args):
        return record(*args, narrow)

    def mark(kind, value):
        return one(MARKER, kind, value)
    chunks = [head(thread, version, filetype, chunk, narrow)]

    def stamp():
        chunks[-1].extend([mark(TIMESTAMP, time), mark(CPU_ID, thread % 4)])
    stamp()
    seen, count, total = {}, 0, 0
    width = 4 if narrow else 8
    for s in steps:
        if chunk and count == chunk and s.fetched:
            chunks[-1].append(mark(CHUNK_FOOTER, len(chunks) - 1))
            total += sum(map(is_visible, chunks[-1])) - (3 if len(chunks) > 1 else 0)
            chunks.append([mark(RECORD_ORDINAL, total)])
            stamp()
            seen, count = {}, 0
        out = chunks[-1]
        code = encode(s) if encode else s.code
        if filetype & ENCODINGS and seen.get(s.pc) != code:
            seen[s.pc] = code
            for at in range(0, len(code), width):
                part = code[at:at + width]
                out.append(one(ENCODING, len(part), int.from_bytes(part, 'little')))
        kind = s.type if s.fetched else NO_FETCH
        if version < 5 and kind in (TAKEN, UNTAKEN):
            kind = CONDITIONAL
        if version >= 5 and kind in INDIRECT:
            out.append(mark(BRANCH_TARGET, s.target))
        out.append(one(kind, len(s.code), s.pc))
        count += s.fetched
        out.extend(one(WRITE if write else READ, size, address) for write, address, size in s.accesses)
        if s.number >= 0:
            time += 10
            stamp()
            if filetype & SYSCALL_NUMBERS:
                out.append(mark(SYSCALL, s.number))
            time += 10
            stamp()
    chunks[-1].extend([one(THREAD_EXIT, 4, thread), one(FOOTER, 0, 0)])
    return chunks


def cores(parts):
    """Returns the records of the files of cores, as lists.

    `parts` contains the parts of each core, in order: (thread, steps, time, ends). A part begins with a timestamp unless
    `time` is None. The first part of a thread has a header, and an encoding is written where its thread executes it first.
    """
    files, seen, begun, order = [[] for _ in parts], {}, set(), []
    for core, of_core in enumerate(parts):
        last = 0
        for n, part in enumerate(of_core):
            last = last if part[2] is None else part[2]
            order.append((last, core, n))
    for _, core, n in sorted(order):
        out = files[core]
        thread, steps, time, ends = parts[core][n]
        if thread in begun:
            out += [record(THREAD, 0, thread), record(PID, 0, 77)]
        else:
            out += head(thread, filetype=X86_64 | ENCODINGS | 0x10000)
            begun.add(thread)
        if time is not None:
            out += [record(MARKER, TIMESTAMP, time), record(MARKER, CPU_ID, core)]
        codes = seen.setdefault(thread, {})
        for s in steps:
            if codes.get(s.pc) != s.code:
                codes[s.pc] = s.code
                for at in range(0, len(s.code), 8):
                    part = s.code[at:at + 8]
                    out.append(record(ENCODING, len(part), int.from_bytes(part, 'little')))
            if s.type in INDIRECT:
                out.append(record(MARKER, BRANCH_TARGET, s.target))
            out.append(record(s.type if s.fetched else NO_FETCH, len(s.code), s.pc))
            out += [record(WRITE if write else READ, size, address) for write, address, size in s.accesses]
        if ends:
            out += [record(THREAD_EXIT, 4, thread), record(FOOTER, 0, 0)]
        out += [record(MARKER, CORE_IDLE, 0)] * 3
    return [f + [record(FOOTER, 0, 0)] for f in files]


def content(chunks):
    return b''.join(b''.join(c) for c in chunks)


def zipped(chunks):
    to = io.BytesIO()
    with zipfile.ZipFile(to, 'w', zipfile.ZIP_DEFLATED) as z:
        for n, c in enumerate(chunks):
            z.writestr(zipfile.ZipInfo('chunk.%04d' % n), b''.join(c), zipfile.ZIP_DEFLATED)
    return to.getvalue()


def regdeps(written, read, writes_flags=False, reads_flags=False, category=0):
    """Returns a REGDEPS encoding."""
    first = len(written) | len(read) << 4 | writes_flags << 8 | reads_flags << 9 | category << 10
    code = struct.pack('<I', first)
    if written or read:
        code += bytes([6, *written, *read])
        code += bytes(-len(code) % 4)
    return code


# REGDEPS encodings of the program's instructions, by their code or its first byte: written and read registers, and
# whether the flags are written and read.
SYNTHETIC = {'488b07': ([2], [9]), '4801d8': ([2], [2, 5], True), '488906': ([], [2, 6]), '7502': ([], [], False, True),
             '6690': ([], []), 'eb00': ([], []), 'e8': ([4], [4]), 'c3': ([4], [4]), 'ffd1': ([4], [3, 4]),
             'c4e26d900488': ([25, 26, 27], [2, 25, 26, 27, 0xFD]), 'f3a4': ([6, 7, 3], [6, 7, 3]), '0f05': ([2, 3], [2]),
             'ffe2': ([], [5])}


def synthetic(step):
    code = step.code.hex()
    return regdeps(*SYNTHETIC.get(code) or SYNTHETIC[code[:2]])


def main(folder):
    def write(name, data):
        with open(os.path.join(folder, name), 'wb') as f:
            f.write(data)
    steps = list(program(24))
    write('made.x64.trace.zip', zipped(records(steps, 70, chunk=50)))
    write('made.regdeps.trace.zip',
          zipped(records(steps, 71, filetype=X86_64 | ENCODINGS | REGDEPS, encode=synthetic)))
    write('made.v4.trace.gz', gzip.compress(content(records(steps, 72, version=4)), mtime=0))
    write('made.x86.trace.gz', gzip.compress(content(records(steps, 73, filetype=X86_32 | ENCODINGS, narrow=True)), mtime=0))


if __name__ == '__main__':
    main(sys.argv[1])
