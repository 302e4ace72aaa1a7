#pragma once
#include "../trace_feed.hpp"

#include <utility>

#include "../../reader.hpp"

namespace tracecodec::rapidbin {

TRACECODEC_FUNC trace_feed::trace_feed(io::owned<event_source> from, address_map addresses)
    : from_(std::move(from)), addresses_(io::make_owned<const address_map>(std::move(addresses))) {}
TRACECODEC_FUNC trace_feed::trace_feed(const std::string& path, address_map addresses)
    : trace_feed(io::make_owned<reader>(path), std::move(addresses)) {}

}  // namespace tracecodec::rapidbin
