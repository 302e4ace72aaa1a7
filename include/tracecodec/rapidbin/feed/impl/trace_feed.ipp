#pragma once
#include "../trace_feed.hpp"

#include <memory>
#include <utility>

#include "../../reader.hpp"

namespace tracecodec::rapidbin {

TRACECODEC_FUNC trace_feed::trace_feed(std::unique_ptr<event_source> from, address_map addresses)
    : from_(std::move(from)),
      addresses_(std::make_unique<const address_map>(std::move(addresses))) {}
TRACECODEC_FUNC trace_feed::trace_feed(const std::string& path, address_map addresses)
    : trace_feed(std::make_unique<reader>(path), std::move(addresses)) {}

}  // namespace tracecodec::rapidbin
