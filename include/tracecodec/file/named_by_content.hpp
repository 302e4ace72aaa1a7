// Recognises a file by its first bytes, which contain a signature or have a known structure.
// Readers of formats without a signature use this function to reject other files.
#pragma once
#include <cstddef>
#include <span>

#include "../config.hpp"
#include "known_file.hpp"

namespace tracecodec::file {

// Returns the kind of the file that begins with `front`. Recognises traces whose format has a
// signature or a known structure, and files that accompany traces or are made from traces. Also
// recognises archives, programs, documents and some other files.
TRACECODEC_FUNC known_file named_by_content(std::span<const std::byte> front);

// Returns true if no byte of `front` is a control character other than a tab or a line break. The
// encoding is not checked.
TRACECODEC_FUNC bool is_text(std::span<const std::byte> front);

}  // namespace tracecodec::file

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/named_by_content.ipp"
#endif
