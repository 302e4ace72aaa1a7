"""Batches of instructions, and lists in their columns."""
from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any, Iterator

from . import _core

if TYPE_CHECKING:
    import numpy
    import pandas

#: Names of the branch classes. A value in the column ``branch`` is an index into this tuple, and equals ChampSim's
#: number for the class.
BRANCH_CLASSES: tuple[str, ...] = tuple(_core.branch_classes)


class Lists:
    """Lists of varying length, one for each row of a column, in the layout of Arrow. Row ``r`` has the entries from
    ``offsets[r]`` up to, but not including, ``offsets[r + 1]``.

    offsets  int32 array with one more element than the number of rows; int64 after batches are merged
    values   array of the entries of all rows. If the entries have several parts, `values` is a dict with an array or
             Lists object for each part.
    """
    __slots__ = ('offsets', 'values')

    def __init__(self, offsets: numpy.ndarray, values: Any) -> None:
        self.offsets, self.values = offsets, values

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, row: int) -> Any:
        row = operator.index(row)
        if row < 0:
            row += len(self)
        if not 0 <= row < len(self):
            raise IndexError(row)
        part = slice(int(self.offsets[row]), int(self.offsets[row + 1]))
        if isinstance(self.values, dict):
            return {name: _part(values, part) for name, values in self.values.items()}
        return self.values[part]

    def __repr__(self) -> str:
        return f'<Lists of {len(self)} rows>'

    @property
    def counts(self) -> numpy.ndarray:
        """An array with the number of entries in each row."""
        return self.offsets[1:] - self.offsets[:-1]

    def padded(self, width: int, fill: Any = 0) -> Any:
        """Returns the first `width` entries of each row as a two-dimensional array. Shorter rows are filled with
        `fill`. If the entries have several parts, returns a dict with such an array for each part that is not itself a
        list. Raises ValueError if the type of an array cannot represent `fill`."""
        import numpy
        if isinstance(self.values, dict):
            return {name: Lists(self.offsets, values).padded(width, fill) for name, values in self.values.items()
                    if not isinstance(values, Lists)}
        out = numpy.full((len(self), width), _held(fill, self.values.dtype), self.values.dtype)
        at = self.offsets[:-1, None] + numpy.arange(width)
        there = at < self.offsets[1:, None]
        out[there] = self.values[at[there]]
        return out


def _held(value: Any, dtype: numpy.dtype) -> Any:
    """Returns `value`. Raises ValueError if `dtype` cannot represent `value` exactly, because NumPy would convert it
    silently."""
    import numpy
    try:
        with numpy.errstate(all='ignore'):
            same = bool(numpy.array(value).astype(dtype).item() == value)
    except (OverflowError, TypeError, ValueError):
        same = False
    if not same:
        raise ValueError(f'fill: {value!r} is not a value of type {dtype}')
    return value


def _part(values: Any, part: slice) -> Any:
    if not isinstance(values, Lists):
        return values[part]
    offsets = values.offsets[part.start:part.stop + 1]
    return Lists(offsets - offsets[0], values.values[offsets[0]:offsets[-1]])


def _as_lists(arrays: Any) -> Any:
    if not isinstance(arrays, tuple):
        return arrays
    offsets, values = arrays
    if isinstance(values, dict):
        values = {name: _as_lists(one) for name, one in values.items()}
    return Lists(offsets, values)


class Batch:
    """Instructions as columns. ``batch["ip"]`` and ``batch.ip`` are the same array. A list column such as
    ``batch.memory`` is a Lists object.

    ``len()`` returns the number of rows, and iterating yields the names of the columns. The arrays are read-only, and
    remain valid after the batch is deleted.
    """
    __slots__ = ('_columns', '_names', '_rows', 'first')

    def __init__(self, names: tuple[str, ...], columns: dict[str, Any], rows: int, first: int) -> None:
        self._names, self._columns, self._rows = names, columns, rows
        #: Number of the first row in the trace, counted from 0. If open() selects instructions, for example with
        #: `thread`, only the selected instructions are counted.
        self.first = first

    def __len__(self) -> int:
        return self._rows

    def __bool__(self) -> bool:
        return self._rows != 0

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._names]

    def keys(self) -> tuple[str, ...]:
        """Returns the names of the columns."""
        return self._names

    def values(self) -> list[Any]:
        """Returns the columns in the order of keys()."""
        return [self[name] for name in self._names]

    def items(self) -> list[tuple[str, Any]]:
        """Returns a tuple (name, column) for each column."""
        return [(name, self[name]) for name in self._names]

    def get(self, name: str, default: Any = None) -> Any:
        """Returns the column `name`, or `default` if the batch does not have this column."""
        return self[name] if name in self._names else default

    def __getitem__(self, name: str) -> Any:
        return self._columns[name]

    def __getattr__(self, name: str) -> Any:
        if name.startswith('_'):
            raise AttributeError(name)
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"no column '{name}' was requested; there are {', '.join(self._names)}") from None

    def __repr__(self) -> str:
        return f'<Batch of {self._rows} rows: {", ".join(self._names)}>'

    def to_pandas(self) -> pandas.DataFrame:
        """Returns the batch as a DataFrame. The column ``branch`` is categorical. The index contains the numbers of the
        instructions."""
        import numpy
        import pandas
        data = {}
        for name in self._names:
            column = self[name]
            if name == 'branch':
                column = pandas.Categorical.from_codes(column.astype(numpy.int8), BRANCH_CLASSES)
            elif isinstance(column, Lists):
                column = [column[row] for row in range(len(column))]
            elif isinstance(column, dict):  # padded lists with several parts
                column = [{part: values[row] for part, values in column.items()} for row in range(self._rows)]
            elif getattr(column, 'ndim', 1) != 1:
                column = list(column)
            data[name] = column
        return pandas.DataFrame(data, index=pandas.RangeIndex(self.first, self.first + self._rows))


