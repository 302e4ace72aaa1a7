// Names what a file is by its first bytes: files of formats that begin with a mark, and others whose form is
// known. Readers of formats without a mark refuse such a file.
#pragma once
#include <cstddef>
#include <span>

#include "../config.hpp"
#include "known_file.hpp"

namespace tracecodec::file {

// Returns what the file is that begins with `front`: what lies beside traces or is made of them,
// traces whose format has a mark or a known form, archives, programs, documents and others.
TRACECODEC_FUNC known_file named_by_content(std::span<const std::byte> front);

// True if all of it is text in UTF-8 without control characters.
TRACECODEC_FUNC bool is_text(std::span<const std::byte> front);

}  // namespace tracecodec::file

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/named_by_content.ipp"
#endif
