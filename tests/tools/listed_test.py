# Traces of Lackey, Dinero and ML-DPC in the programs. Python makes the lines, and reads those of the
# programs.
import os
import random
import re
import subprocess
import unittest

import support
from champsim_records import RECORD, champsim_record
from support import ProgramTest, file_bytes, run


def program(seed, count):
    """Returns instructions of a random program: (ip, length, [(kind, address, size)])."""
    rng = random.Random(seed)
    ip, made = 0x401000, []
    for _ in range(count):
        accesses = [(rng.choice('LSM'), 0x7f0000 + 8 * rng.randrange(1000), rng.choice((1, 4, 8)))
                    for _ in range(rng.choice((0, 0, 0, 1, 1, 2)))]
        made.append((ip, rng.randrange(1, 9), accesses))
        ip = ip + made[-1][1] if rng.random() < 0.8 else 0x401000 + rng.randrange(4096)
    return made


def lackey_lines(made):
    lines = []
    for ip, length, accesses in made:
        lines.append('I  %08x,%d' % (ip, length))
        lines += [' %s %08x,%d' % a for a in accesses]
    return '\n'.join(lines) + '\n'


def dinero_lines(made):
    lines = []
    for ip, _, accesses in made:
        lines.append('2 %x' % ip)
        lines += ['%d %x' % (label, address) for kind, address, _ in accesses
                  for label in {'L': (0,), 'S': (1,), 'M': (0, 1)}[kind]]
    return '\n'.join(lines) + '\n'


def records(made, lengths):
    """Returns ChampSim records. An instruction after which the next one is elsewhere is a jump."""
    out = []
    for n, (ip, length, accesses) in enumerate(made):
        step = made[n + 1][0] - ip if n + 1 != len(made) else 0
        jumps = step != 0 and (step != length if lengths else not 0 < step <= 15)
        read = [a for kind, a, _ in accesses if kind != 'S'][:4]
        written = [a for kind, a, _ in accesses if kind != 'L'][:2]
        fields = list(RECORD.unpack(champsim_record(ip, 'direct_jump' if jumps else 'not_branch', jumps)))
        fields[9:11] = (written + [0, 0])[:2]
        fields[11:15] = (read + [0] * 4)[:4]
        out.append(RECORD.pack(*fields))
    return b''.join(out)


