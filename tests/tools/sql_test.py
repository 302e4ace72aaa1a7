# trace_sql and the extension for SQLite: rows compared with Python's own decoding of the records.
import collections
import json
import os
import random
import signal
import struct
import subprocess
import sys
import time
import unittest

import support
from support import PROGRAMS, SED, WORK, ProgramTest, branch_class, content, needs, records, run
from x64dbg_model import Trace

EXTENSION = os.environ.get('TRACECODEC_SQLITE_EXTENSION', '')
CLASSES = ['direct_jump', 'indirect', 'conditional', 'direct_call', 'indirect_call', 'return', 'other']
BOUNDARY = 1 << 63


def sample(name):
    return os.path.join(os.path.dirname(SED), name)


def rows(*arguments):
    r = run('trace_sql', '--mode', 'json', *arguments)
    assert (r.returncode, r.stderr) == (0, b''), (arguments, r.returncode, r.stderr)
    return [list(json.loads(line).values()) for line in r.stdout.splitlines()]


def lists(arguments, queries):
    """Returns the values of each query, which has one column of unsigned numbers, from one run of the program."""
    found = rows(*arguments, '; '.join('SELECT json_group_array(v) FROM (SELECT %s)' % q for q in queries))
    return [[v % (1 << 64) for v in json.loads(row[0])] for row in found]


def record(ip, stored=0, loaded=0):
    return struct.pack('<Q2B2B4B2Q4Q', ip, 0, 0, 1, 0, 2, 0, 0, 0, stored, 0, loaded, 0, 0, 0)


def accesses(all_records):
    """Returns (n, address, whether it writes), reads before writes."""
    return [(n, a, w) for n, r in enumerate(all_records)
            for w, field in ((0, 'source_memory'), (1, 'destination_memory')) for a in r[field] if a]


