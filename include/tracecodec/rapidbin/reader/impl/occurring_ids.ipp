#pragma once
#include "../occurring_ids.hpp"

#include "../occurring_names.hpp"
#include "with_ids.hpp"

namespace tracecodec::rapidbin {

TRACECODEC_FUNC metadata occurring_ids::part_of(const metadata& all) const {
  const auto id_if = [](auto occurs) {
    return [occurs](std::uint64_t id) { return occurs(id) ? std::optional(id) : std::nullopt; };
  };
  metadata part = detail::with_ids(all, id_if([this](auto id) { return counted_.has_thread(id); }),
                                   id_if([this](auto id) { return counted_.has_variable(id); }),
                                   id_if([this](auto id) { return counted_.has_lock(id); }),
                                   id_if([this](auto id) { return locations_.contains(id); }));
  occurring_names names(
      [&all](id_kind kind, std::uint64_t id) { return all.names.of(kind).find(id); });
  for (const id_kind kind : {id_kind::thread, id_kind::lock, id_kind::variable, id_kind::location})
    for (const auto& r : part.names.of(kind)) names.add(kind, r.trace_id);
  part.names = names.take();
  return part;
}

}  // namespace tracecodec::rapidbin
