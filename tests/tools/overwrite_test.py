# No program overwrites a file of its input trace, whatever the output is called and whichever
# links lead there. The exit status is 2, one line names both files, and all files are
# unchanged.
import os
import shutil
import subprocess
import unittest

import support
from support import PROGRAMS, WORK, content, file_bytes

HEADER = b'enum { XED_CATEGORY_AVX = 1, XED_CATEGORY_NOP = 2 };'


def sample(name):
    return os.path.join(os.path.dirname(WORK), name)


class Overwrite(support.ProgramTest):
    """Tests outputs that would overwrite an input. The inputs are in their own folders: r250.data with its
    metadata, um3 and t.champsim."""

    def setUp(self):
        super().setUp()
        for suffix in ('data', 'json'):
            shutil.copy(sample('rapidbin/r250.' + suffix), self.folder)
        shutil.copy(self.path('r250.json'), self.path('m.csv'))
        shutil.copytree(sample('umtracer/plain64'), self.path('um3'))
        self.write('t.champsim', content(WORK)[:6400])
        self.write('names.h', HEADER)
        self.before = self.files()

    def files(self):
        paths = (os.path.join(at, f) for at, _, names in os.walk(self.folder) for f in names)
        return {p: file_bytes(p) if os.path.exists(p) else None for p in paths}

    def refused(self, program, args, *about, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL):
        r = subprocess.run([PROGRAMS[program], *args], cwd=self.folder, stdout=stdout, stdin=stdin,
                           stderr=subprocess.PIPE, timeout=60)
        told = support.text(r.stderr).decode()
        self.assertEqual(r.returncode, 2, (program, args, told))
        self.assertEqual(told.count('\n'), 1, told)
        for part in ('choose another output',) + about:
            self.assertIn(part, told, (program, args))
        self.assertEqual(self.files(), self.before, (program, args))

    def accepted(self, program, *args):
        r = subprocess.run([PROGRAMS[program], *args], cwd=self.folder, stdout=subprocess.DEVNULL,
                           stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=60)
        self.assertEqual(r.returncode, 0, (program, args, r.stderr))

    def writers(self, trace, out, *options):
        """Returns command lines of the two programs that write `out` from `trace`."""
        return (('trace_convert', ['--to', 'jsonl', *options, trace, out]),
                ('trace_report', ['--no-check', *options, trace, out]))

    def test_the_trace_itself(self):
        os.makedirs(self.path('d'))
        os.link(self.path('t.champsim'), self.path('hard.html'))
        names = ['t.champsim', './t.champsim', 'd/../t.champsim', 'hard.html',
                 self.path('t.champsim')]
        if not support.WINDOWS:
            os.symlink('t.champsim', self.path('soft.html'))
            os.symlink('soft.html', self.path('soft2.html'))
            names += ['soft.html', 'soft2.html']
        self.before = self.files()
        for out in names:
            for program, args in self.writers('t.champsim', out):
                self.refused(program, args, out + ' is the same file as t.champsim, the input')

    @support.needs('simdjson')
    def test_metadata(self):
        os.link(self.path('r250.json'), self.path('hard.html'))
        self.before = self.files()
        beside = 'r250.json, a part of the input r250.data'
        for out in ('r250.json', 'hard.html', self.path('r250.json')):
            # The metadata belong to the trace even if an option excludes them.
            for options in ([], ['--no-metadata'], ['--metadata', 'm.csv']):
                for program, args in self.writers('r250.data', out, *options):
                    self.refused(program, args, beside, out)
        for program, args in self.writers('r250.data', 'm.csv', '--metadata', 'm.csv'):
            self.refused(program, args, 'm.csv is the same file as m.csv, a part of the input r250')
        self.refused('trace_convert', ['--metadata', 'm.csv', 'r250.data', 'm.csv'], 'r250.data')
        # STD text has metadata, too.
        self.accepted('trace_convert', '--no-metadata', 'r250.data', 's.std')
        shutil.copy(self.path('r250.json'), self.path('s.json'))
        self.before = self.files()
        for program, args in self.writers('s.std', 's.json'):
            self.refused(program, args, 's.json, a part of the input s.std')

    @support.needs('simdjson')
    def test_metadata_beside_the_output(self):
        """Tests that OUT's own metadata do not overwrite an input either."""
        shutil.move(self.path('r250.data'), self.path('x.json'))
        shutil.copy(self.path('r250.json'), self.path('n.json'))
        self.before = self.files()
        self.refused('trace_convert', ['--metadata', 'm.csv', 'x.json', 'x.data'],
                     'x.json is the same file as x.json, the input')
        shutil.move(self.path('x.json'), self.path('r250.data'))
        self.before = self.files()
        self.refused('trace_convert', ['--metadata', 'm.csv', 'r250.data', 'r250.data.xz'],
                     'r250.json, a part of the input r250.data')
        self.accepted('trace_convert', '--metadata', 'm.csv', 'r250.data', 'n.data')
        self.accepted('trace_convert', 'r250.data', 'r250.rapidbin')
        for path, raw in self.before.items():
            if not path.endswith('n.json'):
                self.assertEqual(file_bytes(path), raw, path)

    @support.needs('zydis')
    def test_a_folder(self):
        for name in os.listdir(self.path('um3')):
            out = 'um3/' + name
            for program, args in self.writers('um3', out) + self.writers('um3/', './' + out):
                self.refused(program, args, out, 'a part of the input um3')
        self.refused('trace_convert', ['um3', 'um3/exec.vtable'],
                     'um3/exec.vtable is the same file as um3/exec.vtable, a part of the input um3')
        os.link(self.path('um3/trace.xml'), self.path('hard.html'))
        os.mkdir(self.path('um3/deep'))
        os.remove(self.path('um3/trace.xml'))  # missing, but would be a part of the trace
        outs = ['um3/trace.xml', 'um3/new.html', 'um3/deep/new.html', 'um3/no/such/new.html']
        if not support.WINDOWS:
            os.symlink('um3', self.path('soft'))
            os.symlink('um3/new.html', self.path('dangling.html'))
            outs += ['soft/new.html', 'dangling.html']
        self.before = self.files()
        for out in outs:
            for program, args in self.writers('um3', out):
                self.refused(program, args, out + ' would lie in the folder um3, the input')
        for program, args in self.writers('um3', 'um3'):
            self.refused(program, args, 'um3 is the same file as um3, the input')
        for out in ('um3/', 'um3/deep/', 'um3/new/', '.', self.folder + '/'):
            self.refused('trace_convert', ['--to', 'umtracer', 'um3', out], 'um3')
        shutil.copytree(self.path('um3'), self.path('um4'))
        for out in ('um3.html', 'um4/new.html'):
            for program, args in self.writers('um3', out):
                self.accepted(program, *args)

    @support.needs('zydis')
    def test_headers_of_names(self):
        for program, args in self.writers('um3', 'names.h', '--names', 'names.h'):
            args += ['--table', 'ins'] if program == 'trace_convert' else []
            self.refused(program, args, 'names.h is the same file as names.h, a part of the input um3')

    @unittest.skipIf(support.WINDOWS, 'a file that is open is not removed there')
    @support.needs('simdjson', 'zydis')
    def test_standard_output(self):
        """Tests standard output that is redirected to an input, with >> or with >, which truncates the input
        first."""
        programs = (('trace_convert', ['--to', 'csv'], ['-']), ('trace_report', [], ['-']),
                    ('trace_view', ['-c'], []), ('trace_view', ['--layout'], []),
                    ('trace_find', ['--count'], []), ('trace_check', [], []),
                    ('frontend_sim', [], []), ('trace_diff', [], ['t.champsim']))
        pairs = [('t.champsim', 't.champsim', []), ('r250.data', 'r250.data', []),
                 ('r250.data', 'r250.json', []), ('um3', 'um3/exec.vtable', []),
                 ('um3', 'um3/ins.itable', []), ('r250.data', 'm.csv', ['--metadata', 'm.csv'])]
        for program, options, behind in programs:
            for trace, onto, more in pairs:
                if program == 'trace_view' and options == ['--layout'] and more:
                    continue
                with open(self.path(onto), 'ab') as f:
                    self.refused(program, [*options, *more, trace, *behind],
                                 'standard output is the same file as ' + onto, stdout=f)
        for program, options, behind in programs:
            with open(self.path('um3/trace.xml'), 'wb') as f:  # the shell's > has truncated it
                self.before = self.files()
                self.refused(program, [*options, 'um3', *behind], 'um3/trace.xml', stdout=f)
        with open(self.path('t.champsim'), 'wb') as f:
            self.before = self.files()
            self.refused('trace_convert', ['t.champsim', '-'], 't.champsim, the input', stdout=f)
        if os.path.exists('/dev/stdout'):
            with open(self.path('t.champsim'), 'ab') as f:
                self.refused('trace_convert', ['t.champsim', '/dev/stdout'], 't.champsim', stdout=f)

    @unittest.skipIf(support.WINDOWS, 'a file that is open is not removed there')
    def test_standard_input(self):
        for out, onto in (('t.champsim', subprocess.DEVNULL), ('-', 't.champsim')):
            for program, args in self.writers('-', out):
                with open(self.path('t.champsim'), 'rb') as f:
                    if onto == subprocess.DEVNULL:
                        self.refused(program, args, 't.champsim is the same file as <stdin>', stdin=f)
                        continue
                    with open(self.path(onto), 'ab') as g:
                        self.refused(program, args, '<stdin>, the input', stdin=f, stdout=g)

    def test_what_is_not_the_same(self):
        """Tests devices, and files with similar names, which may be written."""
        if os.path.exists('/dev/null'):
            for program, args in self.writers('t.champsim', '/dev/null'):
                self.accepted(program, *args)
        shutil.copy(self.path('r250.json'), self.path('t.html'))
        for program, args in self.writers('t.champsim', 't.html'):
            self.accepted(program, *args)
        for path, raw in self.before.items():
            self.assertEqual(file_bytes(path), raw, path)


class Record(support.RecordingTest):
    def test_the_program(self):
        if 'trace_record' not in PROGRAMS:
            self.skipTest('not built here')
        shutil.copy('/bin/true', self.path('p'))
        before = file_bytes(self.path('p'))
        for out in ('p', './p', 'p/../p'):
            if out == 'p/../p':
                os.symlink('p', self.path('soft'))
                out = 'soft'
            r = subprocess.run([PROGRAMS['trace_record'], '-o', out, '--', './p'], cwd=self.folder,
                               stderr=subprocess.PIPE, timeout=60)
            self.assertEqual(r.returncode, 125, r.stderr)
            self.assertIn(b'the program: choose another output', r.stderr)
        self.assertEqual(file_bytes(self.path('p')), before)


if __name__ == '__main__':
    support.main()
