# The programs on traces in tracepack: every program reads exactly the packed content. Damage
# is reported, and the rest is read.
import csv
import gzip
import json
import os
import struct

import support
from support import SED, WORK, as_cloudsuite, content, file_bytes, needs, records, run

X64DBG = os.path.join(os.path.dirname(SED), 'threads3_64.trace64.xz')
X86 = os.path.join(os.path.dirname(SED), 'work32.trace32.xz')
FRAME = struct.Struct('<4sB3xIIIIQQII')  # docs/formats/tracepack-container.md


def frames(raw):
    """Returns offset and header of each frame."""
    at = 24 + struct.unpack_from('<I', raw, 12)[0]
    found = []
    while raw[at:at + 4] == b'TPF1':
        found.append((at, FRAME.unpack_from(raw, at)))
        at += FRAME.size + found[-1][1][4]
    return found


class Case(support.FormatTest):
    def convert(self, *args, **more):
        r = run('trace_convert', *args, **more)
        self.assertEqual(r.returncode, 0, r.stderr)
        return r

    def packed(self, trace=WORK, *options, name='x.tpack'):
        self.convert(trace, self.path(name), *options)
        return self.path(name)

    def unpacked(self, path, *options):
        return self.convert(path, '-', *options).stdout


class Content(Case):
    def test_champsim(self):
        for trace in SED, WORK:
            for level in (), ('--level', 'high'):
                p = self.packed(trace, *level)
                self.assertEqual(self.unpacked(p), content(trace))
                self.assertLess(os.path.getsize(p), 0.65 * os.path.getsize(trace))

    def test_through_pipes(self):
        p = file_bytes(self.packed())
        r = run('trace_convert', '-', '-', '--to', 'champsim', stdin=p)
        self.assertEqual((r.returncode, r.stdout), (0, content(WORK)))

    def test_threads(self):
        p = self.packed()
        for n in '1', '2', '5':
            self.assertEqual(self.unpacked(p, '--threads', n), content(WORK))
            self.assertEqual(run('trace_view', '-c', '-n', 'all', '--threads', n, p).stdout,
                             run('trace_view', '-c', '-n', 'all', p).stdout)
        for n in '0', '65', 'x':
            self.assertEqual(run('trace_view', '--threads', n, p).returncode, 2)

    def test_to_standard_output(self):
        p = run('trace_convert', WORK, '-', '--to', 'tracepack').stdout
        self.assertEqual(p, file_bytes(self.packed()))
        self.assertEqual(self.unpacked(self.write('odd.name', p)), content(WORK))

    def test_transferred_as_text(self):
        p = file_bytes(self.packed()).replace(b'\r\n', b'\n')
        r = run('trace_view', self.write('text.tpack', p))
        self.assertEqual(r.returncode, 1)
        self.assertIn(b'transferred as text', r.stderr)

    def test_cloudsuite(self):
        raw = as_cloudsuite(records(content(WORK))[:5000], [7, 1])
        p = self.packed(self.write('in', raw), '--cloudsuite')
        self.assertEqual(self.unpacked(p), raw)
        self.assertEqual(json.loads(run('trace_view', '--about', '--json', p).stdout)['kind'], 'cloudsuite')

    def test_described(self):
        table = self.write('table', b'0 8 ip u64 little\n8 4 cycle u32 little\n12 1 is_branch bool\n'
                           b'13 3 (padding)\n16 16 source_memory u64[2] little\n')
        raw = b''.join(struct.pack('<QIB3xQQ', 0x400000 + 4 * (i % 300), i % 7, i % 3 == 0, 0x7000 + 8 * i, 0)
                       for i in range(3000))
        p = self.packed(self.write('in', raw), '--record', table)
        about = json.loads(run('trace_view', '--about', '--json', p).stdout)
        self.assertEqual((about['kind'], about['record_size']), ('described', 32))
        shown = run('trace_view', '--json', '--record', table, '-n', '2', p)
        self.assertEqual([json.loads(line)['cycle'] for line in shown.stdout.splitlines()], [0, 1], shown.stderr)
        # Records without an ip are not instructions, but the file still describes them.
        no_ip = self.write('table2', b'0 8 a u64 little\n8 8 b u64 little\n')
        p2 = self.packed(self.write('in2', raw), '--record', no_ip, name='y.tpack')
        about = json.loads(run('trace_view', '--about', '--json', p2).stdout)
        self.assertEqual((about['kind'], about['records']), ('described', 6000))
        self.assertEqual(run('trace_check', '--record', no_ip, p2).returncode, 0)
        # Without --record, the file's own table is used.
        made = records(self.unpacked(p))
        self.assertEqual([r['ip'] for r in made], [0x400000 + 4 * (i % 300) for i in range(3000)])
        self.assertEqual(made[5]['source_memory'], [0x7028, 0, 0, 0])

    def test_described_again(self):
        """Tests that described records are packed again unchanged, with the file's description."""
        raw = b''.join(struct.pack('<IQQ', i % 3, 0x400000 + 4 * i, 0x7000 + 8 * i) for i in range(5000))
        table = self.write('table', b'0 4 thread u32\n4 8 ip u64\n12 8 address u64\n')
        p = self.packed(self.write('in', raw), '--record', table)
        whole = file_bytes(p)
        about = json.loads(run('trace_view', '--about', '--json', p).stdout)
        cut = self.write('cut.tpack', whole[:-60])
        for name, *options in (('high', '--level', 'high', p), ('again', p), ('mended', '--repair', cut)):
            again = self.packed(*options[-1:], *options[:-1], name=name + '.tpack')
            said = json.loads(run('trace_view', '--about', '--json', again).stdout)
            self.assertEqual({**said, 'file': p}, {**about, 'file': p})
            rows = [json.loads(line) for line in run('trace_view', '--json', '-n', 'all', again).stdout.splitlines()]
            self.assertEqual([(r['thread'], int(r['ip'], 16), int(r['address'], 16)) for r in rows],
                             [struct.unpack_from('<IQQ', raw, at) for at in range(0, len(raw), 20)])
            if name != 'high':
                self.assertEqual(file_bytes(again), whole)
        self.assertEqual(self.unpacked(p, '--to', 'content'), raw)
        self.convert(p, self.path('content.gz'), '--to', 'content')
        self.assertEqual(gzip.decompress(file_bytes(self.path('content.gz'))), raw)
        self.assertEqual(run('trace_view', '--layout', p).stdout, file_bytes(table))
        rows = self.convert(p, '-', '--to', 'csv').stdout.splitlines()
        self.assertEqual(rows[:2], [b'index,thread,ip,address', b'0,0,4194304,28672'])
        for options in (['--thread', '1'], ['--metadata', 'x'], ['--format', 'x64dbg']):
            r = run('trace_convert', p, self.path('refused.tpack'), *options)
            self.assertIn(r.returncode, (1, 2), options)
            self.assertFalse(os.path.exists(self.path('refused.tpack')))
        self.assertEqual(run('trace_convert', p, self.path('refused.tpack'), '--table', 'exec').returncode, 2)
        self.assertEqual(run('trace_view', '--table', 'exec', p).returncode, 2)
        self.assertEqual(run('trace_view', '--thread', '1', p).returncode, 2)
        # Only its instructions, if this is requested.
        made = self.packed(p, '--format', 'champsim', name='made.tpack')
        self.assertEqual(json.loads(run('trace_view', '--about', '--json', made).stdout)['kind'], 'champsim')
        # From a pipe, too, with its own table or with a named one.
        for options in ((), ('--record', table)):
            r = run('trace_convert', '-', self.path('piped.tpack'), *options, stdin=whole)
            self.assertEqual((r.returncode, file_bytes(self.path('piped.tpack'))), (0, whole), options)

    @needs('simdjson', 'zydis')
    def test_code_of_32_bits(self):
        """Tests that 32-bit code is disassembled as 32-bit code, also from a UMTracer trace."""
        self.convert(X86, self.path('um') + '/')
        p = self.packed(self.path('um'))
        self.assertEqual(json.loads(run('trace_view', '--about', '--json', p).stdout)['processor'], 'x86_32')
        texts = [[line.rsplit(b' | ', 1)[1] for line in run('trace_view', '-c', '-n', '3000', trace).stdout.splitlines()]
                 for trace in (p, self.packed(X86, name='direct.tpack'))]
        self.assertEqual(texts[0], texts[1])

    def test_bytes_of_no_known_format(self):
        """Tests that bytes of an unknown format can be checked and unpacked."""
        stored = os.path.join(os.path.dirname(SED), 'tracepack', 'stored.tracepack')
        r = run('trace_view', stored)
        self.assertEqual(r.returncode, 1)
        self.assertIn(b'is a tracepack file of bytes in an unknown trace format', r.stderr)
        r = run('trace_check', stored)
        self.assertEqual((r.returncode, r.stdout.count(b'\n')), (0, 2), r.stderr)
        self.assertIn(b'note: bytes: the packed bytes', r.stdout)
        every = frames(file_bytes(stored))
        self.assertEqual(len(self.unpacked(stored, '--to', 'content')), sum(header[3] for _, header in every))
        cut = self.write('cut.tpack', file_bytes(stored)[:-20])
        r = run('trace_check', cut)
        self.assertEqual((r.returncode, r.stdout.count(b'error: damaged:')), (1, 1), r.stdout)
        self.assertIn(b'the file ends before its last 40 bytes', r.stdout)
        self.assertIn(b' 1 error, ', r.stdout)
        self.assertEqual(run('trace_convert', '--to', 'content', cut, self.path('none')).returncode, 1)
        self.assertFalse(os.path.exists(self.path('none')))
        self.convert('--to', 'content', '--repair', cut, self.path('mended'))
        self.assertEqual(file_bytes(self.path('mended')), self.unpacked(stored, '--to', 'content'))
        for how in ([WORK, '-'], [stored, 'x.tpack'], ['-n', '3', stored, '-'], ['--thread', '3', stored, '-'],
                    ['--disassembly', stored, '-'], ['--format', 'std', stored, '-']):
            self.assertEqual(run('trace_convert', '--to', 'content', *how).returncode, 2, how)

    def test_size_of_frames(self):
        size = len(content(WORK))
        for most in 4096, 640000, 1 << 22, 1 << 30:
            sizes = [h[3] for _, h in frames(file_bytes(self.packed(WORK, '--block-size', str(most))))]
            self.assertEqual(len(sizes), -(-size // most))
            self.assertEqual(max(sizes), min(size, most))

    def test_part(self):
        p = self.packed()
        self.assertEqual(self.unpacked(p, '--skip', '31000', '-n', '70'), content(WORK)[64 * 31000:64 * 31070])
        whole = content(WORK)
        parts = [self.unpacked(p, '--shard', '%d/3' % n) for n in (0, 1, 2)]
        self.assertEqual(b''.join(parts), whole)

    def test_names(self):
        for name, about in (('x.tpack.xz', b'already compressed'), ('x.tpack.zst', b'already compressed')):
            r = run('trace_convert', WORK, self.path(name))
            self.assertEqual(r.returncode, 2)
            self.assertIn(about, r.stderr)
        r = run('trace_convert', '--level', 'high', WORK, self.path('x.champsim'))
        self.assertEqual(r.returncode, 2)


class Programs(Case):
    def test_same_as_the_trace(self):
        p = self.packed()
        for program, *options in (('trace_view', '-c', '-n', '500'), ('trace_view', '--json', '--skip', '49000'),
                                  ('trace_find', '--branch', 'return', '-n', '5000')):
            want, got = run(program, *options, WORK), run(program, *options, p)
            self.assertEqual((got.returncode, got.stdout), (0, want.stdout), (program, got.stderr))
        for program, *options in (('trace_view', '-s'), ('frontend_sim',)):
            want, got = run(program, *options, WORK), run(program, *options, p)
            lines = [[line for line in r.stdout.replace(p.encode(), WORK.encode()).splitlines()
                      if b'/s' not in line and b'second' not in line] for r in (want, got)]
            self.assertEqual(lines[0], lines[1])
        r = run('trace_diff', p, WORK)
        self.assertEqual(r.returncode, 0, r.stdout)
        r = run('trace_report', p, self.path('x.html'))
        self.assertEqual(r.returncode, 0, r.stderr)
        r = run('trace_check', p)
        self.assertEqual((r.returncode, r.stdout), (0, b'%s: 50000 records, 0 errors, 0 warnings, 0 notes\n' % p.encode()))

    @needs('simdjson', 'zydis')
    def test_code(self):
        """Tests that the code of a packed x64dbg trace is printed, and is kept when the trace is packed again."""
        for trace in X64DBG, X86:
            p = self.packed(trace)
            want = [line.split(b' | ') for line in run('trace_view', '-c', '-n', '3000', trace).stdout.splitlines()]
            texts = [[part for part in line if not part.startswith((b'[', b'T[', b'BR(', b'D_M', b'S_M'))]
                     for line in want]
            for path in p, self.packed(p, name='again.tpack'):
                got = run('trace_view', '-c', '-n', '3000', path).stdout.splitlines()
                self.assertEqual(len(got), 3000)
                self.assertEqual([line.rsplit(b' | ', 1)[1] for line in got], [t[0] for t in texts])
            # The records equal those of a conversion without a pack.
            self.assertEqual(self.unpacked(p), self.convert(trace, '-', '--to', 'champsim').stdout)
            found = run('trace_find', '--mnemonic', 'ret', p).stdout.splitlines()
            of_trace = run('trace_find', '--mnemonic', 'ret', trace).stdout.splitlines()
            self.assertEqual([f.split(b' | ')[0] for f in found], [f.split(b' | ')[0] for f in of_trace])
            self.assertGreater(len(found), 100)

    @needs('simdjson', 'zydis')
    def test_rows_of_code(self):
        """Tests that rows of text contain the code, unless it is excluded."""
        p = self.packed(X64DBG)
        plain = self.packed(X64DBG, '--no-code', name='plain.tpack')
        self.assertLess(os.path.getsize(plain), 0.9 * os.path.getsize(p))
        self.assertEqual(self.unpacked(plain), self.unpacked(p))
        self.assertEqual(self.about(p)['properties'], 'classes, lengths, code')
        self.assertEqual(self.about(plain)['properties'], 'classes')
        assembly = [line.rsplit(b' | ', 1)[1].decode()
                    for line in run('trace_view', '-c', '-n', 'all', p).stdout.splitlines()]
        rows = [json.loads(line) for line in self.unpacked(p, '--to', 'jsonl', '--disassembly').splitlines()]
        self.assertEqual([r['disassembly'] for r in rows], assembly)
        of_trace = [json.loads(line) for line in self.unpacked(X64DBG, '--to', 'jsonl').splitlines()]
        self.assertEqual([r['code'] for r in rows], [r['opcode'] for r in of_trace])
        table = list(csv.DictReader(self.unpacked(p, '--to', 'csv').decode().splitlines()))
        self.assertEqual([r['code'] for r in table], [r['code'] for r in rows])
        self.assertNotIn('disassembly', table[0])
        self.assertNotIn(b'"code"', self.unpacked(plain, '--to', 'jsonl'))
        self.assertEqual(run('trace_convert', plain, '-', '--to', 'csv', '--disassembly').returncode, 2)
        shown = [json.loads(line) for line in run('trace_view', '--json', '-n', '100', p).stdout.splitlines()]
        self.assertEqual([r['disassembly'] for r in shown], assembly[:100])

    def about(self, path):
        return json.loads(run('trace_view', '--about', '--json', path).stdout)

    def test_about(self):
        p = self.packed()
        shown = run('trace_view', '--about', p).stdout
        self.assertIn(b'trace_convert', shown)
        self.assertIn(b'50000', shown)
        self.assertEqual(self.about(p)['frames'], 1)
        self.assertEqual(json.loads(run('trace_view', '--about', '--json', WORK).stdout), {'format': 'champsim'})
        # The message describes what the file is instead, or what is missing.
        whole = file_bytes(p)
        flipped = bytes([whole[0] ^ 1]) + whole[1:]
        for name, content_, says in (('empty', b'', b'empty'), ('crlf', whole.replace(b'\r\n', b'\n'), b'as text'),
                                     ('flipped', flipped, b'tracepack whose first bytes are damaged'),
                                     ('flipped2', whole[:7] + b'\x0e' + whole[8:], b'whose first bytes are damaged'),
                                     ('cut6', whole[:6], b'tracepack that ends inside its first bytes')):
            for how in ['--about'], []:
                r = run('trace_view', *how, self.write(name, content_))
                self.assertEqual(r.returncode, 1, name)
                self.assertIn(says, r.stderr)
        r = run('trace_view', '--about', '--json', self.write('cut', whole[:-50]))
        self.assertEqual((r.returncode, json.loads(r.stdout)['records']), (1, 50000))
        self.assertIn(b'the index is missing or damaged', r.stderr)

    def test_what_it_says(self):
        """Tests the description of a file. It comes from the command line, or else from the trace, and a part is
        not described as the whole."""
        p = self.packed(WORK, '--about', 'program=work32', '--about', 'comment=a=b', '--about', 'region=all of it')
        first = self.about(p)
        self.assertEqual((first['program'], first['comment'], first['region']), ('work32', 'a=b', 'all of it'))
        again = self.about(self.packed(p, '--about', 'comment=', '--level', 'high', name='again.tpack'))
        self.assertEqual({**first, 'frames': 0}, {**again, 'comment': 'a=b', 'frames': 0})
        self.assertNotIn('comment', again)
        part = self.about(self.packed(p, '--skip', '100', '-n', '50', name='part.tpack'))
        self.assertEqual(part['region'], 'all of it; of these records from 100 on, 50 at most')
        half = self.about(self.packed(WORK, '--shard', '0/2', name='half.tpack'))
        self.assertEqual(half['region'], 'records from 0 on, 25000 at most')
        for wrong in 'comment', 'colour=red', '=x':
            self.assertEqual(run('trace_convert', WORK, self.path('x.tpack'), '--about', wrong).returncode, 2)
        for option in ('--about', 'comment=x'), ('--no-code',), ('--level', 'high'):
            r = run('trace_convert', WORK, self.path('x.champsim'), *option)
            self.assertEqual(r.returncode, 2)
            self.assertIn(option[0].encode() + b' is for tracepack', r.stderr)


class Damage(Case):
    """Tests that damaged frames are named and the other frames are read."""

    def setUp(self):
        super().setUp()
        # Foreign content between the records causes both kinds of frames, stored and modelled.
        whole = content(WORK) * 2
        noise = os.urandom(64 * 8192)
        self.raw = whole[:64 * 49152] + noise + whole[64 * 49152:]
        self.pack = file_bytes(self.packed(self.write('in', self.raw), '--format', 'champsim'))
        self.frames = frames(self.pack)
        self.assertGreaterEqual(len(self.frames), 3)

    def test_a_flipped_bit(self):
        number = len(self.frames) // 2
        at, header = self.frames[number]
        bad = bytearray(self.pack)
        bad[at + FRAME.size + header[4] // 2] ^= 4
        path = self.write('bad.tpack', bytes(bad))
        first, size = header[6] // 64, header[3] // 64
        r = run('trace_convert', '--format', 'champsim', path, self.path('out'))
        self.assertEqual(r.returncode, 1)
        self.assertIn(b'bad.tpack: offset %d, record %d: frame %d: ' % (at, first, number), r.stderr)
        self.assertIn(b'%d records are lost' % size, r.stderr)
        self.assertFalse(os.path.exists(self.path('out')))
        # The records around the damage are kept.
        around = self.raw[:64 * first] + self.raw[64 * (first + size):]
        r = run('trace_convert', '--format', 'champsim', '--keep-whole', path, self.path('kept'))
        self.assertEqual(r.returncode, 1)
        self.assertIn(b'1 damaged frame left out, with %d record' % size, r.stderr)
        self.assertEqual(r.stderr.count(b', and skipped'), 1)
        self.assertEqual(file_bytes(self.path('kept')), around)
        r = run('trace_convert', '--format', 'champsim', '--repair', path, self.path('mended.tpack'))
        self.assertEqual(r.returncode, 0, r.stderr)
        self.assertIn(b'skipped', r.stderr)
        self.assertEqual(self.unpacked(self.path('mended.tpack'), '--format', 'champsim'), around)
        # Shards divide the remaining records, and no record is in two shards.
        parts = [self.unpacked(path, '--format', 'champsim', '--repair', '--shard', '%d/2' % n) for n in (0, 1)]
        self.assertEqual(b''.join(parts), around)
        r = run('trace_check', path)
        self.assertEqual(r.returncode, 1)
        self.assertIn(b'damaged-frame', r.stdout)
        r = run('trace_check', '--json', path)
        lines = [json.loads(line) for line in r.stdout.splitlines()]
        self.assertIn(('damaged-frame', first), [(d.get('code'), d.get('record')) for d in lines])
        # A comparison also uses the records around the damage.
        r = run('trace_diff', '--format', 'champsim', '--repair', path, self.path('kept'))
        self.assertEqual(r.returncode, 0, r.stdout + r.stderr)
        self.assertEqual(run('trace_diff', '--format', 'champsim', path, self.path('kept')).returncode, 2)

    def test_findings_behind_damage(self):
        """Tests that findings after damage have the record numbers of the trace, and that the flow is not checked
        across a gap."""
        whole = bytearray(content(WORK))
        for n in 10, 40000, 49999:
            whole[64 * n + 9] = 2  # branch_taken
        pack = bytearray(file_bytes(self.packed(self.write('flags', bytes(whole)), '--block-size', '400000')))
        every = frames(pack)
        self.assertEqual([header[3] for _, header in every], [400000] * 8)
        for number in 2, 3, 5:
            pack[every[number][0] + FRAME.size + 2] ^= 4
        path = self.write('bad.tpack', bytes(pack))
        r = run('trace_check', '--json', '--all', path)
        found = [json.loads(line) for line in r.stdout.splitlines()]
        self.assertEqual([d['record'] for d in found if d.get('code') == 'damaged-frame'],
                         [every[n][1][6] // 64 for n in (2, 3, 5)])
        self.assertEqual([d['record'] for d in found if d.get('code') == 'flag-value'], [10, 40000, 49999])
        self.assertNotIn('flow', [d.get('code') for d in found])
        self.assertFalse([d for d in found if d.get('code') == 'flag-value' and 'offset' in d])

    def test_a_cut(self):
        at, header = self.frames[-1]
        path = self.write('cut.tpack', self.pack[:at + 100])
        r = run('trace_convert', '--format', 'champsim', '--keep-whole', path, self.path('front'))
        self.assertEqual(r.returncode, 1)
        self.assertEqual(file_bytes(self.path('front')), self.raw[:header[6]])
        r = run('trace_convert', '--format', 'champsim', '--repair', path, self.path('mended.tpack'))
        self.assertEqual(self.unpacked(self.path('mended.tpack'), '--format', 'champsim'), self.raw[:header[6]], r.stderr)

    def test_a_cut_is_named(self):
        """Tests that the check reports a truncation: missing records, or only a missing index. No bytes follow the
        last record."""
        for name in 'champsim_fast', 'cloudsuite_high', 'properties':
            pack = file_bytes(os.path.join(os.path.dirname(SED), 'tracepack', name + '.tracepack'))
            first, index = frames(pack)[0][0], struct.unpack_from('<Q', pack, len(pack) - 40)[0]
            cuts = [*range(first, index, 23), index, index + 3, index + 4, len(pack) - 40, len(pack) - 1]
            paths = [self.write('%d.tpack' % cut, pack[:cut]) for cut in cuts]
            r = run('trace_check', '--json', *paths)
            found = {path: set() for path in paths}
            for line in map(json.loads, r.stdout.splitlines()):
                if line.get('severity') == 'error':
                    found[line['file']].add(line['code'])
            for cut, path in zip(cuts, paths):
                # An index is not recognised without its whole magic number.
                self.assertEqual(found[path], {'cut' if cut < index + 4 else 'damaged'}, (name, cut))

    def test_nothing_is_left(self):
        """Tests that a pack whose frames are all damaged is not an empty trace."""
        for name in 'champsim_fast', 'cloudsuite_high', 'properties', 'stored':
            pack = bytearray(file_bytes(os.path.join(os.path.dirname(SED), 'tracepack', name + '.tracepack')))
            every = frames(pack)
            for at, _ in every:
                pack[at + FRAME.size + 2] ^= 4
            path = self.write('bad.tpack', bytes(pack))
            for how in [], ['--format', 'champsim']:
                r = run('trace_check', '--all', *how, path)
                self.assertEqual(r.returncode, 1)
                self.assertEqual(r.stdout.count(b'damaged-frame'), len(every))
                self.assertNotIn(b'empty', r.stdout + r.stderr)
                self.assertIn(b'none of its frames can be read', r.stdout + r.stderr)
            r = run('trace_convert', '--repair', path, self.path('out.champsim'))
            self.assertEqual(r.returncode, 1)
            self.assertNotIn(b'empty', r.stderr)

    def test_a_newer_version(self):
        newer = bytearray(self.pack)
        newer[8] = 2
        crc = crc32c(bytes(newer[:20]))
        newer[20:24] = struct.pack('<I', crc)
        path = self.write('newer.tpack', bytes(newer))
        r = run('trace_view', path)
        self.assertEqual(r.returncode, 1)
        self.assertIn(b'version 2.0', r.stderr)


class Bounds(Case):
    """Tests limits: only a few of many damaged frames are named, and the output's size can be limited."""

    DAMAGED = 40

    def setUp(self):
        super().setUp()
        # Frames of 500 records each.
        p = self.packed(WORK, '--block-size', '32000')
        self.pack = bytearray(file_bytes(p))
        self.frames = frames(self.pack)
        self.assertGreater(len(self.frames), self.DAMAGED + 2)

    def damaged(self):
        """Checks damage of all frames from the second frame with its own dictionary on, with the expected numbers
        of frames and records."""
        lost = records_lost = 0
        for at, header in self.frames:
            if header[5] == header[2] and header[2] != 0 and lost < self.DAMAGED:
                self.pack[at + FRAME.size + 2] ^= 4
                following = [h for _, h in self.frames if h[5] == header[2]]
                lost += len(following)
                records_lost += sum(h[3] for h in following) // 64
        return self.write('many.tpack', bytes(self.pack)), lost, records_lost

    def test_few_are_named(self):
        path, lost, records_lost = self.damaged()
        self.assertGreater(lost, 20)
        for how in ('trace_view', '--repair', '-s'), ('trace_convert', '--repair', '--to', 'champsim'):
            arguments = [*how[1:], path] + ([self.path('out')] if how[0] == 'trace_convert' else [])
            r = run(how[0], *arguments)
            self.assertEqual(r.returncode, 0, r.stderr)
            self.assertEqual(r.stderr.count(b', and skipped'), 5, r.stderr)
            self.assertIn(b'and %d more damaged frames skipped, with ' % (lost - 5), r.stderr)
            self.assertLess(r.stderr.count(b'\n'), 9)
        r = run('trace_convert', '--keep-whole', '--to', 'champsim', path, self.path('kept'))
        self.assertEqual(r.returncode, 1)
        self.assertEqual(r.stderr.count(b', and skipped'), 5)
        self.assertIn(b'%d damaged frames left out, with %d records' % (lost, records_lost), r.stderr)

    def test_check_counts_the_others(self):
        path, lost, _ = self.damaged()
        r = run('trace_check', path)
        self.assertEqual(r.returncode, 1)
        self.assertEqual(r.stdout.count(b'error: damaged-frame: offset'), 5)
        self.assertIn(b'error: damaged-frame: %d more' % (lost - 5), r.stdout)
        self.assertIn(b' %d errors' % lost, r.stdout)
        r = run('trace_check', '--all', path)
        self.assertEqual(r.stdout.count(b'error: damaged-frame: offset'), lost)
        self.assertNotIn(b'more', r.stdout)

    def test_size_of_the_output(self):
        """Tests that an output appears if it has the maximum number of bytes, and not if it has one more."""
        p = self.write('sound.tpack', bytes(self.pack))
        outputs = [('x.champsim',), ('x.tpack',), ('x.jsonl', '-n', '500'), ('x.csv', '-n', '500'),
                   ('x.bin', '--to', 'content')]
        outputs += [('x.champsim.' + {'xz': 'xz', 'gzip': 'gz', 'zstd': 'zst'}[codec],)
                    for codec in support.CODECS & {'xz', 'gzip', 'zstd'}]
        for name, *options in outputs:
            out = self.path(name)
            self.convert(p, out, *options)
            size = os.path.getsize(out)
            os.remove(out)
            self.convert(p, out, *options, '--max-size', str(size))
            self.assertEqual(os.path.getsize(out), size)
            os.remove(out)
            before = sorted(os.listdir(os.path.dirname(out)))
            r = run('trace_convert', p, out, *options, '--max-size', str(size - 1))
            self.assertEqual(r.returncode, 1, name)
            self.assertIn(b'%s: would exceed its limit of %d bytes' % (name.encode(), size - 1), r.stderr)
            self.assertEqual(sorted(os.listdir(os.path.dirname(out))), before)
        r = run('trace_convert', p, '-', '--to', 'champsim', '--max-size', '1M')
        self.assertEqual(r.returncode, 1)
        self.assertLessEqual(len(r.stdout), 1 << 20)
        for wrong in '', '1.5M', '-1', '1X':
            self.assertEqual(run('trace_convert', p, self.path('x'), '--max-size', wrong).returncode, 2)

    def test_size_of_other_outputs(self):
        """Tests the limit for decompressed output, and for RapidBin with its metadata."""
        packed = self.write('zeros.gz', gzip.compress(bytes(4 << 20)))
        r = run('trace_convert', '--format', 'champsim', packed, self.path('zeros.champsim'), '--max-size', '1M')
        self.assertEqual(r.returncode, 1)
        self.assertFalse(os.path.exists(self.path('zeros.champsim')))
        text = self.write('x.std', b''.join(b'T%d|r(V1)|%d\n' % (i % 3, i) for i in range(3000)))
        for name in 'y.data', 'y.std':
            r = run('trace_convert', text, self.path(name), '--max-size', '10K')
            self.assertEqual(r.returncode, 1)
            self.assertIn(b'would exceed its limit', r.stderr)
            self.assertFalse(os.path.exists(self.path(name)))

    @needs('simdjson', 'zydis')
    def test_size_of_a_folder(self):
        folder = self.path('folder/')
        r = run('trace_convert', X64DBG, folder, '--max-size', '20K')
        self.assertEqual(r.returncode, 1)
        self.assertIn(b'would exceed its limit of 20480 bytes', r.stderr)
        self.assertFalse(os.path.exists(folder))
        self.convert(X64DBG, folder, '--max-size', '1G')
        self.assertTrue(os.path.exists(folder))


def crc32c(data):
    crc = 0xFFFFFFFF
    for b in data:
        crc ^= b
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


if __name__ == '__main__':
    support.main()
