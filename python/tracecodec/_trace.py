"""A trace that is open."""
from __future__ import annotations

import operator
import os
import warnings
from typing import TYPE_CHECKING, Any, Iterable, Iterator, Mapping, NamedTuple

from . import _core, _formats
from ._batches import Batch, CoreBatch, merged, nothing
from ._dtypes import Layout, Row, dtype, dtype_of_columns, layouts, table_of
from ._errors import TraceError, number, path_bytes
from ._formats import Access, Memory, Metadata, Names, State

if TYPE_CHECKING:
    import numpy
    import pandas

#: The columns of instructions that are read by default.
USUAL_COLUMNS = ('ip', 'branch', 'taken', 'target', 'thread')

#: All columns that exist, and "disassembly"; Trace.columns lists those of a trace.
COLUMNS = tuple(_core.column_names) + ('disassembly',)

#: Names of operations by number: Events.operation stores these numbers. Greater numbers are undefined.
OPERATIONS: tuple[str, ...] = tuple(_core.operations)

#: Default number of records in a batch.
USUAL_RECORDS = 1 << 14


class Events:
    """Events of a RapidBin trace, an element of each array for each; ``len()`` says how many. Iterating gives the
    arrays."""
    __slots__ = ('thread', 'operation', 'decor', 'location', 'sign')

    def __init__(self, thread: numpy.ndarray, operation: numpy.ndarray, decor: numpy.ndarray,
                 location: numpy.ndarray, sign: numpy.ndarray) -> None:
        self.thread = thread  #: uint16
        self.operation = operation  #: uint8: an index into OPERATIONS
        self.decor = decor  #: uint64: the lock, variable or thread that the operation concerns
        self.location = location  #: uint16
        self.sign = sign  #: uint8: the topmost bit of the event

    def __len__(self) -> int:
        return len(self.thread)

    def __iter__(self) -> Iterator[numpy.ndarray]:
        return (getattr(self, name) for name in self.__slots__)

    def __repr__(self) -> str:
        return f'<Events: {len(self)}>'


class HotBlock(NamedTuple):
    """A basic block: it begins after a branch and ends with the next one."""
    address: int  #: address of its first instruction
    instructions: int  #: instructions executed in it
    executions: int
    length: int  #: instructions in its longest execution


class _Part(NamedTuple):
    """What of a trace is read: so many left out, so many at most, part `shard[0]` of `shard[1]` of these."""
    skip: int = 0
    limit: int | None = None
    shard: tuple[int, int] | None = None


