// Text of --version: the version and the built-in features.
#pragma once
#include <string>
#include <tracecodec/trace/source.hpp>
#include <tracecodec/version.hpp>

namespace examples {

namespace detail {
inline void add(std::string& list, const char* word) { (list += list.empty() ? "" : ", ") += word; }
inline std::string line_of(const char* name, const std::string& list) {
  return std::string(name) + ": " + (list.empty() ? "none" : list) + '\n';
}
}  // namespace detail

// Returns the complete text of --version. Each line ends with a newline.
inline std::string version_text(const std::string& program) {
  std::string compressions, formats, libraries;
#ifdef TRACECODEC_WITH_XZ
  detail::add(compressions, "xz");
#endif
#ifdef TRACECODEC_WITH_GZIP
  detail::add(compressions, "gzip");
#endif
#ifdef TRACECODEC_WITH_BZIP2
  detail::add(compressions, "bzip2 (read)");
#endif
#ifdef TRACECODEC_WITH_ZSTD
  detail::add(compressions, "zstd");
#endif
#ifdef TRACECODEC_WITH_LZ4
  detail::add(compressions, "lz4 (read)");
#endif
#ifdef TRACECODEC_WITH_SNAPPY
  detail::add(compressions, "snappy (read)");
#endif
#ifdef TRACECODEC_WITH_ZIP
  detail::add(compressions, "zip (read)");
#endif
#ifdef TRACECODEC_WITH_SIMDJSON
  detail::add(libraries, "simdjson");
#endif
#ifdef TRACECODEC_WITH_PUGIXML
  detail::add(libraries, "pugixml");
#endif
#ifdef TRACECODEC_WITH_ZYDIS
  detail::add(libraries, "zydis");
#endif
#ifdef TRACECODEC_WITH_LIBDW
  detail::add(libraries, "libdw");
#endif
  for (const auto* const f : tracecodec::trace::all_formats()) {
    const std::string name(f->name);
    if (tracecodec::trace::is_readable(*f))
      detail::add(formats, name.c_str());
    else if (f->is_folder())
      detail::add(formats, (name + " (tables)").c_str());
  }
#ifdef TRACECODEC_WITH_ZSTD
  detail::add(formats, "tracepack");
#endif
  return program + " " TRACECODEC_VERSION " (tracecodec)\n" +
         detail::line_of("compressions", compressions) + detail::line_of("formats", formats) +
         detail::line_of("libraries", libraries);
}

}  // namespace examples
