# Tests external names and texts in the output of every program. They are printed, but never control
# the terminal.
import csv
import io
import json
import os
import shutil
import unicodedata
import unittest

if os.name == 'posix':
    import resource

from support import (PARTS, PROGRAMS, SED, WORK, WINDOWS, ProgramTest, content, main, needs, run,
                     text, version_text)

# A window title, a line ending, C1 and bidi controls, an invisible character, invalid UTF-8.
EVIL = '\x1b]0;owned\x07\r\n\x9b2J\u202etxt\u2066\u200b\u2028\u200e'.encode() + b'\xff\x9b'
GOOD = 'ä 日本 א'.encode()


def steering(raw):
    """Returns the characters of an output that would control a terminal, except line ends."""
    s = raw.decode('utf-8', 'surrogateescape')
    return [hex(ord(c)) for c in s if c != '\n' and
            (unicodedata.category(c) in ('Cc', 'Cf', 'Cs', 'Zl', 'Zp'))]


@unittest.skipIf(WINDOWS, 'names have no such characters there')
class Quoting(ProgramTest):
    """Tests that no file name, argument or text of a trace reaches the terminal unescaped."""

    # Arguments for calling each program with one trace.
    CALLS = {
        'trace_view': [['-s'], ['-c', '-n', '1'], ['-s', '--json'], ['--table', 'exec']],
        'trace_find': [['--count'], ['--ip', EVIL]],
        'trace_check': [[], ['--json']],
        'frontend_sim': [[], ['--json'], ['--predictor', EVIL]],
        'trace_convert': [['-'], [EVIL]],
        'trace_report': [['-']],
        'trace_diff': [[os.path.abspath(SED)], ['--json', os.path.abspath(SED)], ['no such trace']],
    }

    def each_call(self, path):
        for program, calls in self.CALLS.items():
            for more in calls:
                r = run(program, path, *more, cwd=self.folder)
                if program == 'trace_convert':
                    r.stdout = b''  # the output is a trace
                yield program, more, r

    def name(self, what):
        return os.fsencode(self.folder) + b'/' + what

    def test_names_of_traces_of_no_traces_and_of_none(self):
        sound = self.name(EVIL + b'sound')
        with open(sound, 'wb') as f:
            f.write(content(WORK)[:6400])
        damaged = self.name(EVIL + b'damaged')
        with open(damaged, 'wb') as f:
            f.write(content(WORK)[:6410])
        no_trace = self.name(EVIL + b'text')
        with open(no_trace, 'wb') as f:
            f.write(b'It was a dark and stormy night; the rain fell.\n' * 40)
        for path in (sound, damaged, no_trace, self.name(EVIL + b'missing'), EVIL):
            for program, more, r in self.each_call(path):
                self.assertEqual(steering(r.stdout), [], (program, more))
                self.assertEqual(steering(r.stderr), [], (program, more, r.stderr))
                self.assertLessEqual(r.stderr.count(b'\n'), 1 + r.stderr.count(b'note: '), r.stderr)

    def test_what_is_shown_instead(self):
        r = run('trace_view', self.name(b'\x1b]0;x\x07\n\xe2\x80\xae\xff'))
        self.assertIn(rb'/\x1b]0;x\x07\x0a\u202e\xff: ', r.stderr)
        r = run('trace_view', self.name(GOOD))
        self.assertIn(b'/' + GOOD + b': ', r.stderr)

    def test_json_holds_the_name_itself(self):
        name = '\x1b]0;x\x07\x9b\u202e\u200b ä "q" \\'
        path = self.name(name.encode())
        with open(path, 'wb') as f:
            f.write(content(WORK)[:6400])
        for program, key, more in (('trace_view', 'trace', ['-s', '--json']),
                                   ('frontend_sim', 'trace', ['--json']),
                                   ('trace_check', 'file', ['--json'])):
            out = run(program, path, *more).stdout
            self.assertEqual(steering(out), [])
            self.assertTrue(json.loads(out.splitlines()[-1])[key].endswith('/' + name))

    def test_arguments_that_are_wrong(self):
        for program in self.CALLS:
            for args in ([b'--' + EVIL], [SED, b'--skip', EVIL], [SED, b'--format', EVIL],
                         [b'-' + EVIL, SED]):
                r = run(program, *args)
                self.assertNotEqual(r.returncode, 0)
                self.assertEqual(steering(r.stdout + r.stderr), [], (program, args))
                self.assertEqual(r.stderr.count(b'\n'), 1, (program, r.stderr))

    @needs('pugixml', 'zydis')
    def test_text_of_a_folder(self):
        folder = self.path('um')
        os.mkdir(folder)
        for n in ('exec.vtable', 'exec.records'):
            self.write('um/' + n, b'')
        with open(os.path.join(folder, 'trace.xml'), 'w', encoding='utf-8') as f:
            f.write('<trace><Name>\u202ebad\x9b\u200b</Name></trace>')
        for more in (['-c'], []):
            out = run('trace_view', folder, '--table', 'xml', *more).stdout
            self.assertEqual(steering(out), [])
            self.assertIn(rb'\u202ebad\u009b\u200b', out)

    def test_the_page_shows_them_by_number(self):
        path = self.name('\u202egnp.trace'.encode())
        with open(path, 'wb') as f:
            f.write(content(WORK)[:6400])
        page = run('trace_report', path, '-').stdout
        self.assertIn(rb'\u202egnp.trace', page)
        self.assertNotIn('\u202e'.encode(), page)


