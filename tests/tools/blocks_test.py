# Traces in blocks: that the programs xz and zstd read what trace_convert writes, and trace_view
# what they write, from any place; and that the parts that --shard gives to several processes are
# together the whole.
import json
import lzma
import os
import random
import shutil
import subprocess
import unittest

import support
from support import SED, WORK, content, needs, records


def has(*programs):
    missing = [p for p in programs if not shutil.which(p)]
    return unittest.skipIf(missing, 'needs the program ' + ', '.join(missing))


def tool(*command, stdin=b''):
    return subprocess.run(command, input=stdin, check=True, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE).stdout


def sample(name):
    return os.path.join(os.path.dirname(SED), name)


class Blocks(support.FormatTest):
    def long_trace(self):
        """1.6 MB, each record with an ip of its own."""
        raw = bytearray(content(WORK)[:64 * 25000])
        for i in range(25000):
            raw[64 * i:64 * i + 8] = (0x400000 + i).to_bytes(8, 'little')
        return bytes(raw)

    def check_skips(self, path, raw):
        all_ips = [r['ip'] for r in records(raw)]
        places = {0, 1, len(all_ips) - 1, len(all_ips), *random.Random(1).sample(range(24999), 6)}
        for n in sorted(places):
            out = self.run_ok('trace_view', path, '--json', '-n', '3', '--skip', str(n))
            rows = [json.loads(line) for line in out.splitlines()]
            self.assertEqual([int(r['ip'], 16) for r in rows], all_ips[n:n + 3], (path, n))
            self.assertEqual([r['index'] for r in rows], list(range(n, len(all_ips)))[:3])

    @needs('xz')
    @has('xz')
    def test_xz_reads_what_is_written(self):
        raw = self.long_trace()
        source = self.write('t', raw)
        for size, blocks in ((100_000, 16), (6400, 250), (None, 1)):
            out = self.path('o.xz')
            self.run_ok('trace_convert', source, out,
                        *([] if size is None else ['--block-size', str(size)]))
            self.assertEqual(tool('xz', '-dc', out), raw)
            rows = tool('xz', '--list', '--robot', '--verbose', out).decode().splitlines()
            listed = [line.split('\t') for line in rows if line.startswith('block')]
            self.assertEqual(len(listed), blocks)
            # Columns: block, stream, number in it and in the file, offsets, sizes, ratio, check.
            self.assertEqual([int(b[7]) for b in listed[:-1]], [size] * (blocks - 1))
            self.check_skips(out, raw)

    @needs('zstd')
    @has('zstd')
    def test_zstd_reads_what_is_written(self):
        raw = self.long_trace()
        source = self.write('t', raw)
        for size, frames in ((100_000, 16), (6400, 250), (None, 1)):
            out = self.path('o.zst')
            self.run_ok('trace_convert', source, out,
                        *([] if size is None else ['--block-size', str(size)]))
            self.assertEqual(tool('zstd', '-dcq', out), raw)
            listed = tool('zstd', '-lv', out).decode()
            self.assertRegex(listed, r'Zstandard Frames: %d\n' % frames)
            self.assertRegex(listed, r'Skippable Frames: 1\n')
            self.assertIn('(%d B)' % len(raw), listed)
            self.check_skips(out, raw)

    @needs('xz')
    @has('xz')
    def test_rows_in_xz_blocks(self):
        text = self.run_ok('trace_convert', '--to', 'csv', WORK, '-').encode()
        out = self.path('o.csv.xz')
        self.run_ok('trace_convert', '--block-size', '65536', WORK, out)
        self.assertEqual(tool('xz', '-dc', out), text)
        rows = tool('xz', '--list', '--robot', '--verbose', out).decode().splitlines()
        sizes = [int(line.split('\t')[7]) for line in rows if line.startswith('block')]
        self.assertEqual(sizes[:-1], [65536] * (len(text) // 65536))

    @needs('zstd')
    @has('zstd')
    def test_rows_in_zstd_frames(self):
        text = self.run_ok('trace_convert', '--to', 'jsonl', WORK, '-').encode()
        out = self.path('o.jsonl.zst')
        self.run_ok('trace_convert', '--block-size', '65536', WORK, out)
        self.assertEqual(tool('zstd', '-dcq', out), text)
        self.assertRegex(tool('zstd', '-lv', out).decode(),
                         r'Zstandard Frames: %d\n' % -(-len(text) // 65536))

    @needs('xz')
    @has('xz')
    def test_xz_writes_what_is_read(self):
        raw = self.long_trace()
        one = [tool('xz', '-c', '-0', *args, stdin=raw[:800_000]) for args in (
            ['-T2', '--block-size=70000'], ['-T1', '--block-size=70000'],
            ['-T1', '--x86', '--lzma2'],
            ['-T1', '--block-size=70000', '--delta=dist=8', '--lzma2', '--check=sha256'])]
        rest = tool('xz', '-c', '-0', '-T2', '--block-size=33333', '--check=none',
                    stdin=raw[800_000:])
        for first in one:
            self.check_skips(self.write('t.xz', first + bytes(8) + rest + bytes(4)), raw)

    @needs('zstd')
    @has('zstd')
    def test_zstd_writes_what_is_read(self):
        raw = self.long_trace()
        parts = [raw[i:i + 70_000] for i in range(0, len(raw), 70_000)]
        for args in ([], ['--no-check'], ['--no-content-size'], ['-19'], ['--rsyncable']):
            path = self.path('part')
            packed = b''
            for part in parts:
                self.write('part', part)
                packed += tool('zstd', '-qc', *args, path)
            self.check_skips(self.write('t.zst', packed), raw)
        if shutil.which('pzstd'):
            source = self.write('t', raw)
            self.check_skips(self.write('p.zst', tool('pzstd', '-qc', '-p', '4', source)), raw)

    @needs('xz')
    def test_damage_in_what_is_skipped(self):
        raw = self.long_trace()
        out = self.path('o.xz')
        self.run_ok('trace_convert', self.write('t', raw), out, '--block-size', '100000')
        packed = bytearray(support.file_bytes(out))
        packed[len(packed) // 2] ^= 1
        self.write('o.xz', packed)
        self.assertEqual(self.run_tool('trace_view', out, '-s').returncode, 1)
        got = json.loads(self.run_ok('trace_view', out, '--json', '-n', '1', '--skip', '24000'))
        self.assertEqual(int(got['ip'], 16), 0x400000 + 24000)

    def test_usage(self):
        source = self.write('t', content(SED))
        for args in (['o.xz', '--block-size', '0'], ['o.xz', '--block-size', 'x'],
                     ['o.xz', '--block-size=1073741825'], ['o.gz', '--block-size', '1000'],
                     ['o', '--block-size', '1000'], ['o.xz', '--shard', '2/2']):
            r = self.run_tool('trace_convert', source, self.path(args[0]), *args[1:])
            self.assertEqual(r.returncode, 2, (args, r.stderr))


class Shards(support.FormatTest):
    def at_once(self, n, program, *args):
        """What n processes print that run together, of which each gets the part i/n of the trace
        and, where its arguments have an {i}, that number."""
        running = [subprocess.Popen([support.PROGRAMS[program], '--shard', f'{i}/{n}',
                                     *(a.format(i=i) for a in args)],
                                    stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                   for i in range(n)]
        outputs = []
        for p in running:
            out, err = p.communicate(timeout=120)
            complaints = [e for e in err.splitlines() if b': note: ' not in e]
            self.assertEqual((p.returncode, complaints), (0, []), (program, args))
            outputs.append(out)
        return outputs

    def traces(self):
        """Paths of the same ChampSim trace."""
        raw = content(WORK)
        made = [self.write('t', raw)]
        for codec, name in (('xz', 't.xz'), ('zstd', 't.zst'), ('gzip', 't.gz')):
            if codec in support.CODECS:
                size = [] if codec == 'gzip' else ['--block-size', '100000']
                self.run_ok('trace_convert', made[0], self.path(name), *size)
                made.append(self.path(name))
        return made

    def check_counts(self, parts, whole, path=''):
        """Every count adds up; what is learnt on the way, or is of distinct things, cannot."""
        for key, value in whole.items():
            if key in ('instructions', 'branches', 'taken', 'count', 'memory_reads',
                       'memory_writes', 'conditional', 'is_branch', 'events') or path:
                if isinstance(value, dict):
                    self.check_counts([p[key] for p in parts], value, path + '/' + key)
                elif isinstance(value, int) and key not in ('mispredicted',):
                    self.assertEqual(sum(p[key] for p in parts), value, path + '/' + key)

    def test_simulations_add_up(self):
        for path in self.traces():
            whole = json.loads(self.run_ok('frontend_sim', path, '--json'))
            parts = [json.loads(o) for o in self.at_once(5, 'frontend_sim', path, '--json')]
            self.check_counts(parts, whole)
            self.assertEqual(whole['instructions'], 50000)

    def test_views_add_up(self):
        for path in self.traces():
            whole = self.run_ok('trace_view', path, '--json', '-n', '0')
            parts = self.at_once(7, 'trace_view', path, '--json', '-n', '0')
            self.assertEqual(b''.join(parts).decode(), whole)
            counts = json.loads(self.run_ok('trace_view', path, '-s', '--json'))
            shares = [json.loads(o) for o in self.at_once(7, 'trace_view', path, '-s', '--json')]
            for key in ('instructions', 'branches'):
                self.assertIn(key, counts)
            self.check_counts(shares, counts)
        # -n is of the part.
        rows = self.run_ok('trace_view', path, '--json', '-n', '2', '--shard', '1/2').splitlines()
        self.assertEqual([json.loads(r)['index'] for r in rows], [25000, 25001])
        rows = self.run_ok('trace_view', path, '--json', '--skip=10', '-n', '1', '--shard', '1/2')
        self.assertEqual(json.loads(rows)['index'], 10 + 24995)

    def test_parts_joined_are_the_whole(self):
        raw = content(WORK)
        for path in self.traces():
            for suffix in ['', *(s for c, s in (('xz', '.xz'), ('zstd', '.zst'))
                                 if c in support.CODECS)]:
                name = self.path('part{i}' + suffix)
                self.at_once(6, 'trace_convert', path, name)
                joined = b''.join(support.file_bytes(name.format(i=i)) for i in range(6))
                all_of_it = self.write('joined' + suffix, joined)
                self.run_ok('trace_convert', all_of_it, self.path('back'))
                self.assertEqual(support.file_bytes(self.path('back')), raw)
        self.at_once(4, 'trace_convert', path, self.path('part{i}'), '--skip=11', '--limit=1001')
        joined = b''.join(support.file_bytes(self.path(f'part{i}')) for i in range(4))
        self.assertEqual(joined, raw[64 * 11:64 * 1012])

    def test_events(self):
        trace = sample('rapidbin/r6000.data')
        names = ['--no-metadata']
        whole = self.run_ok('trace_convert', trace, '-', '--to=std', *names)
        parts = self.at_once(5, 'trace_convert', trace, '-', '--to=std', *names)
        self.assertEqual(b''.join(parts).decode(), whole)
        self.at_once(5, 'trace_convert', trace, self.path('part{i}.data'), *names)
        events = b''.join(support.file_bytes(self.path(f'part{i}.data'))[18:] for i in range(5))
        self.assertEqual(events, support.file_bytes(trace)[18:])
        for codec, suffix in (('xz', '.xz'), ('zstd', '.zst')):
            if codec not in support.CODECS:
                continue
            packed = self.path('t.data' + suffix)
            self.run_ok('trace_convert', trace, packed, '--block-size=5000', *names)
            self.at_once(5, 'trace_convert', packed, self.path('part{i}.data'), *names)
            events = b''.join(support.file_bytes(self.path(f'part{i}.data'))[18:]
                              for i in range(5))
            self.assertEqual(events, support.file_bytes(trace)[18:])
            rows = self.at_once(3, 'trace_view', packed, '--json', '-n', '0', *names)
            self.assertEqual(b''.join(rows).decode(),
                             self.run_ok('trace_view', trace, '--json', '-n', '0', *names))

    @needs('xz', 'simdjson', 'zydis')
    def test_x64dbg(self):
        trace = sample('work32.trace32.xz')
        self.run_ok('trace_convert', trace, self.path('whole'))
        self.at_once(3, 'trace_convert', trace, self.path('part{i}'))
        joined = b''.join(support.file_bytes(self.path(f'part{i}')) for i in range(3))
        self.assertEqual(joined, support.file_bytes(self.path('whole')))
        self.at_once(3, 'trace_convert', trace, self.path('part{i}.trace32'))
        whole = self.run_ok('trace_view', trace, '--json', '-n', '0')
        ips = [json.loads(r)['ip'] for i in range(3)
               for r in self.run_ok('trace_view', self.path(f'part{i}.trace32'), '--json', '-n',
                                    '0').splitlines()]
        self.assertEqual(ips, [json.loads(r)['ip'] for r in whole.splitlines()])

    def test_few_records_and_pipes(self):
        five = self.write('five', content(WORK)[:320])
        rows = self.at_once(5, 'trace_view', five, '--json')
        self.assertEqual([json.loads(r)['index'] for r in rows], list(range(5)))
        rows = self.at_once(8, 'trace_view', five, '--json')
        self.assertEqual(sum(r.count(b'\n') for r in rows), 5)
        for program, more in (('trace_convert', [self.path('o')]), ('trace_view', [])):
            r = self.run_tool(program, '-', *more, '--shard', '1/2', stdin=content(WORK))
            self.assertEqual(r.returncode, 1)
            self.assertIn('<stdin>: cannot be read a second time', r.stderr)

    def test_a_damaged_end_is_the_last_part_s(self):
        path = self.write('cut', content(WORK)[:64 * 1000 + 7])
        for i, code in ((0, 0), (1, 0), (2, 1)):
            r = self.run_tool('trace_convert', path, self.path('o'), '--shard', f'{i}/3')
            self.assertEqual(r.returncode, code, r.stderr)


if __name__ == '__main__':
    support.main()
