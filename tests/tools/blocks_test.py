# Traces in blocks: the programs xz and zstd can read what trace_convert writes, and trace_view
# can read what they write, from any position. The parts that --shard selects for several
# processes make up the whole.
import collections
import json
import lzma
import os
import random
import shutil
import subprocess
import time
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


DISTINCT = {'unique_ips', 'lines', 'pages', 'threads', 'locks', 'locations', 'variables',
            'variables_read', 'variables_written', 'variables_shared'}
LEARNT = {'mispredicted', 'fetch_blocks', 'accesses', 'misses'}  # depend on earlier instructions or are split
# Sizes set on the command line, which are equal in all parts.
SIZES = {'table_size', 'indirect_size', 'ras_size', 'sets', 'ways'}
RATIOS = {'mpki', 'accuracy', 'seconds', 'million_instructions_per_second'}


def added_up(results, *left_out):
    """Returns the sums of all counts in JSON objects, by path, except counts of distinct values."""
    sums = collections.Counter()

    def add(value, path):
        for key, v in value.items():
            if isinstance(v, dict):
                add(v, path + '/' + key)
            elif type(v) is int and key not in DISTINCT | RATIOS | SIZES | set(left_out):
                sums[path + '/' + key] += v
    for r in results:
        add(r, '')
    return +sums


