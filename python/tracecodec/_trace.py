"""Traces, and their instructions and records."""
from __future__ import annotations

import operator
import os
import warnings
from typing import TYPE_CHECKING, Any, Iterable, Iterator, Mapping, NamedTuple

from . import _core, _formats, _query
from ._batches import Batch, CoreBatch, merged, nothing
from ._dtypes import Layout, Row, dtype, dtype_of_columns, layouts, table_of
from ._errors import TraceError, number, path_bytes
from ._formats import Access, Memory, Metadata, Names, State
from ._query import IndexTotals, Query

if TYPE_CHECKING:
    import numpy
    import pandas

#: Names of the columns that Trace.instructions() returns by default.
USUAL_COLUMNS = ('ip', 'branch', 'taken', 'target', 'thread')

#: Names of all columns. Trace.columns contains the names of the columns that a trace has.
COLUMNS = tuple(_core.column_names) + ('disassembly',)

#: Names of the operations of events. Events.operation and the column "operation" contain indices into this tuple. A
#: number beyond the end of the tuple is an undefined operation.
OPERATIONS: tuple[str, ...] = tuple(_core.operations)

#: Default maximum number of records in a batch.
USUAL_RECORDS = 1 << 14


class Events:
    """Events of a RapidBin trace, as arrays with an element for each event. ``len()`` returns the number of events, and
    iterating yields the arrays."""
    __slots__ = ('thread', 'operation', 'decor', 'location', 'sign')

    def __init__(self, thread: numpy.ndarray, operation: numpy.ndarray, decor: numpy.ndarray,
                 location: numpy.ndarray, sign: numpy.ndarray) -> None:
        self.thread = thread  #: ids of the threads that perform the operations (uint16)
        self.operation = operation  #: operations, as indices into OPERATIONS (uint8)
        self.decor = decor  #: ids of the locks, variables or threads that the operations use (uint64)
        self.location = location  #: ids of the locations in the program (uint16)
        self.sign = sign  #: most significant bits of the events, normally 0 (uint8)

    def __len__(self) -> int:
        return len(self.thread)

    def __iter__(self) -> Iterator[numpy.ndarray]:
        return (getattr(self, name) for name in self.__slots__)

    def __repr__(self) -> str:
        return f'<Events: {len(self)}>'


class HotBlock(NamedTuple):
    """Basic block, which begins after a branch and ends with the next branch."""
    address: int  #: address of the block's first instruction
    instructions: int  #: total number of instructions executed in the block
    executions: int  #: number of executions of the block
    length: int  #: number of instructions in the longest execution of the block


class _Part(NamedTuple):
    """Part of a trace: at most `limit` instructions after the first `skip` instructions. If `shard` is set, these
    instructions are divided into `shard[1]` equal parts, and only part `shard[0]` is read."""
    skip: int = 0
    limit: int | None = None
    shard: tuple[int, int] | None = None


