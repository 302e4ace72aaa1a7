#pragma once
#include "../codecs.hpp"

#include <memory>
#include <utility>

#include "../../error.hpp"
#ifdef TRACECODEC_WITH_XZ
#include "../xz.hpp"
#endif
#ifdef TRACECODEC_WITH_GZIP
#include "../gzip.hpp"
#endif
#ifdef TRACECODEC_WITH_BZIP2
#include "../bzip2.hpp"
#endif
#ifdef TRACECODEC_WITH_ZSTD
#include "../zstd.hpp"
#include "../zstf.hpp"
#endif
#ifdef TRACECODEC_WITH_LZ4
#include "../lz4.hpp"
#endif
#ifdef TRACECODEC_WITH_SNAPPY
#include "../snappy.hpp"
#endif
#ifdef TRACECODEC_WITH_ZIP
#include "../zip.hpp"
#endif

namespace tracecodec::io {

namespace detail {
// Returns a hint for error messages on how to build with support for `kind`.
TRACECODEC_FUNC std::string how_to_add(codec kind) {
  std::string macro = "TRACECODEC_WITH_";
  for (const char c : codec_name(kind))
    macro += 'a' <= c && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  std::string_view library = codec_name(kind);
  if (kind == codec::xz) library = "lzma";
  if (kind == codec::gzip) library = "z";
  if (kind == codec::bzip2) library = "bz2";
  if (kind == codec::zip) library = "archive";
  if (kind == codec::zstf) macro = "TRACECODEC_WITH_ZSTD", library = "zstd";
  return "define " + macro + " and link " + std::string(library);
}

[[noreturn, gnu::cold]] TRACECODEC_FUNC void refuse_codec(codec kind, const std::string& name) {
  throw trace_error(trace_errc::unsupported, {.file = name},
                    "compressed with " + std::string(codec_name(kind)) +
                        ", which this build cannot read: " + how_to_add(kind));
}
}  // namespace detail

TRACECODEC_FUNC std::unique_ptr<source> decompress(codec kind, std::unique_ptr<source> compressed,
                                                   const std::string& name,
                                                   [[maybe_unused]] const xz_options& xz,
                                                   [[maybe_unused]] const zstd_options& zstd,
                                                   [[maybe_unused]] const zip_options& zip) {
  switch (kind) {
    case codec::none:
      return compressed;
#ifdef TRACECODEC_WITH_XZ
    case codec::xz:
      return std::make_unique<xz_source>(std::move(compressed), name, xz);
#endif
#ifdef TRACECODEC_WITH_GZIP
    case codec::gzip:
      return std::make_unique<gzip_source>(std::move(compressed), name);
#endif
#ifdef TRACECODEC_WITH_BZIP2
    case codec::bzip2:
      return std::make_unique<bzip2_source>(std::move(compressed), name);
#endif
#ifdef TRACECODEC_WITH_ZSTD
    case codec::zstd:
      return std::make_unique<zstd_source>(std::move(compressed), name, zstd);
    case codec::zstf:
      return std::make_unique<zstf_source>(std::move(compressed), name, zstd);
#endif
#ifdef TRACECODEC_WITH_LZ4
    case codec::lz4:
      return std::make_unique<lz4_source>(std::move(compressed), name);
#endif
#ifdef TRACECODEC_WITH_SNAPPY
    case codec::snappy:
      return std::make_unique<snappy_source>(std::move(compressed), name);
#endif
#ifdef TRACECODEC_WITH_ZIP
    case codec::zip:
      return std::make_unique<zip_source>(std::move(compressed), name, zip);
#endif
    default:
      break;
  }
  detail::refuse_codec(kind, name);
}

TRACECODEC_FUNC std::unique_ptr<sink> compress(codec kind, std::unique_ptr<sink> out,
                                               const std::string& name,
                                               [[maybe_unused]] const output_options& options) {
  switch (kind) {
    case codec::none:
      return out;
#ifdef TRACECODEC_WITH_XZ
    case codec::xz:
      return std::make_unique<xz_sink>(std::move(out), options);
#endif
#ifdef TRACECODEC_WITH_GZIP
    case codec::gzip:
      return std::make_unique<gzip_sink>(std::move(out), options);
#endif
#ifdef TRACECODEC_WITH_ZSTD
    case codec::zstd:
      return std::make_unique<zstd_sink>(std::move(out), options);
#endif
    default:
      break;
  }
  const bool written = kind == codec::xz || kind == codec::gzip || kind == codec::zstd;
  throw trace_error(
      trace_errc::unsupported, {.file = name},
      written ? "this build cannot write " + std::string(codec_name(kind)) + ": " +
                    detail::how_to_add(kind)
              : std::string(codec_name(kind)) +
                    " can be read, not written as a compression: choose xz, gzip or zstd");
}

}  // namespace tracecodec::io
