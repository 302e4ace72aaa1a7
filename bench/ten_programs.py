#!/usr/bin/env python3
"""Records ten real programs with trace_record, and reads each trace with trace_check and frontend_sim.

  ten_programs.py [--limit N] [--folder FOLDER] [--only NAME] [--keep] TRACE_RECORD TRACE_CHECK FRONTEND_SIM

Prints a row for each program, like the table in docs/record.md, and deletes the traces unless --keep is used. Records N
instructions of each process (default 60,000,000). A program that is not installed is skipped with a message."""
import argparse
import collections
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile


def inputs(folder, limit):
    """Writes the inputs of the programs, identical each time. They are small if only few instructions are recorded."""
    chance = random.Random(1)
    words = [''.join(chance.choices('abcdefghijklmnopqrstuvwxyz', k=chance.randint(2, 9))) for _ in range(5000)]

    def lines(n):
        return [' '.join(chance.choices(words, k=10)) + '\n' for _ in range(n)]

    text = lines(max(200, min(40000, limit // 1500)))
    with open(os.path.join(folder, 'text'), 'w') as f:
        f.writelines(text)
    changed = [line if chance.random() < 0.9 else lines(1)[0] for line in text]
    with open(os.path.join(folder, 'changed'), 'w') as f:
        f.writelines(changed)
    with open(os.path.join(folder, 'large'), 'w') as f:
        for _ in range(5):
            f.writelines(text)
    with open(os.path.join(folder, 'p.c'), 'w') as f:
        for n in range(150):
            f.write('int f%d(int *a, int n) {\n  int s = %d;\n  for (int i = 0; i < n; ++i) {\n'
                    '    if (a[i] %% %d == 0) s += a[i] * i; else s ^= a[i] + n;\n'
                    '    switch (s & 7) { case 1: s += 3; break; case 2: s *= 5; break; case 5: a[i] = s; }\n'
                    '  }\n  return s;\n}\n' % (n, n, n + 2))


PYTHON = '''
import json, re
text = open("text").read()
count = {}
for word in re.findall(r"[a-m]\\w+", text):
    count[word] = count.get(word, 0) + 1
again = json.loads(json.dumps(count))
print(sum(n * len(w) for w, n in sorted(again.items(), key=lambda p: (-p[1], p[0]))[:1000]))
'''
PERL = 'while (<>) { $n{lc $1}++ while /\\b([a-z]+)ing?\\b|([aeiou]\\w*)/g; s/(\\w+) (\\w+)/$2 $1/; $l += length } ' \
       'print join(",", map { "$_=$n{$_}" } (sort { $n{$b} <=> $n{$a} || $a cmp $b } keys %n)[0..9]), "$l\\n"'
AWK = '{ for (i = 1; i <= NF; ++i) n[$i]++; if ($1 ~ /^[aeiou]/) t += length($0) } ' \
      'END { for (w in n) if (n[w] > m) m = n[w]; print m, t }'
SQL = '''CREATE TABLE t(id INTEGER PRIMARY KEY, a INT, b TEXT);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60000)
  INSERT INTO t SELECT i, i * 7919 % 10007, 'row ' || (i * 31 % 977) FROM n;
CREATE INDEX by_a ON t(a);
SELECT b, count(*), sum(a) FROM t GROUP BY b ORDER BY 3 DESC LIMIT 5;
SELECT count(*) FROM t x JOIN t y ON x.a = y.a WHERE x.id % 13 = 0;
UPDATE t SET b = upper(b) WHERE a % 5 = 1;'''

# Description, name, command, and options of the recorder.
PROGRAMS = [
    ('compiler', 'cc1', ['CC1', '-quiet', '-O2', 'p.c', '-o', '/dev/null'], []),
    ('interpreter', 'python3', ['/usr/bin/python3', '-c', PYTHON], []),
    ('interpreter', 'perl', ['perl', '-e', PERL, 'text'], []),
    ('interpreter', 'awk', ['awk', AWK, 'text'], []),
    ('database', 'sqlite3', ['sqlite3', ':memory:', SQL], []),
    ('compressor', 'xz', ['xz', '-6', '-T1', '-c', 'text'], []),
    ('compressor, threaded', 'zstd', ['zstd', '-q', '-4', '-T4', '-B1M', '-c', 'large'], ['--threads']),
    ('sorter, threaded', 'sort', ['sort', '--parallel=4', '-S', '100M', 'large'], ['--threads']),
    ('shell pipeline', 'sh', ['sh', '-c', 'tr " " "\\n" < large | sort | uniq -c | sort -rn | head -n 50'],
     ['--follow-forks']),
    ('version control', 'git', ['git', '-c', 'core.pager=cat', 'diff', '--no-index', '--histogram', 'text', 'changed'],
     ['-s', '200000000']),  # skips the checksums of the files
]


def run(command, ok=(0,)):
    """Returns the command's output. Output to stderr counts as an error."""
    r = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if r.returncode not in ok or r.stderr:
        sys.exit('%s: %d: %s' % (command, r.returncode, r.stderr.decode()))
    return r.stdout.decode()


def numbers(text, expression, names):
    values = re.search(expression, text).groups()
    return {name: int(value.replace(',', '')) for name, value in zip(names, values)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n', maxsplit=1)[0])
    parser.add_argument('--limit', type=int, default=60_000_000, help='instructions of each process')
    parser.add_argument('--folder', help='where the traces are for a while: some gigabytes')
    parser.add_argument('--only', help='this program alone')
    parser.add_argument('--keep', action='store_true', help='do not delete the traces')
    parser.add_argument('programs', nargs=3, metavar='PROGRAM')
    o = parser.parse_args()
    recorder, checker, simulator = [os.path.abspath(p) for p in o.programs]
    cc1 = subprocess.run(['gcc', '-print-prog-name=cc1'], stdout=subprocess.PIPE, check=False).stdout.decode().strip() \
        if shutil.which('gcc') else 'gcc'

    folder = os.path.abspath(tempfile.mkdtemp(dir=o.folder))
    try:
        os.chdir(folder)
        inputs(folder, o.limit)
        print('| what | program | traces | instructions | branches | MPKI | errors | warnings |')
        print('|---|---|---|---|---|---|---|---|')
        for what, name, command, options in PROGRAMS:
            if o.only not in (None, name):
                continue
            command = [cc1 if c == 'CC1' else c for c in command]
            if shutil.which(command[0]) is None:
                print('%s: not installed' % command[0], file=sys.stderr)
                continue
            with open('out', 'wb') as printed:
                said = subprocess.run([recorder, '-o', 't.champsimtrace.zst', '-t', str(o.limit), *options, '--', *command],
                                      stdin=subprocess.DEVNULL, stdout=printed, stderr=subprocess.PIPE, check=False)
            print(said.stderr.decode(), end='', file=sys.stderr)
            # Exit status 125 is the recorder's own failure, and a negative status is the signal that
            # ended it.
            if said.returncode < 0 or said.returncode == 125:
                sys.exit('%s: trace_record has failed: %d' % (name, said.returncode))
            traces = sorted(f for f in os.listdir('.') if f.endswith('.champsimtrace.zst'))
            if not traces:
                sys.exit('%s: there is no trace' % name)
            found = collections.Counter()
            for trace in traces:
                checked = run([checker, trace], ok=(0, 1))
                found.update(numbers(checked, r'(\d+) records, (\d+) errors?, (\d+) warnings?',
                                     ['records', 'errors', 'warnings']))
                if ' 0 errors, 0 warnings' not in checked:
                    print(checked, end='', file=sys.stderr)
                simulated = run([simulator, trace])
                found.update(numbers(simulated, r'all but other +([\d,]+) +[\d,]+ +([\d,]+)', ['branches', 'wrong']))
                found.update(numbers(simulated, r'Instructions +([\d,]+)\n', ['instructions']))
                if not o.keep:
                    os.remove(trace)
            if found['records'] != found['instructions']:
                sys.exit('%s: %d records, but %d instructions' % (name, found['records'], found['instructions']))
            n = max(found['records'], 1)
            print('| %s | `%s` | %d | %s | %.1f %% | %.2f | %d | %d |' % (
                what, name, len(traces), format(n, ','), found['branches'] / n * 100, found['wrong'] / n * 1000,
                found['errors'], found['warnings']), flush=True)
    finally:
        if not o.keep:
            shutil.rmtree(folder)


if __name__ == '__main__':
    main()
