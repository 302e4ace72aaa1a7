# What every program does with names and words that others wrote: they are shown, and steer nothing.
import json
import os
import unicodedata
import unittest

from support import SED, WORK, WINDOWS, ProgramTest, content, main, needs, run

# A title for the window, a line's end, C1 and bidi controls, an invisible character, no UTF-8.
EVIL = '\x1b]0;owned\x07\r\n\x9b2J\u202etxt\u2066\u200b\u2028\u200e'.encode() + b'\xff\x9b'
GOOD = 'ä 日本 א'.encode()


def steering(raw):
    """What of some output would steer a terminal, but for the ends of lines."""
    s = raw.decode('utf-8', 'surrogateescape')
    return [hex(ord(c)) for c in s if c != '\n' and
            (unicodedata.category(c) in ('Cc', 'Cf', 'Cs', 'Zl', 'Zp'))]


@unittest.skipIf(WINDOWS, 'names have no such characters there')
class Quoting(ProgramTest):
    """No file's name, argument or text of a trace reaches the terminal raw."""

    # How each program is called with one trace.
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
                    r.stdout = b''  # a trace
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


if __name__ == '__main__':
    main()
