#pragma once
#include "../text.hpp"

namespace tracecodec::io {

TRACECODEC_FUNC std::string text_of(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (const std::string_view part : parts) text.append(part);
  return text;
}

}  // namespace tracecodec::io