class CoreBatch(Batch):
    """Batch that creates each array when its column is first used."""
    __slots__ = ('_core', '_padded', '_source')

    def __init__(self, names: tuple[str, ...], core: _core.Batch, padded: int | None, source: _core.Instructions) -> None:
        super().__init__(names, {}, len(core), core.first)
        self._core, self._padded, self._source = core, padded, source

    def __getitem__(self, name: str) -> Any:
        try:
            return self._columns[name]
        except KeyError:
            pass
        if name not in self._names:
            raise KeyError(name)
        column = self._disassembly() if name == 'disassembly' else _as_lists(
            self._core.arrays(_core.column_numbers[name]))
        if self._padded is not None and isinstance(column, Lists):
            column = column.padded(self._padded)
        self._columns[name] = column
        return column

    def __reduce__(self) -> tuple:
        # Pickle the arrays instead of the C++ batch, because another process cannot access its memory.
        return Batch, (self._names, {name: self[name] for name in self._names}, len(self), self.first)

    def _disassembly(self) -> numpy.ndarray:
        """Returns the text of each instruction. If the trace does not store text, disassembles the code."""
        import numpy
        out = numpy.empty(len(self), object)
        if 'text' in self._source.has():
            text = _as_lists(self._core.arrays(_core.column_numbers['text']))
            for row in range(len(self)):
                out[row] = text[row].tobytes().decode(errors='replace')
            return out
        code = _as_lists(self._core.arrays(_core.column_numbers['code']))
        ip = self._core.arrays(_core.column_numbers['ip'])
        known: dict[tuple[int, bytes], str] = {}
        for row in range(len(self)):
            key = int(ip[row]), code[row].tobytes()
            if key not in known:
                known[key] = self._source.assembly_of(key[1], key[0])
            out[row] = known[key]
        return out


def _concatenated(parts: list[Any]) -> Any:
    import numpy
    if isinstance(parts[0], dict):
        return {name: _concatenated([one[name] for one in parts]) for name in parts[0]}
    if isinstance(parts[0], Lists):
        base, offsets = 0, [numpy.zeros(1, numpy.int64)]
        for one in parts:
            offsets.append(one.offsets[1:].astype(numpy.int64) - int(one.offsets[0]) + base)
            base += int(one.offsets[-1]) - int(one.offsets[0])
        values = [one.values for one in parts]
        if isinstance(values[0], dict):
            return Lists(numpy.concatenate(offsets),
                         {name: _concatenated([v[name] for v in values]) for name in values[0]})
        return Lists(numpy.concatenate(offsets), numpy.concatenate(values))
    return numpy.concatenate(parts)


def merged(batches: list[Batch]) -> Batch:
    """Merges consecutive batches into one batch."""
    first = batches[0]
    names = first.keys()
    return Batch(names, {name: _concatenated([b[name] for b in batches]) for name in names},
                 sum(len(b) for b in batches), first.first)


#: NumPy types of columns, and of the parts of list entries. A column that is in neither dict is a list of u1.
DTYPES = {'index': 'u8', 'ip': 'u8', 'branch': 'u1', 'is_branch': '?', 'taken': '?', 'target': 'u8', 'thread': 'u4',
          'thread_known': '?', 'size': 'u4', 'disassembly': 'O', 'mnemonic_matches': '?', 'operation': 'u1', 'decor': 'u8',
          'location': 'u4', 'event_operand': 'u8', 'dropped_operands': 'u8', 'recorded_branch': '?',
          'recorded_taken': '?', 'uncertainty': 'u1', 'reads': '?', 'writes': '?',
          'time': 'u8', 'cpu': 'u4', 'system_events': 'u2'}
_PARTS = {'memory': {'address': 'u8', 'size': 'u8', 'write': '?'},
          'memory_values': {'address': 'u8', 'after': '?', 'trusted': '?', 'bytes': None},
          'register_values': {'number': 'u1', 'offset': 'u2', 'size': 'u1', 'value': 'u8', 'after': '?'},
          'register_value': {'value': 'u8', 'after': '?'}}


def nothing(names: tuple[str, ...], padded: int | None, first: int) -> Batch:
    """Returns a batch that has the columns `names` but no rows."""
    import numpy

    def lists(values: Any) -> Lists:
        return Lists(numpy.zeros(1, numpy.int32), values)

    def empty(name: str) -> Any:
        if name in DTYPES:
            return numpy.empty(0, DTYPES[name])
        if name not in _PARTS:
            return lists(numpy.empty(0, 'u1'))
        return lists({part: numpy.empty(0, kind) if kind else lists(numpy.empty(0, 'u1'))
                      for part, kind in _PARTS[name].items()})
    columns = {name: empty(name) for name in names}
    if padded is not None:
        columns = {name: c.padded(padded) if isinstance(c, Lists) else c for name, c in columns.items()}
    return Batch(names, columns, 0, first)