class Messages(ProgramTest):
    """Tests the messages about wrong command lines. They name the first wrong argument, in one style."""

    def says(self, words, program, *args):
        r = run(program, *args)
        self.assertEqual((r.returncode, r.stdout), (2, b''), args)
        self.assertEqual(r.stderr.decode(), '%s: %s\n' % (program, words))

    def test_unknown_options(self):
        for typed, meant in (('--limt', '--limit'), ('--lim', '--limit'), ('--Limit', '--limit'),
                             ('--skpi', '--skip'), ('--stat', '--statistics'),
                             ('--layuot', '--layout'), ('-skip', '--skip'), ('--n', '-n'),
                             ('-json', '--json'), ('--formt=x', '--format')):
            self.says("unknown option '%s'; did you mean %s?" % (typed.split('=')[0], meant),
                      'trace_view', WORK, typed)
        for typed in ('--nothing-like-it', '-x', '--q'):
            self.says("unknown option '%s'; see --help" % typed, 'trace_view', typed, WORK)
        self.says("unknown option '--predictr'; did you mean --predictor?", 'frontend_sim', WORK,
                  '--predictr', 'gshare')

    def test_the_first_one_is_named(self):
        self.says("unexpected argument 'a'; see --help", 'trace_view', WORK, 'a', 'b')
        self.says("unknown option '--foo'; see --help", 'trace_view', '--foo', WORK, '--skip', 'x')
        for args in (['--skip', 'x', '--foo'], ['--skip', 'x', '-n', 'y'], ['--skip=x', 'a', 'b']):
            self.says("--skip: expected a number, got 'x'; see --help", 'trace_view', WORK, *args)
        self.says("--limit: expected a number or all, got 'y'; see --help", 'trace_view', WORK,
                  '-n', 'y', '--skip', 'x')
        self.says('--skip: expected N after it; see --help', 'trace_view', WORK, '--skip')
        self.says('--skip: expected N after it; see --help', 'trace_view', '--skip=', WORK)
        self.says('--skip occurs twice; it takes one value', 'trace_view', WORK, '--skip', '1', '--skip', '2')
        self.says("--json: expected no value, got '5'", 'trace_view', '--json=5', WORK)
        self.says('OUT is required; see --help', 'trace_convert', WORK)

    def test_words_of_a_list(self):
        for program, option, last in (('trace_view', '--format', 'drmemtrace'),
                                      ('trace_view', '--table', 'xml'),
                                      ('trace_view', '--input-codec', 'zip'),
                                      ('frontend_sim', '--predictor', None),
                                      ('trace_convert', '--to', 'csv'),
                                      ('trace_convert', '--codec', 'zstd'),
                                      ('trace_convert', '--mode', 'raw'),
                                      ('trace_convert', '--dialect', 'rapid'),
                                      ('trace_find', '--branch', 'not_branch'),
                                      ('trace_diff', '--ignore',
                                       r'[-\w]+; or a mnemonic; or one of clock, random or syscall')):
            if program == 'trace_diff' and 'zydis' not in PARTS:
                continue  # without a disassembler, any word is accepted as a mnemonic
            traces = [WORK, WORK] if program in ('trace_diff', 'trace_convert') else [WORK]
            r = run(program, *traces, option, 'foo')
            self.assertEqual(r.returncode, 2, (program, option))
            last = last or r'[-\w]+'
            self.assertRegex(r.stderr.decode(), r"^%s: %s: expected one of [-\w, ]+ or %s, got 'foo'; "
                             r'see --help\n$' % (program, option, last))

    def test_every_program_says_how_to_go_on(self):
        for program in ('trace_view', 'trace_find', 'trace_diff', 'trace_check', 'trace_convert',
                        'trace_report', 'frontend_sim'):
            self.assertEqual(run(program, '--help').returncode, 0)
            self.says("unknown option '--frmat'; did you mean --format?", program, '--frmat')


