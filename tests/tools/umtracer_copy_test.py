# trace_convert from UMTracer to UMTracer: a copy has the rows of the source in every table.
# The expected rows of a part are derived here from those of the whole, by the rules of the
# specification.
import json
import os
import shutil
import struct

import support
from support import file_bytes

FOLDER = os.path.join(os.path.dirname(support.SED), 'umtracer')
SAMPLES = ('plain32', 'plain64', 'awkward32', 'awkward64')
TABLES = ('exec', 'ins', 'syscall', 'module', 'thread', 'context', 'ranges')
FILES = ['address_space.itable', 'context_map.itable', 'exec.offsets', 'exec.prev_next.column',
         'exec.vtable', 'ins.itable', 'module.itable', 'syscall.offsets', 'syscall.vtable',
         'thread.itable', 'trace.xml']


def sample(name):
    return os.path.join(FOLDER, name)


def kind(row):
    """Returns the specification's number for a type's name in rows."""
    return {'instruction': 0, 'thread begin': 1, 'thread end': 2, 'application end': 3,
            'system call entry': 4, 'system call exit': 5,
            'skipped system call exit': 6}.get(row['type'])


class Copy(support.FormatTest):
    program = 'trace_convert'

    def rows(self, trace, table):
        out = self.run_ok('trace_convert', '--table', table, trace, self.path('t.jsonl'))
        self.assertEqual(out, '')
        rows = file_bytes(self.path('t.jsonl')).decode('utf-8', 'surrogatepass').splitlines()
        os.remove(self.path('t.jsonl'))
        return [json.loads(r) for r in rows]

    def all_rows(self, trace):
        return {t: self.rows(trace, t) for t in TABLES}

    def convert(self, *args, code=0):
        r = self.run_tool('trace_convert', *args)
        self.assertEqual(r.returncode, code, (args, r.stderr))
        return r.stderr

    def sound(self, trace):
        r = self.run_tool('trace_check', trace)
        self.assertEqual(r.returncode, 0, r.stdout)
        self.assertIn(' 0 errors', r.stdout)

    def test_whole(self):
        for name in SAMPLES:
            first, second = self.path(name + '/'), self.path(name + '_again/')
            self.assertEqual(self.convert(sample(name), first), '')
            self.assertEqual(sorted(os.listdir(first)), FILES)
            self.assertEqual(self.all_rows(first), self.all_rows(sample(name)), name)
            for f in ('context_map.itable', 'trace.xml', 'exec.prev_next.column'):
                self.assertEqual(file_bytes(first + f), file_bytes(os.path.join(sample(name), f)))
            self.sound(first)
            # Only the source's padding may differ: a copy of a copy is identical to the byte.
            self.convert('--to', 'umtracer', first, second)
            for f in FILES:
                self.assertEqual(file_bytes(first + f), file_bytes(second + f), (name, f))

    def wanted(self, rows, ids):
        """Returns the expected tables of a trace with these records, and the number of omitted rows."""
        begun = {}  # new numbers of the calls with an entry, by old number
        calls, records, last, left_out = [], [], {}, 0
        of, new_id = {r['id']: r for r in rows['exec']}, {}
        for i in ids:
            r = dict(of[i])
            here = len(records)
            if kind(r) == 4:
                begun[r['syscall_id']] = len(calls)
                old = rows['syscall'][r['syscall_id']]
                r['syscall_id'] = len(calls)
                calls.append(dict(old, id=len(calls), begin_eid=here, end_eid=-1, completed=0,
                                  result=None))
            elif kind(r) in (5, 6) and r['syscall_id'] not in begun:
                if kind(r) == 6:
                    left_out += 1
                    continue
                r['syscall_id'] = -1
            elif kind(r) in (5, 6):
                old = rows['syscall'][r['syscall_id']]
                r['syscall_id'] = begun.pop(r['syscall_id'])
                calls[r['syscall_id']].update(end_eid=here, completed=int(kind(r) == 5),
                                              result=old['result'] if kind(r) == 5 else None)
            new_id[i] = r['id'] = here
            r['previous'] = last.get(r['thread_id'], -1)
            r['next'] = -1
            if r['previous'] != -1:
                records[r['previous']]['next'] = here
            last[r['thread_id']] = here
            records.append(r)

        def at(eid):
            return eid if eid == -1 else sum(1 for i in new_id if i < eid)

        modules = [dict(m, load_eid=at(m['load_eid']), unload_eid=at(m['unload_eid']))
                   for m in rows['module']]
        threads = []
        for t in rows['thread']:
            mine = [r['id'] for r in records if r['thread_id'] == t['id']]
            ended = new_id.get(t['last_eid'], -1) if t['last_eid'] != -1 else -1
            threads.append(dict(t, record_count=len(mine), first_eid=mine[0] if mine else None,
                                last_eid=ended))
        return {'exec': records, 'syscall': calls, 'module': modules, 'thread': threads,
                'ins': rows['ins'], 'context': rows['context']}, left_out

    def check(self, name, rows, ids, out, told):
        want, left_out = self.wanted(rows, ids)
        self.assertEqual('%d record%s left out' % (left_out, 's' * (left_out != 1)) in told,
                         left_out != 0, told)
        for table, all_rows in want.items():
            got = self.rows(out, table)
            if table == 'thread':
                for row in got:  # the format does not define the first record of an empty thread
                    row.update({'first_eid': None} if row['record_count'] == 0 else {})
            self.assertEqual(got, all_rows, (name, table, ids[:3]))
        self.sound(out)
        return left_out

    def test_parts(self):
        left_out = 0
        for name in SAMPLES:
            rows = self.all_rows(sample(name))
            ids = [r['id'] for r in rows['exec']]
            busiest = max((t for t in rows['thread']), key=lambda t: t['record_count'])['id']
            of_it = [r['id'] for r in rows['exec'] if r['thread_id'] == busiest]
            parts = [(['--skip', '100', '--limit', '300'], ids[100:400]),
                     (['--limit', '1'], ids[:1]), (['--skip', str(len(ids) - 50)], ids[-50:]),
                     (['--thread', str(busiest)], of_it),
                     (['--thread', str(busiest), '--skip', '20', '--limit', '30'], of_it[20:50])]
            n = len(ids)
            parts += [(['--shard', '%d/3' % i], ids[n * i // 3:n * (i + 1) // 3]) for i in range(3)]
            for k, (options, want) in enumerate(parts):
                out = self.path('%s_%d/' % (name, k))
                told = self.convert(*options, sample(name), out)
                left_out += self.check(name, rows, want, out, told)
        self.assertGreater(left_out, 0)  # otherwise this would not be tested

    def test_a_part_is_read_as_the_whole_is(self):
        out = self.path('p/')
        self.convert('--skip', '500', '--limit', '200', sample('plain64'), out)
        part, whole = (self.run_ok('trace_view', '--json', *more, trace).splitlines()
                       for trace, more in ((out, []),
                                           (sample('plain64'), ['--skip', '500', '-n', '200'])))
        self.assertEqual(len(part), 200)
        for a, b in zip(map(json.loads, part), map(json.loads, whole)):
            for row in (a, b):
                for numbered_anew in ('ID', 'Prev', 'Next', 'SyscallID'):
                    row.pop(numbered_anew, None)
            self.assertEqual(a, b)

    def test_damaged(self):
        trace = shutil.copytree(sample('plain64'), self.path('d'))
        rows = self.rows(trace, 'exec')
        victim = next(r['id'] for r in rows if r['id'] > 700 and r['type'] == 'instruction')
        offsets = file_bytes(trace + '/exec.offsets')
        at = struct.unpack_from('<q', offsets, 8 * victim)[0]
        raw = bytearray(file_bytes(trace + '/exec.vtable'))
        raw[at + 6:at + 14] = struct.pack('<q', 10 ** 6)  # an instruction that does not exist
        self.write('d/exec.vtable', raw)
        out = self.path('o/')
        self.bad(1, trace, out, about=b'record %d' % victim)
        self.assertFalse(os.path.exists(out))
        for options, ids in (([], range(victim)), (['--skip', '600'], range(600, victim))):
            self.bad(1, '--keep-whole', *options, trace, out, about=b'record %d' % victim)
            whole = self.all_rows(sample('plain64'))
            self.check('plain64', whole, list(ids), out, '')
            shutil.rmtree(out)
        # A part that ends before the damage is not affected.
        self.convert('--limit', str(victim), trace, out)

    def test_usage(self):
        out, names = self.path('o/'), self.write('n.h', b'enum { XED_CATEGORY_AVX = 1 };')
        trace = sample('plain64')
        for options, about in ((['--codec', 'xz'], b'--codec'), (['--names', names], b'--names'),
                               (['--snapshots', '9'], b'--snapshots'), (['--renumber'], b'--renumber'),
                               (['--dialect', 'rapid'], b'--dialect'), (['--disassembly'], b'--dis'),
                               (['--mode', 'raw', '--to', 'umtracer'], b'--mode'),
                               (['--block-size', '9'], b'--block-size'), (['--lock', '1'], b'--lock'),
                               (['--metadata', names], b'--metadata')):
            self.bad(2, *options, trace, out, about=about)
        self.bad(2, '--to', 'umtracer', trace, '-', about=b'folder')
        for options in (['--limit', '0'], ['--skip', '99999'], ['--thread', '4242']):
            self.bad(1, *options, trace, out, about=b'no records are left')
        os.mkdir(self.path('taken'))
        self.write('taken/mine', b'1')
        self.bad(1, trace, self.path('taken'), about=b'not an empty folder')
        self.assertEqual(sorted(os.listdir(self.folder)), ['n.h', 'taken'])


if __name__ == '__main__':
    support.main()
