#!/usr/bin/env python3
"""Records 50 million instructions of each of ten programs, checks the traces and runs the front end over them.

  recorded_programs.py FOLDER_OF_PROGRAMS

Prints a table for docs/record.md."""
import json
import os
import subprocess
import sys
import tempfile

LIMIT = 50_000_000
TEXT = 'texts'

PROGRAMS = [
    ('a compiler', 'cc1', ['sh', '-c', 'exec "$(gcc -print-prog-name=cc1)" -quiet -O2 source.c -o /dev/null']),
    ('an interpreter', 'python3', ['/usr/bin/python3', '-c',
                                   'import json\nfor i in range(3000): json.loads(json.dumps([i, {"a": str(i)}] * 9))']),
    ('a database', 'sqlite3', ['sqlite3', ':memory:',
                               'create table t(a, b); with recursive c(x) as (select 1 union all select x + 1 from c '
                               'where x < 60000) insert into t select x, x * 7919 % 10007 from c; create index i on t(b); '
                               'select count(*), sum(a) from t where b between 5 and 5000 order by b;']),
    ('a compressor', 'xz', ['xz', '-k', '-c', TEXT]),
    ('a sorter', 'sort', ['sort', TEXT]),
    ('a shell pipeline', 'sh', ['sh', '-c', 'for i in 1 2 3 4 5 6 7 8 9; do tr a-z A-Z < texts | sort | uniq -c | wc -l; done; '
                                'i=0; while [ $i -lt 40000 ]; do i=$((i+1)); done']),
    ('threads', 'zstd -T4', ['zstd', '-T4', '-12', '-q', '-f', '-k', TEXT, '-o', 'texts.zst']),
    ('text', 'awk', ['awk', '{ n[$1 % 997] += length($0) } END { for (k in n) print k, n[k] }', TEXT]),
    ('another interpreter', 'perl', ['perl', '-e', 'my %h; for (1 .. 150000) { $h{$_ % 999} .= "x" if $_ =~ /7/ } print scalar keys %h']),
    ('version control', 'git', ['git', '-c', 'core.pager=cat', 'hash-object', '--stdin-paths']),
]


def main():
    programs = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        with open(TEXT, 'w', encoding='ascii') as f:
            for i in range(400000):
                f.write('%d %x %s\n' % (i * 7919 % 100003, i * i % 65537, 'word' * (i % 5)))
        with open('source.c', 'w', encoding='ascii') as f:
            for i in range(900):
                f.write('int f%d(int a, int* b) { for (int i = 0; i < a; ++i) b[i] += a %% (i + %d) ? b[a] : i; return b[0]; }\n'
                        % (i, i + 2))
        print('| program | | threads | branches | taken | reads | writes | mispredicted | check |')
        print('|---|---|---|---|---|---|---|---|---|')
        for what, name, command in PROGRAMS:
            given = '\n'.join([TEXT] * 40) if name == 'git' else ''
            r = subprocess.run([programs + '/trace_record', '-o', 't.champsim', '-t', str(LIMIT), '--follow-forks', '--',
                                *command], input=given.encode(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            said = r.stderr.decode()
            if r.returncode:
                sys.exit(name + ': ' + said)
            threads = said.split(' of ')[1].split()[0]
            check = subprocess.run([programs + '/trace_check', 't.champsim'], stdout=subprocess.PIPE)
            statistics = json.loads(subprocess.run([programs + '/trace_view', '-s', '--json', 't.champsim'],
                                                   stdout=subprocess.PIPE, check=True).stdout)
            sim = subprocess.run([programs + '/frontend_sim', 't.champsim'], stdout=subprocess.PIPE, check=True)
            print(name, statistics, check.stdout.decode().splitlines()[-1], sim.stdout.decode(), said, sep='\n', file=sys.stderr)
            for f in os.listdir('.'):
                if f.startswith('t.'):
                    os.remove(f)


if __name__ == '__main__':
    main()
