"""Reads tracepack, version 1, according to docs/formats/tracepack-container.md and tracepack-model.md, and uses
their names.

As a module: read(path_or_bytes) returns a whole file, and read_frame(path_or_bytes, number) returns one frame,
which it finds through the index. As a program: `reader.py FILE` writes the content to standard output, and
`reader.py --about FILE` prints the file's description as JSON. FILE may be - for standard input. The exit status
is 1 if the file is invalid.

It performs all checks that these pages require of a reader. It needs Python 3.11 and libzstd.
"""
import collections
import ctypes
import ctypes.util
import functools
import json
import os
import re
import struct
import sys

M = (1 << 64) - 1  # mask of 64 bits
KINDS = 'champsim', 'cloudsuite', 'described', 'bytes'
CODES = 'unknown', 'x86_64', 'x86_32', 'aarch64', 'riscv64'
CLASSES = ('direct_jump', 'indirect', 'conditional', 'direct_call', 'indirect_call', 'return', 'other', 'not_branch')
STORED, FAST, HIGH = 0, 1, 2  # kinds of frames

# Limits of the format.
ABOUT_SIZE = 1 << 20
RECORD_SIZE = 4096
SLOTS = 16
FRAME_RECORDS = PAYLOAD_SIZE = STREAMS_SIZE = 1 << 24
STORED_SIZE = 1 << 22
PATTERNS, STATICS, SITES, UNITS, UNITS_STATICS = 1 << 16, 1 << 17, 1 << 18, 1 << 17, 1 << 19
PATTERNS_SIZE, UNITS_SLOTS = 1 << 23, 1 << 21
UNIT_STATICS = 64


class Error(Exception):
    """Error in a file. `frame` is the number of the invalid frame, or None if the error is not in a frame."""

    def __init__(self, what, frame=None):
        super().__init__(what if frame is None else 'frame %d: %s' % (frame, what))
        self.what, self.frame = what, frame


class Unsupported(Error):
    """Content that this version of the format does not support. The file may be valid."""


def check(good, what):
    if not good:
        raise Error(what)


# Numbers.


def crc_table():
    table = []
    for value in range(256):
        for _ in range(8):
            value = value >> 1 ^ (0x82F63B78 if value & 1 else 0)  # 0x1EDC6F41, reflected
        table.append(value)
    return table


CRC_TABLE = crc_table()


def crc32c(content):
    crc, table = 0xFFFFFFFF, CRC_TABLE
    for byte in content:
        crc = table[(crc ^ byte) & 0xFF] ^ crc >> 8
    return crc ^ 0xFFFFFFFF


def rotl(x, n):
    return (x << n | x >> (64 - n)) & M


def mixed(a, b):
    return ((a * 0x9E3779B97F4A7C15 & M) ^ b) * 0xD6E8FEB86659FD93 & M


