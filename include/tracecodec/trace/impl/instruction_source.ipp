// The function of trace/instruction_source.hpp: the one place where the columns of every format are made.
#pragma once
#include <utility>

#include "../instruction_source.hpp"
#include "../open.hpp"

namespace tracecodec::trace {

TRACECODEC_LAZY_FUNC io::owned<instruction_source> open_instructions(source from,
                                                                     const visit_options& how) {
  return visit(std::move(from), how, [](auto feed) -> io::owned<instruction_source> {
    return io::make_owned<feed_instructions<decltype(feed)>>(std::move(feed));
  });
}

}  // namespace tracecodec::trace
