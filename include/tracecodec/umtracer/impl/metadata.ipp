// The functions of umtracer/metadata.hpp.
#pragma once
#include <charconv>
#include <system_error>

#include "../metadata.hpp"

namespace tracecodec::umtracer {

TRACECODEC_FUNC std::string metadata::path(std::size_t i) const {
  std::vector<std::size_t> line;
  for (; i != xml_element::no_parent; i = elements[i].parent) line.push_back(i);
  std::string out;
  for (auto at = line.rbegin(); at != line.rend(); ++at)
    out += (out.empty() ? "" : "/") + elements[*at].name;
  return out;
}
TRACECODEC_FUNC std::optional<std::string> metadata::find(std::string_view parent,
                                                          std::string_view name) const {
  for (const xml_element& e : elements)
    if (e.name == name && e.parent != xml_element::no_parent && elements[e.parent].name == parent)
      return e.text;
  return std::nullopt;
}
TRACECODEC_FUNC std::optional<std::uint64_t> number_in(
    const std::optional<std::string>& text) noexcept {
  std::uint64_t n = 0;
  if (!text) return std::nullopt;
  const char* const end = text->data() + text->size();
  const auto [used, error] = std::from_chars(text->data(), end, n);
  if (error != std::errc() || used != end) return std::nullopt;
  return n;
}

}  // namespace tracecodec::umtracer