class Stream:
    """Bytes with a position, and methods that decode values."""

    def __init__(self, content, name):
        self.content, self.name = content, name
        self.at = 0  # position in bytes, for all methods but bits()
        self.bit = 0

    def at_end(self):
        return self.at == len(self.content)

    def byte(self):
        if self.at == len(self.content):
            raise Error(self.name + ' ends too early')
        self.at += 1
        return self.content[self.at - 1]

    def bytes(self, count):
        check(count <= len(self.content) - self.at, self.name + ' ends too early')
        self.at += count
        return self.content[self.at - count:self.at]

    def number(self, most=M):
        """Returns a LEB128 number up to `most`."""
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            shift += 7
            check(value <= most and shift < most.bit_length() + 7, self.name + ' has a number that is too large')
            if byte < 0x80:
                return value

    def signed(self):
        """Returns a zigzag number, modulo 2^64."""
        number = self.number()
        return number >> 1 ^ (M if number & 1 else 0)

    def bits(self, count):
        """Returns a number of bits. Bits are read from the lowest bit of each byte up, and the first bit is the
        lowest of the value."""
        end = self.bit + count
        check(end <= 8 * len(self.content), self.name + ' ends too early')
        held = int.from_bytes(self.content[self.bit // 8:(end + 7) // 8], 'little') >> self.bit % 8
        self.bit = end
        return held & ((1 << count) - 1)


@functools.cache
def libzstd():
    for name in 'libzstd.so.1', 'libzstd.1.dylib', ctypes.util.find_library('zstd'):
        try:
            library = ctypes.CDLL(name) if name else None
        except OSError:
            continue
        if library:
            library.ZSTD_findFrameCompressedSize.restype = library.ZSTD_decompress.restype = ctypes.c_size_t
            library.ZSTD_findFrameCompressedSize.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
            library.ZSTD_decompress.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t]
            return library
    raise OSError('there is no libzstd')


def unzstd(frame, size):
    """Returns the `size` bytes of a zstd frame. libzstd reports errors as huge sizes."""
    check(libzstd().ZSTD_findFrameCompressedSize(frame, len(frame)) == len(frame), 'is not one zstd frame')
    content = ctypes.create_string_buffer(max(size, 1))
    check(libzstd().ZSTD_decompress(content, size, frame, len(frame)) == size, 'is no zstd frame of %d bytes' % size)
    return content.raw[:size]


# The file.

FRONT = struct.Struct('<8sHHIII')
FRAME_HEADER = struct.Struct('<4sB3xIIIIQQII')
INDEX_HEADER = struct.Struct('<4sIII')
INDEX_ENTRY = struct.Struct('<QQII')
END = struct.Struct('<QQQQI4s')

TEXTS = 'table', 'program', 'arguments', 'recorder', 'machine', 'date', 'region', 'comment'
About = collections.namedtuple('About', ('kind', 'properties', 'record_size', 'frame_records', 'ip_offset', 'slots',
                                         'bases', *TEXTS))
# Header of a frame. `offset` is its place in the file. Stored frames have a digest, too.
Frame = collections.namedtuple('Frame', 'offset kind number content_size payload_size base content_offset digest '
                                        'payload_crc')
IndexEntry = collections.namedtuple('IndexEntry', 'offset content_offset base payload_crc')
# Properties of a static instruction. None means not stored, or stored as unknown.
Properties = collections.namedtuple('Properties', 'branch_class length code')
NOTHING_KNOWN = Properties(None, None, None)


class Pack:
    """Contents of a whole file."""

    def __init__(self, version, about):
        self.version = version  # major, minor
        self.about = about
        self.frames = []  # objects of type Frame
        self.index = []  # objects of type IndexEntry
        self.content = bytearray()
        self.properties = []  # one for each whole record

    @property
    def records(self):
        return len(self.content) // self.about.record_size


def piece(raw, at, size, what):
    if size > len(raw) - at:
        raise Error('the file is truncated in ' + what)
    return raw[at:at + size]


def part(raw, at, form, what):
    """Returns the fields of a part of the file. Its CRC-32C is the last field, or the last before a magic number."""
    content = piece(raw, at, form.size, what)
    fields = form.unpack(content)
    crc_at = form.size - (8 if form is END else 4)
    check(crc32c(content[:crc_at]) == struct.unpack_from('<I', content, crc_at)[0], what + ' has another CRC-32C')
    return fields


def read_front(raw):
    """Returns the version, the file's description, and the offset of the first frame."""
    magic = b'\x89TPACK\r\n'
    check(raw[:8] == magic, 'is no tracepack file')
    _, major, minor, about_size, about_crc, _ = part(raw, 0, FRONT, 'front')
    if major != 1:
        raise Unsupported('is of version %d.%d' % (major, minor))
    check(about_size <= ABOUT_SIZE, 'about has more than %d bytes' % ABOUT_SIZE)
    content = piece(raw, FRONT.size, about_size, 'about')
    check(crc32c(content) == about_crc, 'about has another CRC-32C')
    return (major, minor), read_about(content), FRONT.size + about_size


def read_about(content):
    s = Stream(content, 'about')
    kind, properties, record_size, frame_records, ip_offset = struct.unpack('<BBHIH', s.bytes(10))

    def offsets():
        return tuple(int.from_bytes(s.bytes(2), 'little') for _ in range(s.byte()))

    slots, bases = offsets(), offsets()
    texts = [s.bytes(s.number(0xFFFFFFFF)).decode('utf-8', 'replace') for _ in TEXTS]
    if kind >= len(KINDS):
        raise Unsupported('has records of kind %d' % kind)
    check(1 <= record_size <= RECORD_SIZE and record_size == {0: 64, 1: 96}.get(kind, record_size),
          'records of kind %d and %d bytes' % (kind, record_size))
    described = table_size(texts[0]) if kind == 2 else None
    check(described in (None, record_size), 'table describes records of %s bytes, not %d' % (described, record_size))
    return About(kind, properties, record_size, frame_records, ip_offset, slots, bases, *texts)


def table_size(text):
    """Returns the size of the record that a layout table describes, or None if the text is not a layout table."""
    size, row = 0, re.compile(r'(\d+)\s+(\d+)\s+(bits?\s+)?(\S+)(?:\s+(\S+))?')
    for line in text.split('\n'):
        if not line.lstrip(' \t\r')[:1].isdigit():
            continue
        match = row.match(line.lstrip(' \t\r'))
        if not match:
            return None
        offset, count, bits, name, kind = match.groups()
        element = re.fullmatch(r'(?:[ui](8|16|24|32|40|48|56|64)|f(32|64)|(bool))(?:\[(\d+)\])?', kind or '')
        if not element and (bits or name != '(padding)' or kind):
            return None
        width = int(element[1] or element[2] or 8) // 8 * int(element[4] or 1) if element else int(count)
        if not bits and width != int(count):
            return None
        size = max(size, int(offset) + width)
    return size or None


def check_modelled(about):
    """Checks that the layout can be modelled."""
    words = (about.ip_offset, *about.slots)
    check(about.kind != 3 and about.record_size % 8 == 0 and len(about.slots) <= SLOTS
          and all(w % 8 == 0 and w + 8 <= about.record_size for w in words)
          and len(set(words)) == len(words) and list(about.slots) == sorted(about.slots)
          and all(b < about.record_size and b // 8 * 8 not in words for b in about.bases),
          'is modelled, which its layout cannot be')


def read_frame_header(raw, at):
    magic, *fields, _ = part(raw, at, FRAME_HEADER, 'a frame header')
    check(magic == b'TPF1', 'no frame begins at byte %d' % at)
    return Frame(at, *fields)


def check_frame(frame, about):
    """Checks the values of a single header."""
    if frame.kind not in (STORED, FAST, HIGH):
        raise Unsupported('is of kind %d' % frame.kind)
    check(frame.content_size > 0, 'has no content')
    check(frame.payload_size <= PAYLOAD_SIZE, 'has more than %d bytes of payload' % PAYLOAD_SIZE)
    if frame.kind == STORED:
        check(frame.content_size <= STORED_SIZE, 'has more than %d bytes of content' % STORED_SIZE)
        return
    check_modelled(about)
    check(frame.content_size % about.record_size == 0, 'ends inside a record')
    check(frame.content_size // about.record_size <= FRAME_RECORDS, 'has more than %d records' % FRAME_RECORDS)


def check_place(frame, about, before):
    """Checks a header against the headers of the preceding frames."""
    content_offset = before[-1].content_offset + before[-1].content_size if before else 0
    check(frame.number == len(before), 'has number %d' % frame.number)
    check(frame.content_offset == content_offset, 'begins at byte %d of the content, not %d'
          % (frame.content_offset, content_offset))
    check(frame.content_offset % about.record_size == 0, 'the frame before it ends inside a record')
    if frame.kind != STORED and frame.base != frame.number:
        base = before[frame.base] if frame.base < frame.number else None
        check(base and base.kind != STORED and base.base == base.number, 'frame %d cannot be its base' % frame.base)


def payload_of(raw, frame):
    payload = piece(raw, frame.offset + FRAME_HEADER.size, frame.payload_size, 'a payload')
    check(crc32c(payload) == frame.payload_crc, 'the payload has another CRC-32C')
    return payload


def read_index(raw, at):
    """Returns the entries, and the offset of the end."""
    magic, count, entries_crc, _ = part(raw, at, INDEX_HEADER, 'index header')
    check(magic == b'TPIX', 'neither a frame nor the index begins at byte %d' % at)
    at += INDEX_HEADER.size
    entries = piece(raw, at, count * INDEX_ENTRY.size, 'index')
    check(crc32c(entries) == entries_crc, 'the index has another CRC-32C')
    return [IndexEntry(*e) for e in INDEX_ENTRY.iter_unpack(entries)], at + len(entries)


def read_end(raw, at):
    """Returns index_offset, frames, records and content_size."""
    *fields, _, magic = part(raw, at, END, 'end')
    check(magic == b'TPND', 'no end begins at byte %d' % at)
    return tuple(fields)


def bytes_of(path_or_bytes):
    if isinstance(path_or_bytes, (bytes, bytearray, memoryview)):
        return bytes(path_or_bytes)
    with open(path_or_bytes, 'rb') as f:
        return f.read()


def read_parts(raw):
    """Reads the parts of a file in order, and checks everything except the content. Yields the Pack that has been
    read so far, and a payload or None: after the front, after each frame, and at the end."""
    version, about, at = read_front(raw)
    pack = Pack(version, about)
    yield pack, None
    content_size = 0
    while raw[at:at + 4] == b'TPF1':
        try:
            frame = read_frame_header(raw, at)
            check_frame(frame, about)
            check_place(frame, about, pack.frames)
            payload = payload_of(raw, frame)
        except Error as e:
            raise type(e)(e.what, len(pack.frames)) from None
        pack.frames.append(frame)
        yield pack, payload
        content_size += frame.content_size
        at += FRAME_HEADER.size + frame.payload_size
    check(at < len(raw), 'the file is truncated behind %d frames' % len(pack.frames))
    pack.index, end_at = read_index(raw, at)
    check(len(pack.index) == len(pack.frames), 'the index has %d frames' % len(pack.index))
    for entry, frame in zip(pack.index, pack.frames):
        if entry != (frame.offset, frame.content_offset, frame.base, frame.payload_crc):
            raise Error('the index says something else of it', frame.number)
    end = read_end(raw, end_at)
    check(end == (at, len(pack.frames), content_size // about.record_size, content_size),
          'the end says something else: index at byte %d, %d frames, %d records, %d bytes' % end)
    check(end_at + END.size == len(raw), 'something is behind the end')
    yield pack, None


def read_frames(raw):
    """Yields the Pack after each part. The content and properties of decoded frames are added to it."""
    dictionaries = {}  # dictionaries of frames that may be a base
    for pack, payload in read_parts(raw):
        if payload is not None:
            frame = pack.frames[-1]
            content, properties, dictionary = decode(pack.about, frame, payload, dictionaries.get(frame.base))
            if frame.base == frame.number:
                dictionaries[frame.number] = dictionary
            pack.content += content
            pack.properties += properties
        yield pack


def read(path_or_bytes):
    """Returns a whole file as a Pack. Raises Error with the reason and the frame."""
    *_, pack = read_frames(bytes_of(path_or_bytes))
    return pack


def read_frame(path_or_bytes, number):
    """Returns content and properties of a frame. Reads only the front, the index, the end, the frame and its base."""
    raw = bytes_of(path_or_bytes)
    _, about, _ = read_front(raw)
    index_offset, frames, _, content_size = read_end(raw, max(0, len(raw) - END.size))
    index, end_at = read_index(raw, index_offset)
    check(len(index) == frames and end_at + END.size == len(raw), 'index and end contradict each other')
    check(0 <= number < frames, 'there is no frame %d' % number)
    ends = [e.content_offset for e in index[1:]] + [content_size]

    def one(n, is_base=False):
        try:
            frame = read_frame_header(raw, index[n].offset)
            check_frame(frame, about)
            check(frame.number == n and index[n][1:] == (frame.content_offset, frame.base, frame.payload_crc)
                  and frame.content_offset + frame.content_size == ends[n], 'the index says something else of it')
            base = None
            if frame.kind != STORED and frame.base != n:
                check(frame.base < n and not is_base, 'frame %d cannot be its base' % frame.base)
                base = one(frame.base, is_base=True)[2]
                check(base, 'frame %d cannot be its base' % frame.base)
            return decode(about, frame, payload_of(raw, frame), base)
        except Error as e:
            raise type(e)(e.what, n if e.frame is None else e.frame) from None

    return one(number)[:2]


# Frames.


def decode(about, frame, payload, base):
    """Returns content, properties and dictionary. `base` is the dictionary of the frame's base if the base is
    another frame."""
    try:
        if frame.kind == STORED:
            content = unzstd(payload, frame.content_size)
            return content, [NOTHING_KNOWN] * (len(content) // about.record_size), None
        streams = streams_of(payload, frame.kind)
        dictionary = Dictionary(about, base)
        first_new = len(dictionary.units)
        dictionary.add(streams)
        content, properties, digest = records_of(about, frame, streams, dictionary, first_new)
        check(digest == frame.digest, 'the digest is %016x, not %016x' % (digest, frame.digest))
        return content, properties, dictionary
    except Error as e:
        raise type(e)(e.what, frame.number) from None


def is_known(number, level):
    return number <= 9 or 16 <= number <= 22 or number in (32, 33) or 64 <= number <= 75 \
        or 34 <= number < 34 + 6 * len(HISTORIES[level][0])


def streams_of(payload, level):
    """Returns a function that returns a stream by its number."""
    s = Stream(payload, 'the payload')
    headers = [(s.byte(), s.number(0xFFFFFFFF), s.number(0xFFFFFFFF)) for _ in range(s.byte())]
    check(len({h[0] for h in headers}) == len(headers), 'a stream occurs twice')
    check(sum(h[1] for h in headers) <= STREAMS_SIZE, 'streams of more than %d bytes' % STREAMS_SIZE)
    contents = {}
    for number, content_size, stored_size in headers:
        content = s.bytes(stored_size)
        if number >= 128:
            continue
        if not is_known(number, level):
            raise Unsupported('has stream %d' % number)
        if stored_size != content_size:
            try:
                content = unzstd(content, content_size)
            except Error as e:
                raise Error('stream %d %s' % (number, e.what)) from None
        contents[number] = content
    check(s.at_end(), 'there is more behind the streams')
    return lambda number: Stream(contents.get(number, b''), 'stream %d' % number)


def static_offsets(about):
    words = {about.ip_offset, *about.slots}
    return [i for i in range(about.record_size) if i // 8 * 8 not in words]


class Static:
    """Static instruction: its record without addresses, the offsets of the slots in use, the site of the first of
    these slots, the register, and the properties."""

    def __init__(self, ip, pattern, record, slots, site, register, properties):
        self.ip, self.pattern, self.record, self.slots, self.site = ip, pattern, record, slots, site
        self.register, self.properties = register, properties


class Unit:
    """Run of static instructions: their records without addresses, the addresses to be inserted (offset in these
    records, site, register), and the properties."""

    def __init__(self, statics):
        self.records = b''.join(s.record for s in statics)
        self.properties = [s.properties for s in statics]
        self.addresses, at = [], 0
        for s in statics:
            self.addresses += [(at + slot, s.site + i, s.register) for i, slot in enumerate(s.slots)]
            at += len(s.record)


class Dictionary:
    def __init__(self, about, base):
        """Continues the dictionary `base`, or begins an empty one."""
        self.about, self.static_offsets = about, static_offsets(about)
        # Each pattern is a record without ip and addresses, the slots in use, and the register.
        self.patterns = list(base.patterns) if base else []
        self.statics = list(base.statics) if base else []
        self.units = list(base.units) if base else []
        self.sites = base.sites if base else 0
        self.units_statics = base.units_statics if base else 0
        self.units_slots = base.units_slots if base else 0

    def add(self, streams):
        """Adds the new entries of a frame."""
        s = [streams(n) for n in range(10)]
        first = len(self.statics)
        self.add_patterns(s[0])
        self.add_statics(s)
        self.add_units(s[5], s[6], first)
        for stream in s:
            check(stream.at_end(), stream.name + ' is longer than needed')

    def add_patterns(self, columns):
        about = self.about
        size = len(self.static_offsets) + 2
        count, rest = divmod(len(columns.content), size)
        check(rest == 0, columns.name + ' ends inside a pattern')
        check(len(self.patterns) + count <= PATTERNS, 'more than %d patterns' % PATTERNS)
        check((len(self.patterns) + count) * size <= PATTERNS_SIZE, 'patterns of more than %d bytes' % PATTERNS_SIZE)
        content = columns.bytes(count * size)
        for i in range(count):
            *static_bytes, low, high = content[i::count]
            record = bytearray(about.record_size)
            for offset, byte in zip(self.static_offsets, static_bytes):
                record[offset] = byte
            mask = low | high << 8
            check(mask >> len(about.slots) == 0, 'a pattern uses a slot that is not there')
            bases = [record[b] for b in about.bases]
            register = 6 if 6 in bases else bases[0] if bases else 0
            self.patterns.append((record, [slot for i, slot in enumerate(about.slots) if mask >> i & 1], register))

    def add_statics(self, s):
        low, high, steps, jumps, classes, lengths, code = (s[n] for n in (1, 2, 3, 4, 7, 8, 9))
        has_class, has_length, has_code = (self.about.properties >> bit & 1 for bit in range(3))
        check(len(self.statics) + len(steps.content) <= STATICS, 'more than %d static instructions' % STATICS)
        guesses = collections.defaultdict(int)
        ip = pattern = 0
        for _ in steps.content:
            step = steps.byte()
            if step == 0:
                ip += guesses[pattern]
            elif step == 255:
                ip += jumps.signed()
            else:
                ip += step - 1
                guesses[pattern] = step - 1
            ip &= M
            pattern = low.byte() | high.byte() << 8
            check(pattern < len(self.patterns), 'there is no pattern %d' % pattern)
            record, slots, register = self.patterns[pattern]
            record = bytearray(record)
            record[self.about.ip_offset:self.about.ip_offset + 8] = ip.to_bytes(8, 'little')

            branch_class = classes.byte() if has_class else 255
            length = lengths.byte() if has_length else 0
            check(length <= 15, 'an instruction of %d bytes' % length)
            properties = Properties(CLASSES[branch_class] if branch_class < len(CLASSES) else None, length or None,
                                    code.bytes(length) if has_code and length else None)
            self.statics.append(Static(ip, pattern, bytes(record), slots, self.sites, register, properties))
            self.sites += len(slots)
            check(self.sites <= SITES, 'more than %d sites' % SITES)

    def add_units(self, lengths, bodies, expected):
        check(len(self.units) + len(lengths.content) <= UNITS, 'more than %d units' % UNITS)
        self.units_statics += sum(lengths.content)
        check(self.units_statics <= UNITS_STATICS, 'units of more than %d static instructions' % UNITS_STATICS)
        for _ in lengths.content:
            length = lengths.byte()
            check(1 <= length <= UNIT_STATICS, 'a unit of %d static instructions' % length)
            unit = []

            def follow(count):
                nonlocal expected
                check(len(unit) + count <= length, 'a unit is longer than it should be')
                check(expected + count <= len(self.statics), 'a unit has a static instruction that is not there')
                unit.extend(self.statics[expected:expected + count])
                expected += count

            follow(bodies.number())
            while len(unit) < length:
                expected = expected + bodies.signed() & M
                follow(1)
                follow(bodies.number())
            self.units.append(Unit(unit))
            self.units_slots += len(self.units[-1].addresses)
            check(self.units_slots <= UNITS_SLOTS, 'units with more than %d slots in use' % UNITS_SLOTS)


class Runs:
    """Decodes whether predictions are right."""

    def __init__(self, stream):
        self.stream = stream
        self.next()

    def next(self):
        # -1: all further predictions are right.
        self.length = -1 if self.stream.at_end() else self.stream.number()

    def right(self):
        if self.length:
            if self.length > 0:
                self.length -= 1
            return True
        self.next()
        return False


def class_of(confidence):
    return min(confidence.bit_length(), 5)


# Control flow.

# Lengths of histories in units, and number of bits of a table's row number.
HISTORIES = {FAST: ((6, 16), 13), HIGH: ((2, 4, 9, 20), 15)}
REPEATED = 24


class Row:
    """Row of a history's table."""
    __slots__ = 'tag', 'confidence', 'unit'

    def __init__(self):
        self.tag = self.confidence = 0
        self.unit = None

    def learn(self, tag, unit):
        if self.tag != tag:
            if self.confidence > 1:
                self.confidence >>= 1
            else:
                self.tag, self.confidence, self.unit = tag, 0, unit
        elif self.unit == unit:
            self.confidence = min(self.confidence + 1, 63)
        else:
            self.confidence >>= 2
            if self.confidence == 0:
                self.unit = unit


class History:
    MULTIPLIER = 0xD1342543DE82EF95

    def __init__(self, number, length, row_bits, streams):
        self.length, self.row_mask = length, (1 << row_bits) - 1
        self.rows = collections.defaultdict(Row)
        self.runs = [Runs(streams(34 + 6 * number + c)) for c in range(6)]
        self.hash = 0
        self.past = collections.deque([0] * length)  # h(u) of the latest units, oldest first
        self.leaves = pow(self.MULTIPLIER, length + 1, 1 << 64)

    def push(self, h):
        self.hash = (self.hash + h) * self.MULTIPLIER - self.past.popleft() * self.leaves & M
        self.past.append(h)

    def row(self):
        """Returns the row, and the tag that it must have for a match."""
        x = self.hash * 0x9E3779B97F4A7C15 & M
        x ^= x >> 32
        return self.rows[x & self.row_mask], (x >> 16 | 1) & 0xFFFF


class Successors:
    """Distinct recent successors of a unit, latest first."""
    __slots__ = 'latest', 'repeated'

    def __init__(self):
        self.latest, self.repeated = [], 0

    def learn(self, unit):
        if self.latest and self.latest[0] == unit:
            self.repeated = min(self.repeated + 1, REPEATED)
            return
        if unit in self.latest:
            self.latest.remove(unit)
        self.latest.insert(0, unit)
        del self.latest[4:]
        self.repeated = 0


class ControlFlow:
    """Decodes the numbers of units."""

    def __init__(self, level, streams, units, first_new):
        lengths, row_bits = HISTORIES[level]
        self.histories = [History(n, length, row_bits, streams) for n, length in enumerate(lengths)]
        self.choices, self.low, self.middle, self.high = (streams(n) for n in (16, 17, 18, 19))
        self.repeated, self.latest = Runs(streams(32)), Runs(streams(33))
        # Keyed by unit, with None for the beginning of the frame.
        self.successors = collections.defaultdict(Successors)
        self.last, self.units, self.next_new, self.digest = None, units, first_new, 0

    def next(self):
        successors = self.successors[self.last]
        tried = None
        if successors.repeated == REPEATED:
            tried = successors.latest[0]
            if self.repeated.right():
                return self.push(tried)
            successors.repeated = 6
        rows = [history.row() for history in self.histories]
        unit = runs = None
        for history, (row, tag) in zip(reversed(self.histories), reversed(rows)):
            if row.tag == tag and row.unit != tried:
                unit, runs = row.unit, history.runs[class_of(row.confidence)]
                break
        if runs is None and tried is None and successors.latest:
            unit, runs = successors.latest[0], self.latest
        if runs is None or not runs.right():
            unit = self.chosen(successors.latest, *rows[0])
        for row, tag in rows:
            row.learn(tag, unit)
        successors.learn(unit)
        return self.push(unit)

    def push(self, unit):
        h = (unit + 1) * 0x9E3779B97F4A7C15 & M
        h = (h ^ h >> 31) | 1
        for history in self.histories:
            history.push(h)
        self.last = unit
        self.digest = rotl(self.digest, 5) + unit & M
        return unit

    def chosen(self, latest, shortest, tag):
        choice = self.choices.byte()
        unit = None
        if choice == 0:
            unit = shortest.unit if shortest.tag == tag else None
        elif choice <= 4:
            unit = latest[choice - 1] if choice <= len(latest) else None
        elif choice == 5:
            unit = self.next_new
        elif choice == 6:
            unit = self.low.byte() | self.middle.byte() << 8 | self.high.byte() << 16
        check(unit is not None and unit < self.units, 'choice %d is of a unit that is not there' % choice)
        self.next_new += unit == self.next_new
        return unit


# Addresses.

LANES = {FAST: (5, 14), HIGH: (11, 16)}  # number of lanes; bits of a table's row number


class Site:
    __slots__ = 'last', 'step', 'step_before', 'distance', 'distances', 'lane', 'confidence'

    def __init__(self):
        self.last = self.step = self.step_before = self.lane = self.confidence = 0
        self.distance = 0  # from the register's latest address
        self.distances = [0] * 4  # from the latest four addresses of any site


class Addresses:
    """Decodes the addresses."""

    def __init__(self, level, streams):
        self.lanes, row_bits = LANES[level]
        self.row_shift = 64 - row_bits
        self.choices, self.marks, self.bits = (streams(n) for n in (20, 21, 22))
        self.runs = [Runs(streams(64 + i)) for i in range(12)]
        # Tables of strides, pairs, followers and neighbours.
        self.tables = [collections.defaultdict(int) for _ in range(4)]
        self.sites = collections.defaultdict(Site)
        self.registers = [0] * 256  # latest address of each register
        self.latest, self.digest = [0] * 4, 0  # latest addresses of any site

    def row(self, table, number, s):
        latest = self.latest
        if table == 0:
            h = mixed(mixed(number, s.step), s.step_before)
        elif table == 1:
            h = mixed(mixed(number, latest[0]), latest[1])
        else:
            h = mixed(number, s.last if table == 2 else latest[0])
        return h >> self.row_shift

    def predicted(self, lane, number, s, base):
        if lane == 0:
            return s.last
        if lane == 1:
            return s.last + s.step & M
        if lane == 2:
            return base + s.distance & M
        if lane == 3:
            return s.last + self.tables[0][self.row(0, number, s)] & M
        if lane <= 6:
            return self.tables[lane - 3][self.row(lane - 3, number, s)]
        return self.latest[lane - 7] + s.distances[lane - 7] & M

    def next(self, number, register):
        """Returns the next address of site `number`, for an instruction with this register."""
        s, latest, base = self.sites[number], self.latest, self.registers[register]
        if self.runs[class_of(s.confidence) + (6 if s.lane > 2 else 0)].right():
            address = self.predicted(s.lane, number, s, base)
            if s.confidence < 63:
                s.confidence += 1
        else:
            address = self.missed(number, s, base)
        s.distances = [address - a for a in latest]  # reduced modulo 2^64 where used
        s.step_before = s.step & 0xFFFFFFFF
        s.step = address - s.last & M
        s.distance = address - base
        s.last = self.registers[register] = address
        self.latest = [address, *latest[:3]]
        self.digest = rotl(self.digest, 5) + address & M
        return address

    def missed(self, number, s, base):
        choice = self.choices.byte()
        s.confidence >>= 2
        if choice < self.lanes:
            address = self.predicted(choice, number, s, base)
            if s.confidence == 0:
                s.lane, s.confidence = choice, 1
        else:
            to, size = divmod(choice - self.lanes, 61)
            check(to <= 3, 'there is no choice %d' % choice)
            address = self.given((s.last, *self.latest[:2], base)[to], size)
        for table in range(2 if self.lanes == 5 else 4):
            self.tables[table][self.row(table, number, s)] = address - s.last if table == 0 else address
        return address

    def given(self, near, size):
        """Returns an address whose distance from `near` has `size` bits, or an address that is stored completely."""
        if size == 60:
            return self.bits.bits(64)
        mark = self.marks.byte()
        if size == 0:
            difference = 0
        elif size <= 8:
            difference = 1 << (size - 1) | mark & 0x7F
        else:
            difference = (8 | mark >> 4 & 7) << (size - 4) | self.bits.bits(size - 8) << 4 | mark & 15
        return (near - difference if mark & 0x80 else near + difference) & M


def records_of(about, frame, streams, dictionary, first_new):
    """Returns the frame's content, properties and digest. `first_new` is the number of units in the base."""
    flow = ControlFlow(frame.kind, streams, len(dictionary.units), first_new)
    addresses = Addresses(frame.kind, streams)
    content, properties = bytearray(), []
    address = struct.Struct('<Q')
    while len(content) < frame.content_size:
        unit = dictionary.units[flow.next()]
        begin = len(content)
        content += unit.records
        check(len(content) <= frame.content_size, 'the last unit has more records than the frame')
        for at, site, register in unit.addresses:
            address.pack_into(content, begin + at, addresses.next(site, register))
        properties += unit.properties
    return bytes(content), properties, rotl(flow.digest, 32) ^ addresses.digest


# The program.


def said(pack):
    """Returns the description of a file for JSON."""
    about = pack.about
    known = [name for bit, name in enumerate(('class', 'length', 'code')) if about.properties >> bit & 1]
    code = about.properties >> 4
    return {
        'version': '%d.%d' % pack.version,
        **about._asdict(),
        'kind': KINDS[about.kind] if about.kind < len(KINDS) else about.kind,
        'properties': known,
        'whose_code': CODES[code] if code < len(CODES) else code,
        'records': sum(f.content_size for f in pack.frames) // about.record_size,
        'content_size': sum(f.content_size for f in pack.frames),
        'frames': [{**f._asdict(), 'kind': ('stored', 'fast', 'high')[f.kind], 'digest': '%016x' % f.digest}
                   for f in pack.frames],
    }


def main(arguments):
    wants_about = arguments[:1] == ['--about']
    if len(arguments) != 1 + wants_about:
        print('usage: reader.py [--about] FILE', file=sys.stderr)
        return 2
    name = arguments[-1]
    try:
        raw = sys.stdin.buffer.read() if name == '-' else bytes_of(name)
        if wants_about:
            *_, (pack, _) = read_parts(raw)
            print(json.dumps(said(pack), indent=2))
            return 0
        for pack in read_frames(raw):
            sys.stdout.buffer.write(pack.content)  # content of this frame
            pack.content.clear()
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (Error, OSError) as e:
        sys.stdout.buffer.flush()
        print('%s: %s' % (name, e), file=sys.stderr)
        return 1
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
