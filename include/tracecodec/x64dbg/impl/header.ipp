// The functions of header.hpp.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../../io/error.hpp"
#include "../../io/text/json_text.hpp"
#include "../header.hpp"

namespace tracecodec::x64dbg {

TRACECODEC_FUNC std::string json_of(const trace_header& h, const std::string& file) {
  const auto refuse = [&file](const std::string& field, const std::string& why) {
    throw trace_error(trace_errc::refused, {.file = file, .field = field}, why);
  };
  std::string json = "{\"ver\":1,\"arch\":\"" + std::string(arch_name(h.arch)) + '"';
  const auto quoted = [&](const std::string& field, const std::string& s) {
    const auto q = io::json_string(s);
    if (!q) refuse(field, "is no UTF-8");
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
    refuse("json", "the header would have " + std::to_string(json.size()) + " bytes, at most " +
                       std::to_string(largest_written_header) + " are possible");
  return json;
}

TRACECODEC_FUNC std::vector<std::byte> header_bytes(std::string_view json) {
  std::vector<std::byte> out(prefix_codec::size + json.size());
  prefix_codec::encode({{}, static_cast<std::uint32_t>(json.size())}, out);
  wire::copy(reinterpret_cast<const std::byte*>(json.data()), out.data() + prefix_codec::size,
             json.size());
  return out;
}

}  // namespace tracecodec::x64dbg
