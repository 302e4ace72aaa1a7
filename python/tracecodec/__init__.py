"""Execution traces of any format as NumPy arrays, columns of instructions and Arrow streams.

    import tracecodec

    with tracecodec.open("x.champsimtrace.xz") as trace:
        for batch in trace.instructions(["ip", "taken"]):
            print(len(batch), batch.ip[:4], batch.taken.sum())
        records = trace.records().read()  # a structured array of the stored records

The formats are ChampSim, CloudSuite, x64dbg, RapidBin, UMTracer, CVP-1, CBP2025, drmemtrace, BT9, Tarmac, Tenet, Lackey, Dinero,
ML-DPC and tracepack. Files may be compressed by xz, gzip, zstd, bzip2, lz4, Snappy or zip.

open()      opens a trace of any format and returns a Trace, which is also an Arrow stream. The methods of a Trace:
            - skip(), limit() and shard() select a part of the trace, and count() counts its instructions.
            - instructions() and records() read the trace.
            - hot_blocks() and block_vectors() determine where most instructions are executed.
            - query answers questions about memory accesses, such as which instruction wrote an address last.
            - at(), memory(), last_write() and others return further data that only some formats store.
dtype()     returns the NumPy dtype of a format's records
write()     writes arrays as a trace
convert()   converts a trace to another format or compression
dask        module that presents traces as Dask frames and bags, on one or more machines; import it explicitly
TraceError  exception for errors in traces, with the file, offset, record and field
"""
from ._batches import BRANCH_CLASSES, Batch, Lists
from ._core import version as __version__
from ._dtypes import Layout, Row, dtype, layouts
from ._errors import TraceError
from ._formats import Access, Location, Memory, Metadata, Names, Registers, State, Variable
from ._query import IndexTotals, Query
from ._trace import COLUMNS, OPERATIONS, USUAL_COLUMNS, Events, HotBlock, Instructions, Records, Trace, open
from ._write import convert, write
from ._core import formats

__all__ = ['Access', 'BRANCH_CLASSES', 'Batch', 'COLUMNS', 'Events', 'HotBlock', 'IndexTotals', 'Instructions', 'Layout', 'Lists', 'Location',
           'Memory', 'Metadata', 'Names', 'OPERATIONS', 'Query', 'Records', 'Registers', 'Row', 'State', 'Trace', 'TraceError',
           'USUAL_COLUMNS', 'Variable', '__version__', 'convert', 'dtype', 'formats', 'layouts', 'open', 'write']
