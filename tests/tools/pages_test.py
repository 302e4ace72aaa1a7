# Man pages and completions that packaging/pages.py writes for the programs.
import os
import re
import subprocess
import sys
import unittest

from support import PROGRAMS, WINDOWS, ProgramTest, has_program, main, run, text

PAGES = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'packaging', 'pages.py')
# Programs with options.
NAMES = sorted(n for n in PROGRAMS if n.startswith('trace_') or n == 'frontend_sim')


def printed(*command, **more):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          stdin=subprocess.DEVNULL, **more)


@unittest.skipIf(WINDOWS, 'it has neither')
class Pages(ProgramTest):
    def setUp(self):
        super().setUp()
        subprocess.run([sys.executable, PAGES, self.folder, *(PROGRAMS[n] for n in NAMES)], check=True)

    def options(self, name):
        """Returns the options that --help lists."""
        lists = re.findall(r'^  (-[^\s,]+(?:, -[^\s,]+)*)', text(run(name, '--help').stdout).decode(), re.M)
        return [option for names in lists for option in names.split(', ')]

    def complete(self, shell, line):
        """Returns the completions for the last word of a line."""
        name, *words = line.split(' ')
        if shell == 'fish':
            r = printed('fish', '-c', 'source %s/%s.fish; complete -C "%s"' % (self.folder, name, line),
                        env=dict(os.environ, HOME=self.folder))
            return {offer.split('\t')[0] for offer in r.stdout.splitlines()}
        # Calls the completion in the same way as readline.
        r = printed('bash', '--norc', '-uc', 'source "$0/$1.bash"; shift 0; COMP_WORDS=("${@:1}"); '
                    'COMP_CWORD=$(($# - 1)); _$1 "$1" "${@: -1}"; printf "%s\\n" "${COMPREPLY[@]}"',
                    self.folder, name, *words)
        self.assertEqual((r.returncode, r.stderr), (0, ''), line)
        return {w for w in r.stdout.split('\n') if w}

    def test_man_pages_have_every_option(self):
        renders = has_program('groff')
        for name in NAMES:
            with open(self.path(name + '.1'), encoding='utf-8') as f:
                page = f.read()
            bold = {o.replace('\\', '') for o in re.findall(r'\\fB(\\-.*?)\\fR', page)}
            self.assertEqual(bold, set(self.options(name)), name)
            for section in ('NAME', 'SYNOPSIS', 'DESCRIPTION', 'ARGUMENTS', 'OPTIONS', 'EXAMPLES', 'EXIT STATUS'):
                self.assertIn('\n.SH %s\n' % section, page)
            if renders:
                r = printed('groff', '-man', '-ww', '-Tutf8', self.path(name + '.1'))
                self.assertEqual((r.returncode, r.stderr), (0, ''), name)
                shown = re.sub(r'\x1b\[[\d;]*m|.\x08', '', r.stdout)
                self.assertIn('--version', shown.replace('\u2010', '-').replace('\u2212', '-'))

    def test_bash_completes_options_and_words(self):
        if not has_program('bash'):
            return
        for name in NAMES:
            self.assertEqual(self.complete('bash', name + ' -'), set(self.options(name)), name)
            formats = {'champsim', 'x64dbg'}
            self.assertLessEqual(formats, self.complete('bash', name + ' --format '), name)
            self.assertEqual(self.complete('bash', name + ' --format = ch'), {'champsim'})
        self.assertEqual(self.complete('bash', 'trace_convert --co'), {'--codec'})
        # readline itself completes file names.
        self.assertEqual(self.complete('bash', 'trace_view tests/d'), set())

    def test_other_shells_take_theirs(self):
        if has_program('fish'):
            for name in NAMES:
                self.assertLessEqual({'champsim', 'x64dbg'},
                                     self.complete('fish', name + ' --format '))
                self.assertEqual(self.complete('fish', name + ' --versio'), {'--version'})
        if has_program('zsh'):
            for name in NAMES:
                r = printed('zsh', '-fn', self.path('_' + name))
                self.assertEqual((r.returncode, r.stderr), (0, ''), name)
        for name in NAMES:
            with open(self.path('_' + name), encoding='utf-8') as f:
                page = f.read()
            self.assertTrue(page.startswith('#compdef %s\n' % name))
            offered = set(re.findall(r"^  '(?:\([^)]*\))?\*?(-[\w-]+)", page, re.M))
            self.assertEqual(offered, set(self.options(name)))


if __name__ == '__main__':
    main()
