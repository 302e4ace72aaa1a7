// The meaning of an output's name: the format or form of the output, and its compression.
#pragma once
#include <tracecodec/format/facts.hpp>
#include <tracecodec/io/compression/codec.hpp>
#include <tracecodec/io/os/filesystem.hpp>
#include <tracecodec/io/os/os.hpp>
#include <tracecodec/io/os/path.hpp>
#include <tracecodec/trace/source.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "program.hpp"

namespace examples {

// The forms of outputs besides the formats of traces. `pack` is tracepack, which packs records of a format, and
// compresses them itself.
enum class form : std::uint8_t { pack, jsonl, csv, html };

struct form_suffix {
  std::string_view text;
  form of;
};
inline constexpr std::array<form_suffix, 6> form_suffixes{{{".tpack", form::pack},
                                                           {".jsonl", form::jsonl},
                                                           {".ndjson", form::jsonl},
                                                           {".csv", form::csv},
                                                           {".html", form::html},
                                                           {".htm", form::html}}};

// Returns whether two suffixes are the same, in any case of letters.
inline bool is_suffix(std::string_view suffix, std::string_view known) {
  return suffix.size() == known.size() && tracecodec::io::ends_in(suffix, known);
}

// The suffixes of a name; the last one may be that of a compression. The case of letters does not matter.
struct output_name {
  // The name "-", and a name without a suffix, have neither a form nor a format.
  explicit output_name(std::string_view path) {
    std::string_view name = path.substr(tracecodec::io::file_name_at(path));
    const auto packed = tracecodec::io::codec_suffix_of(name);
    compression = packed.kind;
    name.remove_suffix(packed.text.size());
    const std::size_t dot = name.find_last_of('.');
    if (dot == std::string_view::npos || dot == 0) return;
    suffix = name.substr(dot);
    for (const form_suffix& s : form_suffixes)
      if (is_suffix(suffix, s.text)) what = s.of;
  }

  [[nodiscard]] bool says(form f) const { return what == f; }
  // Returns whether the suffix is one of the format's.
  [[nodiscard]] bool says(const tracecodec::format::facts& f) const {
    return !suffix.empty() &&
           std::any_of(f.suffixes.begin(), f.suffixes.end(),
                       [this](std::string_view known) { return is_suffix(suffix, known); });
  }
  // Returns the format whose suffix the name has: `preferred` if it is one of several. Null if there is none.
  [[nodiscard]] const tracecodec::format::facts* format(
      const tracecodec::format::facts* preferred = nullptr) const {
    if (preferred != nullptr && says(*preferred)) return preferred;
    for (const auto* const f : tracecodec::trace::all_formats())
      if (says(*f)) return f;
    return nullptr;
  }

  tracecodec::io::codec compression = tracecodec::io::codec::none;
  std::string_view suffix = {};   // without the suffix of the compression; empty: there is none
  std::optional<form> what = {};  // nullopt: the suffix is not in the table
};

// Returns whether `path` exists and is neither a file nor a folder: /dev/null, a FIFO. The user cannot choose its name.
inline bool is_device(const std::string& path) {
  try {
    return tracecodec::io::os::facts_of(path).what == tracecodec::io::os::kind::other;
  } catch (const tracecodec::trace_error&) {
    return false;
  }
}

// Returns the compression of the output `path`. Throws usage_error for one that can only be read.
inline tracecodec::io::codec compression_by_name(const std::string& path) {
  using tracecodec::io::codec;
  const codec c = output_name(path).compression;
  if (path == "-") return codec::none;
  if (c == codec::bzip2 || c == codec::lz4)
    throw usage_error(path + ": " + std::string(codec_name(c)) +
                      " can be read, not written: choose .xz, .gz or .zst");
  return c;
}

using suffixes = std::vector<std::string_view>;

// Adds suffixes that are not in the list yet.
inline void add_suffix(suffixes& to, std::string_view one) {
  if (std::find(to.begin(), to.end(), one) == to.end()) to.push_back(one);
}
inline void add_suffixes(suffixes& to, const tracecodec::format::facts& f) {
  for (const std::string_view s : f.suffixes) add_suffix(to, s);
}
inline void add_suffixes(suffixes& to, form f) {
  for (const form_suffix& s : form_suffixes)
    if (s.of == f) add_suffix(to, s.text);
}

// Throws usage_error if the name of an output has a suffix that is not in `known`; `or_else` is another thing that the
// user can do.
inline void require_suffix(const std::string& path, const suffixes& known,
                           const std::string& or_else = {}) {
  const output_name name(path);
  if (path == "-" || name.suffix.empty() || is_device(path)) return;
  std::string all;
  for (const std::string_view s : known) {
    if (is_suffix(name.suffix, s)) return;
    all += (all.empty() ? "" : ", ") + std::string(s);
  }
  throw usage_error(path + ": nothing is written here as " + std::string(name.suffix) +
                    ": expected one of " + all + ", with .xz, .gz or .zst behind it or not" +
                    or_else);
}
// Throws usage_error if the name of an output has a suffix of none of `forms`.
inline void require_form(const std::string& path, std::initializer_list<form> forms) {
  suffixes known;
  for (const form f : forms) add_suffixes(known, f);
  require_suffix(path, known);
}

}  // namespace examples