class Trace:
    """A trace of any format; what open() returns.

    It can be iterated as often as it is wanted, each time from its begin, but for pipes and files of Python, which
    can be read once. Several threads may use it at a time; an iterator belongs to one.
    """

    def __init__(self, origin: _core.Origin, part: _Part = _Part()) -> None:
        self._origin: _core.Origin | None = origin
        self._part = part

    def _open(self) -> _core.Origin:
        if self._origin is None:
            raise ValueError('the trace is closed')
        return self._origin

    # ---- What it is ----

    @property
    def format(self) -> str:
        """One of formats(), such as "champsim"."""
        return self._open().format

    @property
    def name(self) -> str:
        """What errors call it: its path."""
        return self._open().name

    @property
    def about(self) -> dict[str, str] | None:
        """What the trace says of itself, as text: program, arguments, recorder, machine, date, region and comment in
        tracepack; program, arch, hash_algorithm and hash in x64dbg's header; threads, locks, variables and events in
        RapidBin's; command_line, bitness, process_id, system, recorder and more in UMTracer's trace.xml. What is not
        said is missing. None of other formats, and of what can be read only once, unless it is a tracepack."""
        return self._open().about

    @property
    def dtype(self) -> numpy.dtype:
        """Of its records; of RapidBin's the words that events are in. TraceError(refused) if they vary in size."""
        if self._open().holds_events:
            return dtype(self.format)
        size, columns = self._open().columns()
        return dtype_of_columns(columns, size)

    @property
    def layouts(self) -> list[Layout]:
        """The layout tables of its format, or the one that describes its records."""
        if self._open().described:
            return [self._described()]
        return layouts(self.format, 32 if self._open().narrow else 64)

    @property
    def layout(self) -> list[Row]:
        """The rows of its records' layout table. What x64dbg's blocks and UMTracer's records have at no fixed place is
        not among them."""
        if self._open().has_table:
            return self._described().rows
        return next(one.rows for one in self.layouts if one.name == self._open().record)

    def _described(self) -> Layout:
        size, columns = self._open().columns()
        return Layout('record', '', self._open().table(), '', dtype_of_columns(columns, size))

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of instructions that its format has; others that every format answers, such as `thread`, may
        be asked for, too. TraceError(refused) for what can be read only once."""
        if not self._open().again:
            raise TraceError(f'{self.name}: what can be read only once is not opened to be asked for its columns',
                             'refused', self.name)
        has = tuple(self._instructions(_Part()).has())
        return has + ('disassembly',) if 'text' in has or 'code' in has else has

    def __repr__(self) -> str:
        if self._origin is None:
            return '<Trace, closed>'
        return f'<Trace {self.name}: {self.format}>'

    # ---- Parts of it ----

    def skip(self, n: int) -> Trace:
        """The trace without its first `n` instructions."""
        n = number(n, 'skip')
        skip, limit, _ = self._resolved()
        return Trace(self._open(), _Part(skip + min(n, limit) if limit is not None else skip + n,
                                         None if limit is None else limit - min(n, limit)))

    def limit(self, n: int) -> Trace:
        """The first `n` instructions of the trace."""
        n = number(n, 'limit')
        skip, limit, _ = self._resolved()
        return Trace(self._open(), _Part(skip, n if limit is None else min(n, limit)))

    def shard(self, index: int, of: int) -> Trace:
        """Part `index` of `of` parts as equal as can be: no instruction is in two of them."""
        index, of = operator.index(index), operator.index(of)
        if not 0 <= index < of:
            raise ValueError(f'shard {index} of {of}')
        skip, limit, _ = self._resolved()
        return Trace(self._open(), _Part(skip, limit, (index, of)))

    def _resolved(self) -> _Part:
        """The part without a shard: for which the trace is counted."""
        skip, limit, shard = self._part
        if shard is None:
            return self._part
        n = Trace(self._open(), _Part(skip, limit)).count()
        begin, end = (n * i // shard[1] for i in (shard[0], shard[0] + 1))
        # The last shard reads to the end and so finds damage in the trace: only whole instructions are counted.
        last = limit is None and shard[0] + 1 == shard[1]
        return _Part(skip + begin, None if last else end - begin)

    def count(self) -> int:
        """How many instructions there are, within the part; of a trace that is damaged those before. May read the
        whole file; TraceError(refused) for what can be read only once."""
        if not self._open().again:
            raise TraceError(f'{self.name}: what can be read only once is not counted', 'refused', self.name)
        skip, limit, shard = self._part
        if not self._open().has_table:
            part = self._resolved()
            return max(self._instructions(part).count() - part.skip, 0)
        n = max(_core.Records(self._open(), 0, None).count() - skip, 0)
        n = n if limit is None else min(n, limit)
        return n if shard is None else n * (shard[0] + 1) // shard[1] - n * shard[0] // shard[1]

    def __len__(self) -> int:
        """The same where it is known at once: TypeError for others, which count() counts."""
        o = self._open()
        if o.again and (o.counted or o.described and _core.Records(o, 0, None).mapped):
            return self.count()
        raise TypeError('how long this trace is only reading tells: count() does')

    def __bool__(self) -> bool:
        return True

    # ---- Reading ----

    def _instructions(self, part: _Part) -> _core.Instructions:
        made = _core.Instructions(self._open(), part.skip, part.limit)
        self._warn(4)
        return made

    def _warn(self, stacklevel: int) -> None:
        """What was found doubtful since the last time, as warnings."""
        if self._origin is not None:
            for line in self._origin.warnings().splitlines():
                warnings.warn(line, stacklevel=stacklevel)

    def __iter__(self) -> Iterator[Batch]:
        return iter(self.instructions())

    def instructions(self, columns: Iterable[str] = USUAL_COLUMNS, *, batch: int = _core.most_rows,
                     padded: int | None = None) -> Instructions:
        """Its instructions as columns, of which only those that are named are made (COLUMNS has them all), in
        batches of `batch` rows at most. `padded`: lists come as arrays of so many entries for each row."""
        return Instructions(self, columns, batch, padded)

    def hot_blocks(self, most: int = 20) -> list[HotBlock]:
        """The `most` basic blocks in which most instructions are executed, the hottest first. Memory is bounded: of a
        program with more than 4,096 blocks the counts of rare ones are too low, or missing."""
        most = number(most, 'most')
        found = self._instructions(self._resolved()).hot_blocks(most)
        self._warn(3)
        return [HotBlock(*one) for one in found]

    def block_vectors(self, interval: int) -> str:
        """The basic-block vectors of intervals of so many instructions, in the form of SimPoint's frequency vectors: a
        line "T:1:420 :7:13 " for each, with the number of each block and the instructions executed in it."""
        found = self._instructions(self._resolved()).block_vectors(number(interval, 'interval', 1))
        self._warn(3)
        return found

    def records(self, batch: int | None = None) -> Records:
        """Its records as they lie in the file: structured arrays; of RapidBin Events. Of a mapped file one array,
        unless `batch` says how many are wanted at a time. TraceError(refused) if they vary in size."""
        return Records(self, batch)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The columns USUAL_COLUMNS as a stream of Arrow: polars.DataFrame(trace), pyarrow.table(trace)."""
        return self.instructions().__arrow_c_stream__(requested_schema)

    # ---- What its format knows beyond instructions ----

    def at(self, n: int) -> State:
        """The registers and memory before instruction `n`. x64dbg, UMTracer.

        Here and below instructions have their numbers in the whole trace, whatever part of it this is: those of
        column "index". UMTracer's records that are no instructions have numbers, too. IndexError for one that there
        is not; TraceError(refused) for a trace of another format, or that can be read only once.
        """
        found = _formats.at(self._open(), n)
        self._warn(3)
        return found

    def memory(self, address: int, size: int = 1, at: int | None = None) -> Memory:
        """The `size` bytes at `address` before instruction `at`, None: at the end. x64dbg, UMTracer.

        What an earlier instruction has left there comes first; then, of x64dbg, what the instruction itself or a
        later one finds there. What the kernel and code that was not traced write is in no trace. Memory that
        nothing touches costs a look at the whole trace. ValueError for memory that there cannot be.
        """
        found = _formats.memory(self._open(), address, size, at)
        self._warn(3)
        return found

    def last_write(self, address: int, before: int | None = None, size: int = 1) -> Access | None:
        """The last instruction before `before`, None: of all, that wrote one of the `size` bytes at `address`; None
        if there is none. x64dbg, UMTracer. x64dbg does not tell writes that change nothing from reads."""
        found = _formats.last_write(self._open(), address, size, before)
        self._warn(3)
        return found

    def next_access(self, address: int, since: int = 0, size: int = 1) -> Access | None:
        """The first instruction from `since` on that reads or writes one of the `size` bytes at `address`; None if
        there is none. x64dbg, UMTracer."""
        found = _formats.next_access(self._open(), address, size, since)
        self._warn(3)
        return found

    @property
    def tables(self) -> tuple[str, ...]:
        """The tables of an UMTracer trace; none of others."""
        return _formats.tables(self._open())

    def table(self, name: str) -> numpy.ndarray:
        """A table of an UMTracer trace: a structured array, its dtype generated from the description; read-only.
        `ins`, `module`, `thread`, `ranges`, `neighbours` and `offsets` are shown where they lie in the mapped files.
        Of others, whose records vary in size or are spread, a copy is made: of `exec` the heads of the records, with
        the rows of `ins` and `syscall` that they name, or -1; of `syscall` the records without arguments; of
        `context` the registers. ValueError for a table that there is not, TraceError(refused) for other formats."""
        return _formats.table(self._open(), name)

    def texts(self, table: str, field: str) -> list[str]:
        """What the rows of an UMTracer trace's table point to: ("ins", "disassembly"), ("module", "win_name"),
        ("module", "device_name")."""
        return _formats.texts(self._open(), table, field)

    @property
    def metadata(self) -> Metadata | None:
        """What the ids in a RapidBin trace stand for, read from the file beside it, or the one that open() was given;
        None if there is none. It is read each time. TraceError(refused) for other formats."""
        return _formats.metadata(self._open())

    @property
    def names(self) -> Names:
        """What the ids of events are called: by STD text, which is read to its end for it, or by the metadata of a
        RapidBin trace that was made of such text. It is read each time. TraceError(refused) for other formats."""
        return _formats.names(self._open())

    # ---- The end ----

    def close(self) -> None:
        """Forgets the file, unless an array or an iterator still shows it."""
        self._origin = None

    def __enter__(self) -> Trace:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Instructions:
    """What Trace.instructions() returns: batches, each time it is iterated from the begin."""

    def __init__(self, trace: Trace, columns: Iterable[str], batch: int, padded: int | None) -> None:
        if isinstance(columns, str):
            raise TypeError('columns: names in a list')
        batch = number(batch, 'batch', 1)
        if padded is not None:
            padded = number(padded, 'padded')
        self.columns = tuple(columns)
        for name in self.columns:
            if name not in COLUMNS:
                raise ValueError(f"there is no column '{name}'; there are {', '.join(COLUMNS)}")
        self._trace, self._batch, self._padded = trace, batch, padded

    def _source(self) -> _core.Instructions:
        source = self._trace._instructions(self._trace._resolved())
        wanted = set(self.columns)
        if 'disassembly' in wanted:
            wanted.remove('disassembly')
            wanted |= {'text'} if 'text' in source.has() else {'code', 'ip'}
        source.want(wanted)
        return source

    def __iter__(self) -> Iterator[Batch]:
        source, names, padded = self._source(), self.columns, self._padded
        most = min(self._batch, _core.most_rows)
        if self._batch <= _core.most_rows:
            while (core := source.next(most)) is not None:
                yield CoreBatch(names, core, padded, source)
            self._trace._warn(3)
            return
        held: list[Batch] = []
        rows = 0
        try:
            while (core := source.next(min(most, self._batch - rows))) is not None:
                held.append(CoreBatch(names, core, padded, source))
                rows += len(core)
                if rows == self._batch:
                    yield merged(held)
                    held, rows = [], 0
        except Exception:
            # Whole instructions come before the error.
            if held:
                yield merged(held)
            raise
        self._trace._warn(3)
        if held:
            yield merged(held)

    def read(self) -> Batch:
        """All of them as one batch."""
        source, names = self._source(), self.columns
        held: list[Batch] = []
        while (core := source.next(_core.most_rows)) is not None:
            held.append(CoreBatch(names, core, self._padded, source))
        self._trace._warn(3)
        return merged(held) if held else nothing(names, self._padded, source.position)

    def to_pandas(self) -> pandas.DataFrame:
        """All of them as a DataFrame."""
        return self.read().to_pandas()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """A stream of Arrow, in a capsule; nothing is copied. `requested_schema` is not looked at."""
        if 'disassembly' in self.columns:
            raise ValueError("Arrow's stream has no column disassembly; 'text' and 'code' are what traces hold")
        part = self._trace._resolved()
        return _core.arrow_stream(self._trace._open(), self.columns, part.skip, part.limit, self._batch)


