#pragma once
#include "../check.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "../../file/check_engine.hpp"
#include "../check/soundness.hpp"
#include "../reader.hpp"
#include "../reader/occurring_ids.hpp"
#include "../reader/std_reader.hpp"
#include "../trace_file.hpp"

namespace tracecodec::rapidbin {

namespace detail {

class checker
    : file::check_engine<checker, findings<check_rules, rule, check_summary, on_finding>> {
  using engine =
      file::check_engine<checker, findings<check_rules, rule, check_summary, on_finding>>;
  friend engine;

 public:
  // Creates a checker. `names` points to the trace's metadata, or is null.
  checker(on_finding report, check_options options, const metadata* names)
      : engine(std::move(report), std::move(options)), names_(names) {}

  check_summary run(io::input in) {
    return engine::check<reader>(std::move(in), reader_options{.lenient = true});
  }
  check_summary run_std(io::input in) {
    std_options how;
    how.remark = [this](std_remark r, const std::string& message) {
      add(r == std_remark::two_spellings ? rule::two_spellings
          : r == std_remark::left_out    ? rule::left_out_lines
                                         : rule::more_columns,
          {}, {}, message);
    };
    return engine::check<std_reader>(std::move(in), std::move(how));
  }

 private:
  using engine::add, engine::sum;

  void not_opened(const trace_error& e) {
    add(engine::of_header(e) ? rule::header : rule::damaged, e.offset(), {}, e.message());
  }
  void opened(std_reader& trace) { take_names(trace); }
  void opened(reader& trace) {
    take_names(trace);
    declared_ = trace.declared();
    trace_file::for_each_negative(
        *declared_, [this](std::string_view field, std::size_t offset, std::int64_t count) {
          add(rule::header, offset, {}, std::string(field) + ": " + std::to_string(count));
        });
  }
  // Checks a batch of events. RapidBin files and STD text share this function, so that the compiler
  // inlines check_one() into the loop.
  [[gnu::noinline]] void batch(event_batch b) {
    for (std::size_t i = 0; i < b.size(); ++i) check_one(b.events[i], b.index(i));
  }
  // Adds a finding for the error `e`. Returns true if reading can continue, which is possible only
  // after a malformed line of STD text.
  bool failed(const trace_error& e, event_source&) {
    const bool line = e.record() && !declared_;
    add(line ? rule::bad_line : rule::damaged, e);
    return line;
  }
  void ended(std_reader&) { check_metadata(); }
  void ended(reader& trace) {
    check_end(trace);
    check_metadata();
  }

  // Adds names to the ids in messages. The names come from the STD text, or from the metadata of a
  // RapidBin file.
  void take_names(const event_source& trace) {
    const bool text = dynamic_cast<const std_reader*>(&trace) != nullptr;
    const bool named = !text && names_ != nullptr && !names_->names.empty();
    if (!named && !text) return;
    soundness_ = soundness([this, named, &trace](id_kind kind, std::uint64_t id) {
      const std::string* const name = trace.name_of(kind, id);
      return name == nullptr && named ? names_->names.of(kind).find(id) : name;
    });
  }

  TRACECODEC_INLINE void check_one(const event& e, std::uint64_t index) {
    const auto broken = [&](rule r, const std::string& message) {
      at(index, r, message);
      return false;  // the event is still checked
    };
    if (e.sign) broken(rule::sign_bit, "the sign bit is set");
    if (!defined(e.operation))
      broken(rule::undefined_operation,
             "operation " + std::to_string(static_cast<unsigned>(e.operation)));
    const operand kind = operand_of(e.operation);
    if (declared_ && kind == operand::thread && e.decor > largest_thread)
      broken(rule::child_thread, "thread " + std::to_string(e.decor));
    if (declared_) check_counts(e, kind, broken);
    if (records_ != nullptr) check_names(e, kind, broken);
    soundness_.add(e, index, broken);
    ids_.add(e);
  }

  template <class Broken> void check_counts(const event& e, operand kind, Broken& broken) {
    const auto below = [&](std::uint64_t id, auto count, std::uint64_t& largest, const char* what) {
      // Report an id only if it is larger than all previous ids, because otherwise every event with
      // an id above the count would be reported.
      if (count <= 0 || id < static_cast<std::uint64_t>(count) || id <= largest) return;
      largest = id;
      broken(rule::id_above_count, std::string(what) + ' ' + std::to_string(id) +
                                       ", the header declares " + std::to_string(count));
    };
    below(e.thread, declared_->threads, largest_thread_, "thread");
    if (kind == operand::thread)
      below(e.decor, declared_->threads, largest_thread_, "thread");
    else if (kind == operand::lock)
      below(e.decor, declared_->locks, largest_lock_, "lock");
    else if (kind == operand::variable)
      below(e.decor, declared_->variables, largest_variable_, "variable");
  }

  template <class Broken> void check_names(const event& e, operand kind, Broken& broken) {
    const auto named = [&](const auto& table, rule r, id_set& missed, std::uint64_t id,
                           const char* what) {
      if (table.find(id) == nullptr && missed.insert(id))
        broken(r, std::string(what) + ' ' + std::to_string(id) + " is not in the metadata");
    };
    named(records_->threads, rule::unnamed_thread, missed_.threads, e.thread, "thread");
    if (kind == operand::thread)
      named(records_->threads, rule::unnamed_thread, missed_.threads, e.decor, "thread");
    else if (kind == operand::lock)
      named(records_->locks, rule::unnamed_lock, missed_.locks, e.decor, "lock");
    else if (kind == operand::variable)
      named(records_->memory, rule::unnamed_variable, missed_.variables, e.decor, "variable");
    named(records_->locations, rule::unnamed_location, missed_.locations, e.location, "location");
  }

  // Reports differences between the header and the events.
  void check_end(reader& trace) {
    const header& h = *declared_;
    const std::uint64_t events = counted().events();
    const std::uint64_t end = header_codec::size + events * event_codec::size;
    if (const std::size_t rest = trace.trailing_bytes(); rest != 0)
      add(rule::trailing_bytes, end, events,
          std::to_string(rest) + (rest == 1 ? " byte" : " bytes") + " after the last event");
    if (h == header{}) {
      if (events != 0)
        add(rule::unfinished, header_codec::offset_of<&header::threads>, {},
            "the header is zero before " + std::to_string(events) + " events");
      return;
    }
    const auto compare = [this]<auto Field>(rule r, std::uint64_t there) {
      const auto said = (*declared_).*Field;
      if (said >= 0 && static_cast<std::uint64_t>(said) != there)
        add(r, header_codec::offset_of<Field>, {},
            "the header declares " + std::to_string(said) + ", but there are " +
                std::to_string(there));
    };
    compare.template operator()<&header::events>(rule::event_count, events);
    compare.template operator()<&header::threads>(rule::thread_count, counted().threads());
    compare.template operator()<&header::locks>(rule::lock_count, counted().locks());
    compare.template operator()<&header::variables>(rule::variable_count, counted().variables());
  }

  // Adds a finding if the metadata has more ids than the trace. In the opposite case, check_names()
  // reports the ids that the metadata lacks.
  void check_metadata() {
    if (records_ == nullptr) return;
    const auto report = [this](const char* kind, std::uint64_t n, std::uint64_t there) {
      if (n > there)
        add(rule::metadata_count, {}, {},
            "the metadata has " + std::to_string(n) + ' ' + kind + ", but the trace has " +
                std::to_string(there));
    };
    for_each_other_count(*records_, counts_of(ids_), report);
  }

  void closing() {
    soundness_.finish([this](const held_lock& l) {
      at(l.index, rule::held_at_end,
         soundness_.name_of(id_kind::thread, l.thread) + " still holds " +
             soundness_.name_of(id_kind::lock, l.lock) + " at the end");
    });
    if (records_ != nullptr) check_overlaps();
    sum().events = counted().events();
    sum().threads = counted().threads();
    sum().locks = counted().locks();
    sum().variables = counted().variables();
  }

  void check_overlaps() {
    const auto report = [this](const overlap& o) {
      if (o.threads.empty()) return;
      add(rule::overlapping_variables, {}, {},
          "variables " + std::to_string(o.first) + " and " + std::to_string(o.second) + " share " +
              std::to_string(o.bytes) + (o.bytes == 1 ? " byte at " : " bytes at ") +
              hex(o.address) + ", and " + std::to_string(o.threads.size()) +
              (o.threads.size() == 1 ? " thread" : " threads"));
    };
    // Overlaps are rare in real programs. A malicious file could contain a huge number of
    // overlapping pairs, so a limit bounds the time.
    const std::uint64_t most = 250'000 + 16 * std::uint64_t{records_->memory.size()};
    if (!overlaps(*records_, report, most))
      add(rule::overlapping_variables, {}, {},
          "and more: too many overlap for all of them to be compared");
  }

  void at(std::uint64_t index, rule r, const std::string& message) {
    std::optional<std::uint64_t> offset;
    if (declared_) offset = header_codec::size + index * event_codec::size;
    add(r, offset, index, message);
  }
  [[nodiscard]] const counter& counted() const { return ids_.counted(); }

  struct missing {
    id_set threads = {}, locks = {}, variables = {}, locations = {};
  };
  const metadata* names_;
  // Metadata to compare with the trace, or null if the trace has no metadata or if the metadata
  // contains only names.
  const metadata* records_ = names_ != nullptr && names_->has_records() ? names_ : nullptr;
  std::optional<header> declared_ = {};  // header of a RapidBin file; nullopt for STD text
  occurring_ids ids_ = {};
  soundness soundness_ = {};
  missing missed_ = {};
  std::uint64_t largest_thread_ = 0, largest_lock_ = 0, largest_variable_ = 0;
};

}  // namespace detail

TRACECODEC_FUNC check_summary check(io::input in, on_finding report, check_options options,
                                    const metadata* names) {
  return detail::checker(std::move(report), std::move(options), names).run(std::move(in));
}

TRACECODEC_FUNC check_summary check_std(io::input in, on_finding report, check_options options,
                                        const metadata* names) {
  return detail::checker(std::move(report), std::move(options), names).run_std(std::move(in));
}

}  // namespace tracecodec::rapidbin
