"""Data that only some formats store, such as registers, memory, tables, metadata and names."""
from __future__ import annotations

import operator
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Callable, NamedTuple

from . import _core
from ._dtypes import dtype

if TYPE_CHECKING:
    import numpy

#: Maximum number of bytes that one query of memory may request.
MOST_MEMORY = 1 << 24


# ---- Registers and memory: x64dbg, UMTracer ----

class Registers(Mapping[str, int]):
    """Mapping of register names to values, as in ``registers["rax"]`` and ``registers["xmm0"]``. The names are in lower
    case, but lookups ignore case.

    A value is an int, even if the register has more than 64 bits. Bit 0 is the register's lowest bit. Parts of
    registers, such as "eax" and "al", have their own names if the format defines these names. A register with an
    unknown byte is not in the mapping; use bytes() and known() to read its known bytes.
    """
    __slots__ = ('_core', '_names')

    def __init__(self, core: _core.State) -> None:
        self._core = core
        self._names: tuple[str, ...] | None = None

    def _get(self, name: str) -> tuple[bytes, bytes]:
        try:
            found = self._core.get(name.encode(errors='surrogateescape').lower()) if isinstance(name, str) else None
        except UnicodeEncodeError:
            found = None
        if found is None:
            raise KeyError(name)
        return found

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all registers, including registers with unknown bytes."""
        if self._names is None:
            self._names = tuple(dict.fromkeys(self._core.names()))
        return self._names

    def bytes(self, name: str) -> numpy.ndarray:
        """Returns the bytes of a register as a uint8 array that begins with the lowest byte. Unknown bytes are 0."""
        import numpy
        return numpy.frombuffer(self._get(name)[0], numpy.uint8)

    def known(self, name: str) -> numpy.ndarray:
        """Returns a bool array with True for each known byte of a register, in the order of bytes()."""
        import numpy
        return numpy.frombuffer(self._get(name)[1], bool)

    def __getitem__(self, name: str) -> int:
        values, known = self._get(name)
        if 0 in known:
            raise KeyError(f'{name}: its value here is not recorded in the trace')
        return int.from_bytes(values, 'little')

    def __iter__(self) -> Iterator[str]:
        return (name for name in self.names if 0 not in self._get(name)[1])

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __repr__(self) -> str:
        return f'<Registers: {len(self.names)} names>'


class Memory:
    """Contents of memory before an instruction or at the end of a trace. Some bytes may be unknown. ``bytes(memory)``
    returns the contents, or raises ValueError if a byte is unknown.

    address  address of the first byte
    bytes    uint8 array of the bytes; unknown bytes are 0
    known    bool array with True for each known byte
    origin   int64 array with the number of the instruction that reveals each byte, or -1 for an unknown byte. An
             earlier instruction reveals the byte that it read or wrote. A later instruction reveals the byte that it
             found in memory.
    """
    __slots__ = ('address', 'bytes', 'known', 'origin')

    def __init__(self, address: int, bytes: numpy.ndarray, origin: numpy.ndarray) -> None:
        self.address, self.bytes, self.origin = address, bytes, origin
        self.known: numpy.ndarray = origin >= 0

    def __len__(self) -> int:
        return len(self.bytes)

    def __bytes__(self) -> bytes:
        if not self.known.all():
            first = self.address + int(self.known.argmin())
            raise ValueError(f'the trace does not record what was at {first:#x}')
        return self.bytes.tobytes()

    def __repr__(self) -> str:
        shown = ' '.join(f'{b:02x}' if k else '??' for b, k in zip(self.bytes[:16].tolist(), self.known[:16].tolist()))
        return f'<Memory {self.address:#x}: {shown}{" ..." if len(self) > 16 else ""}>'


class State:
    """State of the program before an instruction.

    index      number of the instruction in the trace, as in the column "index"; for UMTracer, number of the record
    ip         address of the instruction; None for a record that is not an instruction
    thread     thread of the instruction; None if the trace does not record the thread
    registers  contents of the registers, as a Registers object
    """
    __slots__ = ('_origin', 'index', 'ip', 'registers', 'thread')

    def __init__(self, origin: _core.Origin, core: _core.State) -> None:
        self._origin = origin
        self.index: int = core.index
        self.ip: int | None = core.ip
        self.thread: int | None = core.thread
        self.registers = Registers(core)

    def memory(self, address: int, size: int = 1) -> Memory:
        """Returns the `size` bytes at `address` before the instruction, like Trace.memory()."""
        return memory(self._origin, address, size, self.index)

    def __repr__(self) -> str:
        ip = '' if self.ip is None else f', ip {self.ip:#x}'
        return f'<State before {self.index}{ip}>'


class Access(NamedTuple):
    """Memory access of an instruction."""
    index: int  #: number of the instruction, as in the column "index"
    kind: str  #: "read" or "write"
    address: int  #: address of the first byte accessed
    size: int  #: number of bytes accessed
    #: False if a UMTracer record states that its values may be wrong. The address may then be wrong, too.
    reliable: bool


def number_of_instruction(n: int) -> int:
    n = operator.index(n)
    if not 0 <= n < 1 << 64:
        raise IndexError(n)
    return n


def span(address: int, size: int) -> tuple[int, int]:
    address, size = operator.index(address), operator.index(size)
    if size < 0:
        raise ValueError(f'size: {size} bytes')
    if not 0 <= address < 1 << 64 or address + size > 1 << 64:
        raise ValueError(f'{size} bytes from {address:#x} on exceed the address space')
    return address, size


def at(origin: _core.Origin, n: int) -> State:
    return State(origin, _core.state(origin, number_of_instruction(n)))


def memory(origin: _core.Origin, address: int, size: int, n: int | None) -> Memory:
    address, size = span(address, size)
    if size > MOST_MEMORY:
        raise ValueError(f'size: {size} bytes, at most {MOST_MEMORY} at once')
    return Memory(address, *_core.memory(origin, address, size, None if n is None else number_of_instruction(n)))


def _access(found: tuple[int, bool, int, int, bool] | None) -> Access | None:
    if found is None:
        return None
    index, writes, address, size, reliable = found
    return Access(index, 'write' if writes else 'read', address, size, reliable)


def last_write(origin: _core.Origin, address: int, size: int, before: int | None) -> Access | None:
    return _access(_core.last_write(origin, *span(address, size), None if before is None else number_of_instruction(before)))


def next_access(origin: _core.Origin, address: int, size: int, since: int) -> Access | None:
    return _access(_core.next_access(origin, *span(address, size), number_of_instruction(since)))


# ---- Tables: UMTracer ----

def _record(name: str) -> Callable[[int], numpy.dtype]:
    return lambda _: dtype('umtracer.' + name)


def _joined(parts: list[tuple[numpy.dtype, int]], itemsize: int) -> numpy.dtype:
    """Returns one dtype with the fields of all `parts`. Each part is a dtype and its offset in the row."""
    import numpy
    fields = [(name, type.fields[name][0], at + type.fields[name][1]) for type, at in parts for name in type.names]
    names, formats, offsets = zip(*fields)
    return numpy.dtype({'names': list(names), 'formats': list(formats), 'offsets': list(offsets),
                        'itemsize': itemsize})


def _modules(row: int) -> numpy.dtype:
    old, more = dtype('umtracer.module_record'), dtype('umtracer.module_version')
    size = old.itemsize + more.itemsize
    return _joined([(old, 0), (more, old.itemsize)], size) if row >= size else old


def _records(row: int) -> numpy.dtype:
    import numpy
    head = dtype('umtracer.exec_record')
    names = numpy.dtype([('instruction_id', '<i8'), ('syscall_id', '<i8')])
    return _joined([(head, 0), (names, head.itemsize)], row)


def _registers(row: int) -> numpy.dtype:
    import numpy
    place = dtype('umtracer.register_info')
    return numpy.dtype([('name', 'S16'), ('common_name', '<u2'), ('map32', place), ('map64', place)])


def _offsets(_: int) -> numpy.dtype:
    import numpy
    return numpy.dtype('<u8')


#: Names of the tables in a UMTracer trace, each with a function that maps the size of a row in bytes to its dtype.
TABLES: dict[str, Callable[[int], Any]] = {
    'exec': _records, 'ins': _record('instruction_record'), 'syscall': _record('syscall_record'), 'module': _modules,
    'thread': _record('thread_record'), 'context': _registers, 'ranges': _record('address_range'),
    'neighbours': _record('neighbours'), 'offsets': _offsets}


def tables(origin: _core.Origin) -> tuple[str, ...]:
    return tuple(TABLES) if origin.format == 'umtracer' else ()


def _known(name: str) -> None:
    if name not in TABLES:
        raise ValueError(f"there is no table '{name}'; there are {', '.join(TABLES)}")


def table(origin: _core.Origin, name: str) -> numpy.ndarray:
    _known(name)
    _, row = _core.umtracer_table_size(origin, name)
    return _core.umtracer_table(origin, name, TABLES[name](row))


def texts(origin: _core.Origin, name: str, field: str) -> list[str]:
    _known(name)
    return _core.umtracer_texts(origin, name, field)


# ---- Metadata: RapidBin ----

class Variable(NamedTuple):
    """Variable of a traced program: a range of memory that each access reads or writes as a whole."""
    address: int  #: address of the first byte
    width: int  #: number of bytes


class Location(NamedTuple):
    """Instruction of the traced WebAssembly binary."""
    function: int  #: index of the function
    instruction: int  #: index of the instruction within the function


class Metadata(NamedTuple):
    """Meaning of the ids in a RapidBin trace, from the metadata file that Wasmgrind writes next to the trace. The ids
    of threads, variables, locks and locations are independent of each other."""
    threads: dict[int, int]  #: maps a thread's id in the trace to the program's own id of the thread
    variables: dict[int, Variable]  #: maps a variable's id to its range of memory
    locks: dict[int, int]  #: maps a lock's id to its address
    locations: dict[int, Location]  #: maps a location's id to its instruction
    shared: dict[int, tuple[int, ...]]  #: maps a shared variable's id to the ids of the threads that share the variable


def metadata(origin: _core.Origin) -> Metadata | None:
    found = _core.rapidbin_metadata(origin)
    if found is None:
        return None
    lists = {name: [column.tolist() for column in columns] for name, columns in found.items()}
    shared, end = {}, 0
    for variable, count in zip(*lists['shared'][:2]):
        shared[variable] = tuple(lists['shared'][2][end:end + count])
        end += count
    return Metadata(
        dict(zip(*lists['threads'])), {n: Variable(a, w) for n, a, w in zip(*lists['variables'])},
        dict(zip(*lists['locks'])), {n: Location(f, i) for n, f, i in zip(*lists['locations'])}, shared)


class Names(NamedTuple):
    """Names of the ids in an event trace. Each dict maps ids to names, and does not contain ids without a name."""
    threads: dict[int, str]  #: names of threads
    locks: dict[int, str]  #: names of locks
    variables: dict[int, str]  #: names of variables
    locations: dict[int, str]  #: names of locations in the program


def names(origin: _core.Origin) -> Names:
    found = _core.rapidbin_names(origin)
    return Names(*({n: name.decode(errors='replace') for n, name in found[kind].items()}
                   for kind in ('thread', 'lock', 'variable', 'location')))