class Records:
    """What Trace.records() returns: arrays, each time it is iterated from the begin."""

    def __init__(self, trace: Trace, batch: int | None) -> None:
        if batch is not None:
            batch = number(batch, 'batch', 1)
        self._trace, self._batch = trace, batch
        self._events = trace._open().holds_events
        #: The dtype of the arrays; None for RapidBin.
        self.dtype = None if self._events else trace.dtype

    def __iter__(self) -> Iterator[Any]:
        trace = self._trace
        skip, limit, _ = trace._resolved()
        if self._events:
            events = _core.Events(trace._open(), skip, limit)
            while True:
                batch = Events(*events.next(self._batch or USUAL_RECORDS))
                if not batch:
                    return
                yield batch
        records = _core.Records(trace._open(), skip, limit)
        most = self._batch or (1 << 62 if records.mapped else USUAL_RECORDS)
        while len(array := records.next(self.dtype, most)):
            yield array

    def read(self) -> Any:
        """All of them as one array: of a mapped file without a copy."""
        import numpy
        parts = list(self)
        if self._events and not parts:
            return Events(*(numpy.empty(0, kind) for kind in ('u2', 'u1', 'u8', 'u2', 'u1')))
        if self._events:
            return Events(*(numpy.concatenate(p) for p in zip(*parts)))
        if not parts:
            return numpy.empty(0, self.dtype)
        return parts[0] if len(parts) == 1 else numpy.concatenate(parts)

    def __array__(self, dtype: object = None, copy: bool | None = None) -> numpy.ndarray:
        array = self.read()
        if dtype is not None and array.dtype != dtype:
            array = array.astype(dtype)
        return array.copy() if copy else array


