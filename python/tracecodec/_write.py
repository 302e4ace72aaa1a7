"""Functions that write and convert traces."""
from __future__ import annotations

import os
import warnings
from typing import TYPE_CHECKING, Any, Iterable

from . import _core
from ._dtypes import dtype, table_of
from ._errors import path_bytes

if TYPE_CHECKING:
    import numpy

_KINDS = ('champsim', 'cloudsuite')
#: File-name suffixes of formats that write() cannot write. `.tpack` is allowed if it is the last suffix.
_OTHERS = ('.tpack', '.trace32', '.trace64', '.data', '.std', '.json', '.jsonl', '.csv', '.txt')
_ABOUT = ('program', 'arguments', 'recorder', 'machine', 'date', 'region', 'comment')


def _fits(array: numpy.ndarray, wanted: numpy.dtype, format: str) -> numpy.ndarray:
    """Returns `array` with the dtype `wanted`, which is the layout in a file. Raises TypeError if a column is missing,
    is unknown, or has another type."""
    import numpy
    if array.dtype == wanted:
        return array
    if array.dtype.names is None:
        raise TypeError(f'expected a structured array with the dtype of {format}, got {array.dtype}')
    for name in wanted.names:
        if name not in array.dtype.names:
            raise TypeError(f"column '{name}' is missing, which {format} needs")
        have, want = array.dtype.fields[name][0], wanted.fields[name][0]
        if have.shape != want.shape or not numpy.can_cast(have.base, want.base, 'equiv'):
            raise TypeError(f"column '{name}' is {have}, {format} has {want}")
    for name in array.dtype.names:
        if name not in wanted.names:
            raise TypeError(f"{format} has no column '{name}'")
    out = numpy.zeros(array.shape, wanted)
    for name in wanted.names:
        out[name] = array[name]
    return out


def write(path: str | os.PathLike, records: Any, format: str | None = None, *, level: str = 'fast',
          about: dict[str, str] | None = None) -> int:
    """Writes records to a file, and returns the number of records. The file appears only when it is complete.

    path     path of the output file. The suffix .xz, .gz or .zst selects the compression. The suffix .tpack selects
             tracepack, which needs no further compression.
    records  an array of records, or an iterable of such arrays. The dtype is dtype("champsim") or dtype("cloudsuite"),
             or has the same columns in another order. With format="described", the dtype may have any fields.
    format   "champsim", "cloudsuite" or "described". The default is "cloudsuite" if the records have a column "asid",
             and "champsim" otherwise.
    level    "fast" or "high"; tracepack only
    about    dict of strings that describe the trace; tracepack only. The possible keys are program, arguments,
             recorder, machine, date, region and comment.

    Raises TypeError if a column is missing, unknown or of another type. Raises TypeError or ValueError for other
    invalid arguments, and TraceError if the file cannot be written.
    """
    import numpy
    if format not in (None, 'described', *_KINDS):
        raise ValueError(f"format: expected champsim, cloudsuite or described, got '{format}'")
    if level not in ('fast', 'high'):
        raise ValueError("level: expected fast or high")
    arrays: Iterable[numpy.ndarray] = [records] if isinstance(records, numpy.ndarray) else records
    target = path_bytes(path)
    name = os.fsdecode(path).lower()
    pack = name.endswith('.tpack')
    for other in _OTHERS:
        if name.removesuffix('.xz').removesuffix('.gz').removesuffix('.zst').endswith(other) and not pack:
            raise ValueError(f'path: the suffix {other} is not for such records')
    if level != 'fast' and not pack:
        raise ValueError('level: only tracepack (.tpack) has levels')
    if about is not None and not pack:
        raise ValueError('about: only tracepack (.tpack) stores metadata')
    if about is not None and not isinstance(about, dict):
        raise TypeError('about: expected a dict')
    for name, text in (about or {}).items():
        if name not in _ABOUT:
            raise ValueError(f"about: unknown name '{name}'; expected one of {', '.join(_ABOUT)}")
        if not isinstance(text, str):
            raise TypeError(f'about: {name} is not text')
        text.encode()  # may raise UnicodeEncodeError, which is a ValueError
    out, wanted, n = None, None, 0
    for array in arrays:
        array = numpy.atleast_1d(numpy.asarray(array))
        if array.ndim != 1:
            raise TypeError('records: expected an array of one dimension')
        if out is None:
            if format is None:
                format = 'cloudsuite' if array.dtype.names and 'asid' in array.dtype.names else 'champsim'
            wanted = array.dtype if format == 'described' else dtype(format)
            table = table_of(wanted) if format == 'described' else ''
            out = _core.Output(target, format, table, pack, level == 'high', about or {})
        array = numpy.ascontiguousarray(_fits(array, wanted, format))
        out.write(array.view(numpy.uint8))
        n += len(array)
    if out is None and format == 'described':
        raise ValueError('records: without an array, the dtype is unknown')
    if out is None:
        out = _core.Output(target, format or 'champsim', '', pack, level == 'high', about or {})
    out.finish()
    return n


def convert(source: str | os.PathLike, target: str | os.PathLike, **options: Any) -> None:
    """Converts a trace to another format or compression, or to rows of text, like the program trace_convert. The name
    of `target` selects the format and the compression. Options can select a part of the trace or repair the trace. The
    target appears only when it is complete.

    The options have the names that `trace_convert --help` lists, with _ instead of -. Examples are to="umtracer",
    limit=1000, skip=5, repair=True, keep_whole=True, level="high", codec="zstd" and mode="minimal". To pass an option
    several times, pass a list.

    Raises ValueError for invalid options, and TraceError if the trace is damaged or the target cannot be written. The
    notes that trace_convert prints become Python warnings. Only one conversion runs at a time.
    """
    if not hasattr(_core, 'convert'):
        raise NotImplementedError('convert() needs a build with the programs')
    line = []
    for name, value in options.items():
        if name in ('help', 'version'):
            raise ValueError(f"there is no option '{name}' here")
        option = b'--' + name.replace('_', '-').encode()
        for one in [value] if isinstance(value, (str, bytes)) or not isinstance(value, Iterable) else value:
            if one is None or _is(one, False):
                continue
            text = os.fsencode(one) if isinstance(one, (str, bytes, os.PathLike)) else str(one).encode()
            line.append(option if _is(one, True) else option + b'=' + text)
    for note in _core.convert(line + [b'--', path_bytes(source), path_bytes(target)]).splitlines():
        warnings.warn(note, stacklevel=2)


def _is(value: Any, flag: bool) -> bool:
    """Returns True if `value` is a bool of Python or NumPy that equals `flag`."""
    return type(value).__name__ in ('bool', 'bool_') and bool(value) is flag
