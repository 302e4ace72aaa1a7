"""Reads index files, as docs/formats/index.md specifies them, and checks everything that the
page says about their bytes. It shares no code with the library."""

import collections
import functools
import operator
import struct

WRITES, READS, EXECUTIONS = 1, 2, 3

FRONT = struct.Struct('<8s2HIQqQQQQII')
PAGE = 16384
SECTION = struct.Struct('<I2BH2Q')
TOTALS = struct.Struct('<5Q')
ANCHOR = struct.Struct('<4Q')
SKIP = struct.Struct('<2Q')

Section = collections.namedtuple('Section', 'granule_bits changes offset size')
# `mask` is None in granules of 64 bytes, and `changes` is None in a section that does not have this bit.
Posting = collections.namedtuple('Posting', 'granule instruction mask changes')
# `mask` is None in a granule with one block, which has no skip entries.
Block = collections.namedtuple('Block', 'granule mask postings')


class BadIndex(Exception):
    pass


def check(true, message, *values):
    if not true:
        raise BadIndex(message % values)


def _crc_table():
    table = []
    for n in range(256):
        for _ in range(8):
            n = n >> 1 ^ (0x82f63b78 if n & 1 else 0)
        table.append(n)
    return table


CRC_TABLE = _crc_table()


def crc32c(raw):
    crc, table = 0xffffffff, CRC_TABLE
    for byte in raw:
        crc = crc >> 8 ^ table[crc & 255 ^ byte]
    return crc ^ 0xffffffff


def masks_above(masks):
    """Returns the next level of masks: one for each 64."""
    return [functools.reduce(operator.or_, masks[i:i + 64]) for i in range(0, len(masks), 64)]


class Cursor:
    """Place in the bytes from `at` up to `end`, which belong to the part `name`."""

    def __init__(self, raw, at, end, name):
        self.raw, self.at, self.end, self.name = raw, at, end, name

    def take(self, size):
        check(size <= self.end - self.at, '%s: %d bytes at %d do not fit before its end, %d', self.name, size, self.at,
              self.end)
        self.at += size
        return self.raw[self.at - size:self.at]

    def leb128(self):
        number = shift = 0
        while True:
            check(self.at < self.end, '%s: a number does not end before %d', self.name, self.end)
            byte = self.raw[self.at]
            self.at += 1
            number |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                check(number < 1 << 64 and shift <= 70, '%s: a number before %d has more than 64 bits', self.name,
                      self.at)
                return number


