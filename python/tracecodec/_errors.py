"""Exception for errors in traces, and checks of arguments."""
from __future__ import annotations

import operator
import os


class TraceError(Exception):
    """Exception for a damaged trace, a file that is not a trace, or an operation that a trace does not support.

    All data before the damage are returned before the exception is raised. ``str()`` returns all details in one line.

    code     kind of the error, which is "system", "truncated", "corrupt", "not_a_trace", "bad_value", "unsupported" or
             "refused"
    file     name of the file
    offset   offset in bytes in the decompressed content of the file; None if unknown
    record   number of the record; None if unknown
    field    name of the field; "" if unknown
    message  description of the error, without the file, offset, record and field
    """

    def __init__(self, line: str, code: str = '', file: str = '', offset: int | None = None,
                 record: int | None = None, field: str = '', message: str | None = None) -> None:
        super().__init__(line)
        self.code = code
        self.file = file
        self.offset = offset
        self.record = record
        self.field = field
        self.message = line if message is None else message

    def __reduce__(self):
        return (type(self), (self.args[0], self.code, self.file, self.offset, self.record, self.field, self.message))


def path_bytes(path: str | bytes | os.PathLike) -> bytes:
    """Returns a path as bytes, in the encoding of the file system."""
    name = os.fsencode(path)
    if b'\0' in name:
        raise ValueError('a path cannot contain a null character')
    return name


def number(n: int, name: str, least: int = 0) -> int:
    """Returns `n` as an int, but at most 2**62 - 1, which exceeds the length of any trace. Raises ValueError if `n` is
    less than `least`."""
    n = operator.index(n)
    if n < least:
        raise ValueError(f'{name}: expected at least {least}')
    return min(n, (1 << 62) - 1)