class Listed(ProgramTest):

    def setUp(self):
        super().setUp()
        self.made = program(7, 2000)
        self.lackey = self.write('made.lackey', ('==1== Lackey\n' + lackey_lines(self.made)).encode())
        self.dinero = self.write('made.din', dinero_lines(self.made).encode())

    def converted(self, path, name, *options):
        r = run('trace_convert', *options, path, self.path(name))
        self.assertEqual(r.returncode, 0, r.stderr)
        return file_bytes(self.path(name))

    def test_conversions(self):
        for path, lengths in ((self.lackey, True), (self.dinero, False)):
            self.assertEqual(self.converted(path, 'a.champsim'), records(self.made, lengths))
        # The lines of an instruction read before they write.
        ordered = [(ip, length, sorted(accesses, key=lambda a: a[0] == 'S'))
                   for ip, length, accesses in self.made]
        for name, lines in (('b.din', dinero_lines), ('b.lackey', lackey_lines)):
            self.assertEqual(self.converted(self.lackey, name).decode().count('\n'),
                             lines(ordered).count('\n'))
        self.assertEqual(self.converted(self.lackey, 'c.lackey').decode(), lackey_lines(self.made))
        self.assertEqual(self.converted(self.dinero, 'c.din').decode(), dinero_lines(self.made))
        self.assertEqual(self.converted(self.lackey, 'd.lackey', '--skip', '5', '-n', '9').decode(),
                         lackey_lines(self.made[5:14]))
        # Conversions of records, which store neither lengths nor sizes.
        at = self.write('e.champsim', records(self.made, True))
        lines = self.converted(at, 'e.din').decode().split('\n')
        self.assertEqual([int(line[2:], 16) for line in lines if line.startswith('2')],
                         [ip for ip, _, _ in self.made])
        loads = [line.split(', ') for line in self.converted(at, 'e.mldpc').decode().split('\n')[:-1]]
        wanted = [[n, n, address, ip, 0] for n, (ip, _, accesses) in enumerate(self.made)
                  for kind, address, _ in accesses if kind != 'S']
        self.assertEqual([[int(a), int(b), int(c, 16), int(d, 16), int(e)] for a, b, c, d, e in loads], wanted)

    def test_loads(self):
        rng = random.Random(3)
        lines = ''.join('%d, %d, %x, %x, %d\n' % (3 * n, 40 * n, 0x7f0000 + 64 * rng.randrange(999), 0x401000 + n,
                                                  rng.randrange(2)) for n in range(300))
        path = self.write('made.mldpc', lines.encode())
        self.assertEqual(self.converted(path, 'copy.mldpc').decode(), lines)
        self.assertEqual(self.converted(path, 'part.mldpc', '--skip', '10', '-n', '5').decode(),
                         ''.join(lines.splitlines(True)[10:15]))
        out = self.converted(path, 'a.champsim')
        loads = [line.split(', ') for line in lines.splitlines()]
        self.assertEqual([(r[0], r[11]) for r in RECORD.iter_unpack(out)],
                         [(int(pc, 16), int(address, 16)) for _, _, address, pc, _ in loads])
        rows = self.converted(path, 'a.csv').decode().splitlines()
        self.assertEqual(rows[0], 'index,instruction,cycle,address,pc,hit')
        self.assertEqual([row.split(',')[5] for row in rows[1:]], [hit for _, _, _, _, hit in loads])

    def test_other_programs(self):
        stores = sum(any(kind != 'L' for kind, _, _ in accesses) for _, _, accesses in self.made)
        loads = self.write('a.mldpc', b'1, 2, 7f0010, 401000, 0\n' * 5)
        lines = lackey_lines(self.made).count('\n') + 1
        for name, arguments, wanted in (
                ('trace_check', [self.lackey], b'%d records, 0 errors, 0 warnings' % lines),
                ('trace_check', [self.dinero], b' 0 errors, 0 warnings'),
                ('trace_check', [loads], b'5 records, 0 errors, 0 warnings'),
                ('trace_find', ['--count', '--writes', '0-0xffffffff', self.lackey], b'%d\n' % stores),
                ('frontend_sim', [self.lackey], b'2,000'),
                ('trace_view', ['-c', '-n', '1', loads],
                 b"[     0] 0x0000000000401000 | S_M['0x7f0010'] | cycle 2 | miss\n"),
                ('trace_view', ['-n', '1', loads], b'cycle                  2\n'),
                ('trace_view', ['-c', '-n', '1', self.dinero], b'[     0] 0x0000000000401000')):
            if name in support.PROGRAMS:
                r = run(name, *arguments)
                self.assertEqual(r.returncode, 0, (name, arguments, r.stderr))
                self.assertIn(wanted, r.stdout, (name, arguments))

    def test_refuses_damaged_lines_and_packs(self):
        cut = self.write('cut.lackey', file_bytes(self.lackey) + b'I  12')
        r = run('trace_convert', cut, self.path('cut.din'))
        self.assertEqual((r.returncode, os.path.exists(self.path('cut.din'))), (1, False))
        self.assertIn(b'the trace ends inside the line', r.stderr)
        r = run('trace_convert', '--keep-whole', cut, self.path('cut.din'))
        self.assertEqual(file_bytes(self.path('cut.din')).count(b'\n2 '), len(self.made) - 1)
        r = run('trace_convert', '--to', 'dinero', self.lackey, self.path('a.tpack'))
        self.assertNotEqual(r.returncode, 0)

    @unittest.skipUnless(support.has_program('valgrind'), 'needs valgrind')
    def test_a_recorded_program(self):
        """Reads a trace that Valgrind makes, and writes its lines again."""
        at = self.path('true.lackey')
        made = subprocess.run(['valgrind', '--tool=lackey', '--trace-mem=yes', '--log-file=' + at, '/bin/true'],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=support.NATIVE)
        if made.returncode != 0 or not os.path.exists(at):
            self.skipTest('valgrind cannot run a program here')
        lines = b''.join(line for line in file_bytes(at).splitlines(True) if line[:1] in b'I ')
        self.assertEqual(self.converted(at, 'copy.lackey'), lines)
        self.assertEqual(len(self.converted(at, 'true.champsim')) // 64, len(re.findall(b'^I', lines, re.M)))


if __name__ == '__main__':
    support.main()
