// Prints an event of a RapidBin trace as a compact row, as a paragraph with all known details, or
// as JSON.
#pragma once
#include <tracecodec/program/map.hpp>
#include <tracecodec/rapidbin/feed.hpp>
#include <tracecodec/rapidbin/reader/std_text.hpp>

#include <cstdint>
#include <string>
#include <string_view>

#include "../../common/json.hpp"
#include "../../common/text.hpp"
#include "../parts.hpp"

namespace view {

namespace rapidbin = tracecodec::rapidbin;

// Returns a name such as "acquire", or "operation 12" for an undefined operation.
inline std::string operation_name(rapidbin::operation o) {
  if (rapidbin::defined(o)) return std::string(name(o));
  return "operation " + std::to_string(static_cast<unsigned>(o));
}

// Looks up the code location of an event in the metadata. Returns nullptr if the metadata do not
// contain the location.
inline const rapidbin::code_location* place_of(const rapidbin::instruction_view& i) {
  return i.trace_metadata() ? i.trace_metadata()->locations.find(i.event().location) : nullptr;
}

// Names of a trace's ids and functions.
class event_names {
 public:
  event_names(const rapidbin::trace_feed& trace, const tracecodec::program_map& functions) noexcept
      : trace_(trace), functions_(functions) {}

  // Returns the name of an id in printable form, or an empty string if the id has no name.
  [[nodiscard]] std::string shown(rapidbin::id_kind kind, std::uint64_t id) const {
    const std::string* const name = trace_.name_of(kind, id);
    return name != nullptr ? examples::printable(*name) : std::string();
  }
  [[nodiscard]] const std::string* of(rapidbin::id_kind kind, std::uint64_t id) const {
    return trace_.name_of(kind, id);
  }
  // Returns the name of the id in an event's decor, or nullptr if the decor has no named id.
  [[nodiscard]] const std::string* of_decor(const rapidbin::event& e) const {
    const auto kind = operand_of(e.operation);
    return kind == rapidbin::operand::none ? nullptr : of(kind_of(kind), e.decor);
  }
  // Returns the name of the function that contains the code location `place`, which may be null.
  // Returns an empty view if the name is unknown.
  [[nodiscard]] std::string_view function(const rapidbin::code_location* place) const {
    if (place == nullptr || functions_.empty()) return {};
    const auto at = functions_.at(rapidbin::address_map::ip(*place));
    return at.symbol != nullptr ? std::string_view(at.symbol->name) : std::string_view();
  }

 private:
  const rapidbin::trace_feed& trace_;
  const tracecodec::program_map& functions_;
};

// Adds the name of an id. If `name` is empty, adds `letter` (unless it is 0) and the number of the
// id instead.
inline void add_id(std::string& s, const std::string& name, char letter, std::uint64_t id) {
  if (!name.empty()) {
    s += name;
    return;
  }
  if (letter != 0) s += letter;
  examples::add_number(s, id);
}

// Adds a compact row, such as:
//   [     7] 0x0000012d00006814 | T[0] | acquire(L1) | at 23 | D_M['0x10030'] | S_M['0x10030']
inline void add_compact(std::string& s, const rapidbin::instruction_view& i,
                        const event_names& names) {
  using rapidbin::id_kind;
  const rapidbin::event& e = i.event();
  add_start(s, i.index(), i.ip());
  s += " | T[";
  add_id(s, names.shown(id_kind::thread, e.thread), 0, e.thread);
  s += "] | " + operation_name(e.operation);
  if (const auto kind = operand_of(e.operation); kind != rapidbin::operand::none) {
    s += '(';
    add_id(s, names.shown(kind_of(kind), e.decor), rapidbin::std_letter(kind), e.decor);
    s += ')';
  }
  s += " | at ";
  add_id(s, names.shown(id_kind::location, e.location), 0, e.location);
  const auto address = [&s](std::uint64_t v) { add_quoted(s, v); };
  add_part(s, "D_M", i.destination_memory(), address);
  add_part(s, "S_M", i.source_memory(), address);
  if (const auto function = names.function(place_of(i)); !function.empty())
    s += " | IN[" + examples::printable(function) + ']';
  s += '\n';
}

inline void add_detail(std::string& s, const rapidbin::instruction_view& i,
                       const event_names& names) {
  using rapidbin::id_kind;
  const rapidbin::event& e = i.event();
  const auto row = [&s](std::string_view label, const std::string& value) {
    add_label(s, label);
    s += value + '\n';
  };
  const auto number = [](std::uint64_t n) { return std::to_string(n); };
  // Returns text such as "3: worker-1", or only the number if the id has no name.
  const auto name_of = [&](id_kind kind, std::uint64_t id) {
    const std::string name = names.shown(kind, id);
    return name.empty() ? number(id) : number(id) + ": " + name;
  };
  s += "Event " + number(i.index()) + '\n';
  row("thread", name_of(id_kind::thread, e.thread));
  row("operation", operation_name(e.operation));
  std::string decor = number(e.decor);
  switch (operand_of(e.operation)) {
    case rapidbin::operand::lock:
      decor = "lock " + name_of(id_kind::lock, e.decor);
      break;
    case rapidbin::operand::variable:
      decor = "variable " + name_of(id_kind::variable, e.decor);
      if (const auto width = i.access_width(); width != 0)
        decor += ", " + number(width) + (width == 1 ? " byte" : " bytes");
      break;
    case rapidbin::operand::thread:
      decor = "thread " + name_of(id_kind::thread, e.decor);
      break;
    case rapidbin::operand::none:
      break;
  }
  row("decor", decor);
  std::string location = name_of(id_kind::location, e.location);
  if (const auto* place = place_of(i)) {
    location += ": function " + number(place->function);
    if (const auto function = names.function(place); !function.empty())
      location += " (" + examples::printable(function) + ')';
    location += ", instruction " + number(place->instruction);
  }
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

// Adds a JSON object on one line. The object contains the index and the fields of the event, then
// the names of the ids in these fields, and then details from the metadata. The field for the sign
// is present only if the sign is set.
inline void add_json(std::string& s, const rapidbin::instruction_view& i,
                     const event_names& names) {
  const rapidbin::event& e = i.event();
  examples::json j(s);
  j.object().key("index").number(i.index()).key("thread").number(std::uint64_t{e.thread});
  j.key("operation").string(operation_name(e.operation)).key("decor").number(e.decor);
  j.key("location").number(std::uint64_t{e.location});
  if (e.sign) j.key("sign").number(std::uint64_t{1});
  const auto name = [&j](std::string_view key, const std::string* of) {
    if (of != nullptr) j.key(key).string(*of);
  };
  name("thread_name", names.of(rapidbin::id_kind::thread, e.thread));
  name("decor_name", names.of_decor(e));
  name("location_name", names.of(rapidbin::id_kind::location, e.location));
  if (const auto* place = place_of(i)) {
    j.key("function").number(std::uint64_t{place->function});
    if (const auto function = names.function(place); !function.empty())
      j.key("function_name").string(function);
    j.key("instruction").number(std::uint64_t{place->instruction});
  }
  if (i.trace_metadata()) {
    const auto kind = operand_of(e.operation);
    if (const auto* m = i.trace_metadata()->memory.find(e.decor);
        m != nullptr && kind == rapidbin::operand::variable)
      j.key("address").hex(m->address).key("access_width").number(std::uint64_t{m->access_width});
    if (const auto* l = i.trace_metadata()->locks.find(e.decor);
        l != nullptr && kind == rapidbin::operand::lock)
      j.key("lock").hex(*l);
  }
  j.end_object();
  s += '\n';
}

}  // namespace view