class Version(ProgramTest):
    def test_every_program(self):
        """Tests every program, with other and with missing arguments."""
        for program in sorted(p for p in PROGRAMS if p.startswith('trace_') or p == 'frontend_sim'):
            r = run(program, '--version')
            self.assertEqual((r.returncode, text(r.stdout).decode(), r.stderr),
                             (0, version_text(program), b''))
            self.assertIn(b'--version', run(program, '--help').stdout)
        r = run('trace_view', '-c', '--version', 'no such trace')
        self.assertEqual((r.returncode, text(r.stdout).decode()), (0, version_text('trace_view')))

    def test_what_is_wrong_in_front_of_it(self):
        self.assertEqual(run('trace_view', '--nothing', '--version').returncode, 2)


class Synonyms(ProgramTest):
    """Tests that an option has the same name in every program, and that common synonyms work."""

    def same(self, program, a, b):
        left, right = run(program, *a), run(program, *b)
        self.assertEqual(left.returncode, 0, left.stderr)
        self.assertEqual((left.stdout, left.stderr, right.returncode),
                         (right.stdout, right.stderr, 0), (program, a, b))

    def test_options(self):
        self.same('trace_view', [WORK, '-n', '3', '-c'], [WORK, '--limit', '3', '--compact'])
        for s in ('--stats', '--statistics'):
            self.same('trace_view', [WORK, '-s'], [WORK, s])
        for program in ('trace_find', 'trace_convert', 'trace_report'):
            out = ['-'] if program != 'trace_find' else []
            self.same(program, [WORK, *out, '-n', '3'], [WORK, *out, '--limit', '3'])
        self.same('trace_find', [WORK, '-m', '3'], [WORK, '--most', '3'])
        self.same('trace_diff', [WORK, WORK, '-m', '3'], [WORK, WORK, '--most', '3'])

    def test_words(self):
        self.same('trace_view', [WORK, '-n', '1', '--format', 'champsim'],
                  [WORK, '-n', '1', '--format', 'ChampSim'])

    @needs('gzip')
    def test_codecs(self):
        for s in ('gz', 'GZIP'):
            self.same('trace_convert', [WORK, '-', '--codec', 'gzip'], [WORK, '-', '--codec', s])

    @needs('zydis')
    def test_tables(self):
        folder = os.path.join(os.path.dirname(SED), 'umtracer', 'plain64')
        for name, others in (('module', ['modules', 'Modules']), ('ins', ['instructions']),
                             ('thread', ['threads']), ('syscall', ['syscalls'])):
            for other in others:
                self.same('trace_view', [folder, '--table', name], [folder, '--table', other])
                self.same('trace_convert', [folder, '-', '--to', 'csv', '--table', name],
                          [folder, '-', '--to', 'csv', '--table', other])

    def test_ids_as_they_are_shown(self):
        trace = os.path.join(os.path.dirname(SED), 'rapidbin', 'r250.data')
        for option, letter, i in (('--variable', 'V', '16'), ('--lock', 'L', '1'),
                                  ('--thread', 'T', '1')):
            for s in (letter, letter.lower()):
                self.same('trace_find', [trace, option, i], [trace, option, s + i])
        self.assertEqual(run('trace_find', trace, '--variable', 'L1').returncode, 2)