class Trace:
    """Trace of any format, as returned by open().

    A trace can be iterated any number of times, and each iteration begins at the start of the trace. Pipes and Python
    files can be read only once. Several threads may use a trace at the same time, but each iterator belongs to one
    thread.
    """

    def __init__(self, origin: _core.Origin, part: _Part = _Part()) -> None:
        self._origin: _core.Origin | None = origin
        self._part = part
        self._query: Query | None = None

    def _open(self) -> _core.Origin:
        if self._origin is None:
            raise ValueError('the trace is closed')
        return self._origin

    # ---- Properties ----

    @property
    def format(self) -> str:
        """Name of the format, such as "champsim". formats() returns all such names."""
        return self._open().format

    @property
    def name(self) -> str:
        """Name of the trace in error messages, such as its path."""
        return self._open().name

    @property
    def about(self) -> dict[str, str] | None:
        """The trace's own metadata, as a dict of strings. The keys depend on the format:

        tracepack  program, arguments, recorder, machine, date, region and comment
        x64dbg     program, arch, hash_algorithm and hash, from the header
        RapidBin   threads, locks, variables and events, from the header
        UMTracer   command_line, bitness, process_id, system, recorder and more, from trace.xml

        The dict contains only the keys for which the trace stores a value. The property is None for other formats. It
        is also None if the trace can be read only once, unless the trace is a tracepack."""
        return self._open().about

    @property
    def dtype(self) -> numpy.dtype:
        """The NumPy dtype of the records. For RapidBin, the dtype of the words that store the events. Raises
        TraceError(refused) if the size of the records varies."""
        if self._open().holds_events:
            return dtype(self.format)
        size, columns = self._open().columns()
        return dtype_of_columns(columns, size)

    @property
    def layouts(self) -> list[Layout]:
        """Layouts of the format's records, or the single layout of a table that describes the records."""
        if self._open().described:
            return [self._described()]
        return layouts(self.format, 32 if self._open().narrow else 64)

    @property
    def layout(self) -> list[Row]:
        """Rows of the layout table of the records. Fields without a fixed offset are omitted. x64dbg blocks and
        UMTracer records have such fields."""
        if self._open().has_table:
            return self._described().rows
        return next(one.rows for one in self.layouts if one.name == self._open().record)

    def _described(self) -> Layout:
        size, columns = self._open().columns()
        return Layout('record', '', self._open().table(), '', dtype_of_columns(columns, size))

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns that the format stores. Columns that every format supports, such as `thread`, can be
        requested in addition. Raises TraceError(refused) for a trace that can be read only once."""
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
        """Returns the trace limited to its first `n` instructions."""
        n = number(n, 'limit')
        skip, limit, _ = self._resolved()
        return Trace(self._open(), _Part(skip, n if limit is None else min(n, limit)))

    def shard(self, index: int, of: int) -> Trace:
        """Divides the trace into `of` disjoint parts, and returns part number `index`, counted from 0. The lengths of
        the parts differ by at most one instruction."""
        index, of = operator.index(index), operator.index(of)
        if not 0 <= index < of:
            raise ValueError(f'shard {index} of {of}')
        skip, limit, _ = self._resolved()
        return Trace(self._open(), _Part(skip, limit, (index, of)))

    def _resolved(self) -> _Part:
        """Returns the part with its shard converted to skip and limit. The conversion counts the instructions."""
        skip, limit, shard = self._part
        if shard is None:
            return self._part
        n = Trace(self._open(), _Part(skip, limit)).count()
        begin, end = (n * i // shard[1] for i in (shard[0], shard[0] + 1))
        # Without a limit, the last shard reports damage that follows the counted instructions.
        last = limit is None and shard[0] + 1 == shard[1]
        return _Part(skip + begin, None if last else end - begin)

    def count(self) -> int:
        """Returns the number of instructions in the trace, or in the part that this object represents. In a damaged
        trace, counts only the instructions before the damage. May read the whole file. Raises TraceError(refused) for a
        trace that can be read only once."""
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
        """Returns count() if the number is known without reading the trace. Otherwise raises TypeError."""
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
        """Issues a Python warning for each of the library's warnings since the last call."""
        if self._origin is not None:
            for line in self._origin.warnings().splitlines():
                warnings.warn(line, stacklevel=stacklevel)

    def __iter__(self) -> Iterator[Batch]:
        return iter(self.instructions())

    def instructions(self, columns: Iterable[str] = USUAL_COLUMNS, *, batch: int = _core.most_rows,
                     padded: int | None = None) -> Instructions:
        """Returns the instructions as columns, in batches.

        columns  names of the columns to read, which must be in COLUMNS
        batch    maximum number of rows in a batch, 4,096 by default. A batch with long lists may have fewer rows.
        padded   number of entries in each row of a list column. The column is then a two-dimensional array. Longer rows
                 are truncated, and shorter rows are filled with zeros. By default, the column is a Lists object.
        """
        return Instructions(self, columns, batch, padded)

    def hot_blocks(self, most: int = 20) -> list[HotBlock]:
        """Returns up to `most` hottest basic blocks, in descending order of executed instructions. The function stores
        at most 4,096 blocks. If the program has more blocks, rarely executed blocks can be missing, or their counts can
        be too low."""
        most = number(most, 'most')
        found = self._instructions(self._resolved()).hot_blocks(most)
        self._warn(3)
        return [HotBlock(*one) for one in found]

    def block_vectors(self, interval: int) -> str:
        """Divides the trace into intervals of `interval` instructions, and returns a basic-block vector for each
        interval, in SimPoint's format for frequency vectors. A vector is a line such as "T:1:420 :7:13 ". After the T,
        each entry contains the number of a block and the number of instructions executed in the block."""
        found = self._instructions(self._resolved()).block_vectors(number(interval, 'interval', 1))
        self._warn(3)
        return found

    def records(self, batch: int | None = None) -> Records:
        """Returns the stored records as structured arrays, or as Events objects for RapidBin. `batch` is the maximum
        number of records in an array. By default, a mapped file is a single structured array. Raises
        TraceError(refused) if the size of the records varies."""
        return Records(self, batch)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Returns USUAL_COLUMNS as an Arrow stream, for example for polars.DataFrame(trace) or pyarrow.table(trace)."""
        return self.instructions().__arrow_c_stream__(requested_schema)

    # ---- Questions ----

    @property
    def query(self) -> Query:
        """Questions about the memory accesses of the whole trace, even if this object is a part of the trace. They use
        the index beside the trace, if there is one when this property is first used (write_index(), trace_index).

            with tracecodec.open("x.trace64") as trace:
                trace.query.last_write(0x1000, before=500)

        Raises TraceError(refused) if the trace can be read only once."""
        if self._query is None:
            self._query = self.query_with()
        return self._query

    def query_with(self, index: str | bytes | os.PathLike | None = None) -> Query:
        """Returns questions that use the index in the file `index`. None means the usual index, if it exists, and ""
        none. Raises TraceError(refused) if the index belongs to another trace or the trace has changed."""
        return _query.open_query(self._open(), index)

    def write_index(self, path: str | bytes | os.PathLike | None = None) -> IndexTotals:
        """Writes an index of the whole trace, and returns its totals. `path` None means the path of the trace, followed
        by ".tcidx", where `query` and the program trace_query look for it. Raises TraceError(refused) for a trace that
        is not a file or folder, or was opened with an option that decides which instructions it has."""
        totals = _query.write_index(self._open(), path)
        self._query = None
        return totals

    # ---- Data besides instructions ----

    def at(self, n: int) -> State:
        """Returns the registers and memory before instruction `n`. Supported only for x64dbg and UMTracer.

        The functions at(), memory(), last_write() and next_access() use the instruction numbers of the column "index".
        These numbers count from the start of the whole trace, even if this object is a part of the trace. UMTracer
        records that are not instructions are counted, too.

        Raises IndexError if instruction `n` does not exist, and TraceError(refused) if the trace has another format or
        can be read only once.
        """
        found = _formats.at(self._open(), n)
        self._warn(3)
        return found

    def memory(self, address: int, size: int = 1, at: int | None = None) -> Memory:
        """Returns the `size` bytes at `address` before instruction `at`, or at the end of the trace if `at` is None.
        Supported only for x64dbg and UMTracer.

        The value of a byte is the value that the last instruction before `at` read or wrote. If an x64dbg trace has no
        such instruction, the value is taken from the first access by instruction `at` or a later instruction. Traces do
        not contain writes by the kernel or by untraced code. If no instruction accesses a byte, the whole trace is
        searched.

        Raises ValueError if `size` is negative or above 16 MiB, or if the range exceeds the address space.
        """
        found = _formats.memory(self._open(), address, size, at)
        self._warn(3)
        return found

    def last_write(self, address: int, before: int | None = None, size: int = 1) -> Access | None:
        """Returns the last write to any of the `size` bytes at `address` before instruction `before`, or None if there
        is no such write. If `before` is None, searches backwards from the end of the trace. Supported only for x64dbg
        and UMTracer. In x64dbg traces, writes that leave the value unchanged cannot be distinguished from reads."""
        found = _formats.last_write(self._open(), address, size, before)
        self._warn(3)
        return found

    def next_access(self, address: int, since: int = 0, size: int = 1) -> Access | None:
        """Returns the first access to any of the `size` bytes at `address` by instruction `since` or a later
        instruction. Returns None if there is no such access. Supported only for x64dbg and UMTracer."""
        found = _formats.next_access(self._open(), address, size, since)
        self._warn(3)
        return found

    @property
    def tables(self) -> tuple[str, ...]:
        """Names of the tables in a UMTracer trace. The tuple is empty for other formats."""
        return _formats.tables(self._open())

    def table(self, name: str) -> numpy.ndarray:
        """Returns a table of a UMTracer trace as a read-only array with an element for each row.

        The tables `ins`, `module`, `thread`, `ranges`, `neighbours` and `offsets` are views of the mapped files. The
        other tables are copies, because their rows vary in size or are scattered in the files:

        exec     fixed-size heads of the records. `instruction_id` and `syscall_id` are the numbers of the rows in `ins`
                 and `syscall` to which a record refers, or -1 if there is no such row.
        syscall  system calls without their arguments
        context  names of the registers, and their positions in 32-bit and 64-bit contexts

        Raises ValueError for an unknown table, and TraceError(refused) for other formats."""
        return _formats.table(self._open(), name)

    def texts(self, table: str, field: str) -> list[str]:
        """Returns the text to which each row of a UMTracer table refers. If `table` is "ins", `field` must be
        "disassembly". If `table` is "module", `field` must be "win_name" or "device_name"."""
        return _formats.texts(self._open(), table, field)

    @property
    def metadata(self) -> Metadata | None:
        """Meaning of the ids in a RapidBin trace, or None if there is no metadata. Each access reads the metadata
        again, from the file passed to open() or from the file next to the trace. Raises TraceError(refused) for other
        formats."""
        return _formats.metadata(self._open())

    @property
    def names(self) -> Names:
        """Names of the ids in an event trace. STD text is read completely to find the names. If a RapidBin trace was
        converted from STD text, the names are in the metadata of the trace. Each access reads the names again. Raises
        TraceError(refused) for other formats."""
        return _formats.names(self._open())

    # ---- Closing ----

    def close(self) -> None:
        """Releases the file. The file remains open as long as arrays or iterators use it."""
        self._origin = self._query = None

    def __enter__(self) -> Trace:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Instructions:
    """Batches of instructions, as returned by Trace.instructions(). Iterating yields Batch objects, and each iteration
    begins at the start of the trace."""

    def __init__(self, trace: Trace, columns: Iterable[str], batch: int, padded: int | None) -> None:
        if isinstance(columns, str):
            raise TypeError('columns: expected a list of names')
        batch = number(batch, 'batch', 1)
        if padded is not None:
            padded = number(padded, 'padded')
        self.columns = tuple(columns)  #: names of the columns in each batch
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
            # Return the instructions before the error first.
            if held:
                yield merged(held)
            raise
        self._trace._warn(3)
        if held:
            yield merged(held)

    def read(self) -> Batch:
        """Returns all instructions as one batch, which must fit into memory."""
        source, names = self._source(), self.columns
        held: list[Batch] = []
        while (core := source.next(_core.most_rows)) is not None:
            held.append(CoreBatch(names, core, self._padded, source))
        self._trace._warn(3)
        return merged(held) if held else nothing(names, self._padded, source.position)

    def to_pandas(self) -> pandas.DataFrame:
        """Returns all instructions as a DataFrame, which must fit into memory."""
        return self.read().to_pandas()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Returns an Arrow stream in a capsule, without copying data. Ignores `requested_schema`."""
        if 'disassembly' in self.columns:
            raise ValueError("Arrow's stream has no column disassembly; use 'text' or 'code'")
        part = self._trace._resolved()
        return _core.arrow_stream(self._trace._open(), self.columns, part.skip, part.limit, self._batch)


