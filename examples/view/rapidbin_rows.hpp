// One event of a RapidBin trace as the viewer prints it: a compact row, a paragraph with everything
// that is known of it, or JSON.
#pragma once
#include <tracecodec/rapidbin/feed.hpp>
#include <tracecodec/rapidbin/reader/std_text.hpp>

#include <cstdint>
#include <string>
#include <string_view>

#include "../common/json.hpp"
#include "../common/text.hpp"
#include "parts.hpp"

namespace view {

namespace rapidbin = tracecodec::rapidbin;

// "acquire", or "operation 12" for one that is undefined.
inline std::string operation_name(rapidbin::operation o) {
  if (rapidbin::defined(o)) return std::string(name(o));
  return "operation " + std::to_string(static_cast<unsigned>(o));
}

// The metadata's place of an event; nullptr if it has none.
inline const rapidbin::code_location* place_of(const rapidbin::instruction_view& i) {
  return i.names() ? i.names()->locations.find(i.event().location) : nullptr;
}

// [     7] 0x0000012d00006814 | T[0] | acquire(L1) | at 23 | D_M['0x10030'] | S_M['0x10030']
inline void add_compact(std::string& s, std::uint64_t, const rapidbin::instruction_view& i) {
  const rapidbin::event& e = i.event();
  add_start(s, i.index(), i.ip());
  s += " | T[";
  examples::add_number(s, e.thread);
  s += "] | " + operation_name(e.operation);
  if (const char letter = rapidbin::std_letter(operand_of(e.operation)); letter != 0) {
    s += '(';
    s += letter;
    examples::add_number(s, e.decor);
    s += ')';
  }
  s += " | at ";
  examples::add_number(s, e.location);
  const auto address = [&s](std::uint64_t v) { add_quoted(s, v); };
  add_part(s, "D_M", i.destination_memory(), address);
  add_part(s, "S_M", i.source_memory(), address);
  s += '\n';
}

inline void add_detail(std::string& s, std::uint64_t, const rapidbin::instruction_view& i) {
  const rapidbin::event& e = i.event();
  const auto row = [&s](std::string_view label, const std::string& value) {
    add_label(s, label);
    s += value + '\n';
  };
  const auto number = [](std::uint64_t n) { return std::to_string(n); };
  s += "Event " + number(i.index()) + '\n';
  row("thread", number(e.thread));
  row("operation", operation_name(e.operation));
  std::string decor = number(e.decor);
  switch (operand_of(e.operation)) {
    case rapidbin::operand::lock:
      decor = "lock " + decor;
      break;
    case rapidbin::operand::variable:
      decor = "variable " + decor;
      if (const auto width = i.access_width(); width != 0)
        decor += ", " + number(width) + (width == 1 ? " byte" : " bytes");
      break;
    case rapidbin::operand::thread:
      decor = "thread " + decor;
      break;
    case rapidbin::operand::none:
      break;
  }
  row("decor", decor);
  std::string location = number(e.location);
  if (const auto* place = place_of(i))
    location +=
        ": function " + number(place->function) + ", instruction " + number(place->instruction);
  row("location", location);
  if (e.sign) row("sign", "1");
  const auto address = [&s](std::string_view label, std::uint64_t v) {
    add_label(s, label);
    examples::add_hex(s, v, 16);
    s += '\n';
  };
  address("ip", i.ip());
  for (const std::uint64_t a : i.source_memory()) address("reads", a);
  for (const std::uint64_t a : i.destination_memory()) address("writes", a);
  s += '\n';
}

// One object in one line: index and the event's fields, a sign only if it is set; then what the
// metadata says of them.
inline void add_json(std::string& s, std::uint64_t, const rapidbin::instruction_view& i) {
  const rapidbin::event& e = i.event();
  examples::json j(s);
  j.object().key("index").number(i.index()).key("thread").number(std::uint64_t{e.thread});
  j.key("operation").string(operation_name(e.operation)).key("decor").number(e.decor);
  j.key("location").number(std::uint64_t{e.location});
  if (e.sign) j.key("sign").number(std::uint64_t{1});
  if (const auto* place = place_of(i)) {
    j.key("function").number(std::uint64_t{place->function});
    j.key("instruction").number(std::uint64_t{place->instruction});
  }
  if (i.names()) {
    const auto kind = operand_of(e.operation);
    if (const auto* m = i.names()->memory.find(e.decor);
        m != nullptr && kind == rapidbin::operand::variable)
      j.key("address").hex(m->address).key("access_width").number(std::uint64_t{m->access_width});
    if (const auto* l = i.names()->locks.find(e.decor);
        l != nullptr && kind == rapidbin::operand::lock)
      j.key("lock").hex(*l);
  }
  j.end_object();
  s += '\n';
}

}  // namespace view