class Index:
    """Index file, whose bytes are `raw`. The constructor checks all checksums."""

    def __init__(self, raw):
        self.raw = raw
        check(len(raw) >= FRONT.size, '%d bytes are too few for the front', len(raw))
        (magic, self.major, self.minor, sections, self.trace_size, self.trace_time, self.trace_parts,
         self.instructions, table, sums, sums_crc, front_crc) = FRONT.unpack_from(raw)
        check(magic == b'\x89TCIDX\r\n', 'the magic number is %r', magic)
        check(front_crc == crc32c(raw[:FRONT.size - 4]), 'wrong checksum of the front')
        check(self.major == 1, 'version %d.%d instead of 1', self.major, self.minor)
        check(FRONT.size <= table <= sums <= len(raw), 'the table at %d and the sums at %d are not in %d bytes', table,
              sums, len(raw))
        check(len(raw) - sums == 4 * -(-(sums - FRONT.size) // PAGE), '%d bytes of sums for %d bytes of pages',
              len(raw) - sums, sums - FRONT.size)
        check(sums_crc == crc32c(raw[sums:]), 'wrong checksum of the sums')
        for n, (stored,) in enumerate(struct.iter_unpack('<I', raw[sums:])):
            begin = FRONT.size + n * PAGE
            check(stored == crc32c(raw[begin:min(begin + PAGE, sums)]), 'wrong checksum of page %d', n)

        check(sums - table == sections * SECTION.size, '%d bytes for a table of %d sections', sums - table, sections)
        self.sections, end = {}, FRONT.size
        for kind, bits, changes, reserved, offset, size in SECTION.iter_unpack(raw[table:sums]):
            check(offset == end and size <= table - end, 'section at %d with %d bytes, expected at %d and before %d',
                  offset, size, end, table)
            end = offset + size
            if kind in (WRITES, READS, EXECUTIONS):
                check(kind not in self.sections, 'two sections of kind %d', kind)
                check(bits == 5 and changes == 0 if kind == EXECUTIONS else bits in (3, 6), 'granules of 2**%d bytes', bits)
                check(changes in (0, 1) and reserved == 0, '`changes` is %d and `reserved` is %d', changes, reserved)
                self.sections[kind] = Section(bits, changes, offset, size)
        check(set(self.sections) == {WRITES, READS, EXECUTIONS}, 'the sections are %s', sorted(self.sections))
        check(self.sections[WRITES].granule_bits == self.sections[READS].granule_bits, 'sections with different granules')
        check(end == table, 'the sections end at %d, and the table begins at %d', end, table)

    def postings(self, kind):
        """Yields all postings, in ascending order of granules and of instructions in a granule."""
        for block in self.blocks(kind):
            yield from block.postings

    def executions(self):
        """Yields (instruction, address) of the executed instructions, in ascending order of granules and of instructions
        in a granule, and checks that each run is as long as possible."""
        runs = {}  # number of the first instruction: addresses
        for p in self.postings(EXECUTIONS):
            addresses = [p.granule * 32 + i for i in range(32) if p.mask >> i & 1]
            check(p.instruction not in runs, 'two runs begin at instruction %d', p.instruction)
            runs[p.instruction] = addresses
            yield from enumerate(addresses, p.instruction)
        end, last = 0, None
        for first, addresses in sorted(runs.items()):
            check(first == end, 'a run begins at instruction %d instead of %d', first, end)
            check(last is None or last // 32 != addresses[0] // 32 or addresses[0] <= last,
                  'the run at instruction %d continues the one before', first)
            end, last = first + len(addresses), addresses[-1]
        check(end == self.instructions, 'the runs end at instruction %d of %d', end, self.instructions)

    def blocks(self, kind):
        """Yields the blocks of all granules, and checks each part of the section on the way."""
        section = self.sections[kind]
        raw = self.raw[section.offset:section.offset + section.size]
        check(len(raw) >= TOTALS.size, 'a section of %d bytes', len(raw))
        granules, total, skips_at, directory_at, anchors_at = TOTALS.unpack_from(raw, len(raw) - TOTALS.size)
        check(skips_at <= directory_at <= anchors_at <= len(raw) - TOTALS.size, 'the parts are not in order')
        check(len(raw) - TOTALS.size - anchors_at == ANCHOR.size * -(-granules // 64),
              '%d bytes of anchors for %d granules', len(raw) - TOTALS.size - anchors_at, granules)
        postings = Cursor(raw, 0, skips_at, 'postings')
        skips = Cursor(raw, skips_at, directory_at, 'skip entries')
        directory = Cursor(raw, directory_at, anchors_at, 'directory')
        anchors = Cursor(raw, anchors_at, len(raw) - TOTALS.size, 'anchors')
        granule, counted = -1, 0
        for n in range(granules):
            if n % 64 == 0:
                anchor = ANCHOR.unpack(anchors.take(ANCHOR.size))
                here = (directory.at - directory_at, postings.at, skips.at - skips_at)
                check(anchor[1:] == here, 'anchor of granule %#x has the offsets %s, expected %s', anchor[0],
                      anchor[1:], here)
                before = granule
                granule = anchor[0]
                check(directory.leb128() == 0, 'the first difference of the group at %#x is not 0', granule)
            else:
                before = granule
                granule += directory.leb128()
            check(before < granule < 1 << (64 - section.granule_bits), 'granule %#x follows %#x', granule, before)
            count, size = directory.leb128(), directory.leb128()
            check(count > 0, 'granule %#x has no postings', granule)
            begin = postings.at
            check(size <= skips_at - begin, 'granule %#x has %d bytes at %d', granule, size, begin)
            part = Cursor(raw, begin, begin + size, 'postings of granule %#x' % granule)
            yield from self._granule(section, granule, count, part, skips)
            check(part.at == part.end, 'granule %#x has %d bytes of postings instead of %d', granule, part.at - begin,
                  size)
            postings.at = part.end
            counted += count
        for part in (postings, skips, directory, anchors):
            check(part.at == part.end, '%s: %d bytes are left', part.name, part.end - part.at)
        check(counted == total, '%d postings instead of %d', counted, total)

    def _granule(self, section, granule, count, part, skips):
        blocks = -(-count // 128)
        entries, masks = [], [None]
        if blocks > 1:
            entries = [SKIP.unpack(skips.take(SKIP.size)) for _ in range(blocks)]
            masks = self._masks(section, granule, blocks, skips)
        begin, instruction = part.at, 0
        for n in range(blocks):
            if entries:
                first, offset = entries[n]
                check(first >= instruction, 'block %d of granule %#x begins at instruction %d, after %d', n, granule,
                      first, instruction)
                check(offset == part.at - begin, 'block %d of granule %#x is at %d instead of %d', n, granule,
                      part.at - begin, offset)
                instruction = first
            found = self._block(section, granule, min(128, count - 128 * n), instruction, part)
            if entries:
                check(found[0].instruction == first, 'block %d of granule %#x begins at instruction %d instead of %d',
                      n, granule, found[0].instruction, first)
                if section.granule_bits != 6:
                    all_ = functools.reduce(operator.or_, [p.mask for p in found])
                    check(masks[n] == all_, 'block %d of granule %#x has the mask %#x instead of %#x', n, granule,
                          masks[n], all_)
            instruction = found[-1].instruction
            yield Block(granule, masks[n], found)

    def _masks(self, section, granule, blocks, skips):
        """Returns the masks of a granule's blocks. Checks those of the levels above."""
        size = 1 << section.granule_bits - 3

        def level(n):
            return [int.from_bytes(skips.take(size), 'little') for _ in range(n)]
        begin = skips.at
        lowest = masks = level(blocks)
        check(all(masks), 'a block of granule %#x has an empty mask', granule)
        while len(masks) > 64:
            expected = masks_above(masks)
            masks = level(len(expected))
            check(masks == expected, 'masks of granule %#x are not those of the level below', granule)
        check(not any(skips.take((begin - skips.at) % 8)), 'bytes after the masks of granule %#x are not 0', granule)
        return lowest

    def _block(self, section, granule, count, instruction, part):
        mask = None if section.granule_bits == 6 else (1 << (1 << section.granule_bits)) - 1
        found = []
        for _ in range(count):
            number = part.leb128()
            changes = None
            has_mask, number = number & 1, number >> 1
            if section.changes:
                changes, number = bool(number & 1), number >> 1
            if has_mask:
                check(mask is not None, 'a posting of granule %#x has a mask, but granules have 64 bytes', granule)
                mask = int.from_bytes(part.take(1 << section.granule_bits - 3), 'little')
                check(mask, 'a posting of granule %#x has an empty mask', granule)
            instruction += number
            check(instruction < self.instructions, 'instruction %d of %d in granule %#x', instruction,
                  self.instructions, granule)
            found.append(Posting(granule, instruction, mask, changes))
        return found
