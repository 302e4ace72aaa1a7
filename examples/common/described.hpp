// Records that a table describes (--record), one after the other: those that the options choose.
#pragma once
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <string>

#include <tracecodec/io/open.hpp>

#include "pipeline.hpp"

namespace examples {

// The bytes of the records of `path`; of a packed trace its content.
tracecodec::io::input content_of(const std::string& path, const reading& as);

// Calls each(index, bytes) for the records of `trace` that `part` leaves, `limit` at most. Returns the
// error that ended it early, if one did; what each() throws is thrown.
std::exception_ptr for_each_described(
    const std::string& path, const reading& as, pipeline part, std::uint64_t limit,
    const std::function<void(std::uint64_t, const std::byte*)>& each);

}  // namespace examples
