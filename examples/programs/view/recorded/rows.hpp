// Rows of instructions with recorded states (feed/recorded_state.hpp).
#pragma once
#include <tracecodec/feed/recorded_rows.hpp>
#include <tracecodec/rows/json_lines.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../../common/text.hpp"
#include "../parts.hpp"
#include "../rows_of.hpp"
#include "memory.hpp"

namespace view {

// Rows of the feed `Feed`. RowOf(index, record, registers) returns the row for JSON, which contains
// all registers if `registers` is true.
template <class Feed, auto RowOf> class recorded_rows final : public shown_rows {
  using feed_set = tracecodec::feed::register_set;

 public:
  recorded_rows(const made_columns<Feed>& from, const std::string& path,
                const tracecodec::format::open_options& as, const shown_besides& besides)
      : from_(from), effects_(besides.effects) {
    for (const std::string& name : besides.registers) {
      const auto found = name == "general" ? std::nullopt : register_named(from.feed(), name);
      if (!found && name != "general")
        throw examples::usage_error("--registers: no register '" + name + "' in this trace");
      if (found) registers_.emplace_back(name, *found);
      all_ = all_ || !found;
    }
    if (besides.memory) memory_ = std::make_unique<recorded_memory>(path, as, *besides.memory);
  }

  void add(std::string& s, form f, std::uint64_t index, std::size_t row,
           const tracecodec::program_map& places) override {
    const auto i = from_.last_batch()[row];
    if (f == form::json) {
      tracecodec::rows::json_form::add(s, RowOf(index, i.record(), all_ || !registers_.empty()));
      if (memory_)
        add_member(s, "memory_at", [&](examples::json& j) { add_dump(j, memory_->before(index)); });
    } else if (f == form::detail) {
      add_detail(s, index, i);
    } else {
      add_compact(s, index, i);
    }
    add_place_of(s, f, index, i, places);
  }

 private:
  // Adds the name and the value of each selected register, such as "rsp 0x13ff28".
  template <class I, class Add> void each_register(const I& i, bool usual, Add add) const {
    const feed_set& set = i.record().set();
    if (all_ || (usual && registers_.empty()))
      for (std::size_t n = 0; n != set.words.size(); ++n)
        if (set.words[n].number != tracecodec::feed::instruction_pointer)
          add(tracecodec::feed::name_of_word(set, n), i.record().before(n), set.words[n].size);
    for (const auto& [name, part] : registers_) {
      std::optional<std::uint64_t> value;
      for_each_value_of(i, part, [&value](std::uint64_t v, bool after) {
        if (!after) value = v;
      });
      add(name, value, part.size);
    }
  }
  static void add_value(std::string& s, const std::optional<std::uint64_t>& v) {
    if (v)
      examples::add_hex(s, *v);
    else
      s += "unknown";
  }
  // Calls add(name, before, after) for each register that the instruction changes.
  template <class I, class Add> static void each_change(const I& i, Add add) {
    const feed_set& set = i.record().set();
    for (const tracecodec::feed::register_change& c : i.record().changes())
      if (set.words[c.word].number != tracecodec::feed::instruction_pointer)
        add(tracecodec::feed::name_of_word(set, c.word), i.record().before(c.word), c.value);
  }

  // Adds a compact row, such as:
  //   [     1] 0x00000001400041a0 | direct_call | BR(T) | D_M['0x13ff28']
  template <class I> void add_compact(std::string& s, std::uint64_t index, const I& i) {
    add_start(s, index, i.ip());
    if (i.is_branch()) {
      (s += " | ") += name(i.branch());
      s += i.taken() ? " | BR(T)" : " | BR(N)";
    }
    const auto address = [&s](std::uint64_t v) { add_quoted(s, v); };
    add_part(s, "D_M", i.destination_memory(), address);
    add_part(s, "S_M", i.source_memory(), address);
    each_register(i, false, [&s](const std::string& name, const auto& value, std::size_t) {
      ((s += " | ") += name) += ' ';
      add_value(s, value);
    });
    if (effects_) {
      each_change(i, [&s](const std::string& name, const auto& before, std::uint64_t after) {
        ((s += " | ") += name) += ": ";
        add_value(s, before);
        examples::add_hex(s += " -> ", after);
      });
      for (const auto& a : i.record().accesses())
        if (a.write && a.has_bytes) {
          examples::add_hex(s += " | [", a.address);
          tracecodec::rows::add_bytes(s += "] -> ", i.record().bytes_of(a));
        }
    }
    if (memory_) add_dump(s, memory_->before(index), form::compact, 0);
    s += '\n';
  }
  // Adds each detail on its own line, and then the branch class and target.
  template <class I> void add_detail(std::string& s, std::uint64_t index, const I& i) {
    s += "Instruction ";
    examples::add_number(s, index);
    s += '\n';
    add_label(s, "ip");
    examples::add_hex(s, i.ip(), 16);
    s += '\n';
    each_register(i, true, [&s](const std::string& name, const auto& value, std::size_t size) {
      if (!value) return;
      add_label(s, name);
      examples::add_hex(s, *value, 2 * size);
      s += '\n';
    });
    bool first = true;
    each_change(i, [&](const std::string& name, const auto& before, std::uint64_t after) {
      add_label(s, std::exchange(first, false) ? "changes" : "");
      examples::add_left(s, name, 6);
      add_value(s += ' ', before);
      examples::add_hex(s += " -> ", after);
      s += '\n';
    });
    for (const auto& a : i.record().accesses()) {
      add_label(s, a.write ? "writes" : "reads");
      examples::add_hex(s, a.address, 16);
      s += ", " + std::to_string(a.size) + (a.size == 1 ? " byte" : " bytes");
      if (a.has_bytes) tracecodec::rows::add_bytes(s += ": ", i.record().bytes_of(a));
      s += '\n';
    }
    if (memory_) add_dump(s, memory_->before(index), form::detail, 16);
    add_outcome(s, i);
  }

  const made_columns<Feed>& from_;
  std::vector<std::pair<std::string, tracecodec::feed::register_part>> registers_ = {};
  bool all_ = false, effects_;
  std::unique_ptr<recorded_memory> memory_ = {};
};

}  // namespace view
