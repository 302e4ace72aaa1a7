"""An open trace, and its instructions and records."""
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

#: All columns that exist, and "disassembly"; Trace.columns lists the columns of a trace.
COLUMNS = tuple(_core.column_names) + ('disassembly',)

#: Names of operations by number: Events.operation stores these numbers. Greater numbers are undefined.
OPERATIONS: tuple[str, ...] = tuple(_core.operations)

#: Default number of records in a batch.
USUAL_RECORDS = 1 << 14


class Events:
    """Events of a RapidBin trace, with one element in each array per event. ``len()`` returns the number of events;
    iterating yields the arrays."""
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
    """A basic block: it begins after a branch and ends with the next branch."""
    address: int  #: address of the block's first instruction
    instructions: int  #: number of instructions executed in the block
    executions: int
    length: int  #: number of instructions in the longest execution


class _Part(NamedTuple):
    """The part of a trace to read: at most `limit` instructions after the first `skip` instructions. If `shard` is set,
    only part `shard[0]` of `shard[1]` equal parts of these instructions."""
    skip: int = 0
    limit: int | None = None
    shard: tuple[int, int] | None = None


class Trace:
    """A trace of any format, as returned by open().

    It can be iterated any number of times, each time from its start. Pipes and Python files can be read only once.
    Several threads may use a trace at the same time, but each iterator belongs to one thread.
    """

    def __init__(self, origin: _core.Origin, part: _Part = _Part()) -> None:
        self._origin: _core.Origin | None = origin
        self._part = part

    def _open(self) -> _core.Origin:
        if self._origin is None:
            raise ValueError('the trace is closed')
        return self._origin

    # ---- Properties ----

    @property
    def format(self) -> str:
        """The name of the format, such as "champsim"; one of formats()."""
        return self._open().format

    @property
    def name(self) -> str:
        """The name of the trace in error messages: its path."""
        return self._open().name

    @property
    def about(self) -> dict[str, str] | None:
        """The trace's statements about itself, as text: program, arguments, recorder, machine, date, region and comment in
        tracepack; program, arch, hash_algorithm and hash in an x64dbg header; threads, locks, variables and events in a
        RapidBin header; command_line, bitness, process_id, system, recorder and more in UMTracer's trace.xml. Statements
        that the trace does not make are missing. None for other formats, and for a trace that can be read only once,
        unless it is a tracepack."""
        return self._open().about

    @property
    def dtype(self) -> numpy.dtype:
        """The dtype of the records; for RapidBin, of the words that store events. Raises TraceError(refused) if the
        records' size varies."""
        if self._open().holds_events:
            return dtype(self.format)
        size, columns = self._open().columns()
        return dtype_of_columns(columns, size)

    @property
    def layouts(self) -> list[Layout]:
        """The layout tables of the format, or the table that describes the trace's own records."""
        if self._open().described:
            return [self._described()]
        return layouts(self.format, 32 if self._open().narrow else 64)

    @property
    def layout(self) -> list[Row]:
        """The rows of the records' layout table. Parts of x64dbg blocks and UMTracer records that have no fixed
        offset are left out."""
        if self._open().has_table:
            return self._described().rows
        return next(one.rows for one in self.layouts if one.name == self._open().record)

    def _described(self) -> Layout:
        size, columns = self._open().columns()
        return Layout('record', '', self._open().table(), '', dtype_of_columns(columns, size))

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of instructions that the format stores. Columns that every format supports, such as `thread`,
        can be read in addition. Raises TraceError(refused) for a trace that can be read only once."""
        if not self._open().again:
            raise TraceError(f'{self.name}: columns are not available for a trace that can be read only once',
                             'refused', self.name)
        has = tuple(self._instructions(_Part()).has())
        return has + ('disassembly',) if 'text' in has or 'code' in has else has

    def __repr__(self) -> str:
        if self._origin is None:
            return '<Trace, closed>'
        return f'<Trace {self.name}: {self.format}>'

    # ---- Parts ----

    def skip(self, n: int) -> Trace:
        """Returns the trace without its first `n` instructions."""
        n = number(n, 'skip')
        skip, limit, _ = self._resolved()
        return Trace(self._open(), _Part(skip + min(n, limit) if limit is not None else skip + n,
                                         None if limit is None else limit - min(n, limit)))

    def limit(self, n: int) -> Trace:
        """Returns the first `n` instructions of the trace."""
        n = number(n, 'limit')
        skip, limit, _ = self._resolved()
        return Trace(self._open(), _Part(skip, n if limit is None else min(n, limit)))

    def shard(self, index: int, of: int) -> Trace:
        """Returns part `index` of `of` disjoint parts, which are as equal in length as possible."""
        index, of = operator.index(index), operator.index(of)
        if not 0 <= index < of:
            raise ValueError(f'shard {index} of {of}')
        skip, limit, _ = self._resolved()
        return Trace(self._open(), _Part(skip, limit, (index, of)))

    def _resolved(self) -> _Part:
        """Returns the part with its shard converted to skip and limit, which needs the length of the trace."""
        skip, limit, shard = self._part
        if shard is None:
            return self._part
        n = Trace(self._open(), _Part(skip, limit)).count()
        begin, end = (n * i // shard[1] for i in (shard[0], shard[0] + 1))
        # The last shard reads to the end and therefore finds damage, which count() excludes.
        last = limit is None and shard[0] + 1 == shard[1]
        return _Part(skip + begin, None if last else end - begin)

    def count(self) -> int:
        """Returns the number of instructions in this part; in a damaged trace, the number before the damage. May
        read the whole file. Raises TraceError(refused) for a trace that can be read only once."""
        if not self._open().again:
            raise TraceError(f'{self.name}: count() is not available for a trace that can be read only once',
                             'refused', self.name)
        skip, limit, shard = self._part
        if not self._open().has_table:
            part = self._resolved()
            return max(self._instructions(part).count() - part.skip, 0)
        n = max(_core.Records(self._open(), 0, None).count() - skip, 0)
        n = n if limit is None else min(n, limit)
        return n if shard is None else n * (shard[0] + 1) // shard[1] - n * shard[0] // shard[1]

    def __len__(self) -> int:
        """Returns count() if that needs no reading, and raises TypeError otherwise."""
        o = self._open()
        if o.again and (o.counted or o.described and _core.Records(o, 0, None).mapped):
            return self.count()
        raise TypeError('the length of this trace is unknown without reading it: use count()')

    def __bool__(self) -> bool:
        return True

    # ---- Reading ----

    def _instructions(self, part: _Part) -> _core.Instructions:
        made = _core.Instructions(self._open(), part.skip, part.limit)
        self._warn(4)
        return made

    def _warn(self, stacklevel: int) -> None:
        """Issues Python warnings for the library's warnings since the last call."""
        if self._origin is not None:
            for line in self._origin.warnings().splitlines():
                warnings.warn(line, stacklevel=stacklevel)

    def __iter__(self) -> Iterator[Batch]:
        return iter(self.instructions())

    def instructions(self, columns: Iterable[str] = USUAL_COLUMNS, *, batch: int = _core.most_rows,
                     padded: int | None = None) -> Instructions:
        """Returns the instructions as columns, in batches of at most `batch` rows. Only the columns named are read
        (COLUMNS lists all). With `padded`, lists become arrays with this number of entries in each row."""
        return Instructions(self, columns, batch, padded)

    def hot_blocks(self, most: int = 20) -> list[HotBlock]:
        """Returns the `most` basic blocks that execute the most instructions, the hottest first. Memory is bounded:
        if the program has more than 4,096 blocks, rare blocks may be missing, or have counts that are too low."""
        most = number(most, 'most')
        found = self._instructions(self._resolved()).hot_blocks(most)
        self._warn(3)
        return [HotBlock(*one) for one in found]

    def block_vectors(self, interval: int) -> str:
        """Returns the basic-block vectors of intervals of `interval` instructions, in the form of SimPoint's
        frequency vectors. Each interval is a line such as "T:1:420 :7:13 ", with the number of each block and the
        number of instructions executed in the block."""
        found = self._instructions(self._resolved()).block_vectors(number(interval, 'interval', 1))
        self._warn(3)
        return found

    def records(self, batch: int | None = None) -> Records:
        """Returns the records as they are stored, as structured arrays; for RapidBin as Events. A mapped file yields
        a single array, unless `batch` sets the number of records in an array. Raises TraceError(refused) if the
        records' size varies."""
        return Records(self, batch)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Returns the columns USUAL_COLUMNS as an Arrow stream, for polars.DataFrame(trace) and pyarrow.table(trace)."""
        return self.instructions().__arrow_c_stream__(requested_schema)

    # ---- Data besides instructions ----

    def at(self, n: int) -> State:
        """Returns the registers and memory before instruction `n`. Supported for x64dbg and UMTracer only.

        Here and in the following functions, instructions have the numbers of column "index", which count from the start
        of the whole trace even if this object is a part of the trace. UMTracer records that are not instructions are
        counted, too. Raises IndexError if there is no such instruction. Raises TraceError(refused) for a trace of
        another format, and for a trace that can be read only once.
        """
        found = _formats.at(self._open(), n)
        self._warn(3)
        return found

    def memory(self, address: int, size: int = 1, at: int | None = None) -> Memory:
        """Returns the `size` bytes at `address` before instruction `at`, or at the end if `at` is None. Supported
        for x64dbg and UMTracer only.

        The value of a byte is from the last earlier instruction that left the value in memory. If there is no such
        instruction in an x64dbg trace, the value is from the first instruction, from `at` on, that found it in memory.
        No trace records writes by the kernel or by untraced
        code. A byte that no instruction touches requires a search of the whole trace. Raises ValueError for a range of
        memory that cannot exist.
        """
        found = _formats.memory(self._open(), address, size, at)
        self._warn(3)
        return found

    def last_write(self, address: int, before: int | None = None, size: int = 1) -> Access | None:
        """Returns the last instruction before `before` that wrote one of the `size` bytes at `address`, or None. If
        `before` is None, searches back from the end. Supported for x64dbg and UMTracer only. In x64dbg traces, writes
        that leave the value unchanged cannot be distinguished from reads."""
        found = _formats.last_write(self._open(), address, size, before)
        self._warn(3)
        return found

    def next_access(self, address: int, since: int = 0, size: int = 1) -> Access | None:
        """Returns the first instruction from `since` on that reads or writes one of the `size` bytes at `address`, or
        None. Supported for x64dbg and UMTracer only."""
        found = _formats.next_access(self._open(), address, size, since)
        self._warn(3)
        return found

    @property
    def tables(self) -> tuple[str, ...]:
        """The names of the tables in a UMTracer trace; empty for other formats."""
        return _formats.tables(self._open())

    def table(self, name: str) -> numpy.ndarray:
        """Returns a table of a UMTracer trace as a read-only structured array. The dtype is generated from the format's
        description. `ins`, `module`, `thread`, `ranges`, `neighbours` and `offsets` show the mapped files without a
        copy. The other tables are copies, because their records vary in size or are scattered. `exec` has the heads of
        the records, and the numbers of the rows of `ins` and `syscall` to which the records refer, or -1. `syscall` has
        the records without their arguments; `context` has the registers. Raises ValueError for an unknown table, and
        TraceError(refused) for other formats."""
        return _formats.table(self._open(), name)

    def texts(self, table: str, field: str) -> list[str]:
        """Returns the texts to which the rows of a UMTracer table refer. The arguments are ("ins", "disassembly"),
        ("module", "win_name") or ("module", "device_name")."""
        return _formats.texts(self._open(), table, field)

    @property
    def metadata(self) -> Metadata | None:
        """The meaning of the ids in a RapidBin trace, or None if there is no metadata. Each access reads the file
        next to the trace, or the file passed to open(). Raises TraceError(refused) for other formats."""
        return _formats.metadata(self._open())

    @property
    def names(self) -> Names:
        """The names of the ids of events: from STD text, which is read to its end, or from the metadata of a RapidBin
        trace that was converted from such text. Each access reads the names again. Raises TraceError(refused) for other
        formats."""
        return _formats.names(self._open())

    # ---- Closing ----

    def close(self) -> None:
        """Releases the file. Arrays and iterators that still use it keep it open."""
        self._origin = None

    def __enter__(self) -> Trace:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Instructions:
    """Batches of instructions, as returned by Trace.instructions(). Each iteration begins at the start."""

    def __init__(self, trace: Trace, columns: Iterable[str], batch: int, padded: int | None) -> None:
        if isinstance(columns, str):
            raise TypeError('columns: expected a list of names')
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
            # Return whole instructions before the error.
            if held:
                yield merged(held)
            raise
        self._trace._warn(3)
        if held:
            yield merged(held)

    def read(self) -> Batch:
        """Reads all instructions into one batch."""
        source, names = self._source(), self.columns
        held: list[Batch] = []
        while (core := source.next(_core.most_rows)) is not None:
            held.append(CoreBatch(names, core, self._padded, source))
        self._trace._warn(3)
        return merged(held) if held else nothing(names, self._padded, source.position)

    def to_pandas(self) -> pandas.DataFrame:
        """Reads all instructions into a DataFrame."""
        return self.read().to_pandas()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Returns an Arrow stream in a capsule, without copying data. Ignores `requested_schema`."""
        if 'disassembly' in self.columns:
            raise ValueError("Arrow's stream has no column disassembly; use 'text' or 'code'")
        part = self._trace._resolved()
        return _core.arrow_stream(self._trace._open(), self.columns, part.skip, part.limit, self._batch)


