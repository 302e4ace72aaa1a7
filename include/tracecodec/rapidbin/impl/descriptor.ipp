// Implementation of rapidbin/descriptor.hpp.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../check.hpp"
#include "../descriptor.hpp"
#include "../layout.hpp"
#include "../open.hpp"
#include "../recognise.hpp"

namespace tracecodec::rapidbin {

namespace detail {

TRACECODEC_FUNC bool set_metadata(format::own_options& to, const std::string& value) {
  to.set(metadata_file{value});
  return true;
}
TRACECODEC_FUNC bool set_no_metadata(format::own_options& to, const std::string&) {
  to.set(metadata_file{});
  return true;
}
TRACECODEC_FUNC bool set_strict(format::own_options& to, const std::string&) {
  to.set(strict_text{});
  return true;
}

// Adds `value` to `ids` if `value` is a number without a letter, and to `names` otherwise. Returns
// false if `value` is empty.
TRACECODEC_FUNC bool choose(id_kind kind, id_set& ids, std::vector<std::string>& names,
                            const std::string& value) {
  if (const auto id = plain_id(kind, value))
    ids.insert(*id);
  else if (!value.empty())
    names.push_back(value);
  return !value.empty();
}
TRACECODEC_FUNC bool choose_thread(format::own_options& to, const std::string& value) {
  selection& s = to.edit<selection>();
  return choose(id_kind::thread, s.threads, s.names.threads, value);
}
TRACECODEC_FUNC bool choose_variable(format::own_options& to, const std::string& value) {
  selection& s = to.edit<selection>();
  return choose(id_kind::variable, s.variables, s.names.variables, value);
}
TRACECODEC_FUNC bool choose_lock(format::own_options& to, const std::string& value) {
  selection& s = to.edit<selection>();
  return choose(id_kind::lock, s.locks, s.names.locks, value);
}
TRACECODEC_FUNC bool choose_location(format::own_options& to, const std::string& value) {
  selection& s = to.edit<selection>();
  return choose(id_kind::location, s.locations, s.names.locations, value);
}

TRACECODEC_FUNC bool set_renumber(format::own_options& to, const std::string&) {
  to.set(as_renumbered{});
  return true;
}
TRACECODEC_FUNC bool set_well_formed(format::own_options& to, const std::string&) {
  to.set(as_well_formed{});
  return true;
}
TRACECODEC_FUNC bool set_dialect(format::own_options& to, const std::string& value) {
  if (value != "rapid" && value != "wasmgrind") return false;
  to.set(value == "rapid" ? dialect::rapid : dialect::wasmgrind);
  return true;
}

TRACECODEC_FUNC bool names_metadata(const format::own_options& in) {
  const auto* const file = in.get<metadata_file>();
  return file != nullptr && !file->path.empty();
}
TRACECODEC_FUNC bool selects_threads(const format::own_options& in) {
  const auto* const wanted = in.get<selection>();
  return wanted != nullptr && (wanted->threads.size() != 0 || !wanted->names.threads.empty());
}
TRACECODEC_FUNC bool selects_variables(const format::own_options& in) {
  const auto* const wanted = in.get<selection>();
  return wanted != nullptr && (wanted->variables.size() != 0 || !wanted->names.variables.empty());
}
TRACECODEC_FUNC bool selects_locks(const format::own_options& in) {
  const auto* const wanted = in.get<selection>();
  return wanted != nullptr && (wanted->locks.size() != 0 || !wanted->names.locks.empty());
}
TRACECODEC_FUNC bool selects_locations(const format::own_options& in) {
  const auto* const wanted = in.get<selection>();
  return wanted != nullptr && (wanted->locations.size() != 0 || !wanted->names.locations.empty());
}
TRACECODEC_FUNC std::string_view lacking_for_metadata(const format::own_options& in) {
  return names_metadata(in) ? "metadata" : "";
}
TRACECODEC_FUNC std::string_view lacking_for_selection(const format::own_options& in) {
  const auto* const wanted = in.get<selection>();
  if (wanted == nullptr || wanted->everything()) return "";
  return wanted->threads.size() != 0 ? "only RapidBin traces accept several threads (option thread)"
                                     : "events to select";
}

TRACECODEC_FUNC std::vector<std::string> files_of_metadata(const format::own_options& in) {
  if (!names_metadata(in)) return {};
  return {in.get<metadata_file>()->path};
}

TRACECODEC_FUNC std::string metadata_beside(const std::string& name) { return metadata_path(name); }

TRACECODEC_FUNC trace_feed open_feed(io::input in, bool text, const format::open_options& o) {
  auto names = metadata_of(in, text, o);
  open_options how{.text = text,
                   .lenient = o.repair,
                   .strict = o.own.has<strict_text>(),
                   .wanted = wanted_events(o),
                   .names = names ? &*names : nullptr};
  if (o.note)
    how.remark = [note = o.note, file = in.name()](std_remark, const std::string& message) {
      note(file + ": " + message);
    };
  auto events = open_events(std::move(in), std::move(how));
  return trace_feed(std::move(events), names ? address_map(std::move(*names)) : address_map());
}

}  // namespace detail

TRACECODEC_FUNC format::match descriptor::probe(const format::front& f) {
  switch (rapidbin::probe(f.bytes, f.size)) {
    case match::certain:
      return format::match::certain;
    case match::possible:
      return format::match::possible;
    case match::none:
      break;
  }
  return format::match::none;
}
TRACECODEC_FUNC format::match std_descriptor::probe(const format::front& f) {
  return begins_like_std(f.bytes) ? format::match::marked : format::match::none;
}

TRACECODEC_FUNC std::span<const format::layout> descriptor::layouts(bool) {
  static const std::array all{format::layout_of<header_codec>("Header", "header"),
                              format::layout_of<event_codec>("Event", "event")};
  return all;
}

TRACECODEC_FUNC void descriptor::about(format::opened from, format::statements& to) {
  std::array<std::byte, header_codec::size> bytes{};
  header h{};
  // If the file is too short, show nothing, because the reader reports the error.
  if (from.input->read(bytes) != bytes.size() || !header_codec::decode(bytes, h)) return;
  to.add("threads", std::to_string(h.threads));
  to.add("locks", std::to_string(h.locks));
  to.add("variables", std::to_string(h.variables));
  to.add("events", std::to_string(h.events));
}

TRACECODEC_FUNC format::check_summary descriptor::check(format::opened from,
                                                        const format::on_finding& report,
                                                        const check_options& how,
                                                        const format::open_options& o) {
  const auto names = metadata_of(from.name, o);
  const check_summary sum =
      rapidbin::check(std::move(*from.input), report, how, names ? &*names : nullptr);
  return format::summary_of(sum.events, sum);
}
TRACECODEC_FUNC format::check_summary std_descriptor::check(format::opened from,
                                                            const format::on_finding& report,
                                                            const check_options& how,
                                                            const format::open_options& o) {
  const auto names = metadata_of(from.name, o);
  const check_summary sum =
      check_std(std::move(*from.input), report, how, names ? &*names : nullptr);
  return format::summary_of(sum.events, sum);
}

}  // namespace tracecodec::rapidbin
