// Reads names from the text of a C header that has an enumeration, as those of XED and of the
// system calls (14) are.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "../../config.hpp"
#include "names.hpp"

namespace tracecodec::umtracer {

// A header of more bytes is refused.
inline constexpr std::size_t largest_enumeration = std::size_t{16} << 20;

// The enumerators that begin with `prefix`, without it, of all enumerations in `text`, or of a text
// that is only a list of enumerators; `name` is for errors. An enumerator without a value counts on
// from the one before; values are decimal, octal, hexadecimal or earlier enumerators. PREFIX_LAST
// is left out. Comments, lines that begin with #, and everything outside an enumeration are
// skipped.
// Throws trace_error(bad_value) with the offset of the line: what is no enumeration; a name that is
// there twice; a value that is no number or has more than 32 bits; no enumerator with the prefix.
name_table parse_enumeration(std::string_view text, std::string_view prefix,
                             const std::string& name = {});

// The same of a file. Throws trace_error: as parse_enumeration(); system; unsupported if it has
// more than largest_enumeration bytes.
name_table read_enumeration(const std::string& path, std::string_view prefix);

// Adds to `to` the tables whose prefixes begin enumerators of a file: one for each header of XED,
// and of the system calls. Throws trace_error: as read_enumeration(); bad_value if none does.
void read_names(const std::string& path, names& to);

}  // namespace tracecodec::umtracer

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/enumeration.ipp"
#endif
