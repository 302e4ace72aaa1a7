// The implementation of tracecodec/io/, compiled once: for what includes the headers with
// TRACECODEC_SEPARATE_COMPILATION.
#ifndef TRACECODEC_SEPARATE_COMPILATION
#define TRACECODEC_SEPARATE_COMPILATION
#endif

#include <tracecodec/io/impl/atomic_file.ipp>
#include <tracecodec/io/impl/atomic_folder.ipp>
#include <tracecodec/io/impl/checksum.ipp>
#include <tracecodec/io/impl/codecs.ipp>
#include <tracecodec/io/impl/compressor.ipp>
#include <tracecodec/io/impl/cut_files.ipp>
#include <tracecodec/io/impl/decompressor.ipp>
#include <tracecodec/io/impl/error.ipp>
#include <tracecodec/io/impl/file.ipp>
#include <tracecodec/io/impl/folder_file.ipp>
#include <tracecodec/io/impl/interruption.ipp>
#include <tracecodec/io/impl/lookahead.ipp>
#include <tracecodec/io/impl/mapped_file.ipp>
#include <tracecodec/io/impl/open.ipp>
#include <tracecodec/io/impl/os.ipp>
#include <tracecodec/io/impl/os_file.ipp>
#include <tracecodec/io/impl/sink.ipp>
#include <tracecodec/io/impl/source.ipp>
#include <tracecodec/io/impl/spool.ipp>
#include <tracecodec/io/impl/temporary.ipp>
#include <tracecodec/io/impl/utf8.ipp>
#include <tracecodec/io/impl/window.ipp>

#ifdef TRACECODEC_WITH_XZ
#include <tracecodec/io/impl/xz.ipp>
#endif
#ifdef TRACECODEC_WITH_GZIP
#include <tracecodec/io/impl/gzip.ipp>
#endif
#ifdef TRACECODEC_WITH_BZIP2
#include <tracecodec/io/impl/bzip2.ipp>
#endif
#ifdef TRACECODEC_WITH_ZSTD
#include <tracecodec/io/impl/zstd.ipp>
#include <tracecodec/io/impl/zstd_block.ipp>
#endif
#ifdef TRACECODEC_WITH_LZ4
#include <tracecodec/io/impl/lz4.ipp>
#endif
