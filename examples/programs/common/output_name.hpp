// Derives an output's format or form, and its compression, from the output's name.
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

// Forms of an output that are not trace formats. `pack` is the tracepack container, which stores
// the records of a format and compresses them itself.
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

// Returns true if two suffixes are equal, ignoring case.
inline bool is_suffix(std::string_view suffix, std::string_view known) {
  return suffix.size() == known.size() && tracecodec::io::ends_in(suffix, known);
}

// Parsed name of an output. Its suffixes select a format or a form, and a compression. Case is
// ignored.
struct output_name {
  // Parses `path`. The name "-" and names without a suffix select neither a form nor a format.
  explicit output_name(std::string_view path) {
    name = path.substr(tracecodec::io::file_name_at(path));
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
  // Returns true if the name ends in `known`, which can consist of several suffixes (".tenet.log").
  [[nodiscard]] bool ends_in(std::string_view known) const {
    return !suffix.empty() && name.size() > known.size() && tracecodec::io::ends_in(name, known);
  }
  // Returns true if format `f` uses the suffix.
  [[nodiscard]] bool says(const tracecodec::format::facts& f) const {
    return std::any_of(f.suffixes.begin(), f.suffixes.end(),
                       [this](std::string_view known) { return ends_in(known); });
  }
  // Returns the format that uses the suffix, or null if there is none. If several formats use the
  // suffix, returns `preferred` if it is one of these formats, otherwise the first one.
  [[nodiscard]] const tracecodec::format::facts* format(
      const tracecodec::format::facts* preferred = nullptr) const {
    if (preferred != nullptr && says(*preferred)) return preferred;
    for (const auto* const f : tracecodec::trace::all_formats())
      if (says(*f)) return f;
    return nullptr;
  }

  std::string_view name = {};  // without folders and without the suffix of a compression
  tracecodec::io::codec compression = tracecodec::io::codec::none;
  // Last suffix of the name that is not the suffix of a compression; empty if there is none.
  std::string_view suffix = {};
  // Form that the suffix selects; nullopt if the suffix does not select a form.
  std::optional<form> what = {};
};

// Returns true if `path` exists but is neither a file nor a folder. Examples are /dev/null and a
// FIFO. The user cannot choose the suffix of such an output.
inline bool is_device(const std::string& path) {
  try {
    return tracecodec::io::os::facts_of(path).what == tracecodec::io::os::kind::other;
  } catch (const tracecodec::trace_error&) {
    return false;
  }
}

// Returns the compression that the name of the output `path` selects. `to` is the format of the
// output, or null if the name selects the format. Throws usage_error for a compression that is
// supported only for reading.
inline tracecodec::io::codec compression_by_name(const std::string& path,
                                                 const tracecodec::format::facts* to = nullptr) {
  using tracecodec::io::codec;
  const output_name name(path);
  const codec c = name.compression;
  if (path == "-") return codec::none;
  if (to == nullptr) to = name.format();
  if (c == codec::zip && to != nullptr && to->has_chunks) return c;
  if (c == codec::bzip2 || c == codec::lz4 || c == codec::snappy || c == codec::zip)
    throw usage_error(path + ": " + std::string(codec_name(c)) +
                      " can be read, not written: choose .xz, .gz or .zst");
  return c;
}

using suffixes = std::vector<std::string_view>;

// Adds the suffix `one` to the list `to` unless the list already contains it.
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

// Throws usage_error if an output's name has a suffix that is not in `known`. The message ends with
// `or_else`, which suggests an alternative to the user.
inline void require_suffix(const std::string& path, const suffixes& known,
                           const std::string& or_else = {}) {
  const output_name name(path);
  if (path == "-" || name.suffix.empty() || is_device(path)) return;
  std::string all;
  for (const std::string_view s : known) {
    if (name.ends_in(s)) return;
    all += (all.empty() ? "" : ", ") + std::string(s);
  }
  throw usage_error(path + ": unsupported suffix " + std::string(name.suffix) +
                    ": expected one of " + all + ", optionally followed by .xz, .gz or .zst" +
                    or_else);
}
// Throws usage_error if an output's name has a suffix that selects none of `forms`.
inline void require_form(const std::string& path, std::initializer_list<form> forms) {
  suffixes known;
  for (const form f : forms) add_suffixes(known, f);
  require_suffix(path, known);
}

}  // namespace examples
