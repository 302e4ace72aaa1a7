// Reads names from a C header that contains enumerations, such as the headers of XED and of the
// system calls (UMTracer specification, 14).
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "../../config.hpp"
#include "names.hpp"

namespace tracecodec::umtracer {

// Size limit of a header in bytes. Larger headers are rejected.
inline constexpr std::size_t largest_enumeration = std::size_t{16} << 20;

// Parses the enumerators that begin with `prefix` from all enumerations in `text`, and removes the
// prefix from their names. `text` may also be a bare list of enumerators. `name` appears in error
// messages. The value of an enumerator without an explicit value is one more than the previous
// enumerator.
//
// An explicit value is a decimal, octal or hexadecimal number, or the name of an earlier
// enumerator. The enumerator that consists of `prefix` and LAST is omitted. Comments, lines that
// begin with #, and everything outside an enumeration are skipped.
//
// Throws trace_error(bad_value), with the offset of the line:
// - if the syntax of an enumeration is invalid
// - if a name occurs twice
// - if a value is not a number or exceeds 32 bits
// - if no enumerator has the prefix
name_table parse_enumeration(std::string_view text, std::string_view prefix,
                             const std::string& name = {});

// Parses the enumerators of the file `path` that begin with `prefix`. Throws the errors of
// parse_enumeration(), and also:
// - trace_error(system) if the file cannot be read
// - trace_error(unsupported) if the file has more than largest_enumeration bytes
name_table read_enumeration(const std::string& path, std::string_view prefix);

// Reads a header of XED or of the system calls. Replaces each table in `to` if the table's prefix
// occurs among the header's enumerators. Throws the errors of read_enumeration(), and
// trace_error(bad_value) if no enumerator in the header has one of the prefixes.
void read_names(const std::string& path, names& to);

}  // namespace tracecodec::umtracer

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/enumeration.ipp"
#endif
