#!/usr/bin/env python3
"""Tests tracecodec.dask: the shards together equal the trace, wherever they are read, and also if workers are
lost.

  TRACECODEC_DATA=tests/data dask_test.py
"""
import logging
import lzma
import os
import pathlib
import pickle
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

try:
    import dask
    import dask.bag
    import dask.dataframe
    import dask.distributed
    import numpy
    import pandas
except ImportError as e:
    print(f'skipped: {e}')
    sys.exit(77)

import tracecodec
import tracecodec.dask
from tracecodec.dask import bag_from_traces, from_traces

DATA = pathlib.Path(os.environ.get('TRACECODEC_DATA') or pathlib.Path(__file__).parent.parent / 'data').resolve()
WORK = DATA / 'work32.champsimtrace.xz'
TRACES = [WORK, DATA / 'threads3_64.trace64.xz', DATA / 'rapidbin/r6000.data', DATA / 'rapidbin/r6000.std',
          DATA / 'umtracer/plain64', DATA / 'tracepack/properties.tracepack']
RECORDS = 50_000  # records in WORK


def there(traces):
    """Yields the traces that this build reads, by path."""
    for path in traces:
        with tracecodec.open(path) as trace:
            try:
                trace.count()
            except tracecodec.TraceError as e:
                if e.code == 'unsupported':
                    print(f'{path.name} ... skipped: {e}')
                    continue
                raise
            yield path, trace


def plain(frame):
    """Returns a frame in which lists are values that can be compared."""
    def of(value):
        if isinstance(value, dict):
            return {name: of(one) for name, one in value.items()}
        return [of(one) for one in value] if isinstance(value, (tracecodec.Lists, numpy.ndarray)) else value
    return frame.assign(**{name: frame[name].map(of) for name in frame if frame[name].dtype == object})


def slow(frame, folder):
    """Task that announces its start to other processes."""
    pathlib.Path(folder, f'begun.{os.getpid()}').touch()
    time.sleep(0.05)
    return frame


def deadly(frame, folder):
    """Kills the first process that reads a row of the last third."""
    if len(frame) and frame.index[0] > RECORDS * 2 // 3:
        try:
            with open(pathlib.Path(folder, 'killed'), 'x', encoding='ascii') as f:
                f.write(str(os.getpid()))
        except FileExistsError:
            return frame
        os.kill(os.getpid(), signal.SIGKILL)
    return frame


