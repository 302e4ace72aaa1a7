#pragma once
#include "../error.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace tracecodec {

namespace detail {

// What trace_error::what() says.
[[gnu::cold]] TRACECODEC_FUNC std::string error_line(const error_site& where,
                                                     const std::string& message) {
  std::string text = where.file;
  const char* between = text.empty() ? "" : ": ";
  const auto add = [&](const char* what, std::string_view value) {
    text.append(between).append(what).append(value);
    between = ", ";
  };
  if (where.offset) add("offset ", std::to_string(*where.offset));
  if (where.record) add("record ", std::to_string(*where.record));
  if (!where.field.empty()) add("field ", where.field);
  text.append(text.empty() ? "" : ": ").append(message);
  std::replace(text.begin(), text.end(), '\0', '?');
  return text;
}

}  // namespace detail

[[gnu::cold]] TRACECODEC_FUNC trace_error::trace_error(trace_errc code, error_site where,
                                                       const std::string& message)
    : std::runtime_error(detail::error_line(where, message)),
      code_(code),
      where_(std::move(where)),
      message_size_(message.size()) {}

[[gnu::cold]] TRACECODEC_FUNC std::string trace_error::message() const {
  const std::string all = what();
  return all.substr(all.size() - message_size_);
}

}  // namespace tracecodec
