"""What goes wrong with a trace."""
from __future__ import annotations

import operator
import os


class TraceError(Exception):
    """A trace that is damaged, no trace, or asked for what it does not have.

    Everything whole before the damage was delivered before it was raised. ``str()`` is one line with all of it.

    code     "system", "truncated", "corrupt", "not_a_trace", "bad_value", "unsupported" or "refused"
    file     name of the file
    offset   bytes from the begin of its content, or None
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
    """A path as the system has it."""
    name = os.fsencode(path)
    if b'\0' in name:
        raise ValueError('a path has no null character')
    return name


def number(n: int, name: str, least: int = 0) -> int:
    """A number of `least` at least; what is larger than any trace is as good as that."""
    n = operator.index(n)
    if n < least:
        raise ValueError(f'{name}: at least {least}')
    return min(n, (1 << 62) - 1)
