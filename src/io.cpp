// Compiles the functions of include/tracecodec/io/ once, for programs that include the headers with
// TRACECODEC_SEPARATE_COMPILATION.
#ifndef TRACECODEC_SEPARATE_COMPILATION
#define TRACECODEC_SEPARATE_COMPILATION
#endif

#include <tracecodec/io/compression/impl/codecs.ipp>
#include <tracecodec/io/compression/impl/decompressor.ipp>
#include <tracecodec/io/compression/impl/zip_members.ipp>
#include <tracecodec/io/impl/checksum.ipp>
#include <tracecodec/io/impl/open.ipp>
#include <tracecodec/io/impl/window.ipp>
#include <tracecodec/io/input/impl/file.ipp>
#include <tracecodec/io/input/impl/lookahead.ipp>
#include <tracecodec/io/input/impl/mapped_file.ipp>
#include <tracecodec/io/os/impl/os.ipp>
#include <tracecodec/io/os/impl/os_file.ipp>
#include <tracecodec/io/output/engine/impl/temporary.ipp>
#include <tracecodec/io/output/impl/atomic_file.ipp>
#include <tracecodec/io/output/impl/atomic_folder.ipp>

#ifdef TRACECODEC_WITH_XZ
#include <tracecodec/io/compression/impl/xz.ipp>
#endif
#ifdef TRACECODEC_WITH_GZIP
#include <tracecodec/io/compression/impl/gzip.ipp>
#endif
#ifdef TRACECODEC_WITH_BZIP2
#include <tracecodec/io/compression/impl/bzip2.ipp>
#endif
#ifdef TRACECODEC_WITH_ZSTD
#include <tracecodec/io/compression/impl/zstd.ipp>
#include <tracecodec/io/compression/impl/zstd_block.ipp>
#include <tracecodec/io/compression/impl/zstf.ipp>
#endif
#ifdef TRACECODEC_WITH_LZ4
#include <tracecodec/io/compression/impl/lz4.ipp>
#endif
#ifdef TRACECODEC_WITH_SNAPPY
#include <tracecodec/io/compression/impl/snappy.ipp>
#endif
#ifdef TRACECODEC_WITH_ZIP
#include <tracecodec/io/compression/impl/zip.ipp>
#include <tracecodec/io/compression/impl/zip_sink.ipp>
#endif
