// What an output's name says: its form, and how it is compressed. One table for all programs.
#pragma once
#include <tracecodec/io/compression/codec.hpp>
#include <tracecodec/io/os/filesystem.hpp>
#include <tracecodec/io/os/os.hpp>
#include <tracecodec/io/os/path.hpp>

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "program.hpp"

namespace examples {

// What an output is. `records` are ChampSim's, or CloudSuite's of such a trace.
// Those of `pack` are in a file that is compact by itself.
enum class form : std::uint8_t {
  records,
  pack,
  cloudsuite,
  x64dbg32,
  x64dbg64,
  rapidbin,
  std,
  jsonl,
  csv,
  html
};

struct form_suffix {
  std::string_view text;
  form of;
};
inline constexpr std::array<form_suffix, 15> form_suffixes{{{".champsim", form::records},
                                                            {".champsimtrace", form::records},
                                                            {".trace", form::records},
                                                            {".tpack", form::pack},
                                                            {".cloudsuite", form::cloudsuite},
                                                            {".trace32", form::x64dbg32},
                                                            {".trace64", form::x64dbg64},
                                                            {".data", form::rapidbin},
                                                            {".rapidbin", form::rapidbin},
                                                            {".std", form::std},
                                                            {".jsonl", form::jsonl},
                                                            {".ndjson", form::jsonl},
                                                            {".csv", form::csv},
                                                            {".html", form::html},
                                                            {".htm", form::html}}};

// What a name's suffixes say, of which the last may be a compression's; the case of letters does not
// count.
struct output_name {
  // Of "-", and of a name without a suffix, nothing is said.
  explicit output_name(std::string_view path) {
    std::string_view name = path.substr(tracecodec::io::file_name_at(path));
    const auto packed = tracecodec::io::codec_suffix_of(name);
    compression = packed.kind;
    name.remove_suffix(packed.text.size());
    const std::size_t dot = name.find_last_of('.');
    if (dot == std::string_view::npos || dot == 0) return;
    suffix = name.substr(dot);
    for (const form_suffix& s : form_suffixes)
      if (suffix.size() == s.text.size() && tracecodec::io::ends_in(suffix, s.text)) what = s.of;
  }

  [[nodiscard]] bool says(std::initializer_list<form> forms) const {
    for (const form f : forms)
      if (what == f) return true;
    return false;
  }

  tracecodec::io::codec compression = tracecodec::io::codec::none;
  std::string_view suffix = {};   // without that of the compression; empty: there is none
  std::optional<form> what = {};  // nothing: no suffix, or one that is not in the table
};

// What is there already, but is no file: /dev/null, a FIFO. Its name is not the user's to choose.
inline bool is_device(const std::string& path) {
  try {
    return tracecodec::io::os::facts_of(path).what == tracecodec::io::os::kind::other;
  } catch (const tracecodec::trace_error&) {
    return false;
  }
}

// How the output `path` is to be compressed. Throws usage_error for what is only read.
inline tracecodec::io::codec compression_by_name(const std::string& path) {
  using tracecodec::io::codec;
  const codec c = output_name(path).compression;
  if (path == "-") return codec::none;
  if (c == codec::bzip2 || c == codec::lz4)
    throw usage_error(path + ": " + std::string(codec_name(c)) +
                      " can be read, not written: choose .xz, .gz or .zst");
  return c;
}

// Throws usage_error if the name of an output has a suffix that says none of `forms`; `or_else` is
// what else the user can do.
inline void require_form(const std::string& path, std::initializer_list<form> forms,
                         const std::string& or_else = {}) {
  const output_name name(path);
  if (path == "-" || name.suffix.empty() || name.says(forms) || is_device(path)) return;
  std::string known;
  for (const form_suffix& s : form_suffixes)
    for (const form f : forms)
      if (s.of == f) known += (known.empty() ? "" : ", ") + std::string(s.text);
  throw usage_error(path + ": nothing is written here as " + std::string(name.suffix) +
                    ": expected one of " + known + ", with .xz, .gz or .zst behind it or not" +
                    or_else);
}

}  // namespace examples
