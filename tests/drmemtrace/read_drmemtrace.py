"""Reads drmemtrace traces, independently of the library, and checks that they are as docs/formats/drmemtrace.md says.

read(path) returns a Trace, and raises AssertionError for a violation. It is for files of a single process, written by
the programs: markers of signals and system calls are not interpreted.
"""
import collections
import gzip
import struct
import sys
import zipfile

from make_drmemtrace import (BRANCH_TARGET, CACHE_LINE_SIZE, CHUNK_FOOTER, CHUNK_INSTR_COUNT, CONDITIONAL, CPU_ID,
                             DIRECT_CALL, DIRECT_JUMP, ENCODING, ENCODINGS, FILETYPE, FOOTER, HEADER, INDIRECT, INSTR,
                             INDIRECT_CALL, INDIRECT_JUMP, MARKER, NO_FETCH, PAGE_SIZE, PID, READ, RECORD_ORDINAL,
                             REGDEPS, RETURN, SYSENTER, TAKEN, THREAD, THREAD_EXIT, TIMESTAMP, UNTAKEN, VERSION, WRITE)

CORE_SHARDED, WINDOW_ID = 0x10000, 14
FETCHED = {INSTR, DIRECT_JUMP, INDIRECT_JUMP, CONDITIONAL, DIRECT_CALL, INDIRECT_CALL, RETURN, SYSENTER, TAKEN, UNTAKEN}
# Markers after which a thread may continue elsewhere: kernel_event, kernel_xfer, rseq_abort, window_id.
JUMPS = {0, 1, 13, WINDOW_ID}

Instruction = collections.namedtuple('Instruction', 'thread pc type size code target accesses')
Trace = collections.namedtuple('Trace', 'version filetype instructions markers members chunk_size')


def contents(path):
    """Returns the members of a file. A file that is not a zip archive is one member."""
    with open(path, 'rb') as f:
        data = f.read()
    if data[:2] == b'\x1f\x8b':
        return [gzip.decompress(data)]
    if data[:4] != b'PK\3\4':
        return [data]
    with zipfile.ZipFile(path) as z:
        assert z.testzip() is None
        names = z.namelist()
        assert names == ['chunk.%04d' % n for n in range(len(names))], names
        assert all(i.compress_type == zipfile.ZIP_DEFLATED for i in z.infolist())
        return [z.read(n) for n in names]


def code_size(code):
    """Returns the size of a REGDEPS encoding according to its first bytes."""
    count = (code[0] & 15) + (code[0] >> 4)
    assert count <= 8
    return 4 if count == 0 else (5 + count + 3) // 4 * 4


