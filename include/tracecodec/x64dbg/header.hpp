// Fields of the header of an x64dbg trace, and functions that write the header. Functions that read
// the header are in read_header.hpp.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../io/error.hpp"
#include "../io/text/json_text.hpp"
#include "layout.hpp"

namespace tracecodec::x64dbg {

// Fields of a header. An example of a header's text is
// {"ver":1,"arch":"x64","hashAlgorithm":"murmurhash","hash":"0x1A2B","compression":"","path":"..."}
// Strings are UTF-8, and JSON escapes are decoded.
struct trace_header {
  target arch = target::x64;
  std::optional<std::string> hash_algorithm = "murmurhash";
  std::optional<std::string> hash = {};  // hash of the traced file, such as "0x1A2B"
  std::optional<std::string> path = {};  // path of the traced file, such as "C:\work\a.exe"
  // Keys that x64dbg does not define, and their values as JSON text, in file order.
  std::vector<std::pair<std::string, std::string>> unknown = {};
  // Text of the header in the file, including any NUL bytes after the JSON. The text is empty if
  // the header was not read from a file.
  std::string text = {};
};

// Returns the architecture's name in the header: "x86" or "x64".
constexpr std::string_view arch_name(target t) noexcept { return t == target::x86 ? "x86" : "x64"; }

// Maximum size in bytes of a header that can be read.
inline constexpr std::size_t largest_header = std::size_t{16} << 20;
// Maximum size in bytes of a header that can be written. Every version of x64dbg accepts this size.
inline constexpr std::size_t largest_written_header = 16384;

// Returns the JSON text of `h`. Known keys come first, in x64dbg's order, followed by unknown keys.
// `file` is the file name in error messages. Throws trace_error(refused) if a string is not UTF-8.
// The error's field is the key of the string, or `json` if x64dbg does not define the key. Throws
// trace_error(refused) with the field `json` if the text exceeds largest_written_header.
inline std::string json_of(const trace_header& h, const std::string& file = {});

inline std::string json_of(const trace_header& h, const std::string& file) {
  const auto refuse = [&file](const std::string& field, const std::string& why) {
    throw trace_error(trace_errc::refused, {.file = file, .field = field}, why);
  };
  std::string json = "{\"ver\":1,\"arch\":\"" + std::string(arch_name(h.arch)) + '"';
  const auto quoted = [&](const std::string& field, const std::string& s) {
    const auto q = io::json_string(s);
    if (!q) refuse(field, "is not UTF-8");
    return q.value_or("");
  };
  const auto add = [&](const std::string& key, const std::optional<std::string>& value) {
    if (value) json += ",\"" + key + "\":" + quoted(key, *value);
  };
  add("hashAlgorithm", h.hash_algorithm);
  add("hash", h.hash);
  add("compression", "");
  add("path", h.path);
  for (const auto& [key, value] : h.unknown) json += ',' + quoted("json", key) + ':' + value;
  json += '}';
  if (json.size() > largest_written_header)
    refuse("json", "the header would have " + std::to_string(json.size()) + " bytes, but at most " +
                       std::to_string(largest_written_header) + " are possible");
  return json;
}

// Returns the first bytes of a trace: the magic number, the length, and `json`. The size of `json`
// must be less than 4 GiB.
inline std::vector<std::byte> header_bytes(std::string_view json) {
  std::vector<std::byte> out(prefix_codec::size + json.size());
  prefix_codec::encode({{}, static_cast<std::uint32_t>(json.size())}, out);
  wire::copy(reinterpret_cast<const std::byte*>(json.data()), out.data() + prefix_codec::size,
             json.size());
  return out;
}

}  // namespace tracecodec::x64dbg
