# Tests that reader.py, which was written only after docs/formats/tracepack-container.md and
# tracepack-model.md, reads the programs' packs and detects damage. Skipped without libzstd.
import glob
import json
import os
import random
import re
import struct
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'tools'))

import reader
import support
from support import SED, WORK, as_cloudsuite, content, file_bytes, needs, records, run

DATA = os.path.dirname(SED)
LEVELS = 'fast', 'high'
WINDOW = 8192  # in records: unit of the decision to store or to model


def flipped(raw, at, bit=0):
    changed = bytearray(raw)
    changed[at] ^= 1 << bit
    return bytes(changed)


class Case(support.FormatTest):
    program = 'trace_convert'

    def convert(self, *args):
        r = run('trace_convert', *args)
        self.assertEqual(r.returncode, 0, r.stderr)

    def packed(self, trace, *options):
        self.convert(trace, self.path('x.tpack'), *options)
        return file_bytes(self.path('x.tpack'))

    def check(self, trace, *options, want):
        """Packs the content with each level, and checks that each Pack has this content."""
        packs = []
        for level in LEVELS:
            raw = self.packed(trace, '--level', level, *options)
            pack = reader.read(raw)
            self.assertTrue(pack.content == want, (trace, level))
            self.assertEqual(len(pack.properties), pack.records)
            for frame in pack.frames:  # read through the index
                alone, properties = reader.read_frame(raw, frame.number)
                begin, end = frame.content_offset, frame.content_offset + frame.content_size
                self.assertTrue(alone == pack.content[begin:end], (trace, level, frame.number))
                size = pack.about.record_size
                self.assertEqual(properties, pack.properties[begin // size:end // size])
            packs.append(pack)
        return packs


class Content(Case):
    def test_champsim(self):
        for trace in glob.glob(os.path.join(DATA, '*.champsimtrace.xz')):
            self.check(trace, want=content(trace))

    @needs('simdjson', 'zydis')
    def test_x64dbg(self):
        """Tests a pack with classes, lengths and code of instructions."""
        for trace in glob.glob(os.path.join(DATA, '*.trace*.xz')):
            repair = ['--repair'] if 'legacybug' in trace else []
            self.convert(trace, self.path('x.champsim'), *repair)
            want = file_bytes(self.path('x.champsim'))
            texts = [bytes.fromhex(json.loads(line)['opcode']) for line in
                     run('trace_view', '--json', '-n', '2000', *repair, trace).stdout.splitlines()]
            made = [support.branch_class(r) for r in records(want)]
            for pack in self.check(trace, *repair, want=want):
                self.assertEqual([p.code for p in pack.properties[:len(texts)]], texts)
                self.assertEqual([p.length for p in pack.properties], [len(p.code) for p in pack.properties])
                # A record may be too small for a branch's registers, so a few classes differ.
                same = sum(p.branch_class == c for p, c in zip(pack.properties, made))
                self.assertGreater(same, 0.99 * pack.records)

    def test_frames(self):
        """Tests that noise is stored, and that frames between noise share a dictionary."""
        noise = random.Random(1).randbytes(64 * WINDOW)
        # Some windows after noise are stored, too.
        raw = content(SED)[:64 * WINDOW] + noise + content(WORK)
        for pack in self.check(self.write('in', raw), '--format', 'champsim', want=raw):
            kinds = [frame.kind for frame in pack.frames]
            self.assertIn(reader.STORED, kinds)
            self.assertTrue(any(frame.base != frame.number for frame in pack.frames), pack.frames)

    def test_cloudsuite(self):
        raw = as_cloudsuite(records(content(WORK))[:3000], [7, 1])
        for pack in self.check(self.write('in', raw), '--cloudsuite', want=raw):
            self.assertEqual((pack.about.kind, pack.about.record_size), (1, 96))

    def test_described(self):
        table = self.write('table', b'0 8 ip u64 little\n8 4 cycle u32 little\n12 1 is_branch bool\n'
                           b'13 3 (padding)\n16 16 source_memory u64[2] little\n')
        raw = b''.join(struct.pack('<QIB3xQQ', 0x400000 + 4 * (i % 300), i % 7, i % 3 == 0, 0x7000 + 8 * i, i % 5)
                       for i in range(3000))
        for pack in self.check(self.write('in', raw), '--record', table, want=raw):
            self.assertEqual((pack.about.kind, pack.about.record_size, pack.about.slots), (2, 32, (16, 24)))
            self.assertIn('cycle', pack.about.table)

    def test_contradictions(self):
        """Tests that both readers ignore the base of a stored frame, and refuse a table whose size differs from
        the records' size."""
        noise = random.Random(2).randbytes(64 * WINDOW)
        pack = reader.read(self.packed_content(noise))
        raw = bytearray(file_bytes(self.path('noise.tpack')))
        self.assertEqual([f.kind for f in pack.frames], [reader.STORED] * len(pack.frames))

        def sum_up(at, size, to):
            raw[to:to + 4] = struct.pack('<I', reader.crc32c(raw[at:at + size]))
        end = len(raw) - reader.END.size
        index = struct.unpack_from('<Q', raw, end)[0]
        for i, f in enumerate(pack.frames):
            for base in f.offset + 20, index + 16 + 24 * i + 16:
                raw[base:base + 4] = struct.pack('<I', 0xFFFFFFF0 + i)
            sum_up(f.offset, 44, f.offset + 44)
        sum_up(index + 16, 24 * len(pack.frames), index + 8)
        sum_up(index, 12, index + 12)
        other = self.write('other.tpack', bytes(raw))
        self.assertEqual(bytes(reader.read(other).content), noise)
        self.convert(other, self.path('out'), '--to', 'content')
        self.assertEqual(file_bytes(self.path('out')), noise)

        # The table describes 16 bytes; record_size is set to 32.
        table = self.write('table', b'0 8 ip u64\n8 8 x u64\n')
        self.convert(self.write('in', bytes(16 * 100)), self.path('t.tpack'), '--record', table)
        raw = bytearray(file_bytes(self.path('t.tpack')))
        self.assertEqual(struct.unpack_from('<H', raw, 26)[0], 16)
        raw[26:28] = struct.pack('<H', 32)
        sum_up(24, struct.unpack_from('<I', raw, 12)[0], 16)
        sum_up(0, 20, 20)
        bad = self.write('bad.tpack', bytes(raw))
        with self.assertRaises(reader.Error) as e:
            reader.read(bad)
        self.assertIn('records of 16 bytes, not 32', str(e.exception))
        for program in ('trace_view', bad), ('trace_check', bad), ('trace_convert', bad, self.path('x.jsonl')):
            r = run(*program)
            self.assertEqual(r.returncode, 1)
            self.assertIn(b'describes records of 16 bytes, but record_size is 32', r.stdout + r.stderr)

    def packed_content(self, raw):
        self.convert(self.write('raw', raw), self.path('noise.tpack'), '--format', 'champsim')
        return self.path('noise.tpack')

    def test_goldens(self):
        for name in glob.glob(os.path.join(DATA, 'tracepack', '*')):
            pack = reader.read(name)
            self.assertEqual(len(pack.properties), pack.records, name)
            back = self.path('golden')
            self.convert(name, back, '--to', 'content')
            self.assertTrue(file_bytes(back) == pack.content, name)
            if pack.about.kind <= 1:
                self.convert(name, back, '--to', reader.KINDS[pack.about.kind])
                self.assertTrue(file_bytes(back) == pack.content, name)
            if pack.about.kind == 0 and pack.about.properties & 4:
                self.convert(name, back, '--to', 'jsonl')
                rows = [json.loads(line) for line in file_bytes(back).splitlines()]
                self.assertEqual([r['code'] for r in rows], [(p.code or b'').hex() for p in pack.properties])
                self.assertTrue(any(r['code'] for r in rows))

    def test_rapidbin(self):
        """Tests events that are packed as records."""
        for name in 'r250.data', 'r6000.data':
            trace = os.path.join(DATA, 'rapidbin', name)
            self.convert(trace, self.path('x.champsim'))
            self.check(trace, want=file_bytes(self.path('x.champsim')))

    @needs('zydis')
    def test_umtracer(self):
        """Tests generated traces. The instructions of one trace are far apart, so it is stored, without their
        properties."""
        modelled = []
        for name, processor in ('plain32', 0x20), ('awkward32', 0x20), ('plain64', 0x10), ('awkward64', 0x10):
            trace = os.path.join(DATA, 'umtracer', name)
            self.convert(trace, self.path('x.champsim'))
            self.convert(trace, self.path('x.jsonl'))
            rows = [json.loads(line) for line in file_bytes(self.path('x.jsonl')).splitlines()]
            code = [row['code'] or '' for row in rows if row['instruction_id'] is not None]
            for pack in self.check(trace, want=file_bytes(self.path('x.champsim'))):
                self.assertEqual(pack.about.properties, processor | 7)
                if reader.STORED not in [frame.kind for frame in pack.frames]:
                    self.assertEqual([(p.code or b'').hex() for p in pack.properties], code, name)
                    modelled.append(name)
        self.assertEqual(sorted(set(modelled)), ['awkward32', 'awkward64', 'plain32'])


class Pages(Case):
    def test_python(self):
        """Tests that the Python blocks of both pages decode the same content."""
        blocks = []
        for page in 'tracepack-container.md', 'tracepack-model.md':
            with open(os.path.join(HERE, '..', '..', 'docs', 'formats', page), encoding='utf-8') as f:
                blocks += re.findall(r'^```python\n(.*?)^```', f.read(), re.M | re.S)
        names = {}
        exec('\n'.join(blocks), names)
        for level in LEVELS:
            pack = None
            for pack, payload in reader.read_parts(self.packed(WORK, '--level', level, '-n', '8000')):
                if payload is not None:
                    frame = pack.frames[-1]
                    streams = names['streams_of'](payload, reader.unzstd)
                    dictionary = names['Dictionary']()
                    dictionary.add(pack.about, streams)
                    decoded, digest = names['records_of'](pack.about, frame.kind, streams, dictionary, 0,
                                                          frame.content_size)
                    self.assertTrue(decoded == content(WORK)[:64 * 8000], level)
                    self.assertEqual(digest, frame.digest)
            self.assertEqual(len(pack.frames), 1)


class Program(Case):
    def reader(self, *args, **more):
        return subprocess.run([sys.executable, os.path.join(HERE, 'reader.py'), *args], capture_output=True, **more)

    def test_output(self):
        raw = self.packed(WORK)
        for args, more in ([self.path('x.tpack')], {}), (['-'], {'input': raw}):
            r = self.reader(*args, **more)
            self.assertEqual((r.returncode, r.stderr), (0, b''))
            self.assertTrue(r.stdout == content(WORK))
        about = json.loads(self.reader('--about', self.path('x.tpack')).stdout)
        self.assertEqual([about[name] for name in ('version', 'kind', 'record_size', 'records')],
                         ['1.0', 'champsim', 64, 50000])
        r = self.reader(self.write('x', flipped(raw, 300)))
        self.assertEqual((r.returncode, r.stdout), (1, b''))
        self.assertIn(b'frame 0: the payload has another CRC-32C', r.stderr)


class Damage(Case):
    def setUp(self):
        super().setUp()
        raw = bytearray(2 * content(SED)[:64 * WINDOW])
        raw[64 * WINDOW + 8::64] = bytes([7]) * WINDOW  # not a flag, so these are stored
        self.raw = self.packed(self.write('in', raw), '--format', 'champsim')
        self.pack = reader.read(self.raw)
        self.assertEqual([frame.kind for frame in self.pack.frames], [reader.FAST, reader.STORED])

    def wrong(self, raw, frame=None, what=''):
        with self.assertRaises(reader.Error) as caught:
            reader.read(raw)
        self.assertEqual(caught.exception.frame, frame, caught.exception)
        self.assertIn(what, str(caught.exception))

    def test_flipped(self):
        """Tests a changed bit in each part, and in many bytes of a part."""
        about_end = self.pack.frames[0].offset
        rand = random.Random(2)
        for at in range(0, about_end, 3):
            self.wrong(flipped(self.raw, at, rand.randrange(8)))
        for frame in self.pack.frames:
            for at in range(4, reader.FRAME_HEADER.size, 3):
                self.wrong(flipped(self.raw, frame.offset + at, rand.randrange(8)), frame.number, 'header')
            payload = frame.offset + reader.FRAME_HEADER.size
            for at in payload, payload + rand.randrange(frame.payload_size), payload + frame.payload_size - 1:
                self.wrong(flipped(self.raw, at, rand.randrange(8)), frame.number, 'payload')
        index_offset = struct.unpack_from('<Q', self.raw, len(self.raw) - reader.END.size)[0]
        end = len(self.raw) - reader.END.size
        for at in range(index_offset, index_offset + reader.INDEX_HEADER.size, 5):
            self.wrong(flipped(self.raw, at, rand.randrange(8)), what='index')
        for at in range(index_offset + reader.INDEX_HEADER.size, end, 9):
            self.wrong(flipped(self.raw, at, rand.randrange(8)), what='index')
        for at in range(end, len(self.raw), 7):
            self.wrong(flipped(self.raw, at, rand.randrange(8)), what='end')

    def test_truncated(self):
        for frame in self.pack.frames:
            self.wrong(self.raw[:frame.offset], what='truncated')
            for cut in 4, 47, 48, 50:
                self.wrong(self.raw[:frame.offset + cut], frame.number, 'truncated')
        for cut in 1, 40, 41, 90, 100:
            self.wrong(self.raw[:-cut], what='truncated')
        self.wrong(self.raw + b'\0', what='behind the end')

    def test_digest(self):
        """Tests a wrong digest in a header with a correct checksum."""
        at = self.pack.frames[0].offset
        header = bytearray(self.raw[at:at + 44])
        header[32] ^= 1
        header += struct.pack('<I', reader.crc32c(header))
        self.wrong(self.raw[:at] + bytes(header) + self.raw[at + 48:], 0, 'digest')

    def test_other_version(self):
        front = bytearray(self.raw[:20])
        front[8] = 2
        front += struct.pack('<I', reader.crc32c(front))
        with self.assertRaises(reader.Unsupported):
            reader.read(bytes(front) + self.raw[24:])


if __name__ == '__main__':
    try:
        reader.libzstd()
    except OSError as e:
        print('skipped: %s' % e, file=sys.stderr)
        sys.exit(77)  # for meson: skipped
    support.main()