class Limits(ProgramTest):
    """Tests limits. 0 means none and "all" means all. A part after the trace's end is an error."""

    def lines(self, program, *args):
        r = run(program, *args)
        self.assertEqual((r.returncode, r.stderr), (0, b''), (program, args))
        return r.stdout.count(b'\n')

    def test_none_and_all(self):
        whole = len(content(WORK)) // 64
        self.assertEqual(self.lines('trace_view', '-c', '-n', '0', WORK), 0)
        self.assertEqual(self.lines('trace_view', '--json', '-n', '0', WORK), 0)
        self.assertEqual(self.lines('trace_view', '-c', WORK), 10)
        for args in (['-c', '-n', 'all'], ['--json'], ['--json', '-n', 'all'],
                     ['--json', '-n', str(whole)]):
            self.assertEqual(self.lines('trace_view', *args, WORK), whole)
        stats = json.loads(run('trace_view', '--stats', '--json', '-n', '7', WORK).stdout)
        self.assertEqual(stats['instructions'], 7)
        self.assertEqual(self.lines('trace_find', '-n', '5', WORK), 5)
        self.assertEqual(self.lines('trace_find', '-n', 'all', '-m', '6', WORK), 6)
        self.assertEqual(run('trace_find', '-n', '0', WORK).returncode, 1)  # nothing is found
        self.assertEqual(self.lines('trace_convert', '--to', 'csv', '-n', 'all', WORK, '-'),
                         whole + 1)
        self.assertEqual(self.lines('trace_convert', '--to', 'csv', '-n', '5', WORK, '-'), 6)

    def test_behind_the_end(self):
        trace = self.write('t', content(WORK)[:6400])
        for n in ('100', '1000', str(2**64 - 1)):
            for program, args, code in (('trace_view', [], 1), ('trace_view', ['-s'], 1),
                                        ('trace_view', ['--json'], 1), ('trace_convert', ['-'], 1),
                                        ('trace_report', ['-'], 1), ('frontend_sim', [], 1),
                                        ('trace_find', [], 2)):
                r = run(program, trace, *args, '--skip', n)
                self.assertEqual((r.returncode, r.stdout), (code, b''), (program, args, r.stderr))
                self.assertEqual(r.stderr.count(b'\n'), 1, r.stderr)

    def test_block_sizes(self):
        for n in ('0', '1', '4095', '1073741825'):
            r = run('trace_convert', WORK, self.path('o.xz'), '--block-size', n)
            self.assertEqual(r.returncode, 2)
            self.assertIn(b'--block-size: expected a number from 4096 to 1073741824, got', r.stderr)
        self.assertIn(b'4096 to 1073741824', b' '.join(run('trace_convert',
                                                           '--help').stdout.split()))


