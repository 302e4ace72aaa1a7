#pragma once
#include "../rows.hpp"

#include <string>

namespace tracecodec::rapidbin {

TRACECODEC_FUNC named_row row_of(std::uint64_t index, const event& e, const metadata& names) {
  named_row r{.index = index, .event = {&e}};
  if (const code_location* l = names.locations.find(e.location)) {
    r.function = l->function;
    r.instruction = l->instruction;
  }
  switch (operand_of(e.operation)) {
    case operand::variable:
      if (const memory_location* m = names.memory.find(e.decor)) {
        r.address = {m->address};
        r.access_width = m->access_width;
      }
      break;
    case operand::lock:
      if (const std::uint64_t* l = names.locks.find(e.decor)) r.lock = {*l};
      break;
    default:
      break;
  }
  return r;
}

TRACECODEC_FUNC called_row row_of(std::uint64_t index, const event& e, const std_names& names) {
  const auto name = [&names](id_kind kind, std::uint64_t id) {
    const std::string* const s = names(kind, id);
    return s != nullptr ? std::optional<std::string_view>(*s) : std::nullopt;
  };
  called_row r{.index = index, .event = {&e}};
  r.thread_name = name(id_kind::thread, e.thread);
  if (const operand kind = operand_of(e.operation); kind != operand::none)
    r.decor_name = name(kind_of(kind), e.decor);
  r.location_name = name(id_kind::location, e.location);
  return r;
}

TRACECODEC_FUNC called_named_row row_of(std::uint64_t index, const event& e, const std_names& names,
                                        const metadata& records) {
  const called_row called = row_of(index, e, names);
  const named_row r = row_of(index, e, records);
  return {index,      {&e},          called.thread_name, called.decor_name, called.location_name,
          r.function, r.instruction, r.address,          r.access_width,    r.lock};
}

}  // namespace tracecodec::rapidbin
