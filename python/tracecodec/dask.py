"""Traces as Dask frames and bags. Each worker opens the file and reads only its own part.

    import dask.distributed
    import tracecodec.dask

    with dask.distributed.Client(n_workers=4, threads_per_worker=1):
        frame = tracecodec.dask.from_traces("x.champsimtrace.xz", shards=16)
        print(frame.groupby("branch", observed=False).taken.mean().compute())

from_traces()      returns a frame with a partition for each shard, indexed by instruction number
bag_from_traces()  returns a bag of Batch objects. A worker needs memory for only one Batch at a time.

A worker receives only the path and the part to read, so the file must have the same path on every worker. If a worker
fails, other workers run its tasks again, and no data are lost.
"""
from __future__ import annotations

import glob
import importlib
import inspect
import os
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Iterable, Iterator

from ._batches import BRANCH_CLASSES, DTYPES, Batch, merged
from ._trace import COLUMNS, USUAL_COLUMNS, Instructions, _require_own, _table, open

if TYPE_CHECKING:
    import dask.bag
    import dask.dataframe
    import pandas

@dataclass(frozen=True)
class _Shard:
    """Input of a task: part `index` of `of` parts of a file."""
    path: str
    index: int
    of: int
    #: Modification time and size of the file; None if unknown. If the file changes, Dask's task names change, so Dask
    #: does not reuse results of the earlier file.
    state: tuple[int, int] | None

    def instructions(self, columns: Iterable[str], options: dict[str, Any], **how: Any) -> Instructions:
        trace = open(self.path, **options)
        if self.of != 1:
            trace = trace.shard(self.index, self.of)
        return trace.instructions(columns, **how)


@dataclass(frozen=True)
class _Frames:
    """Callable that converts a shard to a frame. To omit unneeded columns, Dask calls project_columns(). Releases from
    2024 on pass the argument `columns` instead."""
    columns: tuple[str, ...]
    paths: tuple[str, ...]  #: paths of all files if "path" is a column, otherwise empty
    options: dict[str, Any]

    def project_columns(self, columns: Iterable[str]) -> _Frames:
        return _Frames(tuple(columns), self.paths if 'path' in columns else (), self.options)

    def empty(self) -> pandas.DataFrame:
        """Returns a frame without rows. The columns have the types of a frame with rows."""
        import numpy
        import pandas
        kinds = {'branch': BRANCH_CLASSES, 'path': self.paths}
        data = {name: pandas.Categorical([], kinds[name]) if name in kinds
                else numpy.empty(0, DTYPES.get(name, 'O')) for name in self.columns}
        return pandas.DataFrame(data, index=pandas.RangeIndex(0), columns=list(self.columns))

    def __call__(self, shard: _Shard, columns: Iterable[str] | None = None) -> pandas.DataFrame:
        import pandas
        if columns is not None:
            return self.project_columns(columns)(shard)
        held = list(shard.instructions([name for name in self.columns if name != 'path'], self.options))
        if not held:
            return self.empty()
        frame = merged(held).to_pandas()
        if 'path' in self.columns:
            which = [self.paths.index(shard.path)] * len(frame)
            frame['path'] = pandas.Categorical.from_codes(which, self.paths)
        return frame[list(self.columns)]


@dataclass(frozen=True)
class _Batches:
    """Batches of a shard. Each iteration reads the shard again."""
    shard: _Shard
    columns: tuple[str, ...]
    options: dict[str, Any]
    how: dict[str, Any]

    def __iter__(self) -> Iterator[Batch]:
        return iter(self.shard.instructions(self.columns, self.options, **self.how))


def _dask(name: str) -> Any:
    """Imports and returns a module of Dask."""
    try:
        return importlib.import_module(name)
    except ImportError as e:
        raise ImportError(f'tracecodec.dask needs {name} (Debian: python3-dask and python3-distributed; pip: '
                          f'"dask[dataframe,distributed]"): {e}', name=e.name, path=e.path) from e


def _threads() -> int:
    """Returns the number of tasks that can run at the same time. This is the total number of threads of the client's
    workers, or the number of this machine's processors if there is no client."""
    distributed = sys.modules.get('distributed')  # without this module, there is no client
    try:
        client = distributed.get_client() if distributed else None
    except ValueError:
        client = None
    if client is None or client.asynchronous:
        return _dask('dask.system').CPU_COUNT
    return max(sum(client.nthreads().values()), 1)