class Statuses(ProgramTest):
    """Tests all programs against the table of exit statuses (docs/errors.md)."""

    #              good, damaged, missing, not a trace, wrong usage
    EXPECTED = {'trace_view': (0, 1, 1, 1, 2), 'trace_convert': (0, 1, 1, 1, 2),
                'trace_check': (0, 1, 1, 1, 2), 'trace_report': (0, 1, 1, 1, 2),
                'frontend_sim': (0, 1, 1, 1, 2), 'trace_find': (0, 2, 2, 2, 2),
                'trace_diff': (0, 2, 2, 2, 2)}

    def args(self, program, path):
        more = {'trace_convert': ['-'], 'trace_report': ['-'], 'trace_diff': [path],
                'trace_view': ['-n', 'all']}
        return [path, *more.get(program, [])]

    def test_every_program(self):
        raw = content(WORK)
        paths = (self.write('good', raw[:6400]), self.write('damaged', raw[:6410]),
                 self.path('missing'), self.write('text', b'It was a dark night.\n' * 40))
        for program, expected in self.EXPECTED.items():
            for path, code in zip(paths, expected):
                r = run(program, *self.args(program, path))
                self.assertEqual(r.returncode, code, (program, path, r.stderr))
                # The checker's findings are on standard output.
                said = r.stderr + (r.stdout if program == 'trace_check' else b'')
                self.assertEqual(said.count(b'\n') != 0, code != 0 or program == 'trace_check')
            for wrong in (['--no-such-option'], [], ['--skip']):
                r = run(program, *wrong)
                self.assertEqual(r.returncode, expected[4], (program, wrong))
                self.assertEqual(r.stderr.count(b'\n'), 1)
            said = b' '.join(run(program, '--help').stdout.split())
            self.assertIn(b'Exit status: 0 ', said, program)

    def test_answers(self):
        trace = self.write('t', content(WORK)[:6400])
        self.assertEqual(run('trace_find', trace, '--ip', '1').returncode, 1)
        self.assertEqual(run('trace_diff', trace, WORK).returncode, 1)

    def test_errors_of_the_check(self):
        """Tests a flag that is neither 0 nor 1. It violates the format, but readers continue."""
        raw = bytearray(content(WORK)[:64 * 300])
        raw[64 * 200 + 8] = 7
        trace = self.write('t', bytes(raw))
        self.assertEqual(run('trace_view', '-n', 'all', trace).returncode, 0)
        self.assertEqual(run('trace_check', trace).returncode, 1)
        r = run('trace_report', trace, self.path('o.html'))
        self.assertEqual(r.returncode, 1)
        self.assertIn(b'the checker found 1 error', r.stderr)
        with open(self.path('o.html'), 'rb') as f:
            self.assertIn(b'flag-value', f.read())
        self.assertEqual(run('trace_report', '--no-check', trace, '-').returncode, 0)

    @unittest.skipIf(WINDOWS, 'it has no such limit')
    def test_out_of_memory_names_the_trace(self):
        trace = self.write('t', b''.join((n * 4096).to_bytes(8, 'little') + bytes(56)
                                         for n in range(1, 200000)))

        def little():
            resource.setrlimit(resource.RLIMIT_AS, (40 << 20, 40 << 20))
        r = run('trace_view', '--format', 'champsim', '-s', trace, preexec_fn=little)
        if r.returncode != 1:
            self.skipTest('it starts with more, or needs less')
        if os.environ.get('MESON_EXE_WRAPPER') and b'trace_view' not in r.stderr:
            self.skipTest('so little is not enough for the emulator')
        # An emulator may also print this message, before or after the program's.
        self.assertIn(b'trace_view: ' + trace.encode() + b': out of memory', r.stderr.splitlines())

    @needs('zydis')
    def test_folders_are_named_without_a_second_slash(self):
        folder = self.path('um')
        os.mkdir(folder)
        self.write('um/exec.vtable', b'')
        r = run('trace_view', folder + '/')
        self.assertEqual(r.returncode, 1)
        self.assertNotIn(b'//', r.stderr)