def read(path):
    members = contents(path)
    narrow = struct.unpack_from('<HHH', members[0], 8)[:2] == (MARKER, VERSION)
    record = struct.Struct('<HHI' if narrow else '<HHQ')
    chunks = []
    for m in members:
        assert len(m) % record.size == 0
        chunks.append(list(record.iter_unpack(m)))
    front = chunks[0]
    version = front[0][2]
    assert front[0] == (HEADER, 0, version) and front[1] == (MARKER, VERSION, version), front[:2]
    assert front[2][:2] == (MARKER, FILETYPE)
    filetype = front[2][2]
    assert [r[:2] for r in front[3:5]] == [(THREAD, 4), (PID, 4)], front[3:5]
    wanted = [CACHE_LINE_SIZE] + [CHUNK_INSTR_COUNT] * (len(members) > 1) + [PAGE_SIZE, TIMESTAMP, CPU_ID]
    found = [r[1] for r in front[5:10]]
    assert [k for k in found if k != CHUNK_INSTR_COUNT or k in wanted][:len(wanted)] == wanted, found
    chunk_size = next((v for t, k, v in front[:10] if t == MARKER and k == CHUNK_INSTR_COUNT), 0)
    instructions, markers = [], collections.Counter()
    state = collections.defaultdict(lambda: {'next': None, 'time': 0, 'pc': None})
    began, ended, known = set(), set(), {}
    visible, thread, time, cpu = 0, 0, None, None
    code, target, wants_cpu = b'', None, False
    for number, chunk in enumerate(chunks):
        count = 0
        last = number == len(chunks) - 1
        assert chunk[-1] == ((FOOTER, 0, 0) if last else (MARKER, CHUNK_FOOTER, number)), chunk[-1]
        if number:
            assert chunk[:3] == [(MARKER, RECORD_ORDINAL, visible), (MARKER, TIMESTAMP, time), (MARKER, CPU_ID, cpu)], \
                (chunk[:3], visible, time, cpu)
            known = {}
        for kind, size, value in chunk[3 if number else 0:]:
            hidden = kind in (HEADER, THREAD, PID, ENCODING, FOOTER) or (kind, size) == (MARKER, BRANCH_TARGET)
            visible += not hidden
            now = state[thread]
            assert not wants_cpu or (kind, size) == (MARKER, CPU_ID)
            wants_cpu = False
            if kind == THREAD:
                thread = value
            elif kind == ENCODING:
                assert 0 < size <= (4 if narrow else 8)
                code += value.to_bytes(8, 'little')[:size]
            elif kind == MARKER:
                markers[size] += 1
                if size == TIMESTAMP:
                    assert value >= now['time']
                    now['time'] = time = value
                    wants_cpu = True
                elif size == CPU_ID:
                    cpu = value
                elif size == BRANCH_TARGET:
                    target = value
                elif size == FILETYPE:
                    assert value == filetype
                elif size in JUMPS:
                    now['next'] = None
            elif kind in FETCHED or kind == NO_FETCH:
                scope = 0 if filetype & CORE_SHARDED else thread
                if code:
                    known[scope, value] = (code, size)
                if filetype & ENCODINGS:
                    assert (scope, value) in known, 'no encoding of %x' % value
                    own, length = known[scope, value]
                    assert length == size
                    if filetype & REGDEPS:
                        assert not own or len(own) == code_size(own), own.hex()
                    else:
                        assert not own or len(own) == size, (own.hex(), size)
                else:
                    own = b''
                if kind == NO_FETCH:
                    assert now['pc'] in (None, value), 'another iteration of %x' % value
                else:
                    assert now['next'] in (None, value), '%x follows instead of %x' % (value, now['next'])
                    count += 1
                    now['next'] = value + size
                    if kind in INDIRECT and version >= 5:
                        assert target, 'no target of %x' % value
                        now['next'] = target
                    elif kind not in (INSTR, SYSENTER, UNTAKEN):
                        now['next'] = None
                    now['pc'] = value
                instructions.append(Instruction(thread, value, kind, size, own, target, []))
                began.add(thread)
                code, target = b'', None
            elif kind in (READ, WRITE):
                assert size != 0 and instructions[-1].thread == thread
                instructions[-1].accesses.append((kind == WRITE, value, size))
            elif kind == THREAD_EXIT:
                assert (size, value) == (4, thread)
                ended.add(thread)
            else:
                assert kind in (HEADER, PID, FOOTER), kind
            assert kind in (ENCODING, MARKER) or not code
        assert last or count == chunk_size, (count, chunk_size)
    assert began <= ended, began - ended
    return Trace(version, filetype, instructions, markers, len(members), chunk_size)


def registers(code):
    """Returns the registers that a REGDEPS encoding writes and reads, and whether it writes and reads the flags."""
    written, every = code[0] & 15, (code[0] & 15) + (code[0] >> 4)
    return list(code[5:5 + written]), list(code[5 + written:5 + every]), bool(code[1] & 1), bool(code[1] & 2)


if __name__ == '__main__':
    for name in sys.argv[1:]:
        t = read(name)
        kinds = collections.Counter(i.type for i in t.instructions)
        print(name, 'version', t.version, 'type', hex(t.filetype), 'members', t.members, len(t.instructions),
              'instructions', sum(len(i.accesses) for i in t.instructions), 'accesses', dict(kinds), dict(t.markers))
