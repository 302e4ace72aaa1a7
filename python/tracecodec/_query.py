"""Questions about the memory accesses of a trace."""
from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from . import _core
from ._errors import path_bytes
from ._formats import MOST_MEMORY, Memory, number_of_instruction, span

if TYPE_CHECKING:
    import numpy

_END = (1 << 64) - 1


class IndexTotals(NamedTuple):
    """Contents of an index."""
    instructions: int  #: number of instructions
    accesses: int  #: number of memory operands


class Query:
    """Questions about the memory accesses of a whole trace of any format, as returned by Trace.query.

    An index answers them at once. Without an index, a question reads the trace. The numbers of instructions are those
    of Trace.skip() and of trace_query: the first instruction of the trace has number 0. UMTracer records that are not
    instructions are not counted. If a format does not store the sizes of accesses, an access has one byte. One thread
    asks at a time.

    The functions raise TraceError for a damaged trace or index, and ValueError if the bytes exceed the address space.
    """
    __slots__ = ('_core',)

    def __init__(self, core: _core.Questions) -> None:
        self._core = core

    @property
    def has_index(self) -> bool:
        """True if the trace has an index."""
        return self._core.has_index

    def last_write(self, address: int, size: int = 1, before: int | None = None) -> int | None:
        """Returns the number of the last instruction before `before` that writes any of the `size` bytes at `address`,
        or None. `before` None means the end of the trace."""
        return self._last(address, size, before, False, True)

    def last_read(self, address: int, size: int = 1, before: int | None = None) -> int | None:
        """Returns the number of the last such instruction that reads any of the bytes, or None."""
        return self._last(address, size, before, True, False)

    def next_write(self, address: int, size: int = 1, after: int = 0) -> int | None:
        """Returns the number of the first instruction from number `after` on that writes any of the `size` bytes at
        `address`, or None."""
        return self._next(address, size, after, False, True)

    def next_read(self, address: int, size: int = 1, after: int = 0) -> int | None:
        """Returns the number of the first such instruction that reads any of the bytes, or None."""
        return self._next(address, size, after, True, False)

    def accesses(self, address: int, size: int = 1, after: int = 0, before: int | None = None,
                 most: int | None = None) -> numpy.ndarray:
        """Returns the numbers of the first `most` instructions from number `after` on, and before `before`, that read
        or write any of the `size` bytes at `address`, as a uint64 array."""
        return self._all(address, size, after, before, most, True, True, False)

    def writes(self, address: int, size: int = 1, after: int = 0, before: int | None = None,
               most: int | None = None) -> numpy.ndarray:
        """Returns the numbers of such instructions that write any of the bytes."""
        return self._all(address, size, after, before, most, False, True, False)

    def changes(self, address: int, size: int = 1, after: int = 0, before: int | None = None,
                most: int | None = None) -> numpy.ndarray:
        """Returns the numbers of such instructions that write another value than the bytes had. If the format does not
        store values of memory, returns those of all that write."""
        return self._all(address, size, after, before, most, False, True, True)

    def memory(self, address: int, size: int = 1, at: int | None = None) -> Memory:
        """Returns the `size` bytes at `address` before instruction `at`, or at the end of the trace. Each byte is from
        the last earlier access or, if there is none, from the first later one, if that one found it there. Raises
        TraceError(refused) if the format does not store values of memory."""
        address, size = span(address, size)
        if size > MOST_MEMORY:
            raise ValueError(f'size: {size} bytes, at most {MOST_MEMORY} at once')
        return Memory(address, *self._core.memory(address, size, self._end(at)))

    @staticmethod
    def _end(n: int | None) -> int:
        return _END if n is None else number_of_instruction(n)

    @staticmethod
    def _about(address: int, size: int, reads: bool, writes: bool, changes: bool = False) -> _core.Accesses:
        address, size = span(address, size)
        if size == 0:
            raise ValueError('size: 0 bytes')
        return _core.Accesses(address, size, reads, writes, changes)

    def _last(self, address: int, size: int, before: int | None, reads: bool, writes: bool) -> int | None:
        return self._core.last(self._about(address, size, reads, writes), self._end(before))

    def _next(self, address: int, size: int, after: int, reads: bool, writes: bool) -> int | None:
        return self._core.first(self._about(address, size, reads, writes), number_of_instruction(after))

    def _all(self, address: int, size: int, after: int, before: int | None, most: int | None, reads: bool, writes: bool,
             changes: bool) -> numpy.ndarray:
        return self._core.all(self._about(address, size, reads, writes, changes), number_of_instruction(after),
                              self._end(before), self._end(most))

    def __repr__(self) -> str:
        return '<Query, with an index>' if self.has_index else '<Query>'



def open_query(origin: _core.Origin, index: str | bytes | os.PathLike | None) -> Query:
    return Query(_core.Questions(origin, None if index is None else path_bytes(index)))


def write_index(origin: _core.Origin, path: str | bytes | os.PathLike | None) -> IndexTotals:
    return IndexTotals(*_core.write_index(origin, None if path is None else path_bytes(path)))
