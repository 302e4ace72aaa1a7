"""Layout tables of formats, as text and as NumPy dtypes."""
from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

from . import _core

if TYPE_CHECKING:
    import numpy


class Row(NamedTuple):
    """A field of a record, as a row of the layout table in its format's specification."""
    offset: int
    size: int  #: size in bytes; for bits, the size of their word
    field: str
    type: str
    byte_order: str
    bits: int = 0  #: number of bits of a bit slice, listed from the highest bit down; 0 for other fields


class Layout:
    """The layout of one kind of record; ``str()`` returns its table.

    name    name of the record, such as "instruction" or "exec_header"
    title   the part of the trace that it describes; "" if the format has only one layout
    rows    the record's fields, except fields without a fixed offset
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
            field, kind, order = (words[3 if bits else 2:] + ['', '', ''])[:3]
            size = int(kind[1:]) // 8 if bits and kind[1:].isdigit() else 1 if bits else int(words[1])
            rows.append(Row(int(words[0]), size, field, kind, order, bits))
        return rows

    @property
    def dtype(self) -> numpy.dtype:
        """The NumPy dtype: names, byte order, offsets, itemsize. A word of bit slices is one field, such as
        ``bits_0``. Raises TypeError if the record's size varies."""
        import numpy
        if self._known is not None:
            return self._known
        if not self._text:
            raise TypeError(f'{self.name} has a variable size, which a dtype cannot describe')
        fields = self._text[self._text.index('{'):self._text.index('})') + 1]
        return numpy.dtype(ast.literal_eval(fields))

    @property
    def slices(self) -> dict[str, tuple[str, int, int]]:
        """For each field that is a bit slice: the field of its word, the number of bits to shift right, and the mask
        to apply after the shift."""
        mark = 'it_bits = '
        if mark not in self._text:
            return {}
        text = self._text[self._text.index(mark) + len(mark):]
        return ast.literal_eval(text[:text.index('}') + 1])


def layouts(format: str, bits: int = 64) -> list[Layout]:
    """Returns the layouts of the records in a format's files, in file order. `bits` selects x64dbg traces of 32-bit
    or 64-bit programs."""
    if bits not in (32, 64):
        raise ValueError('bits: expected 32 or 64')
    return [Layout(*one) for one in _core.layouts(format, bits == 32)]


def dtype(format: str, bits: int = 64) -> numpy.dtype:
    """Returns the dtype of a format's records, generated from the format's description, as in ``dtype("champsim")``. A
    name after a dot selects one of several records, as in ``dtype("umtracer.exec_record")``. Without a name, the last
    record is used."""
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
    """Returns the dtype of a record that a table describes."""
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
    """Returns the table that describes a dtype, in the form that ``trace_view --layout`` prints. Raises TypeError if
    no table can describe the dtype."""
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
