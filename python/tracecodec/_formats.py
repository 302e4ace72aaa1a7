"""Data that only some formats have: registers and memory, tables, metadata."""
from __future__ import annotations

import operator
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Callable, NamedTuple

from . import _core
from ._dtypes import dtype

if TYPE_CHECKING:
    import numpy

#: Maximum number of bytes of memory in one query.
MOST_MEMORY = 1 << 24


# ---- Registers and memory: x64dbg, UMTracer ----

class Registers(Mapping[str, int]):
    """Registers by name: ``registers["rax"]``, ``registers["xmm0"]``. The names are in lower case, but lookups ignore
    case.

    A value is an int, however wide the register is; bit 0 is the register's lowest bit. Parts of registers ("eax",
    "al") have their own names if the format defines them. The mapping contains only registers whose bytes are all
    known; for other registers, bytes() and known() return the bytes that are known.
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
        """The names of all registers, including registers with unknown bytes."""
        if self._names is None:
            self._names = tuple(dict.fromkeys(self._core.names()))
        return self._names

    def bytes(self, name: str) -> numpy.ndarray:
        """Returns the bytes of a register, lowest first, as uint8. Unknown bytes are 0."""
        import numpy
        return numpy.frombuffer(self._get(name)[0], numpy.uint8)

    def known(self, name: str) -> numpy.ndarray:
        """Returns a bool array: True for each byte of the register that is known."""
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
    """Bytes of memory at one moment, each known or unknown. ``bytes(memory)`` returns them, or raises ValueError if a
    byte is unknown.

    address  address of the first byte
    bytes    uint8, 0 for unknown bytes
    known    bool, True for each known byte
    origin   int64: the number of the instruction that reveals the byte, or -1 if it is unknown. An
             instruction before the moment left this value in memory; an instruction at or after the moment found it in
             memory.
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
    """The state before an instruction.

    index      number of the instruction in the trace, as in column "index" (UMTracer: number of the record)
    ip         address of the instruction; None for a record that is not an instruction
    thread     thread of the instruction; None if the trace does not record it
    registers  contents of the registers, by name
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
    """An instruction's access to memory."""
    index: int  #: number of the instruction, as in column "index"
    kind: str  #: "read" or "write"
    address: int  #: address of the first byte accessed
    size: int  #: number of bytes accessed
    reliable: bool  #: UMTracer: False if the record states that its values may be wrong, and therefore addresses


def _number(n: int) -> int:
    n = operator.index(n)
    if not 0 <= n < 1 << 64:
        raise IndexError(n)
    return n


def _span(address: int, size: int) -> tuple[int, int]:
    address, size = operator.index(address), operator.index(size)
    if size < 0:
        raise ValueError(f'size: {size} bytes')
    if not 0 <= address < 1 << 64 or address + size > 1 << 64:
        raise ValueError(f'{size} bytes from {address:#x} on exceed the address space')
    return address, size


def at(origin: _core.Origin, n: int) -> State:
    return State(origin, _core.state(origin, _number(n)))


def memory(origin: _core.Origin, address: int, size: int, n: int | None) -> Memory:
    address, size = _span(address, size)
    if size > MOST_MEMORY:
        raise ValueError(f'size: {size} bytes, at most {MOST_MEMORY} at once')
    return Memory(address, *_core.memory(origin, address, size, None if n is None else _number(n)))


def _access(found: tuple[int, bool, int, int, bool] | None) -> Access | None:
    if found is None:
        return None
    index, writes, address, size, reliable = found
    return Access(index, 'write' if writes else 'read', address, size, reliable)


def last_write(origin: _core.Origin, address: int, size: int, before: int | None) -> Access | None:
    return _access(_core.last_write(origin, *_span(address, size), None if before is None else _number(before)))


def next_access(origin: _core.Origin, address: int, size: int, since: int) -> Access | None:
    return _access(_core.next_access(origin, *_span(address, size), _number(since)))


# ---- Tables: UMTracer ----

def _record(name: str) -> Callable[[int], numpy.dtype]:
    return lambda _: dtype('umtracer.' + name)


def _joined(parts: list[tuple[numpy.dtype, int]], itemsize: int) -> numpy.dtype:
    """Returns one dtype with the fields of several dtypes, each moved to its offset in the row."""
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


#: The tables of a UMTracer trace, and the functions that make the dtypes of their rows.
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
    """Bytes of memory that one access covers."""
    address: int
    width: int  #: number of bytes


class Location(NamedTuple):
    """An instruction of the WebAssembly binary."""
    function: int  #: index of the function
    instruction: int  #: index of the instruction within the function


class Metadata(NamedTuple):
    """The meaning of the ids in a RapidBin trace, from the file that Wasmgrind writes next to the trace. Threads,
    variables, locks and locations are numbered separately."""
    threads: dict[int, int]  #: from a trace id to the program's own thread id
    variables: dict[int, Variable]
    locks: dict[int, int]  #: from a lock's id to its address
    locations: dict[int, Location]
    shared: dict[int, tuple[int, ...]]  #: from a variable's id to the ids of the threads that share it


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
    """The names of the ids in event traces, by id. An id without a name is missing."""
    threads: dict[int, str]
    locks: dict[int, str]
    variables: dict[int, str]
    locations: dict[int, str]


def names(origin: _core.Origin) -> Names:
    found = _core.rapidbin_names(origin)
    return Names(*({n: name.decode(errors='replace') for n, name in found[kind].items()}
                   for kind in ('thread', 'lock', 'variable', 'location')))
