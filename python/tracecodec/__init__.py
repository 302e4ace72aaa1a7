"""Execution traces of any format as NumPy arrays, columns and Arrow.

    import tracecodec

    with tracecodec.open("x.champsimtrace.xz") as trace:      # ChampSim, CloudSuite, x64dbg, RapidBin, UMTracer,
        for batch in trace.instructions(["ip", "taken"]):     # tracepack; compressed by xz, gzip, zstd, bzip2, lz4
            print(len(batch), batch.ip[:4], batch.taken.sum())
        records = trace.records().read()                      # a structured array of the stored records

open()      opens any trace: count(), skip(), limit(), shard(), instructions(), records(); an Arrow stream
            hot_blocks(), block_vectors(): where most instructions are executed
            at(), memory(), last_write(), tables, metadata: data of some formats besides instructions
dtype()     the NumPy dtype of a format's records, generated from the format's description
write()     writes arrays as a trace
convert()   converts a trace to another format or compression
dask        traces as Dask frames and bags, on many machines; import this module explicitly
TraceError  an error with its file, offset, record and field
"""
from ._batches import BRANCH_CLASSES, Batch, Lists
from ._core import version as __version__
from ._dtypes import Layout, Row, dtype, layouts
from ._errors import TraceError
from ._formats import Access, Location, Memory, Metadata, Names, Registers, State, Variable
from ._trace import COLUMNS, OPERATIONS, USUAL_COLUMNS, Events, HotBlock, Instructions, Records, Trace, open
from ._write import convert, write
from ._core import formats

__all__ = ['Access', 'BRANCH_CLASSES', 'Batch', 'COLUMNS', 'Events', 'HotBlock', 'Instructions', 'Layout', 'Lists', 'Location',
           'Memory', 'Metadata', 'Names', 'OPERATIONS', 'Records', 'Registers', 'Row', 'State', 'Trace', 'TraceError',
           'USUAL_COLUMNS', 'Variable', '__version__', 'convert', 'dtype', 'formats', 'layouts', 'open', 'write']
