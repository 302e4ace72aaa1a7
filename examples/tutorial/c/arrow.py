#!/usr/bin/env python3
"""Reads a trace of any format as an Arrow stream. Requires only Python's ctypes.

Arguments: libtracecodec.so and a trace. Prints the schema, the number of rows, the number of taken branches, and the
number of bytes written to memory. pyarrow can replace the classes below by the single call
pyarrow.RecordBatchReader._import_from_c(address of the stream).
"""
import ctypes
import sys
from ctypes import POINTER, Structure, byref, c_char_p, c_int, c_int32, c_int64, c_size_t, c_uint8, c_uint64, c_void_p


class Schema(Structure):
    pass


Schema._fields_ = [
    ('format', c_char_p), ('name', c_char_p), ('metadata', POINTER(c_uint8)), ('flags', c_int64),
    ('n_children', c_int64), ('children', POINTER(POINTER(Schema))), ('dictionary', POINTER(Schema)),
    ('release', ctypes.CFUNCTYPE(None, POINTER(Schema))), ('private_data', c_void_p)]


class Array(Structure):
    pass


Array._fields_ = [
    ('length', c_int64), ('null_count', c_int64), ('offset', c_int64), ('n_buffers', c_int64),
    ('n_children', c_int64), ('buffers', POINTER(c_void_p)), ('children', POINTER(POINTER(Array))),
    ('dictionary', POINTER(Array)), ('release', ctypes.CFUNCTYPE(None, POINTER(Array))),
    ('private_data', c_void_p)]


class Stream(Structure):
    pass


Stream._fields_ = [
    ('get_schema', ctypes.CFUNCTYPE(c_int, POINTER(Stream), POINTER(Schema))),
    ('get_next', ctypes.CFUNCTYPE(c_int, POINTER(Stream), POINTER(Array))),
    ('get_last_error', ctypes.CFUNCTYPE(c_char_p, POINTER(Stream))),
    ('release', ctypes.CFUNCTYPE(None, POINTER(Stream))), ('private_data', c_void_p)]


class Text(Structure):
    _fields_ = [('bytes', POINTER(ctypes.c_char)), ('size', c_size_t)]


class Error(Structure):
    _fields_ = [('code', c_int32), ('has_offset', c_uint8), ('has_record', c_uint8), ('offset', c_uint64),
                ('record', c_uint64), ('file', Text), ('field', Text), ('message', Text), ('line', Text)]


def load(path):
    library = ctypes.CDLL(path)
    library.tracecodec_open.argtypes = [c_char_p, c_void_p, POINTER(c_void_p)]
    library.tracecodec_close.argtypes = [c_void_p]
    library.tracecodec_last_error.argtypes = [c_void_p]
    library.tracecodec_last_error.restype = POINTER(Error)
    library.tracecodec_arrow_stream.argtypes = [c_void_p, c_size_t, POINTER(Stream)]
    return library


def line_of(error):
    line = error.contents.line
    return ctypes.string_at(line.bytes, line.size).decode('utf-8', 'replace')


def open_stream(library, path):
    trace, stream = c_void_p(), Stream()
    status = library.tracecodec_open(path.encode('utf-8', 'surrogateescape'), None, byref(trace))
    status = status or library.tracecodec_arrow_stream(trace, 0, byref(stream))
    if status:
        text = line_of(library.tracecodec_last_error(trace))
        library.tracecodec_close(trace)
        raise SystemExit(text)
    return stream  # the stream owns the trace


def children(of):
    return [of.children[i].contents for i in range(of.n_children)]


def described(schema):
    form = schema.format.decode()
    if form == '+l':
        return '+l of ' + described(schema.children[0].contents)
    if form == '+s':
        return f'+s ({", ".join(c.name.decode() + " " + c.format.decode() for c in children(schema))})'
    return form


def unit(schema):
    """Returns the value of the only metadata key, which is the column's unit."""
    if not schema.metadata:
        return ''
    data = ctypes.cast(schema.metadata, c_void_p).value
    key = c_int32.from_address(data + 4).value
    size = c_int32.from_address(data + 8 + key).value
    return ', ' + ctypes.string_at(data + 12 + key, size).decode()


def bits(array):
    """Returns the number of booleans that are true."""
    all_bits = ctypes.string_at(array.buffers[1], (array.length + 7) // 8) if array.length else b''
    return bin(int.from_bytes(all_bits, 'little') & ((1 << array.length) - 1)).count('1')


def numbers(array, kind):
    return (kind * array.length).from_address(array.buffers[1]) if array.length else []


def main():
    stream = open_stream(load(sys.argv[1]), sys.argv[2])
    schema = Schema()
    if stream.get_schema(byref(stream), byref(schema)):
        raise SystemExit(stream.get_last_error(byref(stream)).decode())
    place = {}
    for i, column in enumerate(children(schema)):
        place[column.name.decode()] = i
        print(f'{column.name.decode()}: {described(column)}{unit(column)}')
    rows = batches = taken = written = 0
    batch = Array()
    while True:
        failed = stream.get_next(byref(stream), byref(batch))
        if failed or not batch.release:
            break
        rows += batch.length
        batches += 1
        columns = children(batch)
        if 'taken' in place:
            taken += bits(columns[place['taken']])
        if 'memory' in place:
            _, size, write = children(columns[place['memory']].children[0].contents)
            marks = ctypes.string_at(write.buffers[1], (write.length + 7) // 8) if write.length else b''
            written += sum(n for i, n in enumerate(numbers(size, c_uint64)) if marks[i // 8] >> i % 8 & 1)
        batch.release(byref(batch))
    print(f'{rows} rows in {batches} batches')
    print(f'{taken} taken, {written} bytes written')
    text = stream.get_last_error(byref(stream)).decode() if failed else ''
    schema.release(byref(schema))
    stream.release(byref(stream))
    if failed:
        raise SystemExit(text)


if __name__ == '__main__':
    main()