class Sql(ProgramTest):
    def setUp(self):
        super().setUp()
        self.raw = content(SED)
        self.records = records(self.raw)
        self.trace = self.write('x.champsimtrace', self.raw)

    def write(self, name, raw):
        path = os.path.join(self.folder, name)
        with open(path, 'wb') as f:
            f.write(raw)
        return path

    def ask(self, sql):
        return rows(self.trace, sql)

    def plan(self, sql):
        return self.ask('EXPLAIN QUERY PLAN ' + sql)[0][3]

    def test_instructions(self):
        got = self.ask('SELECT n, ip, branch, taken, thread FROM instructions')
        self.assertEqual(len(got), len(self.records))
        for n, (row, r) in enumerate(zip(got, self.records)):
            kind = branch_class(r)
            self.assertEqual(row[:2], [n, hex(r['ip'])])
            self.assertEqual(row[2], kind if kind != 'not_branch' else None)
            self.assertIsNone(row[4])  # the format has no threads
            if row[2] == 'conditional':
                self.assertEqual(row[3], r['branch_taken'])

    def test_filters(self):
        ips = [r['ip'] for r in self.records]
        rng = random.Random(5)
        for _ in range(8):
            a, b = sorted(rng.sample(ips, 2))
            first, last = sorted(rng.randrange(len(ips)) for _ in range(2))
            cases = (
                ('ip BETWEEN %d AND %d' % (a, b), lambda n, ip: a <= ip <= b),
                ("ip > '%#x' AND n < %d" % (a, last), lambda n, ip: ip > a and n < last),
                ('n >= %d AND n <= %d AND ip <> %d' % (first, last, ips[first]),
                 lambda n, ip: first <= n <= last and ip != ips[first]),
                ("ip IN ('%#x', %d, 17) AND n > %d" % (a, b, first),
                 lambda n, ip: ip in (a, b, 17) and n > first),
                ('n IN (%d, %d, %d, -1)' % (last, first, last), lambda n, ip: n in (first, last)),
                ('ip < %d.5' % a, lambda n, ip: ip <= a),
                ('+ip = %d OR n = %d' % (a, first), lambda n, ip: ip == a or n == first))
            got = lists([self.trace], ['n AS v FROM instructions WHERE %s ORDER BY n' % sql for sql, _ in cases])
            for (sql, expected), numbers in zip(cases, got, strict=True):
                self.assertEqual(numbers, [n for n, ip in enumerate(ips) if expected(n, ip)], sql)

    def test_branches(self):
        expected = collections.Counter(branch_class(r) for r in self.records)
        expected.pop('not_branch')
        self.assertEqual(dict(self.ask('SELECT branch, count(*) FROM branches GROUP BY branch')), expected)
        for name in CLASSES:
            self.assertEqual(self.ask("SELECT count(*) FROM instructions WHERE branch = '%s'" % name),
                             [[expected.get(name, 0)]])
        self.assertEqual(self.ask("SELECT count(*) FROM branches WHERE branch IN ('return', 'nothing')"),
                         [[expected['return']]])
        self.assertEqual(self.ask('SELECT count(*) FROM instructions WHERE branch IS NULL'),
                         [[len(self.records) - sum(expected.values())]])

    def check_memory(self, trace, all_records):
        found = accesses(all_records)
        got = rows(trace, 'SELECT n, address, "write", size, value FROM memory')
        self.assertEqual([(n, int(a, 16), w) for n, a, w, _, _ in got], found)
        self.assertEqual({(s, v) for _, _, _, s, v in got}, {(None, None)})  # a record has neither
        rng = random.Random(7)
        for _ in range(10):
            n, address, _ = rng.choice(found)
            writes = [k for k, a, w in found if a == address and w]
            reads = [k for k, a, w in found if a == address and not w]
            at = "('%#x', %d)" % (address, n)
            cases = (
                ("2 * n + \"write\" AS v FROM memory WHERE address = '%#x'" % address,
                 [2 * k + w for k, a, w in found if a == address]),
                ("n AS v FROM memory WHERE address BETWEEN '%#x' AND '%#x' AND \"write\" = 1"
                 % (address & ~0xfff, address | 0xfff), [k for k, a, w in found if w and a >> 12 == address >> 12]),
                ("2 * n + \"write\" AS v FROM accesses('%#x', 64)" % (address & ~63),
                 [2 * k + w for k, a, w in found if a >> 6 == address >> 6]),
                ('DISTINCT n AS v FROM last_write' + at, [k for k in writes if k < n][-1:]),
                ('DISTINCT n AS v FROM last_read' + at, [k for k in reads if k < n][-1:]),
                ('DISTINCT n AS v FROM next_write' + at, [k for k in writes if k >= n][:1]),
                ('DISTINCT n AS v FROM next_read' + at, [k for k in reads if k >= n][:1]),
                ("n AS v FROM history('%#x')" % address, writes))
            for (query, wanted), got in zip(cases, lists([trace], [q for q, _ in cases]), strict=True):
                self.assertEqual(got, wanted, query)

    def test_memory(self):
        self.check_memory(self.trace, self.records)

    def test_memory_with_an_index(self):
        self.assertEqual(run('trace_index', self.trace).returncode, 0)
        self.check_memory(self.trace, self.records)
        self.assertIn(' tcidx ', self.plan('SELECT n FROM memory WHERE address = 4096'))
        self.assertIn(' tcidx ', self.plan('SELECT n FROM last_write(4096)'))

    def test_boundary(self):
        ips = [0, 1, BOUNDARY - 2, BOUNDARY - 1, BOUNDARY, BOUNDARY + 1, (1 << 64) - 2, (1 << 64) - 1]
        path = self.write('high', b''.join(record(ip, stored=ip) for ip in ips))

        def ask(*queries):
            return lists(['--format', 'champsim', path], queries)
        for a in ips[2:]:
            signed = a - (1 << 64) if a >= BOUNDARY else a
            queries, expected = [], []
            for text in ("'%#x'" % a, "'%d'" % a, str(signed), '%#x' % a):
                for op, test in (('=', lambda x: x == a), ('<', lambda x: x < a), ('<=', lambda x: x <= a),
                                 ('>', lambda x: x > a), ('>=', lambda x: x >= a), ('<>', lambda x: x != a)):
                    queries += ['ip AS v FROM instructions WHERE ip %s %s' % (op, text),
                                'address AS v FROM memory WHERE address %s %s' % (op, text)]
                    expected += [[x for x in ips if test(x)], [x for x in ips if x and test(x)]]
            queries.append("ip AS v FROM instructions WHERE hex64(ip) >= hex64('%#x')" % a)
            expected.append([x for x in ips if x >= a])
            for query, got, wanted in zip(queries, ask(*queries), expected, strict=True):
                self.assertEqual(got, wanted, query)
        of_ips = 'ip AS v FROM instructions WHERE '
        self.assertEqual(
            ask(of_ips + "ip BETWEEN '%#x' AND '%#x'" % (BOUNDARY - 1, BOUNDARY), of_ips + 'ip > 1e18',
                of_ips + "ip IN ('%#x', %d)" % (BOUNDARY, BOUNDARY - 1), of_ips + 'ip < 0.5'),
            [ips[3:5], ips[2:], ips[3:5], ips[:1]])
        self.assertEqual(rows('--format', 'champsim', path, 'SELECT hex64(max(ip)), hex64(ip) FROM instructions'),
                         [['0x7fffffffffffffff'] * 2])  # max() compares signed numbers
        self.assertEqual(rows('--format', 'champsim', path, 'SELECT max(hex64(ip)) FROM instructions'),
                         [['0xffffffffffffffff']])
        self.assertEqual(rows('--format', 'champsim', path, "SELECT address('0xffffffffffffffff')"), [[-1]])

    def test_plans(self):
        for sql, wanted in (
                ('SELECT ip FROM instructions WHERE n >= 5 AND n < 9', 'n>=? n<? columns(n,ip)'),
                ('SELECT n FROM instructions WHERE ip = 3', 'ip=? columns(n,ip)'),
                ("SELECT taken FROM branches WHERE thread = 1 AND branch = 'return'",
                 'thread=? branch=?'),
                ('SELECT n FROM instructions WHERE n IN (1, 2)', 'n IN ?'),
                ('SELECT n FROM instructions LIMIT 3 OFFSET 9', 'LIMIT OFFSET columns(n)'),
                ('SELECT count(*) FROM instructions', 'columns()'),
                ('SELECT n FROM memory WHERE address = 3 AND n > 3', 'n>?')):
            self.assertIn(wanted, self.plan(sql), sql)
        # A sort is not needed.
        self.assertEqual(len(self.ask('EXPLAIN QUERY PLAN SELECT n FROM instructions ORDER BY n')), 1)
        # Text that SQLite must compare itself is not in the plan.
        self.assertNotIn('LIMIT', self.plan("SELECT n FROM instructions WHERE hex64(ip) > '1' LIMIT 3"))

    def test_limit(self):
        count = len(self.records)
        loads = [n for n, a, w in accesses(self.records)]
        for limit, offset in ((0, 0), (3, 0), (1, count - 1), (5, count - 2), (7, 300), (2, count), (-1, count - 4)):
            self.assertEqual([n for n, in self.ask('SELECT n FROM instructions LIMIT %d OFFSET %d' % (limit, offset))],
                             list(range(count))[offset:offset + limit if limit >= 0 else None])
            self.assertEqual([n for n, in self.ask('SELECT n FROM memory LIMIT %d OFFSET %d' % (limit, offset))],
                             loads[offset:offset + limit if limit >= 0 else None])
        returns = [n for n, r in enumerate(self.records) if branch_class(r) == 'return']
        self.assertEqual([n for n, in self.ask("SELECT n FROM branches WHERE branch = 'return' LIMIT 4 OFFSET 3")],
                         returns[3:7])

    def test_two_traces(self):
        changed = [dict(r) for r in self.records]
        changed[100]['ip'] ^= 4
        other = self.write('y.champsimtrace', b''.join(support.pack(r) for r in changed))
        self.assertEqual(
            rows(self.trace, other, 'SELECT n, a.instructions.ip AS x, b.instructions.ip AS y FROM a.instructions '
                 'JOIN b.instructions USING (n) WHERE a.instructions.ip <> b.instructions.ip'),
            [[100, hex(self.records[100]['ip']), hex(changed[100]['ip'])]])

    def test_damage(self):
        path = self.write('cut', self.raw[:64 * 1000 + 7])
        r = run('trace_sql', '--format', 'champsim', '--mode', 'csv', path, 'SELECT n FROM instructions')
        self.assertEqual(r.returncode, 1)
        self.assertEqual(r.stdout.split(), [b'n'] + [b'%d' % n for n in range(1000)])
        self.assertRegex(r.stderr.decode(), '^trace_sql: .*cut: .*record 1000')

    def test_read_only(self):
        other = os.path.join(self.folder, 'other')
        for sql in ("ATTACH '%s' AS x" % other, "VACUUM INTO '%s'" % other, 'CREATE TABLE x(y)', 'DROP TABLE a.memory',
                    "SELECT open_trace('%s')" % self.trace, 'PRAGMA journal_mode = wal', 'DELETE FROM instructions',
                    "SELECT load_extension('x')", 'CREATE VIRTUAL TABLE x USING tracecodec_table(0,memory)'):
            r = run('trace_sql', self.trace, sql)
            self.assertEqual((r.returncode, r.stdout), (1, b''), sql)
            self.assertRegex(r.stderr.decode(), '^trace_sql: .+\n$', sql)
            self.assertFalse(os.path.exists(other))
        self.assertEqual(self.ask('CREATE TEMP TABLE hot AS SELECT ip FROM instructions LIMIT 3; '
                                  'SELECT count(*) FROM hot'), [[3]])

    def test_forms(self):
        def printed(mode, sql):
            r = run('trace_sql', '--mode', mode, self.trace, sql)
            self.assertEqual((r.returncode, r.stderr), (0, b''))
            return r.stdout
        sql = "SELECT 1 AS one, 'a,\"b' AS text, NULL AS unknown, x'00ff' AS bytes, 'x|' || char(27) AS odd"
        self.assertEqual(printed('csv', sql), b'one,text,unknown,bytes,odd\r\n1,"a,""b",,00ff,x|\x1b\r\n')
        self.assertEqual(printed('json', sql),
                         b'{"one":1,"text":"a,\\"b","unknown":null,"bytes":"00ff","odd":"x|\\u001b"}\n')
        self.assertTrue(printed('markdown', sql).startswith(b'| one | text | unknown | bytes | odd |\n| --- |'))
        self.assertIn(b'x\\|', printed('markdown', sql))
        for mode in ('table', 'markdown'):
            self.assertNotIn(b'\x1b', printed(mode, sql))
        self.assertEqual(printed('table', 'SELECT n, thread FROM instructions LIMIT 2'), b'n  thread\n0\n1\n')

    def test_statements_of_standard_input(self):
        r = run('trace_sql', self.trace, stdin=b'SELECT 1;\n.mode csv\nSELECT\n2 AS x;\n.tables\n.schema branches\n')
        self.assertEqual((r.returncode, r.stderr), (0, b''))
        self.assertTrue(r.stdout.startswith(b'1\n1\nx\r\n2\r\na:'), r.stdout)
        self.assertIn(b'a.branches (n INTEGER, ip ADDRESS', r.stdout)
        r = run('trace_sql', self.trace, stdin=b'SELECT no_such;\nSELECT 1;\n')
        self.assertEqual((r.returncode, r.stdout), (1, b''))
        self.assertIn(b'no such column: no_such', r.stderr)

    def test_usage(self):
        for arguments, message in ((['-', 'SELECT 1'], 'several times'), ([self.trace] * 11, 'at most 10 traces'),
                                   ([self.trace, '.nothing'], 'unknown command'),
                                   ([self.trace, 'SELECT * FROM last_write'], 'needs an address'),
                                   ([self.trace, "SELECT n FROM instructions WHERE ip = 'main'"], "got 'main'")):
            r = run('trace_sql', *arguments)
            self.assertIn(r.returncode, (1, 2))
            self.assertIn(message, r.stderr.decode(), arguments)

    def test_time_limit_and_interruption(self):
        endless = ('WITH RECURSIVE x(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM x) '
                   'SELECT count(*) FROM x')
        r = run('trace_sql', '--timeout', '1', self.trace, endless)
        self.assertEqual((r.returncode, r.stdout), (1, b''))
        self.assertIn(b'stopped after 1 s (--timeout)', r.stderr)
        # The rows of this query are all refused by the table itself.
        scan = 'SELECT count(*) FROM instructions AS x JOIN instructions AS y ON y.ip = x.n'
        for sql in (endless, scan.replace('x.n', 'x.n + 3')):
            p = subprocess.Popen([PROGRAMS['trace_sql'], self.trace, sql], stderr=subprocess.PIPE)
            time.sleep(0.5)
            p.send_signal(signal.SIGINT)
            p.communicate(timeout=60)
            self.assertEqual(p.returncode, -signal.SIGINT)

    @unittest.skipIf(support.WINDOWS, 'needs a terminal')
    def test_prompt(self):
        """Ctrl-C ends only the running statement."""
        import pty
        pid, terminal = pty.fork()
        if pid == 0:
            os.execv(PROGRAMS['trace_sql'], ['trace_sql', self.trace])
        shown = b''

        def wait(text, times=1):
            nonlocal shown
            while shown.count(text) < times:
                shown += os.read(terminal, 65536)
        endless = b'SELECT 3 + 4 AS ready; WITH RECURSIVE x(i) AS (SELECT 7 UNION ALL SELECT i FROM x) SELECT count(*) FROM x;'
        wait(b'sql> ')
        for times in (1, 2):
            os.write(terminal, endless + b'\n')
            wait(b'ready\r\n    7', times)
            os.write(terminal, b'\x03')
            wait(b'interrupted', times)
        time.sleep(1.2)  # an alarm of the handler must not end the prompt
        os.write(terminal, b'SELECT 6 * 7 AS answer;\n')
        wait(b'answer\r\n    42')
        os.write(terminal, b'.quit\n')
        self.assertEqual(os.waitpid(pid, 0)[1], 0)
        os.close(terminal)

    @needs('simdjson', 'zydis')
    def test_values(self):
        """Values of an x64dbg trace, whose memory accesses have the bytes before and after."""
        trace = Trace(content(sample('threads3_64.trace64.xz')))
        path = self.write('x.trace64', content(sample('threads3_64.trace64.xz')))
        got = rows(path, 'SELECT n, ip, thread, size, code FROM instructions')
        self.assertEqual(len(got), len(trace.blocks))
        for n, (row, b) in enumerate(zip(got, trace.blocks)):
            self.assertEqual((row[0], int(row[1], 16), row[2], row[4]), (n, b['ip'], b['thread'], b['opcode']))
        expected = collections.Counter(b['thread'] for b in trace.blocks)
        self.assertEqual({t: n for t, n in rows(path, 'SELECT thread, instructions FROM threads')}, expected)
        for thread in list(expected)[:2]:
            self.assertEqual(rows(path, 'SELECT count(*) FROM instructions WHERE thread = %d' % thread),
                             [[expected[thread]]])

        # A word before the instruction is what is read, or overwritten.
        words = {(n, a): (old, new) for n, b in enumerate(trace.blocks) for a, old, new in b['memory']}
        checked = 0
        for n, a, w, value, old in rows(path, 'SELECT n, address, "write", value, old_value FROM memory WHERE size = 8'):
            if value is None or (w and old is None) or (n, int(a, 16)) not in words:
                continue
            before, after = words[n, int(a, 16)]
            checked += 1
            if w:
                self.assertEqual((int(old, 16), int(value, 16)), (before, before if after is None else after), (n, a))
            else:
                self.assertEqual((int(value, 16), old), (before, None), (n, a))
        self.assertGreater(checked, 1000)

        # The program's registers before an instruction.
        for n in (1, 777, len(trace.blocks) - 1):
            got = {r: int(v, 16) for r, v in rows(path, "SELECT register, value FROM registers_at(%d) WHERE register "
                                                  "IN ('rax', 'rsp', 'r15')" % n)}
            state = trace.blocks[n]['state']
            self.assertEqual(got, {'rax': state[0], 'rsp': state[4], 'r15': state[15]})

    def test_registers(self):
        expected = sum(len([x for x in r['source_registers'] if x]) for r in self.records)
        written = sum(len([x for x in r['destination_registers'] if x]) for r in self.records)
        self.assertEqual(self.ask('SELECT written, count(*) FROM registers GROUP BY written'),
                         [[0, expected], [1, written]])
        # 6 is the number of the stack pointer.
        self.assertEqual([n for n, in self.ask("SELECT n FROM registers WHERE register = 'rsp' AND written AND n < 999")],
                         [n for n, r in enumerate(self.records[:999]) if 6 in r['destination_registers']])

    def test_events(self):
        folder = sample('rapidbin')
        dump = [json.loads(line) for line in content(os.path.join(folder, 'r250.dump.jsonl.xz')).splitlines()]
        events = [e for e in dump if 'op' in e]
        got = rows(os.path.join(folder, 'r250.data'), 'SELECT n, thread, decor, location FROM events')
        self.assertEqual(got, [[e['i'], e['thread'], e['decor'], e['loc']] for e in events])
        writes = rows(os.path.join(folder, 'r250.data'), "SELECT n FROM events WHERE operation = 'write'")
        self.assertEqual([n for n, in writes], [e['i'] for e in events if e['op'] == 'w'])
        self.assertIn(b'no such table: events', run('trace_sql', self.trace, 'SELECT * FROM events').stderr)

    def test_findings(self):
        path = self.write('cut', self.raw[:64 * 1000 + 7])
        found = rows('--format', 'champsim', path, 'SELECT severity, record FROM findings')
        self.assertIn(['error', 1000], found)
        self.assertEqual(self.ask("SELECT count(*) FROM findings WHERE severity = 'error'"), [[0]])

    @needs('simdjson', 'zydis')
    def test_calls(self):
        """A call leads to the first instruction of its function."""
        trace = Trace(content(sample('threads3_64.trace64.xz')))
        path = self.write('x.trace64', content(sample('threads3_64.trace64.xz')))
        got = rows(path, 'SELECT n, ip, thread, function, entry FROM calls WHERE n IS NOT NULL AND jump = 0')
        self.assertGreater(len(got), 100)
        following = {}
        last = {}
        for n, b in enumerate(trace.blocks):
            if b['thread'] in last:
                following[last[b['thread']]] = n
            last[b['thread']] = n
        for n, ip, thread, function, entry in got:
            b = trace.blocks[n]
            self.assertEqual((int(ip, 16), thread), (b['ip'], b['thread']))
            self.assertEqual((following[n], trace.blocks[entry]['ip']), (entry, int(function, 16)))
            self.assertTrue(b['opcode'][:2] in ('e8', 'ff', '41', 'f2', '3e'), b['opcode'])

    @unittest.skipUnless(EXTENSION, 'needs the extension')
    def test_extension(self):
        program = '''
import sqlite3, sys
db = sqlite3.connect(':memory:')
db.enable_load_extension(True)
db.load_extension(sys.argv[1])
print(db.execute('SELECT open_trace(?)', (sys.argv[2],)).fetchone()[0])
print(db.execute('SELECT open_trace(?, ?)', (sys.argv[2], 'other')).fetchone()[0])
print(db.execute('SELECT count(*), sum(reads) FROM instructions').fetchone())
print(db.execute('SELECT count(*) FROM other.memory WHERE "write" = 1').fetchone()[0])
try:
    db.execute("SELECT open_trace('missing')")
except sqlite3.OperationalError as e:
    print(e)
db.close()
'''
        python = next((p for p in ('/usr/bin/python3', sys.executable) if os.path.exists(p) and subprocess.run(
            [p, '-c', "import sqlite3; sqlite3.connect('').enable_load_extension(True)"],
            stderr=subprocess.DEVNULL).returncode == 0), None)
        if python is None or support.SANITIZED:
            self.skipTest("Python's sqlite3 cannot load extensions")
        r = subprocess.run([python, '-c', program, EXTENSION, self.trace], capture_output=True, text=True)
        found = accesses(self.records)
        self.assertEqual(r.stderr, '')
        reads = sum(any(r['source_memory']) for r in self.records)
        lines = r.stdout.splitlines()
        self.assertEqual(lines[:4], ['a', 'other', str((len(self.records), reads)), str(sum(w for _, _, w in found))])
        self.assertRegex(lines[4], 'missing')


if __name__ == '__main__':
    support.main()