class Blocks(support.FormatTest):
    def long_trace(self):
        """Returns 1.6 MB of records with distinct ips."""
        raw = bytearray(content(WORK)[:64 * 25000])
        for i in range(25000):
            raw[64 * i:64 * i + 8] = (0x400000 + i).to_bytes(8, 'little')
        return bytes(raw)

    def check_skips(self, path, raw):
        all_ips = [r['ip'] for r in records(raw)]
        places = {0, 1, len(all_ips) - 1, len(all_ips), *random.Random(1).sample(range(24999), 6)}
        for n in sorted(places):
            r = self.run_tool('trace_view', path, '--json', '-n', '3', '--skip', str(n))
            self.assertEqual(r.returncode, 1 if n == len(all_ips) else 0, r.stderr)
            rows = [json.loads(line) for line in r.stdout.splitlines()]
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
            # Columns: "block", stream, block in the stream and in the file, offsets, sizes,
            # ratio, check.
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
        if support.has_program('pzstd'):
            source = self.write('t', raw)
            self.check_skips(self.write('p.zst', tool('pzstd', '-qc', '-p', '4', source)), raw)

    @needs('xz')
    def test_a_billion_instructions_in_xz(self):
        self.check_a_billion('.xz')

    @needs('zstd')
    def test_a_billion_instructions_in_zstd(self):
        self.check_a_billion('.zst')

    def check_a_billion(self, suffix):
        """Checks that a skip of a billion takes less than a tenth of the time for decompressing the skipped data."""
        per_block, blocks, copies = 65536, 4, 3815
        rest = content(WORK)[8:64]
        raw = b''.join(((0x400000 + i).to_bytes(8, 'little') + rest) * per_block
                       for i in range(blocks))
        self.run_ok('trace_convert', self.write('t', raw), self.path('t' + suffix))
        part = support.file_bytes(self.path('t' + suffix))
        short, long = (self.write('short' + suffix, part * 4),
                       self.write('long' + suffix, part * copies))
        begin = time.monotonic()
        counts = json.loads(self.run_ok('trace_view', short, '-s', '--json'))
        reading = time.monotonic() - begin
        self.assertEqual(counts['instructions'], 4 * blocks * per_block)
        skip = (blocks * copies - 1) * per_block - 1
        self.assertGreater(skip, 1_000_000_000)
        begin = time.monotonic()
        out = self.run_ok('trace_view', long, '--json', '-n', '2', '--skip', str(skip))
        skipping = time.monotonic() - begin
        rows = [json.loads(line) for line in out.splitlines()]
        self.assertEqual([(r['index'], int(r['ip'], 16)) for r in rows],
                         [(skip, 0x400002), (skip + 1, 0x400003)])
        self.assertLess(skipping, reading * (skip / counts['instructions']) / 10)

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
        """Returns the outputs of n concurrent processes. Each process reads the part i/n of the trace, and i
        replaces {i} in its arguments."""
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
        """Returns paths of the same ChampSim trace in several compressions."""
        raw = content(WORK)
        made = [self.write('t', raw)]
        for codec, name in (('xz', 't.xz'), ('zstd', 't.zst'), ('gzip', 't.gz')):
            if codec in support.CODECS:
                size = [] if codec == 'gzip' else ['--block-size', '100000']
                self.run_ok('trace_convert', made[0], self.path(name), *size)
                made.append(self.path(name))
        return made

    def test_simulations_add_up(self):
        for path in self.traces():
            whole = json.loads(self.run_ok('frontend_sim', path, '--json'))
            parts = [json.loads(o) for o in self.at_once(5, 'frontend_sim', path, '--json')]
            self.assertEqual(added_up(parts, *LEARNT), added_up([whole], *LEARNT))
            self.assertEqual(whole['instructions'], 50000)

    def test_views_add_up(self):
        for path in self.traces():
            whole = self.run_ok('trace_view', path, '--json', '-n', 'all')
            parts = self.at_once(7, 'trace_view', path, '--json', '-n', 'all')
            self.assertEqual(b''.join(parts).decode(), whole)
            counts = json.loads(self.run_ok('trace_view', path, '-s', '--json'))
            shares = [json.loads(o) for o in self.at_once(7, 'trace_view', path, '-s', '--json')]
            self.assertEqual(added_up(shares), added_up([counts]))
            self.assertEqual(counts['instructions'], 50000)
        # -n limits the rows of the part.
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
            rows = self.at_once(3, 'trace_view', packed, '--json', '-n', 'all', *names)
            self.assertEqual(b''.join(rows).decode(),
                             self.run_ok('trace_view', trace, '--json', '-n', 'all', *names))

    @needs('xz', 'simdjson', 'zydis')
    def test_x64dbg(self):
        trace = sample('work32.trace32.xz')
        self.run_ok('trace_convert', trace, self.path('whole'))
        self.at_once(3, 'trace_convert', trace, self.path('part{i}'))
        joined = b''.join(support.file_bytes(self.path(f'part{i}')) for i in range(3))
        self.assertEqual(joined, support.file_bytes(self.path('whole')))
        self.at_once(3, 'trace_convert', trace, self.path('part{i}.trace32'))
        whole = self.run_ok('trace_view', trace, '--json', '-n', 'all')
        ips = [json.loads(r)['ip'] for i in range(3)
               for r in self.run_ok('trace_view', self.path(f'part{i}.trace32'), '--json', '-n',
                                    'all').splitlines()]
        self.assertEqual(ips, [json.loads(r)['ip'] for r in whole.splitlines()])

    def every_trace(self):
        """Yields a short trace of every format: name, path, number of instructions, required options, and criteria
        for trace_find."""
        switch, taken = ['--thread-switch'], ['--taken']
        yield 'champsim', self.write('t', content(WORK)[:64 * 2000]), 2000, [], taken
        for name, events in (('r250.data', 256), ('r250.std', 256)):
            yield name, sample('rapidbin/' + name), events, [], switch
        wide = sample('rapidbin/r250.data')
        if {'simdjson', 'zydis', 'xz'} <= support.PARTS | support.CODECS:
            wide = self.path('x64')
            for path, source, n, criteria in ((self.path('x86'), 'work32.trace32.xz', 1500, taken),
                                              (wide, 'threads3_64.trace64.xz', 2500, switch)):
                self.run_ok('trace_convert', sample(source), path, '--to=x64dbg',
                            f'--limit={n}')
                yield source, path, n, [], criteria
        self.run_ok('trace_convert', wide, self.path('w'), '--to=cloudsuite')
        size = os.path.getsize(self.path('w'))
        yield 'cloudsuite', self.path('w'), size // 96, ['--cloudsuite'], switch
        if 'zydis' in support.PARTS:
            yield 'umtracer', sample('umtracer/plain64'), 1414, [], switch

    def test_every_program_and_format(self):
        for name, trace, n, options, criteria in self.every_trace():
            with self.subTest(name):
                self.check_simulation(trace, n, *options)
                self.check_statistics(trace, n, *options)
                self.check_rows(trace, n, options, criteria)
                records = 'cloudsuite' if name == 'cloudsuite' else 'champsim'
                size = 96 if name == 'cloudsuite' else 64
                args = [trace, '-', '--to=' + records, *options]
                whole = support.run('trace_convert', *args).stdout
                self.assertEqual(len(whole), size * n)
                parts = self.at_once(3, 'trace_convert', *args)
                self.assertEqual(b''.join(parts), whole)
                self.assertEqual([len(p) for p in parts], [size * k for k in self.shares(n)])

    @staticmethod
    def shares(n):
        """Returns the sizes of three parts of n items."""
        return [n * (i + 1) // 3 - n * i // 3 for i in range(3)]

    def check_distinct(self, parts, whole, *keys):
        """Checks counts of distinct values, which may occur in several parts."""
        for key in keys:
            self.assertLessEqual(max(p[key] for p in parts), whole[key], key)
            self.assertGreaterEqual(sum(p[key] for p in parts), whole[key], key)

    def check_simulation(self, trace, n, *options):
        args = ['frontend_sim', trace, '--json', *options]
        whole = json.loads(self.run_ok(*args))
        parts = [json.loads(o) for o in self.at_once(3, *args)]
        self.assertEqual([p['instructions'] for p in parts], self.shares(n))
        self.assertEqual(added_up(parts, *LEARNT), added_up([whole], *LEARNT))
        self.check_distinct(parts, whole, 'unique_ips')
        self.check_distinct([p['data_footprint'] for p in parts], whole['data_footprint'],
                            'lines', 'pages')
        blocks = sum(p['fetch_blocks'] for p in parts)
        self.assertTrue(whole['fetch_blocks'] <= blocks <= whole['fetch_blocks'] + 2)
        # With a warm-up from the beginning of the trace, parts give the results of the whole.
        warm = [json.loads(self.run_ok(*args, f'--warmup={n * i // 3}',
                                       f'--limit={n * (i + 1) // 3}')) for i in range(3)]
        self.assertEqual([p['instructions'] for p in warm], self.shares(n))
        self.assertEqual(added_up(warm), added_up([whole]))

    def check_statistics(self, trace, n, *options):
        args = ['trace_view', trace, '-s', '--json', *options]
        whole = json.loads(self.run_ok(*args))
        parts = [json.loads(o) for o in self.at_once(3, *args)]
        what = 'events' if 'events' in whole else 'instructions'
        self.assertEqual([p[what] for p in parts], self.shares(n))
        self.assertEqual(added_up(parts), added_up([whole]))
        # A variable that two threads share may belong to only one of them in each part.
        self.check_distinct(parts, whole, *DISTINCT & whole.keys() - {'variables_shared'})

    def check_rows(self, trace, n, options, criteria):
        # A table of an UMTracer trace contains records that are not instructions.
        table = os.path.isdir(trace)
        for args in (['trace_view', trace, '--json', '-n', 'all', *options],
                     ['trace_convert', trace, '-', '--to=jsonl', *options],
                     ['trace_find', trace, '--json', *criteria, *options]):
            whole = self.run_ok(*args).splitlines()
            if table and args[0] == 'trace_view':
                r = self.run_tool(*args, '--shard', '0/3')
                self.assertEqual((r.returncode, r.stdout), (2, ''))
                self.assertIn('choose -s', r.stderr)
                continue
            parts = [o.decode().splitlines() for o in self.at_once(3, *args)]
            self.assertEqual(sum(parts, []), whole, args)
            if args[0] == 'trace_find':
                self.assertGreater(min(len(p) for p in parts), 0, args)
            else:
                n_rows = 1500 if table else n
                self.assertEqual([len(p) for p in parts], self.shares(n_rows), args)

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
