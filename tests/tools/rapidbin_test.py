# The programs on RapidBin traces and their STD text. The output is compared with Python's own
# reading of the format, and with results of an independent implementation on these traces.
import json
import lzma
import os
import struct
import subprocess

import support
from support import content, file_bytes, records

FOLDER = os.path.join(os.path.dirname(support.SED), 'rapidbin')
NAMES = ('acquire', 'release', 'read', 'write', 'fork', 'join', 'begin', 'end', 'request', 'branch')


def sample(name):
    return os.path.join(FOLDER, name)


def events(raw):
    """Returns the events after the header as dictionaries."""
    result = []
    for i, (word,) in enumerate(struct.iter_unpack('>Q', raw[18:18 + (len(raw) - 18) // 8 * 8])):
        code = word >> 10 & 15
        result.append({'index': i, 'thread': word & 1023,
                       'operation': NAMES[code] if code < 10 else 'operation %d' % code,
                       'decor': word >> 14 & (1 << 34) - 1, 'location': word >> 48 & 32767})
    return result


def pack(header, *all_events):
    """Returns a trace with events (thread, operation, decor, location)."""
    raw = struct.pack('>hiiq', *header)
    for thread, operation, decor, location in all_events:
        raw += struct.pack('>Q', location << 48 | decor << 14 | NAMES.index(operation) << 10 | thread)
    return raw


def shared_variables(part):
    """Returns {variable: threads} like the metadata, for variables that several threads access."""
    threads = {}
    for e in part:
        if e['operation'] in ('read', 'write'):
            threads.setdefault(e['decor'], set()).add(e['thread'])
    return {str(v): sorted(t) for v, t in threads.items() if len(t) > 1}


class Case(support.FormatTest):
    def json_lines(self, *args, **more):
        return [json.loads(s) for s in self.run_ok('trace_view', '--json', *args, **more).splitlines()]


class View(Case):
    def test_json_is_what_python_reads_and_another_implementation_dumped(self):
        for name in ('r250', 'r6000'):
            want = events(file_bytes(sample(name + '.data')))
            self.assertEqual(self.json_lines('--no-metadata', sample(name + '.data')), want)
            self.assertEqual(self.json_lines('--no-metadata', sample(name + '.std')), want)
            dump = [json.loads(s) for s in content(sample(name + '.dump.jsonl.xz')).splitlines()[1:]]
            self.assertEqual([(d['i'], d['thread'], NAMES[d['code']], d['decor'], d['loc'])
                              for d in dump], [tuple(e.values()) for e in want])

    @support.needs('simdjson')
    def test_json_has_what_the_metadata_says(self):
        names = json.loads(file_bytes(sample('r6000.json')))
        by = {key: {r['trace_id']: r['wasm_id'] for r in names[key]} for key in names
              if key.endswith('_records')}
        got = self.json_lines(sample('r6000.data'))
        self.assertEqual(len(got), 6002)
        for e in got:
            place = by['location_records'][e['location']]
            self.assertEqual((e['function'], e['instruction']), (place['fidx'], place['iidx']))
            if e['operation'] in ('read', 'write'):
                memory = by['memory_records'][e['decor']]
                self.assertEqual((int(e['address'], 16), e['access_width']),
                                 (memory['address'], memory['access_width']))
            if e['operation'] in ('acquire', 'release', 'request'):
                self.assertEqual(int(e['lock'], 16), by['lock_records'][e['decor']])

    @support.needs('simdjson')
    def test_rows(self):
        self.assertEqual(
            self.run_ok('trace_view', '-c', '-n', '3', sample('r250.data')),
            "[     0] 0x000000f800008b00 | T[0] | write(V0) | at 0 | D_M['0x100138']\n"
            "[     1] 0x000000d300006d8c | T[0] | write(V1) | at 1 | D_M['0x100108']\n"
            "[     2] 0x00000121000055d0 | T[0] | read(V2) | at 2 | S_M['0x100100']\n")
        text = self.run_ok('trace_view', '-n', '1', sample('r250.data'))
        self.assertIn('  decor                  variable 0, 4 bytes\n', text)
        self.assertIn('  location               0: function 247, instruction 4944\n', text)

    def test_a_part_keeps_its_numbers(self):
        want = events(file_bytes(sample('r6000.data')))
        args = ('--no-metadata', sample('r6000.data'))
        self.assertEqual(self.json_lines('--skip', '4100', '-n', '7', *args), want[4100:4107])
        one = [e for e in want if e['thread'] == 3]
        self.assertEqual(self.json_lines('--thread', '3', *args), one)
        self.assertEqual(self.json_lines('--thread', '3', '--skip', '5', '-n', '2', *args), one[5:7])

    def test_statistics_are_those_of_the_sample(self):
        for name in ('r250', 'r6000'):
            want = json.loads(file_bytes(sample(name + '.stats.json')))
            got = json.loads(self.run_ok('trace_view', '-s', '--json', sample(name + '.data')))
            self.assertEqual(got['events'], want['found']['events'])
            self.assertEqual(got['locations'], want['found']['locations'])
            self.assertEqual(got['locks'], want['found']['locks'])
            self.assertEqual(got['variables'], want['found']['variables'])
            self.assertEqual(got['variables_shared'], want['shared_variables'])
            short = {'acquire': 'acq', 'release': 'rel', 'read': 'r', 'write': 'w', 'request': 'req'}
            operations = {short.get(k, k): v for k, v in got['operations'].items() if v}
            self.assertEqual(operations, want['operations'])
            self.assertEqual(got['by_thread'], want['events_per_thread'])
            # RAPID's MetaInfo counts only threads that act.
            self.assertEqual(got['threads'], len(want['events_per_thread']))
            all_events = events(file_bytes(sample(name + '.data')))
            for key, field in (('read', 'variables_read'), ('write', 'variables_written')):
                self.assertEqual(got[field], len({e['decor'] for e in all_events
                                                  if e['operation'] == key}))
            for lock, counts in got['by_lock'].items():
                for key, operation in (('acquired', 'acquire'), ('released', 'release'),
                                       ('requested', 'request')):
                    self.assertEqual(counts[key], sum(
                        e['operation'] == operation and e['decor'] == int(lock)
                        for e in all_events))
        text = self.run_ok('trace_view', '-s', sample('r6000.data'))
        self.assertIn('\nThreads:               11\n', text)
        self.assertIn('\n  request:             542\n', text)

    def test_layout(self):
        text = self.run_ok('trace_view', '--layout', '--format', 'rapidbin')
        self.assertRegex(text, r'10 +8 +events +i64 +big')
        self.assertRegex(text, r'34 bits +decor +u64 +big')


class Check(Case):
    def test_samples_are_sound(self):
        out = self.run_ok('trace_check', *(sample(f) for f in (
            'r250.data', 'r6000.data', 'r250.std', 'r6000.rapid.std')))
        self.assertEqual(out.count(' 0 errors, 0 warnings, 0 notes\n'), 4)

    def test_findings(self):
        raw = pack((1, 1, 0, 3), (0, 'release', 0, 0), (0, 'acquire', 0, 0), (1, 'begin', 0, 0))
        r = self.run_tool('trace_check', self.write('t', raw))
        self.assertEqual(r.returncode, 1)
        self.assertIn('t: error: lock-not-held: offset 18, record 0: ', r.stdout)
        self.assertIn('t: error: thread-count: offset 0: the header declares 1, but there are 2\n',
                      r.stdout)
        self.assertIn('t: note: held-at-end: offset 26, record 1: ', r.stdout)
        r = self.run_tool('trace_check', self.write('t.std', b'T0|w(V0)|1\nrubbish\nT0|r(V0)|2\n'))
        self.assertEqual(r.returncode, 1)
        self.assertIn('bad-line: offset 11, record 1: ', r.stdout)
        self.assertIn(': 2 records, 1 error,', r.stdout)

    @support.needs('simdjson')
    def test_metadata_of_another_trace(self):
        for names, trace, counts in (
                ('r250', 'r6000', '4 threads, 39 variables, 156 locations; the trace has 12, 40, 200'),
                ('r6000', 'r250', '12 threads, 40 variables, 200 locations; the trace has 4, 39, 156')):
            args = ('--metadata', sample(names + '.json'), sample(trace + '.data'))
            r = self.run_tool('trace_check', *args)
            self.assertEqual((r.returncode, r.stderr), (1, ''))
            if names == 'r250':
                self.assertIn(': error: unnamed-location: ', r.stdout)
            else:
                self.assertIn(': error: metadata-count: the metadata has 12 threads, but the trace has 4\n',
                              r.stdout)
            for tool, more in (('trace_view', ['-c']), ('trace_find', ['-m', '1']),
                               ('frontend_sim', []), ('trace_diff', [args[-1]]),
                               ('trace_convert', [self.path('o.jsonl')]),
                               ('trace_convert', [self.path('o.data')]),
                               ('trace_report', [self.path('o.html')])):
                if tool not in support.PROGRAMS:
                    continue
                r = self.run_tool(tool, *args, *more)
                self.assertEqual(r.returncode, 1 if tool == 'trace_report' and r.returncode else 0,
                                 (tool, r.stderr))
                self.assertEqual(r.stderr.splitlines()[0],
                                 '%s: warning: %s: probably the metadata of another trace: it has '
                                 '%s' % (tool, args[1], counts))
                self.assertEqual(r.stderr.count('warning'), 1, (tool, r.stderr))
        for name in ('r250', 'r6000'):
            self.assertEqual(self.run_tool('trace_view', '-c', sample(name + '.data')).stderr, '')
            self.assertEqual(self.run_tool('trace_view', '-c', sample(name + '.std')).stderr, '')
        self.assertNotIn('unnamed', self.run_ok('trace_check', '--no-metadata', sample('r6000.data')))

    @support.needs('simdjson')
    def test_what_is_no_file_beside_a_trace_is_told(self):
        trace = self.write('x.data', file_bytes(sample('r250.data')))
        beside = self.path('x.json')
        for make, words in ((os.mkfifo, 'a pipe'), (os.mkdir, 'a folder'),
                            (lambda p: os.symlink('x.json', p), 'symbolic links'),
                            (lambda p: os.symlink('/dev/zero', p), 'a device'),
                            (lambda p: os.symlink('nowhere', p), 'a dangling link')):
            make(beside)
            for arguments in ([trace], ['--metadata', beside, sample('r250.std')]):
                for tool, more in (('trace_view', []), ('trace_check', []), ('frontend_sim', []),
                                   ('trace_find', []), ('trace_diff', [sample('r6000.data')]),
                                   ('trace_convert', [self.path('o.csv')]),
                                   ('trace_report', [self.path('o.html')])):
                    if tool not in support.PROGRAMS:
                        continue
                    r = self.run_tool(tool, *arguments, *more)
                    self.assertEqual(r.returncode, 2 if tool in ('trace_find', 'trace_diff') else 1,
                                     (tool, words, r.stderr))
                    self.assertIn('x.json: ', r.stderr, (tool, words))
                    self.assertIn(words, r.stderr, (tool, words))
                    self.assertEqual(r.stderr.count('\n'), 1, (tool, r.stderr))
            self.run_ok('trace_view', '--no-metadata', trace)
            if os.path.isdir(beside) and not os.path.islink(beside):
                os.rmdir(beside)
            else:
                os.remove(beside)
        # The metadata of OUT would replace a FIFO.
        self.write('in.data', file_bytes(sample('r250.data')))
        self.write('in.json', file_bytes(sample('r250.json')))
        os.mkfifo(beside)
        os.remove(trace)
        r = self.run_tool('trace_convert', self.path('in.data'), trace)
        self.assertEqual(r.returncode, 2, r.stderr)
        self.assertIn('x.json', r.stderr)


class Convert(Case):
    def test_text_and_back(self):
        for name in ('r250', 'r6000'):
            text, trace = self.path('t.std'), self.path('t.data')
            self.run_ok('trace_convert', sample(name + '.data'), text)
            self.assertEqual(file_bytes(text), file_bytes(sample(name + '.std')))
            self.run_ok('trace_convert', text, trace)
            self.assertEqual(file_bytes(trace), file_bytes(sample(name + '.data')))
            self.assertFalse(os.path.exists(self.path('t.json')))  # t.std has no metadata
            r = self.run_tool('trace_convert', '--dialect', 'rapid', sample(name + '.data'), text)
            self.assertEqual(file_bytes(text), file_bytes(sample(name + '.rapid.std')))
            self.assertRegex(r.stderr, r'note: (29|542) requests and branches left out')

    @support.needs('simdjson')
    def test_a_copy_has_the_metadata_beside_it(self):
        out = self.path('copy.data')
        self.run_ok('trace_convert', sample('r6000.data'), out)
        self.assertEqual(file_bytes(out), file_bytes(sample('r6000.data')))
        self.assertEqual(file_bytes(self.path('copy.json')), file_bytes(sample('r6000.json')))
        os.remove(self.path('copy.json'))
        self.run_ok('trace_convert', '--no-metadata', sample('r6000.data'), out)
        self.assertFalse(os.path.exists(self.path('copy.json')))

    @support.needs('xz')
    def test_compressed_and_through_pipes(self):
        raw = file_bytes(sample('r6000.data'))
        packed = self.path('t.data.xz')
        self.run_ok('trace_convert', sample('r6000.data'), packed)
        self.assertEqual(content(packed), raw)
        out = support.run('trace_convert', '--to', 'rapidbin', '-', '-', stdin=content(packed))
        self.assertEqual((out.returncode, out.stdout), (0, raw), out.stderr)
        out = support.run('trace_convert', '--to', 'std', '-', '-', stdin=raw)
        self.assertEqual(out.stdout, file_bytes(sample('r6000.std')))
        out = support.run('trace_convert', '--to', 'rapidbin', '-', '-',
                          stdin=file_bytes(sample('r6000.std')))
        self.assertEqual(out.stdout, raw)

    @support.needs('simdjson')
    def test_to_champsim(self):
        names = json.loads(file_bytes(sample('r6000.json')))
        memory = {r['trace_id']: r['wasm_id']['address'] for r in names['memory_records']}
        lock = {r['trace_id']: r['wasm_id'] for r in names['lock_records']}
        place = {r['trace_id']: r['wasm_id'] for r in names['location_records']}
        out = self.path('t.champsimtrace')
        self.run_ok('trace_convert', '--to', 'cloudsuite', sample('r6000.data'), out)
        got, want = records(file_bytes(out), 'cloudsuite'), events(file_bytes(sample('r6000.data')))
        self.assertEqual(len(got), len(want))
        for g, e in zip(got, want):
            function, instruction = (place[e['location']][k] for k in ('fidx', 'iidx'))
            self.assertEqual(g['ip'], (function + 1 << 32) + 64 * function + 4 * instruction)
            self.assertEqual(g['asid'], [e['thread'] & 255, e['thread'] >> 8])
            reads = {'read': memory, 'acquire': lock, 'release': lock}.get(e['operation'])
            writes = {'write': memory, 'acquire': lock, 'release': lock}.get(e['operation'])
            self.assertEqual(g['source_memory'], [reads[e['decor']] if reads else 0, 0, 0, 0])
            self.assertEqual(g['destination_memory'], [writes[e['decor']] if writes else 0, 0, 0, 0])
            self.assertEqual((g['is_branch'], g['branch_taken']), (0, 0))
        r = self.run_tool('trace_convert', sample('r6000.data'), out)
        self.assertRegex(r.stderr, r'note: the thread changes \d+ times, which records cannot store')
        self.assertEqual(len(records(file_bytes(out))), 6002)

    def test_parts_and_filters(self):
        want = events(file_bytes(sample('r6000.data')))
        operands = {'lock': ('acquire', 'release', 'request'), 'variable': ('read', 'write')}
        out = self.path('t.data')
        for options, wanted in (
                (['--thread', '3'], lambda e: e['thread'] == 3),
                (['--variable', '7'], lambda e: e['decor'] == 7 and e['operation'] in operands['variable']),
                (['--variable', '7', '--variable', '9', '--lock', '1'],
                 lambda e: (e['decor'] in (7, 9) and e['operation'] in operands['variable'])
                 or (e['decor'] == 1 and e['operation'] in operands['lock'])),
                (['--location', '20', '--thread', '0'],
                 lambda e: e['location'] == 20 and e['thread'] == 0),
                (['--thread', '1', '--thread', '4'], lambda e: e['thread'] in (1, 4))):
            self.run_ok('trace_convert', *options, sample('r6000.data'), out)
            left = [e for e in want if wanted(e)]
            got = events(file_bytes(out))
            for e, number in zip(left, range(len(left))):
                e['index'] = number
            self.assertEqual(got, left)
            header = struct.unpack('>hiiq', file_bytes(out)[:18])
            self.assertEqual(header[3], len(left))
            want = events(file_bytes(sample('r6000.data')))
        self.run_ok('trace_convert', '--skip', '100', '--limit', '50', sample('r6000.data'), out)
        self.assertEqual([tuple(e.values())[1:] for e in events(file_bytes(out))],
                         [tuple(e.values())[1:] for e in want[100:150]])

    @support.needs('simdjson')
    def test_renumbering(self):
        out = self.path('t.data')
        self.run_ok('trace_convert', '--renumber', '--skip', '3000', sample('r6000.data'), out)
        old, new = events(file_bytes(sample('r6000.data')))[3000:], events(file_bytes(out))
        numbers = {}

        def number(kind, value):
            mine = numbers.setdefault(kind, {})
            return mine.setdefault(value, len(mine))

        kinds = {'read': 'v', 'write': 'v', 'acquire': 'l', 'release': 'l', 'request': 'l',
                 'fork': 't', 'join': 't'}
        for o, n in zip(old, new):
            self.assertEqual(n['thread'], number('t', o['thread']))
            self.assertEqual(n['decor'], number(kinds[o['operation']], o['decor']))
            self.assertEqual(n['location'], number('loc', o['location']))
        # The metadata contain the new numbers.
        before, after = (json.loads(file_bytes(f)) for f in (sample('r6000.json'),
                                                             self.path('t.json')))
        for key, kind in (('memory_records', 'v'), ('lock_records', 'l'), ('thread_records', 't'),
                          ('location_records', 'loc')):
            self.assertEqual({r['trace_id']: r['wasm_id'] for r in after[key]},
                             {numbers[kind][r['trace_id']]: r['wasm_id'] for r in before[key]
                              if r['trace_id'] in numbers[kind]})
        # The numbers are dense. (A part is not sound: it releases locks that were acquired
        # before it.)
        self.assertIn(' 0 warnings', self.run_tool('trace_check', out).stdout)

    def test_names_in_text(self):
        text = b'main|w(x)|100000\nworker|r(x)|7\nmain|acq(m)|100000\n'
        out = self.path('t.data')
        r = self.run_tool('trace_convert', self.write('t.std', text), out)
        self.assertEqual(r.returncode, 1)
        self.assertIn('offset 0, record 0, field location: 100000 does not fit', r.stderr)
        self.run_ok('trace_convert', '--renumber', self.write('t.std', text), out)
        self.assertEqual(file_bytes(out), pack((2, 1, 1, 3), (0, 'write', 0, 0), (1, 'read', 0, 1),
                                               (0, 'acquire', 0, 0)))

    def test_repair(self):
        raw = file_bytes(sample('r250.data'))
        out = self.path('out.data')
        for name, bad in (('unfinished', bytes(18) + raw[18:]), ('counts', b'\x00\x09' + raw[2:]),
                          ('tail', raw + b'abc')):
            trace = self.write(name, bad)
            r = self.run_tool('trace_convert', '--format', 'rapidbin', trace, self.path('no.data'))
            if name != 'counts':  # the reader compares only the number of events
                self.assertEqual(r.returncode, 1)
                self.assertFalse(os.path.exists(self.path('no.data')))
            else:
                os.remove(self.path('no.data'))
            r = self.run_tool('trace_convert', '--repair', trace, out)
            self.assertEqual(r.returncode, 0, r.stderr)
            self.assertEqual(file_bytes(out), raw)
            if name != 'counts':
                self.assertIn('note: mended: ', r.stderr)
        # A truncated trace: the whole events are kept.
        self.run_ok('trace_convert', '--repair', self.write('cut', raw[:1000]), out)
        self.assertEqual(events(file_bytes(out)), events(raw[:1000]))

    @support.needs('simdjson')
    def test_metadata_never_takes_a_name(self):
        names = file_bytes(sample('r250.json'))
        trace = self.write('in.data', file_bytes(sample('r250.data')))
        self.write('in.json', names)
        # OUT itself, or a file with other content.
        r = self.run_tool('trace_convert', '--to', 'rapidbin', trace, self.path('out.json'))
        self.assertEqual(r.returncode, 2, r.stderr)
        self.assertFalse(os.path.exists(self.path('out.json')))
        mine = self.write('mine.json', b'{"mine": 1}')
        for renumber in ([], ['--renumber']):
            r = self.run_tool('trace_convert', *renumber, trace, self.path('mine.data'))
            self.assertEqual(r.returncode, 2, r.stderr)
            self.assertFalse(os.path.exists(self.path('mine.data')))
            self.assertEqual(file_bytes(mine), b'{"mine": 1}')
        self.run_ok('trace_convert', '--no-metadata', trace, self.path('mine.data'))
        self.assertEqual(file_bytes(mine), b'{"mine": 1}')
        # Existing metadata are replaced. None are written next to a device.
        self.write('again.json', file_bytes(sample('r6000.json')))
        self.run_ok('trace_convert', trace, self.path('again.data'))
        self.assertEqual(file_bytes(self.path('again.json')), names)
        self.run_ok('trace_convert', '--to', 'rapidbin', trace, '/dev/null')
        self.assertFalse(os.path.exists('/dev/null.json'))

    @support.needs('simdjson')
    def test_the_whole_part_has_metadata_too(self):
        trace = self.write('in.data', file_bytes(sample('r250.data'))[:1001])
        self.write('in.json', file_bytes(sample('r250.json')))
        r = self.run_tool('trace_convert', '--keep-whole', trace, self.path('out.data'))
        self.assertEqual(r.returncode, 1)
        self.check_part(self.path('out'))
        r = self.run_tool('trace_convert', trace, self.path('no.data'))
        self.assertEqual(r.returncode, 1)
        self.assertFalse(os.path.exists(self.path('no.data')))
        self.assertFalse(os.path.exists(self.path('no.json')))
        r = self.run_tool('trace_convert', '--repair', trace, self.path('mended.data'))
        self.assertEqual(r.returncode, 0)
        self.assertIn('note: mended: the trace ends after 122 of 256 events', r.stderr)
        self.check_part(self.path('mended'))
        # The metadata match the part.
        r = self.run_tool('trace_check', self.path('mended.data'))
        self.assertNotIn('metadata', r.stdout)

    def check_part(self, out):
        """Checks that OUT's metadata contain exactly the entries of r250 for ids that occur in OUT."""
        part = events(file_bytes(out + '.data'))
        acts = {'fork', 'join'}
        occur = {'thread_records': {e['thread'] for e in part} |
                                   {e['decor'] for e in part if e['operation'] in acts},
                 'memory_records': {e['decor'] for e in part if e['operation'] in ('read', 'write')},
                 'lock_records': {e['decor'] for e in part
                                  if e['operation'] in ('acquire', 'release', 'request')},
                 'location_records': {e['location'] for e in part}}
        want = json.loads(file_bytes(sample('r250.json')))
        for key, ids in occur.items():
            self.assertLessEqual(ids, {r['trace_id'] for r in want[key]})
            want[key] = [r for r in want[key] if r['trace_id'] in ids]
        want['shared_variables'] = shared_variables(part)
        self.assertEqual(json.loads(file_bytes(out + '.json')), want)

    @support.needs('simdjson')
    def test_the_metadata_of_a_part_is_of_what_is_written(self):
        old = events(file_bytes(sample('r6000.data')))
        names = json.loads(file_bytes(sample('r6000.json')))
        kinds = {'read': 'memory', 'write': 'memory', 'acquire': 'lock', 'release': 'lock',
                 'request': 'lock', 'fork': 'thread', 'join': 'thread'}
        out = self.path('t')
        for cut, first, last in ((['--limit', '1000'], 0, 1000), (['--skip', '5500'], 5500, 6002),
                                 (['--skip', '1000', '--limit', '500'], 1000, 1500),
                                 (['--limit', '1'], 0, 1), (['--shard', '1/3'], 2000, 4001)):
            for renumber in (False, True):
                self.run_ok('trace_convert', *cut, *['--renumber'] * renumber, sample('r6000.data'),
                            out + '.data')
                numbers = {'thread': {}, 'memory': {}, 'lock': {}, 'location': {}}

                def number(kind, value):
                    return numbers[kind].setdefault(value, len(numbers[kind]) if renumber else value)

                part = [dict(e, thread=number('thread', e['thread']),
                             decor=number(kinds[e['operation']], e['decor']),
                             location=number('location', e['location'])) for e in old[first:last]]
                got = events(file_bytes(out + '.data'))
                self.assertEqual([list(e.values())[1:] for e in got],
                                 [list(e.values())[1:] for e in part])
                want = {kind + '_records': sorted(
                    ({'wasm_id': r['wasm_id'], 'trace_id': numbers[kind][r['trace_id']]}
                     for r in names[kind + '_records'] if r['trace_id'] in numbers[kind]),
                    key=lambda r: r['trace_id']) for kind in numbers}
                want['shared_variables'] = shared_variables(part)
                self.assertEqual(json.loads(file_bytes(out + '.json')), want)
                checked = self.run_tool('trace_check', out + '.data').stdout
                self.assertNotIn('metadata', checked)

    # Events of two threads and two locks: (thread, operation, decor, location).
    LOCKED = ((0, 'acquire', 0, 0), (0, 'acquire', 1, 1), (0, 'acquire', 1, 2), (0, 'fork', 1, 3),
              (0, 'write', 0, 4), (0, 'release', 1, 5), (0, 'release', 1, 6), (0, 'release', 0, 7),
              (1, 'acquire', 0, 8), (1, 'write', 0, 9), (1, 'release', 0, 10), (0, 'join', 1, 11))

    def test_a_cut_tells_of_what_is_not_sound(self):
        trace = self.write('in.data', pack((2, 2, 1, 12), *self.LOCKED))
        for out in (self.path('o.data'), self.path('o.std')):
            for cut, words in ((['--skip', '4'], '3 releases of locks'),
                               (['--shard', '1/3'], '3 releases of locks'),
                               (['--skip', '7', '--limit', '2'], '1 release of a lock'),
                               (['--location', '8', '--location', '0'], '1 acquire of a lock'),
                               (['--location', '10', '--thread', '1'], '1 release of a lock')):
                r = self.run_tool('trace_convert', *cut, trace, out)
                self.assertEqual(r.returncode, 0, r.stderr)
                self.assertIn('note: the written part is not a sound trace: it has ' + words,
                              r.stderr)
                self.assertIn('--well-formed', r.stderr)
                self.assertEqual(self.run_tool('trace_check', out).returncode, 1)
            for cut in ([], ['--limit', '4'], ['--skip', '8'], ['--thread', '1'], ['--lock', '0']):
                self.assertEqual(self.run_tool('trace_convert', *cut, trace, out).stderr, '')

    def test_well_formed(self):
        trace = self.write('in.data', pack((2, 2, 1, 12), *self.LOCKED))
        held = (*self.LOCKED[:2], self.LOCKED[1])
        for cut, want in (
                # Locks held at the beginning are acquired by their holders, at the original
                # locations and as often as they are held.
                (['--skip', '4'], held + self.LOCKED[4:]),
                (['--skip', '5', '--limit', '2'], held + self.LOCKED[5:7]),
                (['--skip', '7'], self.LOCKED[:1] + self.LOCKED[7:]),
                (['--skip', '8'], self.LOCKED[8:]), (['--limit', '6'], self.LOCKED[:6]),
                ([], self.LOCKED),
                # Events that were left out in between are unknown, so an event that does not
                # fit is left out.
                (['--location', '8', '--location', '0', '--location', '10'], self.LOCKED[:1]),
                (['--location', '9', '--location', '10'], self.LOCKED[9:10])):
            for out in (self.path('o.data'), self.path('o.std')):
                r = self.run_tool('trace_convert', '--well-formed', *cut, trace, out)
                self.assertEqual(r.returncode, 0, r.stderr)
                self.assertEqual([tuple(e.values())[1:] for e in self.json_lines(out)], list(want), cut)
                self.run_ok('trace_check', out)
        for cut, words in (
                (['--skip', '4'], '3 acquires added at the beginning, for locks that are held there'),
                (['--location', '10', '--location', '9'],
                 'left out: 1 release of a lock that is free or that another thread holds')):
            r = self.run_tool('trace_convert', '--well-formed', *cut, trace, self.path('o.data'))
            self.assertEqual(r.stderr, 'trace_convert: note: %s\n' % words)
        # A trace is not written if all its events are left out or the part contains none.
        for cut in (['--location', '10'], ['--skip', '12'], ['--skip', '4', '--limit', '0']):
            r = self.run_tool('trace_convert', '--well-formed', *cut, trace, self.path('none.data'))
            self.assertEqual(r.returncode, 1, r.stderr)
            self.assertFalse(os.path.exists(self.path('none.data')))
        for out in ('o.csv', 'o.champsimtrace'):
            r = self.run_tool('trace_convert', '--well-formed', trace, self.path(out))
            self.assertEqual(r.returncode, 2, r.stderr)
            self.assertIn('--well-formed', r.stderr)

    @support.needs('simdjson')
    def test_every_cut_is_well_formed(self):
        for cut in ([['--skip', str(n), '--limit', '700'] for n in range(0, 6000, 500)] +
                    [['--thread', str(n)] for n in (0, 2, 5)] +
                    [['--location', '17', '--location', '23', '--location', '58', '--location', '108']]):
            for more in ([], ['--renumber']):
                self.run_ok('trace_convert', '--well-formed', *cut, *more, sample('r6000.data'),
                            self.path('o.data'))
                self.run_ok('trace_check', self.path('o.data'))
        # The input may also be a pipe, which can be read only once.
        r = support.run('trace_convert', '--well-formed', '--skip', '5000', '--to', 'std', '-', '-',
                        stdin=file_bytes(sample('r6000.data')))
        self.assertEqual(r.returncode, 0, r.stderr)
        self.assertIn(b'note: 3 acquires added', r.stderr)
        self.assertEqual(r.stdout.count(b'\n'), 1005)

    def test_renumbered_text_has_no_metadata(self):
        text = self.write('in.std', file_bytes(sample('r250.std')))
        self.write('in.json', file_bytes(sample('r250.json')))
        r = self.run_tool('trace_convert', '--renumber', text, self.path('out.data'))
        self.assertEqual(r.returncode, 0)
        self.assertIn('metadata is ignored', r.stderr)
        self.assertFalse(os.path.exists(self.path('out.json')))
        for arguments in ((['--metadata', self.path('in.json'), text, self.path('o.data')]),
                          ([text, self.path('in.data')])):
            r = self.run_tool('trace_convert', '--renumber', *arguments)
            self.assertEqual(r.returncode, 2, r.stderr)
            self.assertFalse(os.path.exists(arguments[-1]))

    @support.needs('gzip')
    def test_what_cannot_be(self):
        for arguments, words in (
                (['--to', 'x64dbg', sample('r250.data'), self.path('a')], 'cannot be written'),
                (['--to', 'rapidbin', support.WORK, self.path('a')], 'cannot be written'),
                (['--mode', 'raw', sample('r250.data'), self.path('a.data')], 'cannot be written'),
                (['--dialect', 'rapid', sample('r250.data'), self.path('a.data')], '--dialect'),
                (['--renumber', sample('r250.data'), self.path('a')], '--renumber'),
                (['--lock', '1', support.WORK, self.path('a')], '--lock'),
                (['--thread', '1', '--thread', '2', support.WORK, self.path('a')], '--thread'),
                (['--lock', 'x', sample('r250.data'), self.path('a')], 'expected an id')):
            r = self.run_tool('trace_convert', *arguments)
            self.assertEqual(r.returncode, 2, r.stderr)
            self.assertIn(words, r.stderr)
            self.assertFalse(os.path.exists(arguments[-1]))
        # Renumbering must not overwrite the metadata of its input.
        trace = self.write('x.data', file_bytes(sample('r250.data')))
        self.write('x.json', file_bytes(sample('r250.json')))
        r = self.run_tool('trace_convert', '--renumber', trace, self.path('x.data.gz'))
        self.assertEqual(r.returncode, 2, r.stderr)
        self.assertEqual(file_bytes(self.path('x.json')), file_bytes(sample('r250.json')))
        # Metadata of a part must not overwrite those of the whole trace.
        if 'simdjson' in support.PARTS:
            r = self.run_tool('trace_convert', '--limit', '20', trace, self.path('x.data.gz'))
            self.assertEqual(r.returncode, 2, r.stderr)
            self.assertFalse(os.path.exists(self.path('x.data.gz')))
        self.assertIn('--no-metadata', self.run_tool('trace_convert', '--limit', '20', trace,
                                                     self.path('x.std')).stderr)
        # STD text cannot represent a sign bit.
        raw = bytearray(pack((1, 0, 1, 1), (0, 'read', 0, 0)))
        raw[18] |= 0x80
        r = self.run_tool('trace_convert', '--format', 'rapidbin', self.write('s', bytes(raw)),
                          self.path('s.std'))
        self.assertEqual(r.returncode, 1)
        self.assertIn('field sign', r.stderr)


# Text in the style of public tools: with names, like RoadRunner's tools, and like a log of
# ThreadSanitizer.
NAMED = b"""main|fork(worker-1)|0
worker-1|acq(java.lang.Object@1f)|3
worker-1|w(Foo.bar[3])|4
worker-1|rel(java.lang.Object@1f)|5
main|join(worker-1)|6
"""
LOG = b"""# comment

T0|fork(T1)|/home/user/race/interceptors.cpp:1041
T1|rd(0x555556a7eba8)|/home/user/race/mini.cpp:14
T1|wr(0x726c00000000)|/home/user/race/mini.cpp:14
T0|join(T1)|/home/user/race/interceptors.cpp:1098
"""


class Text(Case):
    def test_both_spellings_are_one_id(self):
        trace = self.write('mix.std', b'T0|fork(1)|0\nT1|acq(7)|1\nT1|rel(L7)|2\n')
        want = [(0, 'fork', 1, 0), (1, 'acquire', 7, 1), (1, 'release', 7, 2)]
        fields = ('thread', 'operation', 'decor', 'location')
        note = 'note: %s: %ss occur both with and without their letter: '
        r = self.run_tool('trace_view', '--json', trace)
        self.assertEqual([tuple(json.loads(s)[f] for f in fields) for s in r.stdout.splitlines()], want)
        self.assertIn(note % (trace, 'thread'), r.stderr)
        self.assertIn(note % (trace, 'lock'), r.stderr)
        r = self.run_tool('trace_check', trace)
        self.assertEqual(r.returncode, 0, r.stdout)
        self.assertIn('note: two-spellings: locks occur', r.stdout)
        self.assertIn('3 records, 0 errors, 0 warnings, 2 notes', r.stdout)
        for renumber, want in (([], want), (['--renumber'], [(0, 'fork', 1, 0), (1, 'acquire', 0, 1),
                                                             (1, 'release', 0, 2)])):
            out = self.path('mix.data')
            self.run_ok('trace_convert', *renumber, trace, out)
            self.assertEqual([tuple(e[f] for f in fields) for e in events(file_bytes(out))], want)
        r = self.run_tool('trace_check', self.path('mix.data'))
        self.assertIn('3 records, 0 errors, 0 warnings, 0 notes', r.stdout)
        same = self.write('same.std', b'T0|fork(T1)|0\n1|acq(L7)|1\n1|rel(L7)|2\n')
        r = self.run_tool('trace_diff', trace, same)
        self.assertEqual(r.returncode, 0, r.stdout)
        self.assertEqual(self.run_ok('trace_find', '--count', '--lock', '7', trace), '2\n')
        self.assertEqual(self.run_ok('trace_find', '--count', '--thread', 'T1', trace), '2\n')

    def test_names_are_shown(self):
        trace = self.write('n.std', NAMED)
        rows = self.run_ok('trace_view', '-c', trace).splitlines()
        self.assertIn('| T[worker-1] | acquire(java.lang.Object@1f) | at 3 |', rows[1])
        self.assertIn('| T[worker-1] | write(Foo.bar[3]) | at 4 |', rows[2])
        self.assertIn('| T[main] | join(worker-1) | at 6', rows[4])
        detail = self.run_ok('trace_view', '-n', '1', '--skip', '2', trace)
        self.assertIn('  thread                 1: worker-1\n', detail)
        self.assertIn('  decor                  variable 0: Foo.bar[3]\n', detail)
        self.assertEqual(self.json_lines('-n', '1', '--skip', '2', trace), [
            {'index': 2, 'thread': 1, 'operation': 'write', 'decor': 0, 'location': 4,
             'thread_name': 'worker-1', 'decor_name': 'Foo.bar[3]'}])
        statistics = self.run_ok('trace_view', '-s', trace)
        for name in ('  main: ', '  worker-1: ', '  java.lang.Object@1f: acquired 1', '  Foo.bar[3]: '):
            self.assertIn(name, statistics)
        as_json = json.loads(self.run_ok('trace_view', '-s', '--json', trace))
        self.assertEqual(as_json['thread_names'], {'0': 'main', '1': 'worker-1'})
        self.assertEqual(as_json['by_lock']['0']['name'], 'java.lang.Object@1f')
        bad = self.write('bad.std', NAMED + b'main|rel(java.lang.Object@1f)|7\n')
        self.assertIn('thread 0 (main) releases lock 0 (java.lang.Object@1f), which is free',
                      self.run_tool('trace_check', bad).stdout)
        # Text from outside does not control the terminal.
        nasty = self.write('x.std', b'\x1b[31mred|w(a\x07b)|x\x1b.c:1\n')
        for options in (['-c'], [], ['-s']):
            self.assertNotIn('\x1b', self.run_ok('trace_view', *options, nasty))
            self.assertNotIn('\x07', self.run_ok('trace_view', *options, nasty))
        self.run_ok('trace_report', trace, self.path('n.html'))
        page = file_bytes(self.path('n.html')).decode()
        for name in ('worker-1', 'Foo.bar[3]', 'java.lang.Object@1f'):
            self.assertIn(name, page)

    def test_events_by_name(self):
        for trace in (self.write('n.std', NAMED), self.path('n.data')):
            if trace.endswith('data'):
                if 'simdjson' not in support.PARTS:
                    continue
                self.run_ok('trace_convert', self.path('n.std'), trace)
            for options, want in ((['--variable', 'Foo.bar[3]'], [2]),
                                  (['--lock', 'java.lang.Object@1f'], [1, 3]),
                                  (['--thread', 'main'], [0, 4]),
                                  (['--thread', 'main', '--thread', '1', '--lock',
                                    'java.lang.Object@1f', '--variable', '0'], [1, 2, 3])):
                found = self.run_ok('trace_find', '--json', *options, trace).splitlines()
                self.assertEqual([json.loads(s)['index'] for s in found], want, options)
                out = self.path('part.std')
                self.run_ok('trace_convert', *options, trace, out)
                lines = NAMED.splitlines(keepends=True)
                self.assertEqual(file_bytes(out), b''.join(lines[i] for i in want))
        by = self.run_ok('trace_find', '--count-by', 'thread', self.path('n.std'))
        self.assertEqual(by.split(), ['3', 'worker-1', '2', 'main'])
        log = self.write('t.log', LOG)
        found = self.run_ok('trace_find', '--count', '--location', '/home/user/race/mini.cpp:14', log)
        self.assertEqual(found, '2\n')
        # An unknown name finds nothing in text, but is an error for a RapidBin trace.
        r = self.run_tool('trace_find', '--variable', 'nothing', log)
        self.assertEqual((r.returncode, r.stdout), (1, ''))
        r = self.run_tool('trace_find', '--variable', 'nothing', sample('r250.data'))
        self.assertEqual(r.returncode, 2)
        self.assertIn("--variable: expected an id, 16 or V16, got 'nothing'", r.stderr)

    @support.needs('simdjson')
    def test_names_go_to_metadata_and_come_back(self):
        for name, text, back in (('n', NAMED, NAMED),
                                 ('t', LOG, LOG[11:].replace(b'rd(', b'r(').replace(b'wr(', b'w('))):
            trace, out = self.write(name + '.std', text), self.path(name + '.data')
            self.run_ok('trace_convert', trace, out)
            metadata = json.loads(file_bytes(self.path(name + '.json')))
            self.assertEqual(list(metadata)[:5], ['thread_records', 'memory_records', 'lock_records',
                                                  'location_records', 'shared_variables'])
            r = self.run_tool('trace_check', out)
            self.assertIn(' 0 errors, 0 warnings, 0 notes', r.stdout)
            self.run_ok('trace_convert', out, self.path('back.std'))
            self.assertEqual(file_bytes(self.path('back.std')), back)
            # Converts once more over the existing output. Only the names of what is written
            # are kept.
            self.run_ok('trace_convert', trace, out)
            self.run_ok('trace_convert', '--limit', '1', out, self.path('first.data'))
            self.run_ok('trace_convert', self.path('first.data'), self.path('first.std'))
            self.assertEqual(file_bytes(self.path('first.std')), back.splitlines(keepends=True)[0])
        metadata = json.loads(file_bytes(self.path('n.json')))
        self.assertEqual(metadata['variable_names'], [{'name': 'Foo.bar[3]', 'trace_id': 0}])
        self.assertEqual(metadata['thread_names'], [{'name': 'main', 'trace_id': 0},
                                                    {'name': 'worker-1', 'trace_id': 1}])
        self.assertNotIn('location_names', metadata)
        first = json.loads(file_bytes(self.path('first.json')))
        self.assertEqual([r['name'] for r in first['location_names']],
                         ['/home/user/race/interceptors.cpp:1041'])
        self.run_ok('trace_convert', '--renumber', '--skip', '2', self.path('n.std'),
                    self.path('later.data'))
        self.assertEqual(json.loads(file_bytes(self.path('later.json')))['thread_names'],
                         [{'name': 'worker-1', 'trace_id': 0}, {'name': 'main', 'trace_id': 1}])
        # RAPID reads only locations that are numbers.
        self.run_ok('trace_convert', '--dialect', 'rapid', self.path('t.std'), self.path('r.std'))
        self.assertEqual(file_bytes(self.path('r.std')).splitlines()[1], b'T1|r(0x555556a7eba8)|1')

    # Names and numbers: main has the id 0, so T0 is thread 1 and T1 is thread 2.
    MIXED = (b'main|fork(T0)|a.c:4\nT0|acq(m)|0\nT0|rel(m)|0\nT1|acq(L0)|7\nT1|w(x)|1\nT1|r(V0)|1\n'
             b'T1|r(V5)|9\n')
    MIXED_CHOICES = (
        (['--thread', 'main'], [0]), (['--thread', 'T0'], [1, 2]), (['--thread', 'T1'], [3, 4, 5, 6]),
        # A bare number is an id, as in rows.
        (['--thread', '0'], [0]), (['--thread', '1'], [1, 2]), (['--thread', '2'], [3, 4, 5, 6]),
        (['--thread', 'main', '--thread', 'T0'], [0, 1, 2]), (['--thread', 'T0', '--thread', '0'], [0, 1, 2]),
        (['--lock', 'm'], [1, 2]), (['--lock', 'L0'], [3]), (['--lock', '0'], [1, 2]),
        (['--variable', 'x'], [4]), (['--variable', 'V0'], [5]), (['--variable', '0'], [4]),
        (['--variable', 'V5'], [6]), (['--variable', '5'], [6]),
        (['--location', 'a.c:4'], [0]), (['--location', '0'], [1, 2]), (['--location', '1'], [4, 5]),
        (['--location', '9'], [6]))

    @support.needs('simdjson')
    def test_names_and_numbers(self):
        text, data = self.write('x.std', self.MIXED), self.path('x.data')
        lines = self.MIXED.splitlines(keepends=True)
        for trace in (text, data, text):  # only the text, then with the other trace's metadata next to it
            for options, want in self.MIXED_CHOICES:
                found = self.run_ok('trace_find', '--json', *options, trace).splitlines()
                self.assertEqual([json.loads(s)['index'] for s in found], want, (options, trace))
                if options[0] == '--thread':
                    self.assertEqual([e['index'] for e in self.json_lines(*options, trace)], want)
                self.run_ok('trace_convert', *options, trace, self.path('part.std'))
                self.assertEqual(file_bytes(self.path('part.std')), b''.join(lines[i] for i in want))
                # A part in numbers keeps the names that distinguish its ids.
                self.run_ok('trace_convert', *options, trace, self.path('part.data'))
                self.run_ok('trace_convert', self.path('part.data'), self.path('back.std'))
                self.assertEqual(file_bytes(self.path('back.std')), b''.join(lines[i] for i in want))
                for form in ('csv', 'jsonl', 'cloudsuite'):
                    self.run_ok('trace_convert', '--to', form, *options, trace, self.path('rows'))
                    rows = file_bytes(self.path('rows'))
                    self.assertEqual({'csv': rows.count(b'\n') - 1, 'jsonl': rows.count(b'\n'),
                                      'cloudsuite': len(rows) // 88}[form], len(want))
            self.run_ok('trace_convert', trace, self.path('back.std'))
            self.assertEqual(file_bytes(self.path('back.std')), self.MIXED)
            rows = self.run_ok('trace_view', '-c', trace).splitlines()
            self.assertIn('| T[main] | fork(T0) | at a.c:4', rows[0])
            self.assertIn('| T[T1] | read(V0) | at 1', rows[5])
            self.run_ok('trace_report', '--thread', 'T0', trace, self.path('r.html'))
            self.assertIn(b'only thread T0', file_bytes(self.path('r.html')))
            if trace == text:
                self.run_ok('trace_convert', text, data)
        self.assertEqual(json.loads(file_bytes(self.path('x.json')))['thread_names'],
                         [{'name': 'main', 'trace_id': 0}, {'name': 'T0', 'trace_id': 1},
                          {'name': 'T1', 'trace_id': 2}])
        for options in ([], ['--thread', 'T0'], ['--thread', 'main', '--thread', 'T1']):
            self.assertEqual(self.run_tool('trace_diff', *options, text, data).returncode, 0)
        # Renumbering drops names that are numbers, and never merges two threads.
        for trace in (text, data):
            self.run_ok('trace_convert', '--renumber', '--skip', '3', trace, self.path('new.data'))
            self.run_ok('trace_convert', self.path('new.data'), self.path('new.std'))
            self.assertEqual(file_bytes(self.path('new.std')),
                             b'T0|acq(L0)|0\nT0|w(x)|1\nT0|r(V1)|1\nT0|r(V2)|2\n')

    @support.needs('simdjson')
    def test_names_that_metadata_has_by_hand(self):
        # A name that is another thread's number, and a name that text cannot contain.
        trace = self.write('h.data', pack((4, 0, 1, 4), *((t, 'write', 0, 0) for t in range(4))))
        names = [('T1', 0), ('main', 2)]
        self.write('h.json', json.dumps({
            'thread_records': [], 'memory_records': [], 'lock_records': [], 'location_records': [],
            'shared_variables': {}, 'variable_names': [{'name': 'a|b', 'trace_id': 0}],
            'thread_names': [{'name': n, 'trace_id': i} for n, i in names]}).encode())
        self.run_ok('trace_convert', trace, self.path('h.std'))
        self.assertEqual(file_bytes(self.path('h.std')),
                         b'T0|w(V0)|0\nT1|w(V0)|0\nmain|w(V0)|0\nT3|w(V0)|0\n')

    @support.needs('simdjson')
    def test_names_late_in_text(self):
        # The first name occurs after more than 64 KiB.
        numbers = b''.join(b'T0|w(V%d)|%d\n' % (i % 50, i % 90) for i in range(8000))
        self.assertGreater(len(numbers), 65536)
        text = numbers + b'T1|w(zeta.x)|a.c:4\n'
        trace, out = self.write('late.std', text), self.path('late.data')
        for _ in range(2):  # the second time over the output of the first
            self.assertEqual(self.run_tool('trace_convert', trace, out).stderr, '')
            metadata = json.loads(file_bytes(self.path('late.json')))
            self.assertEqual(metadata['variable_names'], [{'name': 'zeta.x', 'trace_id': 50}])
            self.assertEqual(self.run_ok('trace_find', '--count', '--variable', 'zeta.x', out), '1\n')
            self.run_ok('trace_convert', out, self.path('back.std'))
            self.assertEqual(file_bytes(self.path('back.std')), text)
        # The input may also be a pipe: metadata are written at the end.
        self.assertEqual(support.run('trace_convert', '-', self.path('piped.data'), stdin=text).returncode, 0)
        self.assertEqual(file_bytes(self.path('piped.json')), file_bytes(self.path('late.json')))
        # Rows have columns of names if the text can be read twice.
        rows = self.run_ok('trace_convert', '--to', 'csv', trace, '-').splitlines()
        self.assertEqual(rows[0].split(',')[-3:], ['thread_name', 'decor_name', 'location_name'])
        self.assertEqual(rows[-1].split(',')[-3:], ['', 'zeta.x', 'a.c:4'])
        self.assertEqual(len(rows), 8002)
        rows = self.run_ok('trace_convert', '--to', 'csv', '--limit', '100', trace, '-').splitlines()
        self.assertNotIn('thread_name', rows[0])
        r = support.run('trace_convert', '--to', 'csv', '-', '-', stdin=text)
        self.assertNotIn(b'thread_name', r.stdout)
        self.assertIn(b'no column of names', r.stderr)
        # Metadata are written only if there are names. A file with other content is kept.
        self.run_ok('trace_convert', self.write('numbers.std', numbers), self.path('numbers.data'))
        self.assertFalse(os.path.exists(self.path('numbers.json')))
        mine = self.write('mine.json', b'{"mine": 1}')
        r = self.run_tool('trace_convert', trace, self.path('mine.data'))
        self.assertEqual(r.returncode, 0)
        self.assertIn('OUT has only numbers', r.stderr)
        self.assertEqual(file_bytes(mine), b'{"mine": 1}')

    def test_rows_have_names(self):
        trace = self.write('n.std', NAMED)
        rows = [json.loads(s) for s in
                self.run_ok('trace_convert', '--to', 'jsonl', trace, '-').splitlines()]
        self.assertEqual([(r['thread_name'], r['decor_name'], r['location_name']) for r in rows[:3]],
                         [('main', 'worker-1', None), ('worker-1', 'java.lang.Object@1f', None),
                          ('worker-1', 'Foo.bar[3]', None)])
        log = self.write('t.log', LOG)
        rows = self.run_ok('trace_convert', '--to', 'csv', log, '-').splitlines()
        self.assertEqual(rows[0].split(',')[-3:], ['thread_name', 'decor_name', 'location_name'])
        self.assertEqual(rows[2].split(',')[-3:], ['', '0x555556a7eba8', '/home/user/race/mini.cpp:14'])

    def test_numbers_that_no_event_holds(self):
        text = b'T0|fork(T5000)|0\nT5000|w(V99999999999)|7\nT0|r(V99999999999)|99999\n'
        trace = self.write('big.std', text)
        self.assertEqual([(e['thread'], e['decor'], e['location']) for e in self.json_lines(trace)],
                         [(0, 5000, 0), (5000, 99999999999, 7), (0, 99999999999, 99999)])
        self.assertIn('| T[0] | read(V99999999999) | at 99999 |', self.run_ok('trace_view', '-c', trace))
        self.assertIn(' 0 errors', self.run_ok('trace_check', trace))
        self.assertEqual(self.run_ok('trace_find', '--count', '--location', '99999', trace), '1\n')
        self.assertEqual(self.run_ok('trace_find', '--count', '--thread', '5000', trace), '1\n')
        self.assertEqual(self.run_tool('trace_diff', trace, trace).returncode, 0)
        self.assertIn('  T5000: ', self.run_ok('trace_view', '-s', trace))
        self.run_ok('trace_report', trace, self.path('big.html'))
        rows = self.run_ok('trace_convert', '--to', 'jsonl', trace, '-').splitlines()
        self.assertEqual(json.loads(rows[2])['location'], 99999)
        self.run_ok('trace_convert', trace, self.path('again.std'))
        self.assertEqual(file_bytes(self.path('again.std')), text)
        r = self.run_tool('trace_convert', trace, self.path('big.data'))
        self.assertEqual(r.returncode, 1)
        self.assertIn('offset 0, record 0, field decor: 5000 does not fit an event: 1023 at most', r.stderr)
        self.assertIn('--renumber', r.stderr)
        self.assertFalse(os.path.exists(self.path('big.data')))
        self.run_ok('trace_convert', '--renumber', trace, self.path('big.data'))
        self.assertEqual(file_bytes(self.path('big.data')),
                         pack((2, 0, 1, 3), (0, 'fork', 1, 0), (1, 'write', 0, 1), (0, 'read', 0, 2)))

    def test_what_is_left_out(self):
        text = (b'T0|w(V0)|1|more\nT0|wait(L1)|2\nT0|notify(L1)|2\nT0|notifyAll(L1)|2\n'
                b'T0|dummy|3\nT0|r(V0)|4\n')
        trace = self.write('left.std', text)
        r = self.run_tool('trace_view', '--json', trace)
        self.assertEqual([json.loads(s)['operation'] for s in r.stdout.splitlines()], ['write', 'read'])
        self.assertIn('4 lines with wait, notify, notifyAll or dummy skipped', r.stderr)
        self.assertIn('1 line with columns after the location', r.stderr)
        r = self.run_tool('trace_check', trace)
        self.assertEqual(r.returncode, 0)
        self.assertIn('note: left-out-lines: 4 lines', r.stdout)
        r = self.run_tool('trace_convert', trace, self.path('left.data'))
        self.assertIn('note: 4 lines with wait', r.stderr)
        r = self.run_tool('trace_view', '-c', '--strict', trace)
        self.assertNotEqual(r.returncode, 0)
        self.assertIn('offset 0, record 0, field location: columns follow it', r.stderr)

    @support.needs('simdjson')
    def test_functions_of_a_module(self):
        def leb(n):
            return bytes([n]) if n < 128 else bytes([n % 128 + 128]) + leb(n // 128)

        def sized(raw):
            return leb(len(raw)) + raw

        indices = sorted({r['wasm_id']['fidx'] for r in
                          json.loads(file_bytes(sample('r250.json')))['location_records']})
        names = b''.join(leb(i) + sized(b'function_%d' % i) for i in indices)
        names = b'\1' + sized(leb(len(indices)) + names)
        module = self.write('x.wasm', b'\0asm\1\0\0\0\0' + sized(sized(b'name') + names))
        trace = sample('r250.data')
        for e in self.json_lines('--symbols', module, trace):
            self.assertEqual(e['function_name'], 'function_%d' % e['function'])
        first = self.json_lines('-n', '1', trace)[0]['function']
        row = self.run_ok('trace_view', '-c', '-n', '1', '--symbols', module, trace)
        self.assertTrue(row.endswith(' | IN[function_%d]\n' % first), row)
        self.assertIn(': function %d (function_%d), instruction ' % (first, first),
                      self.run_ok('trace_view', '-n', '1', '--symbols', module, trace))
        found = [json.loads(s) for s in self.run_ok(
            'trace_find', '--json', '--symbols', module, '--symbol', 'function_%d' % first,
            trace).splitlines()]
        self.assertEqual([e['index'] for e in found],
                         [e['index'] for e in self.json_lines(trace) if e['function'] == first])
        self.run_ok('trace_report', '--symbols', module, trace, self.path('f.html'))
        # Only the busiest locations are shown.
        self.assertIn(b' (<code>function_', file_bytes(self.path('f.html')))
        for bad, words in ((b'main T 1\n', 'WebAssembly'), (file_bytes(module)[:40], 'ends inside it'),
                           (b'\0asm\1\0\0\0', 'section "name" is missing')):
            r = self.run_tool('trace_view', '-c', '--symbols', self.write('bad.wasm', bad), trace)
            self.assertNotEqual(r.returncode, 0)
            self.assertIn(words, r.stderr)
        r = self.run_tool('trace_view', '-c', '-n', '1', '--no-metadata', '--symbols', module, trace)
        self.assertEqual(r.returncode, 0)
        self.assertIn('there is no metadata', r.stderr)


class Simulate(Case):
    def test_memory_is_counted(self):
        want = events(file_bytes(sample('r6000.data')))
        got = json.loads(self.run_ok('frontend_sim', '--json', sample('r6000.data')))
        self.assertEqual(got['format'], 'rapidbin')
        self.assertEqual(got['instructions'], 6002)
        locks = sum(e['operation'] in ('acquire', 'release') for e in want)
        self.assertEqual(got['memory_reads'], locks + sum(e['operation'] == 'read' for e in want))
        self.assertEqual(got['memory_writes'], locks + sum(e['operation'] == 'write' for e in want))
        text = json.loads(self.run_ok('frontend_sim', '--json', sample('r6000.std')))
        for key in ('instructions', 'instruction_cache', 'unique_ips', 'memory_reads',
                    'memory_writes', 'fetch_blocks'):
            self.assertEqual(got[key], text[key])

    def test_no_branches(self):
        # No table of zeros and no ratio without a base: only the memory statistics.
        want = events(file_bytes(sample('r6000.data')))
        for name in ('r6000.data', 'r6000.std'):
            text = self.run_ok('frontend_sim', sample(name))
            self.assertIn('\nNo branches: the format has no control flow', text)
            for word in ('mispred', 'Mispred', 'Accuracy', 'predictor', 'cache', 'ips', ' - '):
                self.assertNotIn(word, text)
            reading = sum(e['operation'] in ('read', 'acquire', 'release') for e in want)
            self.assertRegex(text, r'\nInstructions +6,002\n')
            self.assertRegex(text, f'\nInstructions reading +{reading:,}\n')
            self.assertIn('\nData lines of 64 bytes ', text)
            got = json.loads(self.run_ok('frontend_sim', '--json', sample(name)))
            self.assertIs(got['has_branches'], False)


class BadInput(Case):
    def test_every_truncation(self):
        raw = file_bytes(sample('r250.data'))
        for n in [*range(1, 60), *range(len(raw) - 20, len(raw))]:
            r = self.run_tool('trace_view', '--json', '--format', 'rapidbin', self.write('t', raw[:n]))
            self.assertEqual(r.returncode, 1)
            self.assertEqual(len(r.stdout.splitlines()), max(0, n - 18) // 8)
            self.assertRegex(r.stderr, r'^trace_view: .*t: offset \d+,.* field \w+: ')
            self.assertEqual(r.stderr.count('\n'), 1)
            r = self.run_tool('trace_check', '--format', 'rapidbin', self.write('t', raw[:n]))
            self.assertEqual(r.returncode, 1)
            self.assertIn(': error: ', r.stdout)

    def test_counts_that_lie(self):
        raw = file_bytes(sample('r250.data'))
        for field, at, size in (('threads', 0, 2), ('locks', 2, 4), ('variables', 6, 4),
                                ('events', 10, 8)):
            for value in (-1, 0, 1, 2 ** (8 * size - 1) - 1, -2 ** (8 * size - 1)):
                bad = raw[:at] + value.to_bytes(size, 'big', signed=True) + raw[at + size:]
                trace = self.write('t', bad)
                r = self.run_tool('trace_check', '--format', 'rapidbin', trace)
                self.assertEqual(r.returncode, 1, (field, value, r.stdout))
                r = self.run_tool('trace_view', '--json', '--format', 'rapidbin', trace)
                self.assertEqual(r.returncode, int(value < 0 or field == 'events'), (field, value))

    @support.needs('simdjson')
    def test_bad_metadata_is_named(self):
        trace = self.write('t.data', file_bytes(sample('r250.data')))
        for text, words in ((b'nope', 'not JSON'), (b'{}', 'etadata'),
                            (b'{"lock_records":[{"wasm_id":-1,"trace_id":0}]}',
                             'field lock_records[0].wasm_id')):
            self.write('t.json', text)
            r = self.run_tool('trace_view', '-c', trace)
            self.assertEqual(r.returncode, 1)
            self.assertIn('t.json: ', r.stderr)
            self.assertIn(words, r.stderr)
        self.run_ok('trace_view', '-c', '--no-metadata', trace)


if __name__ == '__main__':
    support.main()
