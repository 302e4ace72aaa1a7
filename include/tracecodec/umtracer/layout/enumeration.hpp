// Reads names from a C header that contains enumerations, such as the headers of XED and of
// the system calls (14).
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "../../config.hpp"
#include "names.hpp"

namespace tracecodec::umtracer {

// Size limit of a header in bytes; larger headers are rejected.
inline constexpr std::size_t largest_enumeration = std::size_t{16} << 20;

// Parses the enumerators that begin with `prefix` from all enumerations in `text`, and removes
// the prefix from their names. `text` may also be a bare list of enumerators. `name` appears
// in error messages. An enumerator without a value is one more than the previous enumerator.
// Values are decimal, octal, hexadecimal or earlier enumerators. PREFIX_LAST is left out.
// Comments, lines that begin with #, and everything outside an enumeration are skipped.
// Throws trace_error(bad_value), with the offset of the line:
// - if the syntax of an enumeration is invalid
// - if a name occurs twice
// - if a value is not a number or exceeds 32 bits
// - if no enumerator has the prefix
name_table parse_enumeration(std::string_view text, std::string_view prefix,
                             const std::string& name = {});

// Parses a file in the same way. Throws trace_error as parse_enumeration() does, and also:
// - trace_error(system) if the file cannot be read
// - trace_error(unsupported) if the file has more than largest_enumeration bytes
name_table read_enumeration(const std::string& path, std::string_view prefix);

// Reads a header of XED or of the system calls, and replaces the tables in `to` for whose
// prefixes the header has enumerators. Throws trace_error as read_enumeration() does, and
// trace_error(bad_value) if the header has no such enumerator.
void read_names(const std::string& path, names& to);

}  // namespace tracecodec::umtracer

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/enumeration.ipp"
#endif
