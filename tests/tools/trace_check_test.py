# trace_check: findings with their positions, the summary, and the exit status, for sound,
# damaged and unreadable input.
import json

import support
from support import SED, WORK, content, pack, records


class Check(support.ProgramTest):
    program = 'trace_check'

    def test_sound(self):
        self.assertEqual(self.good(SED, WORK).decode(), ''.join(
            f'{p}: 50000 records, 0 errors, 0 warnings, 0 notes\n' for p in (SED, WORK)))
        for path in self.compressions(content(WORK)):
            self.good(path)
            out = self.good('-', stdin=support.file_bytes(path))
            self.assertEqual(out, b'<stdin>: 50000 records, 0 errors, 0 warnings, 0 notes\n')

    def broken(self):
        """Returns a trace with known defects at known records."""
        rs = records(content(WORK))[:2000]
        plain = [i for i, r in enumerate(rs) if support.branch_class(r) == 'not_branch']
        for i in plain[100:108]:
            rs[i]['is_branch'] = 2
        return self.write('broken', b''.join(map(pack, rs))), plain[100:108]

    def test_findings(self):
        path, at = self.broken()
        r = self.run_program(path, '--format', 'champsim')
        lines = r.stdout.decode().splitlines()
        self.assertEqual(r.returncode, 1)
        values = [n for n in lines if ': error: flag-value: ' in n]
        for line, i in zip(values, at[:5]):
            self.assertEqual(line, f'{path}: error: flag-value: offset {64 * i}, record {i}: '
                             'is_branch 2, branch_taken 0')
        self.assertEqual(len(values), 6)
        self.assertTrue(values[5].startswith(f'{path}: error: flag-value: 3 more'))
        self.assertRegex(lines[-1], '^' + path + r': 2000 records, 8 errors, 8 warnings, 0 notes$')

        every = self.run_program(path, '--format=champsim', '--all').stdout.decode()
        self.assertEqual(every.count('flag-value'), 8)
        self.assertNotIn('more', every)

    def test_json(self):
        path, at = self.broken()
        r = self.run_program(path, '--format=champsim', '--all', '--json')
        found = [json.loads(line) for line in r.stdout.splitlines()]
        values = [f for f in found if f.get('code') == 'flag-value']
        self.assertEqual([(f['file'], f['severity'], f['offset'], f['record']) for f in values],
                         [(path, 'error', 64 * i, i) for i in at])
        self.assertEqual(found[-1], {'file': path, 'records': 2000, 'errors': 8, 'warnings': 8,
                                     'notes': 0})
        self.assertEqual(json.loads(self.good(WORK, '--json'))['records'], 50000)

    def test_damaged(self):
        for path, _ in self.damaged():
            r = self.run_program(path)
            self.assertEqual((r.returncode, r.stderr), (1, b''), path)
            code = b'trailing-bytes' if 'partial' in path else b'damaged'
            self.assertIn(path.encode() + b': error: ' + code + b': ', r.stdout, path)
        r = self.run_program(self.write('partial', content(WORK)[:64 * 1000 + 10]))
        self.assertIn(b': error: trailing-bytes: offset 64010, record 1000: ', r.stdout)

    def test_wrong_size(self):
        raw = support.as_cloudsuite(records(content(WORK))[:2000], [1, 2])
        path = self.write('c', raw)
        self.assertIn(b'2000 records, 0 errors', self.good(path))
        r = self.run_program('--format=champsim', path)
        self.assertEqual(r.returncode, 1)
        self.assertIn(b'record-size', r.stdout)

    def test_no_trace(self):
        for path, word in self.no_traces().items():
            self.assertEqual(self.bad(1, path, about=word), b'')
            out = self.bad(1, path, WORK, about=word)  # the other traces are checked nevertheless
            self.assertIn(WORK.encode() + b': 50000 records', out)
            found = json.loads(self.bad(1, path, '--json', about=word))
            self.assertEqual((found['severity'], found['code']), ('error', 'unreadable'))
        r = self.run_program('--format', 'champsim', self.path('text'))
        self.assertEqual(r.returncode, 1)
        self.assertIn(b'flag-value', r.stdout)

    def test_warnings_are_no_failure(self):
        out = self.good(support.data('threads3_64')).decode()
        self.assertIn(': warning: flow: ', out)  # 178 thread switches
        self.assertIn(' 0 errors', out)

    def test_usage(self):
        for args in ((), ('--all',), (WORK, '--format', 'x'), (WORK, '--bogus')):
            self.assertEqual(self.bad(2, *args), b'')
        self.assertIn(b'Usage: trace_check', self.good('--help'))

    def test_full_disk(self):
        path, _ = self.broken()
        self.check_full_disk(WORK)
        self.check_full_disk('--all', '--format=champsim', path)
        self.check_full_disk('--all', '--format=champsim', self.write('many', b'\x02' * 640000))


if __name__ == '__main__':
    support.main()
