// Implementation of trace/instruction_source.hpp. This is the only file that instantiates the
// columns of every format.
#pragma once
#include <memory>
#include <utility>

#include "../instruction_source.hpp"
#include "../open.hpp"

namespace tracecodec::trace {

TRACECODEC_FUNC std::unique_ptr<instruction_source> open_instructions(
    source from, const format::open_options& how) {
  return visit(std::move(from), how, [](auto feed) -> std::unique_ptr<instruction_source> {
    return std::make_unique<feed_instructions<decltype(feed)>>(std::move(feed));
  });
}

}  // namespace tracecodec::trace