class Records:
    """Arrays of records, as returned by Trace.records(). Each iteration begins at the start."""

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
        """Returns all records as one array, without a copy if the file is mapped."""
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
    """Opens a trace, whatever its format and compression: both are recognised from the content.

    source        a path; an object with a buffer of bytes; a Python file open for reading bytes, which is read once (if
                  its read() raises an exception, the data read before is returned, then a TraceError is raised);
                  "-" is standard input
    format        one of formats(), to override recognition
    record        the layout of the records, if it is not the format's: a table as printed by `trace_view --layout`, as
                  text or as the path of a file; or a NumPy dtype; or "champsim2" or "chtrcv2", which are known tables.
                  Fields with the names of ChampSim's fields form an instruction.
    record_offset number of bytes before the first record in the file, overriding the table
    compression   "none", "xz", "gzip", "zstd", "bzip2" or "lz4", to override recognition
    thread        x64dbg, RapidBin, UMTracer: only the instructions of this thread. CloudSuite: only the records of
                  this address space. A str is the name of a thread, in STD text and RapidBin metadata
    repair        x64dbg: recognises thread ids without their flag, and skips damage. RapidBin, UMTracer: reads all whole
                  records, whatever the headers state. tracepack: skips damaged frames; a truncated file still ends in
                  an error
    registers     x64dbg: registers that a record does not change are operands, too
    metadata      RapidBin: path of the metadata file; "" for none
    maps          path of the map of the program's modules, as trace_record writes it; "" for none
    memory        maximum size in bytes of the dictionary or window of a compressed file
    threads       number of threads, at most 64, that decompress .xz in blocks, using 12 MiB each for blocks of 4 MiB,
                  and that decode tracepack frames ahead. The default is two for .xz and none for tracepack. An iterator
                  with threads raises TraceError in a child process made by fork().
    branch_rules  2022 or 2023: branch classes as ChampSim derived them in that year
    map_registers ChampSim, CloudSuite: the trace's numbers for the instruction pointer, the stack pointer and the flags,
                  such as {'ip': 35, 'sp': 7, 'flags': 34} or 'ip=35,sp=7,flags=34'. They are read as ChampSim's 26, 6
                  and 25, and the registers with those numbers get the other numbers in exchange
    strict        STD text: lines of wait, notify, notifyAll and dummy, and columns after the location, are errors;
                  by default they are left out, with a warning
    own           other options that only some formats have, named as in the programs with _ instead of -, such as
                  variable="V1". A list passes several values of an option that can be repeated

    Raises TraceError if the source is not a trace, ValueError or TypeError for invalid arguments.
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
            raise TypeError(f'expected a path, bytes or a file, got {type(source).__name__}') from None
        origin = _core.Origin.of_bytes(view, '<bytes>', options)
    trace = Trace(origin)
    for line in origin.warnings().splitlines():
        warnings.warn(line, stacklevel=2)
    return trace
