"""The exception for errors in traces."""
from __future__ import annotations

import operator
import os


class TraceError(Exception):
    """Raised if a trace is damaged, if a file is not a trace, or if a trace does not support an operation.

    All data before the damage is returned before the error is raised. ``str()`` returns all details in one line.

    code     "system", "truncated", "corrupt", "not_a_trace", "bad_value", "unsupported" or "refused"
    file     name of the file
    offset   offset in bytes in the file's decompressed content, or None
    record   number of the record, or None
    field    name of the field, or ""
    message  what is wrong, without the place
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
    """Returns a path as the bytes that the system uses."""
    name = os.fsencode(path)
    if b'\0' in name:
        raise ValueError('a path cannot contain a null character')
    return name


def number(n: int, name: str, least: int = 0) -> int:
    """Returns `n` as an integer of at most 2**62 - 1, which exceeds the length of any trace. Raises ValueError if `n`
    is less than `least`."""
    n = operator.index(n)
    if n < least:
        raise ValueError(f'{name}: expected at least {least}')
    return min(n, (1 << 62) - 1)
