"""What goes wrong with a trace."""
from __future__ import annotations


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
