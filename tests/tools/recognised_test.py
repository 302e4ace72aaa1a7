# Messages for files that are not traces, and input that is compressed several times.
import bz2
import gzip
import lzma
import os
import random
import struct

from support import CODECS, PROGRAMS, WORK, ProgramTest, content, main, run


def cvp(seed, count):
    """Returns a trace of CVP-1: a loop of eight instructions with loads, stores and a branch."""
    rnd = random.Random(seed)
    made = b''
    for i in range(count):
        pc, step = 0x400000 + 4 * (i % 8), i % 8
        kind = (0, 1, 0, 2, 6, 0, 1, 3)[step]
        made += struct.pack('<QB', pc, kind)
        if kind in (1, 2):
            made += struct.pack('<QB', 0x7ffff000 + 8 * rnd.randrange(4096), 8)
        if kind == 3:
            made += struct.pack('<BQ', 1, 0x400000)
        outputs = {0: [step], 1: [step], 6: [40]}.get(kind, [])
        made += bytes([2, 1, 2, len(outputs), *outputs])
        for o in outputs:
            made += struct.pack('<Q', rnd.randrange(1 << 48)) * (2 if o >= 32 else 1)
    return made


class Recognised(ProgramTest):

    # Arguments for calling each program with a trace, and its exit status on failure.
    CALLS = {
        'trace_view': ([], 1),
        'trace_find': (['--count'], 2),
        'trace_check': ([], 1),
        'frontend_sim': ([], 1),
        'trace_convert': (['-'], 1),
        'trace_report': (['-'], 1),
        'trace_diff': ([os.path.abspath(WORK)], 2),
    }

    def calls(self):
        return [(p, *call) for p, call in self.CALLS.items() if p in PROGRAMS]

    def refused(self, path, word):
        """Checks that every program refuses a file, also from a pipe, and writes nothing."""
        with open(path, 'rb') as f:
            raw = f.read()
        for program, more, status in self.calls():
            for name, given in ((path, {}), ('-', {'stdin': raw})):
                r = run(program, name, *more, cwd=self.folder, **given)
                said = r.stdout + r.stderr if program == 'trace_check' else r.stderr
                self.assertEqual(r.returncode, status, (program, name, r.stderr))
                self.assertIn(word, said, (program, name))
                self.assertNotIn(b'name the format', said, (program, name))
        r = run('trace_convert', path, self.path('o.tpack'))
        self.assertEqual((r.returncode, os.path.exists(self.path('o.tpack'))), (1, False))
        self.assertIn(word, r.stderr)

    def test_cvp_is_not_taken_for_champsim(self):
        for size in (64, 96):
            raw = cvp(size, 600)
            paths = [self.write('cvp', raw[:len(raw) // size * size])]
            if 'gzip' in CODECS:
                paths.append(self.write('cvp.gz', gzip.compress(raw)))
            for path in paths:
                r = run('trace_view', '-c', '-n', '2', path)
                self.assertEqual(r.returncode, 0, r.stderr)
                self.assertIn(b'0x0000000000400004 | load | IN[x1, x2]', r.stdout)

    def test_other_formats(self):
        self.refused(self.write('t.xz', b'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 600\n'),
                     b'git lfs pull')
        self.refused(self.write('t.zip', b'PK\3\4\x14\0\0\0\x08\0' + bytes(range(1, 200)) * 4), b'zip data ends too early')
        self.refused(self.write('loads', b'3659, 1024, 7f1c2a40, 40a1b2, 0\n3671, 1100, 7f1c2a80, 40a1b2, 1\n'),
                     b'text: the loads of a prefetching championship')
        self.refused(self.write('t.lzma', lzma.compress(content(WORK)[:6400], lzma.FORMAT_ALONE)),
                     b'LZMA alone')

    def test_options_are_named_as_the_program_has_them(self):
        table = self.write('t.txt', b'0 8 ip u64 little\n8 1 is_branch u8\n')
        places = self.write('t.maps.json', b'{"version": 1, "modules": [{"base": "0x1000", "size": 4096}]}')
        names = self.write('names.c', b'enum syscalls { SYSCALL_NtOpenFile = 1 };\n')
        with_names = set(PROGRAMS) - {'trace_check'}
        with_map = ('trace_view', 'trace_find', 'trace_diff', 'trace_report')
        for path, option, programs in ((table, 'record', PROGRAMS),
                                       (places, 'maps', with_map), (names, 'names', with_names)):
            for program, more, status in self.calls():
                r = run(program, path, *more, cwd=self.folder)
                said = (r.stdout + r.stderr).decode()
                self.assertEqual(r.returncode, status, (program, said))
                self.assertIn('(--%s)' % option if program in programs else '(option %s)' % option, said, program)
            if 'trace_check' in PROGRAMS and option == 'record':
                self.assertIn(b'(--record)', run('trace_check', '--json', path).stdout)

    def test_the_format_can_be_named(self):
        # All records have one address, which no program does, so the content does not identify
        # a trace.
        raw = struct.pack('<Q56x', 0x7f0000401001) * 40
        path = self.write('t', raw)
        for program, more, status in self.calls():
            if program == 'trace_check':
                continue
            r = run(program, path, *more, cwd=self.folder)
            self.assertEqual(r.returncode, status, program)
            self.assertIn(b'name the format to read it anyway', r.stderr, program)
        rows = run('trace_view', '--format', 'champsim', '-c', '-n', 'all', path)
        self.assertEqual((rows.returncode, rows.stdout.count(b'\n')), (0, 40))

    def test_compressed_several_times_over(self):
        raw = content(WORK)[:64 * 3000]
        expected = run('trace_view', '--json', '-n', 'all', self.write('plain', raw)).stdout
        self.assertEqual(expected.count(b'\n'), 3000)
        packs = {'gzip': gzip.compress, 'bzip2': bz2.compress, 'xz': lzma.compress}
        for outer in packs:
            for inner in packs:
                if not {outer, inner} <= CODECS:
                    continue
                path = self.write('t', packs[outer](packs[inner](raw)))
                self.assertEqual(run('trace_view', '--json', '-n', 'all', path).stdout, expected, (outer, inner))
                with open(path, 'rb') as f:
                    piped = run('trace_view', '--json', '-n', 'all', '-', stdin=f.read()).stdout
                self.assertEqual(piped, expected, (outer, inner))
                # Operations that read twice, skip or count first.
                skipped = run('trace_view', '--json', '--skip', '2990', '-n', 'all', path).stdout
                self.assertEqual(skipped, b''.join(expected.splitlines(True)[2990:]))
                r = run('trace_convert', '--shard', '2/3', path, self.path('o'))
                self.assertEqual(r.returncode, 0, r.stderr)
                with open(self.path('o'), 'rb') as f:
                    self.assertEqual(f.read(), raw[64 * 2000:])
                self.assertEqual(run('trace_report', path, self.path('o.html')).returncode, 0)
        if 'gzip' in CODECS:
            thrice = gzip.compress(gzip.compress(gzip.compress(raw)))
            self.assertEqual(run('trace_view', '--json', '-n', 'all', self.write('t', thrice)).stdout, expected)
            path = self.write('t', gzip.compress(thrice))
            for program, more, status in self.calls():
                r = run(program, path, *more, cwd=self.folder)
                self.assertEqual(r.returncode, status, program)
                self.assertIn(b'compressed more than 3 times: decompress it first',
                              r.stdout + r.stderr)
            # Damage within the compressed data is damage of the trace.
            r = run('trace_view', '--json', '-n', 'all', self.write('t', gzip.compress(gzip.compress(raw)[:-4000])))
            self.assertEqual(r.returncode, 1)
            self.assertTrue(expected.startswith(r.stdout) and r.stdout)


if __name__ == '__main__':
    main()
