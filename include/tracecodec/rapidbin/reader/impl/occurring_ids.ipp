#pragma once
#include "../occurring_ids.hpp"

#include "with_ids.hpp"

namespace tracecodec::rapidbin {

TRACECODEC_LAZY_FUNC metadata occurring_ids::part_of(const metadata& all) const {
  const auto id_if = [](auto occurs) {
    return [occurs](std::uint64_t id) { return occurs(id) ? std::optional(id) : std::nullopt; };
  };
  return detail::with_ids(all, id_if([this](auto id) { return counted_.has_thread(id); }),
                          id_if([this](auto id) { return counted_.has_variable(id); }),
                          id_if([this](auto id) { return counted_.has_lock(id); }),
                          id_if([this](auto id) { return locations_.contains(id); }));
}

}  // namespace tracecodec::rapidbin