class Parts(ProgramTest):
    """Tests that messages identify a file that belongs to a trace, or was made from one."""

    def named(self, path, *words):
        for program, code in (('trace_view', 1), ('trace_check', 1), ('trace_find', 2)):
            r = run(program, path)
            self.assertEqual((r.returncode, r.stderr.count(b'\n')), (code, 1), r.stderr)
            for word in words:
                self.assertIn(word, r.stderr.decode())

    def sample(self, name):
        return os.path.join(os.path.dirname(SED), name)

    def test_metadata_of_rapidbin(self):
        for name in ('r250.json', 'r6000.json'):
            self.named(self.sample('rapidbin/' + name), 'metadata of a RapidBin trace', '(--metadata)')

    def test_files_of_a_folder(self):
        folder = self.sample('umtracer/plain64')
        for name in sorted(os.listdir(folder)):
            self.named(os.path.join(folder, name), 'UMTracer trace', 'folder')
            with open(os.path.join(folder, name), 'rb') as f:
                self.named(self.write(name, f.read()), 'UMTracer trace', 'folder')
        with open(os.path.join(folder, 'trace.xml'), 'rb') as f:
            self.named(self.write('other', f.read()), 'trace.xml', 'folder')

    def test_an_enumeration(self):
        for text in (b'typedef enum {\n  XED_ICLASS_INVALID,\n  XED_ICLASS_AAA,\n} xed_iclass_enum_t;',
                     b'enum syscalls { SYSCALL_NtOpenFile = 1 };\n'):
            self.named(self.write('names.c', b'/* names */\n' + text + b'\n'), 'enumeration in C',
                       'name this file (')

    def test_what_is_made_of_traces(self):
        traces = [WORK, self.sample('rapidbin/r250.data')]
        if 'zydis' in PARTS:
            traces.append(self.sample('umtracer/plain64'))
        if {'zydis', 'simdjson'} <= PARTS:
            traces.append(self.sample('work32.trace32.xz'))
        for trace in traces:
            for name in ('o.jsonl', 'o.csv'):
                self.assertEqual(run('trace_convert', trace, self.path(name), '-n', '20').returncode,
                                 0)
                self.named(self.path(name), 'text rows', 'open the trace itself')
        run('trace_report', WORK, self.path('o.html'), '-n', '100')
        self.named(self.path('o.html'), 'a report made from a trace')

    def test_an_index(self):
        self.named(self.write('t.idx', b'TCXI\x02' + bytes(67)), 'an index of an x64dbg trace')

    def test_others(self):
        self.named(self.write('a', b'{"some": "thing"}\n'), 'JSON, expected a trace')
        self.named(self.write('b', b'<?xml version="1.0"?><html/>'), 'XML, expected a trace')
        self.named(self.write('c', b'<!DOCTYPE html><p>hello'), 'an HTML page')


@unittest.skipIf(WINDOWS, 'names have no such characters there')
class Formulas(ProgramTest):
    """Tests CSV for spreadsheets. An apostrophe precedes text that a spreadsheet would run."""

    @needs('zydis')
    def test_names_of_modules(self):
        folder = self.path('um')
        shutil.copytree(os.path.join(os.path.dirname(SED), 'umtracer', 'plain64'), folder)
        os.chmod(folder, 0o755)
        table = os.path.join(folder, 'module.itable')
        os.chmod(table, 0o644)
        with open(table, 'rb') as f:
            raw = f.read()
        plain = run('trace_convert', folder, '-', '--to', 'csv', '--table', 'module').stdout
        name = list(csv.DictReader(io.StringIO(plain.decode())))[0]['win_name']
        wide = name.encode('utf-16-le')
        self.assertIn(wide, raw)
        evil = '=' + name[1:]
        with open(table, 'wb') as f:
            f.write(raw.replace(wide, evil.encode('utf-16-le')))
        for more, begins in (([], '='), (['--guard-formulas'], "'=")):
            r = run('trace_convert', folder, '-', '--to', 'csv', '--table', 'module', *more)
            self.assertEqual((r.returncode, r.stderr), (0, b''))
            rows = list(csv.DictReader(io.StringIO(r.stdout.decode())))
            self.assertEqual(rows[0]['win_name'], begins + name[1:])
            self.assertEqual(rows[0]['load_eid'], '0')
            self.assertTrue(any(row['unload_eid'] == '-1' for row in rows))  # numbers are not guarded
        r = run('trace_convert', folder, '-', '--to', 'jsonl', '--guard-formulas')
        self.assertEqual(r.returncode, 2)


if __name__ == '__main__':
    main()
