// The content of a tracepack file as an input of its own: what reads records as they are reads packed ones.
#pragma once
#include <functional>

#include "../config.hpp"
#include "../io/error.hpp"
#include "../io/open.hpp"
#include "reader.hpp"

namespace tracecodec::tracepack {

// The content of what `packed` reads, from its first record on; rewindable if its file is. Where damaged frames are left
// out, `lost` is called, and what is lost is not counted: skip() and content_size() read. Otherwise they go by the index.
// Errors are reader's, and corrupt if all frames were left out.
TRACECODEC_FUNC io::input open_content(reader packed,
                                       const std::function<void(const lost_records&)>& lost = {});

}  // namespace tracecodec::tracepack

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/open.ipp"
#endif
