// Recognition of a file by its first bytes: formats that begin with a signature, and formats with a
// known structure. Readers of formats without a signature use it to reject other files.
#pragma once
#include <cstddef>
#include <span>

#include "../config.hpp"
#include "known_file.hpp"

namespace tracecodec::file {

// Returns the kind of the file that begins with `front`. It recognises files that accompany traces
// or are made from traces, traces whose format has a signature or a known structure, archives,
// programs, documents and others.
TRACECODEC_FUNC known_file named_by_content(std::span<const std::byte> front);

// Returns true if no byte of `front` is a control character other than a tab or a line end. The
// encoding is not checked.
TRACECODEC_FUNC bool is_text(std::span<const std::byte> front);

}  // namespace tracecodec::file

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/named_by_content.ipp"
#endif