def _shards(paths: Any, of: int | None) -> list[_Shard]:
    """Returns the shards of all files. The paths are absolute, because each worker has its own current folder."""
    files: list[str] = []
    for path in [paths] if isinstance(paths, (str, os.PathLike)) else paths:
        name = os.path.abspath(os.fsdecode(path))
        if glob.has_magic(name) and not os.path.lexists(name):
            there = sorted(glob.glob(name))
            if not there:
                raise FileNotFoundError(f'there is no file {path}')
            files += there
        else:
            files.append(name)
    if not files:
        raise ValueError('paths: expected at least one')
    if of is None:
        of = -(-_threads() // len(files))
    if of < 1:
        raise ValueError('shards: expected at least 1')
    shards = []
    for path in files:
        try:
            stat = os.stat(path)
            state = stat.st_mtime_ns, stat.st_size
        except OSError:  # the file may be accessible only to the workers
            state = None
        shards += [_Shard(path, i, of, state) for i in range(of)]
    return shards


def _options(options: dict[str, Any]) -> dict[str, Any]:
    """Returns the options for open(), with absolute paths that are valid in any current folder."""
    _require_own(inspect.signature(open).bind('', **options).arguments.get('own', {}))
    for name in ('metadata', 'maps'):
        if options.get(name):
            options[name] = os.path.abspath(os.fsdecode(options[name]))
    return {**options, 'record': _table(options.get('record'))}


def _columns(columns: Iterable[str], more: tuple[str, ...] = ()) -> tuple[str, ...]:
    if isinstance(columns, str):
        raise TypeError('columns: expected a list of names')
    names = tuple(columns)
    for name in names:
        if name not in COLUMNS + more:
            raise ValueError(f"there is no column '{name}'; there are {', '.join(COLUMNS + more)}")
    return names


def from_traces(paths: Any, columns: Iterable[str] = USUAL_COLUMNS, shards: int | None = None, *,
                format: str | None = None, **options: Any) -> dask.dataframe.DataFrame:
    """Returns a frame of the instructions in one or more traces, with a partition for each shard.

    paths    a path, a pattern such as "traces/*.xz", or an iterable of paths and patterns
    columns  names of columns, as in Trace.instructions(). The additional column "path" contains the absolute path of
             the file. A worker reads only the columns that are used.
    shards   number of parts of each file. The default is the smallest number that creates at least one shard for each
             thread of the client's workers. Without a client, each processor of this machine counts as a thread.
    format, options   as in tracecodec.open()

    The index is the number of the instruction in its file. The divisions are unknown, because the function does not
    read the files. The column "branch" is categorical with known categories. A list column contains objects, with an
    array for each row. A worker needs memory for a whole partition, so use more shards to reduce memory use.

    Raises ValueError or TypeError for invalid arguments, and FileNotFoundError if no file matches a pattern. Errors in
    a trace raise TraceError during the computation.
    """
    frames = _dask('dask.dataframe')
    names = _columns(columns, ('path',))
    all = _shards(paths, shards)
    files = tuple(dict.fromkeys(one.path for one in all)) if 'path' in names else ()
    read = _Frames(names, files, _options({'format': format, **options}))
    return frames.from_map(read, all, meta=read.empty(), label='from-traces', enforce_metadata=False)


def bag_from_traces(paths: Any, columns: Iterable[str] = USUAL_COLUMNS, shards: int | None = None, *,
                    batch: int | None = None, padded: int | None = None, format: str | None = None,
                    **options: Any) -> dask.bag.Bag:
    """Returns a bag of Batch objects, with a partition for each shard. For example, ``bag.map(f).sum()`` calls `f` with
    each Batch.

    batch, padded   as in Trace.instructions()
    other arguments as in from_traces()

    The batches of a shard are read one after another, and only one batch is in memory at a time. However, all batches
    of a shard are in memory if the bag itself is computed, or if two results are computed from the bag at once.
    """
    bags = _dask('dask.bag')
    names = _columns(columns)
    how: dict[str, Any] = {'padded': padded} if batch is None else {'padded': padded, 'batch': batch}
    options = _options({'format': format, **options})
    all = [_Batches(one, names, options, how) for one in _shards(paths, shards)]
    return bags.from_sequence(all, npartitions=len(all)).flatten()