class Records:
    """Arrays of records, as returned by Trace.records(). Iterating yields structured arrays, or Events objects for
    RapidBin. Each iteration begins at the start of the trace."""

    def __init__(self, trace: Trace, batch: int | None) -> None:
        if batch is not None:
            batch = number(batch, 'batch', 1)
        self._trace, self._batch = trace, batch
        self._events = trace._open().holds_events
        #: NumPy dtype of the arrays; None for RapidBin
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
        """Returns all records as one array, or as one Events object for RapidBin. The records of a mapped file are not
        copied, unless Trace.records() was called with `batch`."""
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
    """Raises TypeError if a name in `own` is not an option of any format."""
    for name in own:
        if name not in _core.own_options:
            raise TypeError(f"open() got an unexpected keyword argument '{name}'")


open_file = open


def open(source: Any, format: str | None = None, *, record: Any = None, record_offset: int | None = None,
         compression: str | None = None, thread: int | str | None = None, repair: bool = False, registers: bool = False,
         metadata: str | None = None, maps: str | None = None, memory: int | None = None, threads: int | None = None,
         branch_rules: int | str | None = None, map_registers: str | Mapping[str, int] | None = None,
         strict: bool = False, **own: Any) -> Trace:
    """Opens a trace of any format and compression, which are recognised from the content.

    source        a path, a bytes-like object, or a Python file that was opened for reading bytes. The path "-" means
                  standard input. A Python file is read only once. If its read() raises an exception, the data read so
                  far are returned before TraceError is raised.
    format        name of the format, from formats(). By default, the format is recognised from the content.
    record        layout of the records, if the layout differs from the format's own layout. The argument is a NumPy
                  dtype, a table, the path of a file with a table, or the name of a built-in table ("champsim2" or
                  "chtrcv2").
                  Tables are text in the form of `trace_view --layout`. Fields with the names of ChampSim's fields form
                  an instruction.
    record_offset number of bytes in the file before the first record. By default, the table specifies this number.
    compression   "none", "xz", "gzip", "zstd", "bzip2", "lz4", "snappy" or "zip". By default, the
                  compression is recognised from the content.
    thread        id of a thread (x64dbg, RapidBin, UMTracer) or address space (CloudSuite). Instructions of other
                  threads or address spaces are skipped. For STD text and for RapidBin metadata with names, `thread` may also be a thread's name.
    repair        True to read a damaged trace. For x64dbg, damage is skipped, and thread ids are recognised even if
                  their flag is missing. For RapidBin and UMTracer, all complete records are read, even if a header
                  states another number. For tracepack, damaged frames are skipped, but truncation is still an error.
    registers     for x64dbg, True to fill the column "register_values", which is empty by default
    metadata      path of a RapidBin trace's metadata file; "" for no metadata. By default, the metadata file next to
                  the trace is used if it exists.
    maps          path of the module map that trace_record has written; "" for no map. By default, the map next to the
                  trace is used if it exists.
    memory        maximum size in bytes of the dictionary or window of a compressed file, 256 MiB by default. A file
                  that needs more is refused.
    threads       number of threads, at most 64, that decompress the blocks of an .xz file or decode the frames of a
                  tracepack. A thread needs 12 MiB for a block of 4 MiB. The default is two threads for .xz and no
                  additional threads for tracepack. In a child process made by fork(), an iterator that uses threads
                  raises TraceError.
    branch_rules  year of the ChampSim rules that determine branch classes, 2022 or 2023 (default), for ChampSim and
                  CloudSuite
    map_registers numbers of the instruction pointer, the stack pointer and the flags in a ChampSim or CloudSuite
                  trace, such as {'ip': 35, 'sp': 7, 'flags': 34} or 'ip=35,sp=7,flags=34'. These numbers are exchanged
                  with ChampSim's numbers 26, 6 and 25.
    strict        for STD text, True to raise TraceError for lines with the operation wait, notify, notifyAll or dummy,
                  and for columns after the location. By default, such lines and columns are omitted with a warning.
    own           other options that only some formats have, such as variable="V1". The names are the same as the names
                  of the programs' options, with _ instead of -. A repeatable option accepts a list of values.

    Raises TraceError if the source is not a trace, and ValueError or TypeError for invalid arguments.
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
