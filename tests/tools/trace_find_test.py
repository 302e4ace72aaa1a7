# trace_find: what it finds is what Python finds in the rows that trace_view prints.
import json
import os
import struct

import support
from support import SED, WORK, content, records


def sample(name):
    return os.path.join(os.path.dirname(SED), name)


def lines(raw):
    return raw.decode().splitlines()


class Find(support.ProgramTest):
    program = 'trace_find'

    def found(self, *args, code=0):
        """The indexes of what is found."""
        r = self.run_program(*args)
        self.assertEqual((r.returncode, r.stderr), (code, b''), args)
        return [int(s[1:s.index(']')]) for s in lines(r.stdout)]

    def check(self, expected, *args):
        self.assertGreater(len(expected), 0, args)
        self.assertEqual(self.found(*args), expected, args)
        r = self.run_program('--count', *args)
        self.assertEqual(int(r.stdout), len(expected), args)

    def json_of(self, *args):
        r = support.run('trace_view', '--json', *args)
        self.assertEqual(r.returncode, 0, r.stderr)
        return [json.loads(s) for s in lines(r.stdout)]

    def test_records(self):
        rs = records(content(SED))
        self.check([i for i, r in enumerate(rs) if r['ip'] == rs[7]['ip']], '--ip',
                   hex(rs[7]['ip']), SED)
        first = rs[100]['ip']
        self.check([i for i, r in enumerate(rs) if first <= r['ip'] < first + 64], '--ip',
                   '%d+64' % first, SED)
        self.check([i for i, r in enumerate(rs) if first <= r['ip'] <= first + 64], '--ip',
                   '%#x-%#x' % (first, first + 64), SED)
        for option, keys in (('--reads', ['source_memory']), ('--writes', ['destination_memory']),
                             ('--memory', ['source_memory', 'destination_memory'])):
            address = next(r[keys[0]][0] for r in rs[5000:] if r[keys[0]][0])
            near = range(address - 64, address + 64)
            self.check([i for i, r in enumerate(rs)
                        if any(a in near for k in keys for a in r[k] if a)],
                       option, '%d+128' % near[0], SED)
        kinds = [support.branch_class(r) for r in rs]
        self.check([i for i, k in enumerate(kinds) if k == 'return'], '--branch', 'return', SED)
        self.check([i for i, k in enumerate(kinds)
                    if k == 'conditional' and not support.branch_taken(rs[i], k)],
                   '--branch', 'conditional', '--not-taken', SED)
        returns = [i for i, k in enumerate(kinds) if k == 'return']
        self.assertEqual(self.found('--branch', 'return', '-n', '3', '--skip', '1000', SED),
                         [i for i in returns if i >= 1000][:3])

    @support.needs('simdjson', 'zydis', 'xz')
    def test_x64dbg(self):
        path = sample('work32.trace32.xz')
        blocks = self.json_of('-n', '5000', path)
        rows = lines(support.run('trace_view', '-c', '-n', '5000', path).stdout)
        some = ('--skip', '0')
        limit = len(blocks)

        def check(expected, *args):
            got = [i for i in self.found(*args, *some, path) if i < limit]
            self.assertGreater(len(expected), 0, args)
            self.assertEqual(got, expected, args)

        check([b['index'] for b in blocks if b['opcode'].startswith('89')], '--opcode', '89')
        texts = [r.split(' | ')[2] for r in rows]
        check([i for i, t in enumerate(texts) if t.split()[0] == 'push'], '--mnemonic', 'push')
        # Whatever lies in neighbouring words.
        word = next(m['old'] for b in blocks for m in b['memory'] if int(m['old'], 0) > 0xFFFFFF)
        pattern = struct.pack('<I', int(word, 0))

        def holds(b):
            return any(pattern in struct.pack('<I', int(m[k], 0)) for m in b['memory']
                       for k in ('old', 'new') if m[k] is not None)
        found = [i for i in self.found('--bytes', pattern.hex(), path) if i < limit]
        for i in (b['index'] for b in blocks if holds(b)):
            self.assertIn(i, found)
        # Word 0 of REGDUMP is eax. What a block gives is there before its instruction.
        eax, had, expected = None, None, []
        wanted = next(int(v, 0) for b in blocks[50:] for w, v in b['registers'] if w == 0)
        for b in blocks:
            for w, v in b['registers']:
                eax = int(v, 0) if w == 0 else eax
            if eax == wanted and had != wanted:
                expected.append(b['index'])
            had = eax
        check(expected, '--register', 'eax=%#x' % wanted)
        switches = self.found('--thread-switch', sample('threads3_64.trace64.xz'))
        threads = [b['thread'] for b in self.json_of(sample('threads3_64.trace64.xz'))]
        self.assertEqual(switches, [i for i in range(1, len(threads))
                                    if threads[i] != threads[i - 1]])
        r = self.run_program('--json', '--opcode', '89', '-n', '2', path)
        self.assertEqual([json.loads(s) for s in lines(r.stdout)],
                         [b for b in blocks if b['opcode'].startswith('89')][:2])

    @support.needs('zydis')
    def test_umtracer(self):
        path = sample('umtracer/plain64')
        rows = [(int(s[1:s.index(']')]), s) for s in lines(
            support.run('trace_view', '-c', '-n', '0', path).stdout) if 'Disasm' in s]
        for name in ('add', 'mov'):
            self.check([i for i, s in rows if ' Disasm %s ' % name in s], '--mnemonic', name, path)
        records = self.json_of(path)
        at = next(r for r in records if r.get('Address'))
        self.check([r['ID'] for r in records if r.get('Address') == at['Address']], '--ip',
                   str(int(str(at['Address']), 0)), path)

    def test_rapidbin(self):
        path = sample('rapidbin/r250.data')
        rows = lines(support.run('trace_view', '-c', '-n', '0', path).stdout)
        threads = [r.split(' | ')[1] for r in rows]
        self.check([i for i in range(1, len(rows)) if threads[i] != threads[i - 1]],
                   '--thread-switch', path)
        self.check([i for i, t in enumerate(threads) if t == 'T[1]'], '--thread', '1', path)

    def test_status_and_errors(self):
        self.assertEqual(self.found('--ip', '1', SED, code=1), [])
        cut = self.write('cut', content(WORK)[:6390])
        for args, about in (((self.path('missing'),), b'No such file'), ((), b'required'),
                            (('--ip', 'x', SED), b'--ip'), (('--ip', '9-8', SED), b'--ip'),
                            (('--memory', '5+0', SED), b'--memory'),
                            (('--opcode', '9', SED), b'--opcode'),
                            (('--register', 'eax', SED), b'--register'),
                            (('--branch', 'jump', SED), b'--branch'),
                            (('--opcode', '90', SED), b'has no code'),
                            (('--bytes', '90', SED), b'no contents of memory'),
                            (('--register', 'eax=1', SED), b'no values of registers'),
                            (('--reads', '1', '--writes', '1', SED), b'excludes')):
            r = self.run_program(*args)
            self.assertEqual(r.returncode, 2, (args, r.stderr))
            self.assertIn(about, r.stderr, args)
            self.assertEqual((r.stdout, r.stderr.count(b'\n')), (b'', 1), args)
        # What is whole is searched.
        r = self.run_program('--count', '--ip', '0-18446744073709551615', cut)
        self.assertEqual((r.returncode, r.stdout), (2, b'99\n'))
        self.assertIn(b'record 99', r.stderr)


if __name__ == '__main__':
    support.main()