class Scratch(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        of_dask = dask.config.set({'temporary-directory': folder.name, 'distributed.worker.daemon': True})
        self.addCleanup(of_dask.__exit__, None, None, None)

    def same(self, frame, path, columns=tracecodec.USUAL_COLUMNS):
        with tracecodec.open(path) as trace:
            pandas.testing.assert_frame_equal(frame, trace.instructions(columns).to_pandas())


class Alone(Scratch):
    """Tests without a cluster."""

    def setUp(self):
        super().setUp()
        one_thread = dask.config.set(scheduler='sync')
        self.addCleanup(one_thread.__exit__, None, None, None)

    def test_shards_are_the_trace(self):
        for path, trace in there(TRACES):
            for shards in 1, 3, 8:
                with self.subTest(path=path.name, shards=shards):
                    frame = from_traces(path, shards=shards)
                    self.assertEqual(frame.npartitions, shards)
                    self.same(frame.compute(), path)

    def test_every_column(self):
        for path, trace in there(TRACES):
            with self.subTest(path=path.name):
                columns = trace.columns
                with trace.limit(2_000) as part:
                    whole = part.instructions(columns).to_pandas()
                frame = from_traces(path, columns, shards=2)
                self.assertEqual(list(frame.columns), list(columns))
                self.assertEqual(list(frame.dtypes), list(whole.dtypes))
                first = frame.partitions[0].compute().iloc[:2_000]
                pandas.testing.assert_frame_equal(plain(first), plain(whole.iloc[:len(first)]))

    def test_what_the_file_holds(self):
        records = numpy.frombuffer(lzma.open(WORK).read(), numpy.dtype([('ip', '<u8'), ('is_branch', '?'),
                                                                        ('taken', '?'), ('more', 'V54')]))
        frame = from_traces(WORK, ['ip', 'taken'], shards=5).compute()
        self.assertTrue((frame.ip.to_numpy() == records['ip']).all())
        self.assertEqual(frame.taken.sum(), records['taken'].sum())

    def test_types(self):
        frame = from_traces(WORK, ['ip', 'branch', 'taken', 'thread', 'memory', 'path'])
        self.assertEqual([str(t) for t in frame.dtypes], ['uint64', 'category', 'bool', 'uint32', 'object', 'category'])
        self.assertTrue(frame.branch.cat.known)
        self.assertEqual(tuple(frame.branch.cat.categories), tracecodec.BRANCH_CLASSES)
        self.assertEqual(list(frame.path.cat.categories), [str(WORK)])

    def test_more_shards_than_rows(self):
        tracecodec.write(self.folder / 'two', numpy.zeros(2, tracecodec.dtype('champsim')))
        frame = from_traces(self.folder / 'two', [*tracecodec.USUAL_COLUMNS, 'memory'], shards=5, format='champsim')
        self.assertEqual(len(frame), 2)
        self.assertEqual(list(frame.compute().dtypes), list(frame.dtypes))
        self.assertEqual(bag_from_traces(self.folder / 'two', shards=5, format='champsim').map(len).sum().compute(), 2)

    def test_of_what_is_used_alone(self):
        # tracecodec.COLUMNS includes columns that this trace does not have.
        frame = from_traces(WORK, tracecodec.COLUMNS, shards=2)
        self.assertEqual(frame.taken.sum().compute(), 6_399)
        # Newer versions of Dask pass the columns as an argument.
        read = tracecodec.dask._Frames(tracecodec.COLUMNS, (), {})
        part = read(tracecodec.dask._Shard(str(WORK), 0, 2, None), columns=['taken', 'ip'])
        self.assertEqual((list(part.columns), len(part)), (['taken', 'ip'], RECORDS // 2))
        with self.assertRaises(tracecodec.TraceError) as e:
            frame.text.compute()
        self.assertIn('text', str(e.exception))

    def test_many_files(self):
        for name, begin in ('b', 0), ('a', 1_000):
            with tracecodec.open(WORK) as trace:
                tracecodec.write(self.folder / f'{name}.xz', trace.skip(begin).limit(500 + begin).records())
        frame = from_traces(self.folder / '*.xz', ['path', 'ip'], shards=3)
        self.assertEqual(frame.npartitions, 6)
        rows = frame.groupby('path', observed=False).ip.count().compute()
        self.assertEqual(rows.to_dict(), {str(self.folder / 'a.xz'): 1_500, str(self.folder / 'b.xz'): 500})
        # Files keep the order of the list, and each has its own index.
        index = from_traces([self.folder / 'b.xz', self.folder / 'a.xz'], ['ip'], shards=1).compute().index
        self.assertEqual(list(index), [*range(500), *range(1_500)])

    def test_as_many_shards_as_threads(self):
        files = [self.folder / str(i) for i in range(3)]
        threads = dask.system.CPU_COUNT
        self.assertEqual(from_traces(WORK).npartitions, threads)
        self.assertEqual(from_traces(files).npartitions, 3 * -(-threads // 3))

    def test_nothing_but_the_path(self):
        # The file does not exist yet, and the process has changed its folder by the time it is read.
        here = os.getcwd()
        os.chdir(self.folder)
        try:
            frame = from_traces('later.xz', shards=4)
        finally:
            os.chdir(here)
        self.assertLess(len(pickle.dumps(dict(frame.dask), protocol=5)), 8_000)
        shutil.copy(WORK, self.folder / 'later.xz')
        self.same(frame.compute(), WORK)

    def test_names_of_tasks(self):
        shutil.copy(WORK, self.folder / 'x')
        names = [from_traces(self.folder / 'x', shards=2), from_traces(self.folder / 'x', shards=2),
                 from_traces(self.folder / 'x', shards=3), from_traces(self.folder / 'x', shards=2, thread=1)]
        os.utime(self.folder / 'x', (1, 1))  # the file now counts as changed
        names.append(from_traces(self.folder / 'x', shards=2))
        names = [frame.__dask_keys__()[0] for frame in names]
        self.assertEqual(names[0], names[1])
        self.assertEqual(len(set(names)), 4)

    def test_options(self):
        path = DATA / 'threads3_64.trace64.xz'
        for path, trace in there([path]):
            thread = int(trace.instructions(['thread']).read().thread[0])
            with tracecodec.open(path, thread=thread) as one:
                self.assertEqual(len(from_traces(path, shards=2, thread=thread)), one.count())
        # The table is in a file, which the client reads.
        (self.folder / 'table').write_text('0 8 ip u64 little\n8 1 is_branch bool\n9 1 branch_taken bool\n'
                                           '10 54 (padding)\n', encoding='ascii')
        frame = from_traces(WORK, ['ip', 'taken'], shards=2, record=self.folder / 'table')
        (self.folder / 'table').unlink()
        self.assertEqual(len(frame), RECORDS)

    def test_bag(self):
        bag = bag_from_traces(WORK, ['ip', 'taken', 'memory'], shards=3)
        self.assertEqual(bag.npartitions, 3)
        # Compute several values at once. They must not consume each other's batches.
        n, taken, accesses = dask.compute(bag.map(len).sum(), bag.map(lambda b: b.taken.sum()).sum(),
                                          bag.map(lambda b: len(b.memory.values['address'])).sum())
        with tracecodec.open(WORK) as trace:
            whole = trace.instructions(['memory']).read()
        self.assertEqual((n, taken, accesses), (RECORDS, 6_399, len(whole.memory.values['address'])))
        ip = numpy.concatenate([b.ip for b in bag.compute()])
        self.assertTrue((ip == from_traces(WORK, ['ip'], shards=1).compute().ip).all())
        padded = bag_from_traces(WORK, ['memory'], shards=2, batch=10_000, padded=2)
        self.assertEqual(padded.map(lambda b: b.memory['address'].shape).compute(),
                         2 * [(10_000, 2), (10_000, 2), (5_000, 2)])

    def test_batches_travel(self):
        for path, trace in there(TRACES):
            with self.subTest(path=path.name):
                batch = next(iter(trace.instructions(trace.columns)))
                again = pickle.loads(pickle.dumps(batch))
                self.assertEqual(again.first, batch.first)
                pandas.testing.assert_frame_equal(plain(again.to_pandas()), plain(batch.to_pandas()))

    def test_what_is_no_trace(self):
        (self.folder / 'bad').write_bytes(b'no trace' * 100)
        shutil.copy(WORK, self.folder / 'cut.xz')
        os.truncate(self.folder / 'cut.xz', WORK.stat().st_size // 2)
        for name, code in ('bad', 'not_a_trace'), ('cut.xz', 'truncated'), ('missing', 'system'):
            for make in from_traces, bag_from_traces:
                with self.subTest(name=name, make=make.__name__):
                    with self.assertRaises(tracecodec.TraceError) as e:
                        make(self.folder / name, shards=2).compute()
                    self.assertEqual((e.exception.code, e.exception.file), (code, str(self.folder / name)))

    def test_what_makes_no_sense(self):
        for wrong, kind in (({'columns': ['no']}, ValueError), ({'columns': 'ip'}, TypeError),
                            ({'shards': 0}, ValueError), ({'no_option': 1}, TypeError)):
            for make in from_traces, bag_from_traces:
                with self.subTest(wrong=wrong, make=make.__name__), self.assertRaises(kind):
                    make(WORK, **wrong)
        with self.assertRaises(ValueError):
            from_traces([])
        with self.assertRaises(FileNotFoundError):
            from_traces(self.folder / '*.none')

    def test_without_dask(self):
        for missing in 'dask', 'dask.dataframe':
            said = subprocess.run([sys.executable, '-c', f'''
import sys
sys.modules[{missing!r}] = None
import tracecodec.dask
try:
    tracecodec.dask.from_traces('x')
except ImportError as e:
    print(e)
'''], capture_output=True, text=True, check=True).stdout
            self.assertIn('tracecodec.dask needs dask.dataframe (Debian: python3-dask', said)


class Clusters(Scratch):
    def test_local(self):
        with dask.distributed.LocalCluster(
                processes=True, n_workers=2, threads_per_worker=1, dashboard_address='127.0.0.1:0',
                local_directory=str(self.folder), silence_logs=logging.CRITICAL) as cluster, \
                dask.distributed.Client(cluster) as client:
            workers = set(client.run(os.getpid).values())
            self.assertEqual(len(workers), 2)
            with self.subTest('each worker has one shard'):
                self.assertEqual(from_traces(WORK).npartitions, 2)
            with self.subTest('a worker kills itself in the midst of a shard'):
                frame = from_traces(WORK, shards=12)
                frame = frame.map_partitions(deadly, str(self.folder), meta=frame._meta)
                self.same(frame.compute(), WORK)
                killed = int((self.folder / 'killed').read_text(encoding='ascii'))
                self.assertIn(killed, workers)
                self.assertFalse(pathlib.Path(f'/proc/{killed}/exe').exists())
            with self.subTest('an error comes back whole'):
                (self.folder / 'bad').write_bytes(b'no trace' * 100)
                with self.assertRaises(tracecodec.TraceError) as e:
                    from_traces(self.folder / 'bad').compute()
                self.assertEqual((e.exception.code, e.exception.file), ('not_a_trace', str(self.folder / 'bad')))
            with self.subTest('batches go from process to process'):
                bag = bag_from_traces(WORK, shards=4).repartition(1)
                self.assertEqual(bag.map(lambda b: int(b.taken.sum())).sum().compute(), 6_399)

    def start(self, program, *options):
        with open(self.folder / 'log', 'a', encoding='utf-8') as log:
            process = subprocess.Popen(
                [sys.executable, '-m', 'distributed.cli.' + program, '--no-dashboard', '--scheduler-file',
                 str(self.folder / 'scheduler.json'), *options], cwd=self.folder, stdout=log, stderr=log)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def test_scheduler_of_its_own(self):
        self.start('dask_scheduler', '--host', '127.0.0.1', '--port', '0', '--idle-timeout', '60s')
        workers = [self.start('dask_worker', '--nthreads', '1', '--no-nanny', '--death-timeout', '30',
                              '--local-directory', str(self.folder)) for _ in range(2)]
        ends = time.monotonic() + 30
        while not (self.folder / 'scheduler.json').exists():
            self.assertLess(time.monotonic(), ends, (self.folder / 'log').read_text())
            time.sleep(0.05)
        with dask.distributed.Client(scheduler_file=str(self.folder / 'scheduler.json')) as client:
            self.assertTrue(client.scheduler.address.startswith('tcp://127.0.0.1:'))
            client.wait_for_workers(2, timeout=120)
            frame = from_traces(WORK, shards=40)
            future = client.compute(frame.map_partitions(slow, str(self.folder), meta=frame._meta))
            while len(list(self.folder.glob('begun.*'))) < 2:
                self.assertLess(time.monotonic(), ends, (self.folder / 'log').read_text())
                time.sleep(0.01)
            workers[0].kill()  # both have begun, and 38 more follow
            self.assertFalse(future.done())
            self.same(future.result(timeout=120), WORK)
            self.assertEqual(workers[0].wait(), -signal.SIGKILL)
            self.assertEqual(len(client.scheduler_info()['workers']), 1)


if __name__ == '__main__':
    unittest.main()
