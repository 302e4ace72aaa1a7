"""Layouts of records, as tables and as NumPy dtypes."""
from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

from . import _core

if TYPE_CHECKING:
    import numpy


class Row(NamedTuple):
    """Row of a layout table, which describes a field of a record."""
    offset: int  #: offset of the field in bytes from the start of the record
    size: int  #: size of the field in bytes; for a bit slice, the size of its word
    field: str  #: name of the field
    type: str  #: type of the field, such as "u64" or "u8[4]"
    byte_order: str  #: "little" or "big"; "" if each element of the field is one byte
    #: number of bits if the field is a bit slice, otherwise 0. Slices are listed from the most significant bit down.
    bits: int = 0


class Layout:
    """Layout of one kind of record. ``str()`` returns the layout as a table.

    name    name of the record, such as "instruction" or "exec_header"
    title   part of the trace that the layout describes; "" if the format has only one layout
    rows    rows of the table, one for each field with a fixed offset
    """

    def __init__(self, name: str, title: str, table: str, text: str, known: numpy.dtype | None = None) -> None:
        self.name, self.title, self._table, self._text, self._known = name, title, table, text, known

    def __str__(self) -> str:
        return self._table

    def __repr__(self) -> str:
        return f'<Layout {self.name}>'

    @property
    def rows(self) -> list[Row]:
        rows = []
        for line in self._table.splitlines():
            words = line.split()
            if len(words) < 3 or not words[0].isdigit() or not words[1].isdigit():
                continue
            bits = int(words[1]) if words[2] in ('bit', 'bits') else 0
            field, kind, *more = words[3 if bits else 2:] + ['', '']
            order = next((word for word in more if word in ('little', 'big')), '')
            size = int(kind[1:]) // 8 if bits and kind[1:].isdigit() else 1 if bits else int(words[1])
            rows.append(Row(int(words[0]), size, field, kind, order, bits))
        return rows

    @property
    def dtype(self) -> numpy.dtype:
        """The NumPy dtype of the record. A word that consists of bit slices is one field, such as ``bits_0``. Raises
        TypeError if the size of the record varies."""
        import numpy
        if self._known is not None:
            return self._known
        if not self._text:
            raise TypeError(f'{self.name} has a variable size, which a dtype cannot describe')
        fields = self._text[self._text.index('{'):self._text.index('})') + 1]
        return numpy.dtype(ast.literal_eval(fields))

    @property
    def slices(self) -> dict[str, tuple[str, int, int]]:
        """A dict that maps the name of each bit slice to a tuple. The tuple contains the name of the dtype field that
        contains the slice, the number of bits to shift right, and the mask to apply after the shift."""
        mark = 'it_bits = '
        if mark not in self._text:
            return {}
        text = self._text[self._text.index(mark) + len(mark):]
        return ast.literal_eval(text[:text.index('}') + 1])


def layouts(format: str, bits: int = 64) -> list[Layout]:
    """Returns the layouts of the records in a format's files, in the order in which the records appear. For x64dbg,
    `bits` is 32 or 64 and selects the layouts for 32-bit or 64-bit programs."""
    if bits not in (32, 64):
        raise ValueError('bits: expected 32 or 64')
    return [Layout(*one) for one in _core.layouts(format, bits == 32)]


def dtype(format: str, bits: int = 64) -> numpy.dtype:
    """Returns the dtype of a format's records, as in ``dtype("champsim")``. If the format has several kinds of records,
    a name after a dot selects one kind, as in ``dtype("umtracer.exec_record")``. Without such a name, the last record
    of layouts() is used. `bits` has the same meaning as for layouts()."""
    if not isinstance(format, str):
        raise TypeError(f'expected the name of a format, got {type(format).__name__}')
    format, _, name = format.partition('.')
    all = layouts(format, bits)
    if not name:
        return all[-1].dtype
    for one in all:
        if one.name == name:
            return one.dtype
    raise ValueError(f"{format} has no record '{name}'; there are {', '.join(l.name for l in all)}")


def dtype_of_columns(columns: list[tuple], itemsize: int) -> numpy.dtype:
    """Returns the dtype of a record that a table describes. `columns` is in the form of Origin.columns()."""
    import numpy
    names, formats, offsets, words = [], [], [], set()
    fields = {one[0] for one in columns}
    for name, kind, offset, width, count, is_array, big, _, bits in columns:
        if bits:
            if offset in words:
                continue
            words.add(offset)
            name, kind = f'bits_{len(words) - 1}', 'u'
            while name in fields:
                name += '_'
            fields.add(name)
        if (kind in 'ui' and width in (1, 2, 4, 8)) or kind in 'f?':
            one = ('|' if width == 1 else '>' if big else '<') + f'{kind}{width}'
            one = '?' if kind == '?' else one
            formats.append((one, (count,)) if is_array else one)
        else:  # NumPy has no type of this width
            formats.append(('u1', (count, width) if is_array else (width,)))
        names.append(name)
        offsets.append(offset)
    return numpy.dtype({'names': names, 'formats': formats, 'offsets': offsets, 'itemsize': itemsize})


def table_of(dtype: numpy.dtype) -> str:
    """Returns a table that describes a dtype, in the form of ``trace_view --layout``. Raises TypeError if no table can
    describe the dtype."""
    if not dtype.names:
        raise TypeError('expected a dtype with fields')
    lines, end = [], 0
    for name in sorted(dtype.names, key=lambda n: dtype.fields[n][1]):
        field, offset = dtype.fields[name][:2]
        if not name.isidentifier():
            raise TypeError(f'{name!r}: names may have only letters, digits and _')
        if offset < end:
            raise TypeError(f'{name}: lies within another field')
        one, shape = field.base, field.shape
        if len(shape) > 1:
            raise TypeError(f'{name}: expected an array of one dimension')
        kind = {'u': 'u', 'i': 'i', 'f': 'f', 'b': 'bool'}.get(one.kind)
        if kind is None or one.itemsize > 8 or (one.kind == 'f' and one.itemsize < 4):
            raise TypeError(f'{name}: expected an integer, a real number of 4 or 8 bytes, or bool, got {one}')
        if kind != 'bool':
            kind += str(8 * one.itemsize)
        if shape:
            kind += f'[{shape[0]}]'
        order = 'big' if one.str[0] == '>' else 'little'
        lines.append(f'{offset} {field.itemsize} {name} {kind} {order}')
        end = offset + field.itemsize
    if end < dtype.itemsize:
        lines.append(f'{end} {dtype.itemsize - end} (padding)')
    return '\n'.join(lines) + '\n'
