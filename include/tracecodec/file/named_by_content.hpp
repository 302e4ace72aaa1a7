// Recognition of a file by its first bytes: formats that begin with a mark, and others with a
// known structure. Readers of formats without a mark reject such a file.
#pragma once
#include <cstddef>
#include <span>

#include "../config.hpp"
#include "known_file.hpp"

namespace tracecodec::file {

// Returns the kind of the file that begins with `front`: files that accompany traces or are
// made from them, traces whose format has a mark or a known structure, archives, programs,
// documents and others.
TRACECODEC_FUNC known_file named_by_content(std::span<const std::byte> front);

// Returns true if no byte is a control character, except tabs and line ends. The encoding is
// not checked.
TRACECODEC_FUNC bool is_text(std::span<const std::byte> front);

}  // namespace tracecodec::file

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/named_by_content.ipp"
#endif