def _table(record: Any) -> str | None:
    if record is None:
        return None
    if isinstance(record, (str, os.PathLike)):
        text = os.fspath(record)
        if text in _core.known_tables:
            return _core.known_tables[text]
        if '\n' in text:
            return text
        with open_file(text, encoding='utf-8') as f:
            return f.read((1 << 20) + 1)
    import numpy
    return table_of(numpy.dtype(record))


def _require_own(own: Iterable[str]) -> None:
    """Raises TypeError for a name that is not an option of a format."""
    for name in own:
        if name not in _core.own_options:
            raise TypeError(f"open() got an unexpected keyword argument '{name}'")


open_file = open


def open(source: Any, format: str | None = None, *, record: Any = None, record_offset: int | None = None,
         compression: str | None = None, thread: int | str | None = None, repair: bool = False, registers: bool = False,
         metadata: str | None = None, maps: str | None = None, memory: int | None = None, threads: int | None = None,
         branch_rules: int | str | None = None, map_registers: str | Mapping[str, int] | None = None,
         strict: bool = False, **own: Any) -> Trace:
    """Opens a trace, whatever its format and compression: both are recognised by content.

    source        a path; bytes, or what has a buffer of them; a file of Python that is open for reading bytes, which
                  is read once (what its read() raises is a TraceError, behind what it gave); "-" is standard input
    format        one of formats(), if it shall not be recognised
    record        its records are of another layout: a table such as `trace_view --layout` prints, its text or the
                  path of a file; or a NumPy dtype; or "champsim2" or "chtrcv2", tables that are known. Fields that
                  have the names of ChampSim's make an instruction.
    record_offset bytes of the file before its first record, whatever the table says
    compression   "none", "xz", "gzip", "zstd", "bzip2" or "lz4", if it shall not be recognised
    thread        x64dbg, RapidBin, UMTracer: only the instructions of this thread. CloudSuite: only the records of
                  this address space. A str is a thread's name, of STD text and of RapidBin's metadata
    repair        x64dbg: thread ids that it did not mark are mended. RapidBin, UMTracer: what is whole is read,
                  whatever headers say. tracepack: damaged frames are left out; one that was cut still ends in an error
    registers     x64dbg: the registers that its records do not change count as operands, too
    metadata      RapidBin: the file of its metadata; "" is none
    maps          the map of the program's modules, as trace_record writes it; "" is none
    memory        bytes of the largest dictionary or window of a compressed file that is read
    threads       how many decompress .xz in blocks, 12 MiB each if the blocks are of 4 MiB, and decode frames of
                  tracepack ahead, at most 64; else two for the former, none for the latter. An iterator that has them
                  raises TraceError in a child that fork() makes.
    branch_rules  2022 or 2023: the classes of branches as ChampSim derived them then
    map_registers ChampSim, CloudSuite: numbers that the trace has for the instruction pointer, the stack pointer and
                  the flags, {'ip': 35, 'sp': 7, 'flags': 34} or 'ip=35,sp=7,flags=34'; they are read as ChampSim's 26,
                  6 and 25, and the registers that have those get the other numbers
    strict        STD text: lines of wait, notify, notifyAll and dummy, and columns after the location, are errors;
                  else they are left out, with a warning
    own           other options that only some formats have, as the programs' with _ for -: variable="V1"; several values
                  of one that may be given several times are a list

    Raises TraceError for what is no trace, ValueError and TypeError for arguments that make no sense.
    """
    options = {'format': format, 'record': _table(record),
               'record_offset': None if record_offset is None else number(record_offset, 'record_offset'),
               'compression': compression, 'thread': thread,
               'repair': repair, 'strict': strict, 'registers': registers, 'metadata': None if metadata is None else path_bytes(metadata),
               'maps': None if maps is None else path_bytes(maps), 'memory': memory, 'threads': threads,
               'branch_rules': None if branch_rules is None else str(branch_rules),
               'map_registers': map_registers if map_registers is None or isinstance(map_registers, str) else
               ','.join(f'{name}={number}' for name, number in dict(map_registers).items())}
    _require_own(own)
    options.update(own)
    if isinstance(source, (str, os.PathLike)):
        origin = _core.Origin.of_path(path_bytes(source), options)
    elif hasattr(source, 'read'):
        name = getattr(source, 'name', None)
        origin = _core.Origin.of_file(source.read, os.fsencode(name) if isinstance(name, str) else b'<file>', options)
    else:
        try:
            view = memoryview(source)
        except TypeError:
            raise TypeError(f'a path, bytes or a file is needed, not {type(source).__name__}') from None
        origin = _core.Origin.of_bytes(view, '<bytes>', options)
    trace = Trace(origin)
    for line in origin.warnings().splitlines():
        warnings.warn(line, stacklevel=2)
    return trace
