#pragma once
#include <algorithm>
#include <charconv>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "../../feed/operand_list.hpp"
#include "../../io/error.hpp"
#include "../../io/text/hex.hpp"
#include "../../x86/decode_flow.hpp"
#include "../../x86/general_registers.hpp"
#include "../../x86/make_disassembler.hpp"
#include "../data_flow.hpp"

namespace tracecodec::query {

namespace detail {

// Returns the size in bytes of a register of x86.
constexpr std::uint32_t size_of_x86(std::uint8_t number, bool is_32) noexcept {
  using x86::reg;
  const auto r = static_cast<reg>(number);
  const auto within = [r](reg first, reg end) { return r >= first && r < end; };
  if (within(reg::vector0, reg::mask0)) return 64;
  if (within(reg::x87_0, reg::x87_control)) return 16;
  if (within(reg::cs, reg::flags) || within(reg::x87_control, reg::mxcsr)) return 2;
  if (r == reg::mxcsr || (is_32 && (within(reg::rdi, reg::r8) || r == reg::flags))) return 4;
  if (within(reg::tile0, reg::control0)) return 1024;
  return 8;
}

inline bool is_named_again(const feed::column_source& trace, std::uint8_t number,
                           const std::string& name) {
  for (unsigned n = number + 1U; n != 256; ++n)
    if (trace.register_name(static_cast<std::uint8_t>(n)) == name) return true;
  return false;
}

}  // namespace detail

TRACECODEC_FUNC register_names::register_names(feed::column_source& trace)
    : trace_(&trace), own_(trace.has_own_registers()), mode_(trace.code_mode()) {
  const bool is_32 = mode_ == wire::target::x86;
  for (std::size_t n = 0; n != sizes_.size(); ++n) {
    const auto number = static_cast<std::uint8_t>(n);
    sizes_[n] = detail::size_of_x86(number, is_32);
    if (!own_) continue;
    sizes_[n] = 8;
    const std::string name = trace.register_name(number);
    if (name.empty()) continue;
    // ChampSim derives the class of a branch from a stack pointer with another number.
    marks_[n] = number == feed::stack_pointer && detail::is_named_again(trace, number, name);
    if (const auto size = trace.select_register(name); size && *size != 0 && *size <= 64)
      sizes_[n] = static_cast<std::uint32_t>(*size);
  }
}

TRACECODEC_FUNC void register_names::extend(std::uint8_t number, std::size_t size) {
  if (size > sizes_[number] && size <= 1024) sizes_[number] = static_cast<std::uint32_t>(size);
}

TRACECODEC_FUNC std::optional<place> register_names::find(const std::string& name) const {
  const std::string lower = x86::lower_case(name);
  const auto whole = [this](std::size_t n) {
    return place{0, sizes_[n], static_cast<std::uint8_t>(n)};
  };
  unsigned number = 0;
  const auto parsed = std::from_chars(lower.data(), lower.data() + lower.size(), number);
  if (parsed.ec == std::errc{} && parsed.ptr == lower.data() + lower.size()) {
    if (number == 0 || number > 255 || number == feed::instruction_pointer) return std::nullopt;
    return whole(number);
  }
  if (own_) {
    for (std::size_t n = 1; n != sizes_.size(); ++n)
      if (n != feed::instruction_pointer && !marks_[n] &&
          x86::lower_case(trace_->register_name(static_cast<std::uint8_t>(n))) == lower)
        return whole(n);
    return std::nullopt;
  }
  using x86::reg;
  if (const auto general = x86::find_general(lower)) {
    if (general->number == feed::instruction_pointer) return std::nullopt;
    if (general->offset + 0U + general->size > sizes_[general->number]) return std::nullopt;
    return place{general->offset, general->size, general->number};
  }
  if (lower == "rflags" || lower == "eflags") return whole(feed::flags);
  constexpr std::array<std::pair<std::string_view, std::uint32_t>, 3> vectors{
      {{"xmm", 16}, {"ymm", 32}, {"zmm", 64}}};
  for (std::size_t n = 1; n != sizes_.size(); ++n) {
    const auto r = static_cast<reg>(n);
    if (n != feed::instruction_pointer && x86::name(r).view() == lower) return whole(n);
    if (r < reg::vector0 || r >= reg::mask0) continue;
    const std::string digits = std::to_string(n - x86::number(reg::vector0));
    for (const auto& [prefix, size] : vectors)
      if (lower == std::string(prefix) + digits)
        return place{0, size, static_cast<std::uint8_t>(n)};
  }
  return std::nullopt;
}

TRACECODEC_FUNC std::string register_names::name(std::uint8_t number) const {
  if (own_) {
    std::string s = trace_->register_name(number);
    return s.empty() ? "r#" + std::to_string(number) : s;
  }
  return mode_ == wire::target::x86 ? x86::name_of_32(number) : x86::name_of(number);
}

TRACECODEC_FUNC std::string register_names::name(const place& p) const {
  using x86::reg;
  if (p.is_memory()) return p.size > 1 ? hex(p.at) + '+' + std::to_string(p.size) : hex(p.at);
  const std::string whole = name(p.number);
  if (p.at == 0 && p.size == sizes_[p.number]) return whole;
  const auto r = static_cast<reg>(p.number);
  if (!own_ && r >= reg::rdi && r <= reg::r15) {
    static constexpr std::array<std::string_view, 5> suffixes{"", "b", "w", "", "d"};
    const bool has_letters = r >= reg::rbx && r <= reg::rax;
    const std::string base(x86::name(r).view().substr(1));
    if (p.at == 1 && p.size == 1 && has_letters) return std::string{base.front(), 'h'};
    if (p.at == 0 && (p.size == 1 || p.size == 2 || p.size == 4)) {
      if (r >= reg::r8) return 'r' + base + std::string(suffixes[p.size]);
      if (p.size == 4) return 'e' + base;
      if (p.size == 2) return base;
      return has_letters ? std::string{base.front(), 'l'} : base + 'l';
    }
  }
  if (!own_ && r >= reg::vector0 && r < reg::mask0 && p.at == 0 && (p.size == 16 || p.size == 32))
    return (p.size == 16 ? "xmm" : "ymm") + std::to_string(p.number - x86::number(reg::vector0));
  std::string s = whole + '[' + std::to_string(p.at);
  if (p.size > 1) s += '-' + std::to_string(p.at + p.size - 1);
  return s + ']';
}

TRACECODEC_FUNC std::vector<std::uint8_t> register_names::all() const {
  std::vector<std::uint8_t> found;
  for (unsigned n = 1; n != sizes_.size(); ++n) {
    const auto number = static_cast<std::uint8_t>(n);
    if (number == feed::instruction_pointer) continue;
    const bool is_general =
        number >= x86::number(x86::reg::rdi) &&
        number <= x86::number(mode_ == wire::target::x86 ? x86::reg::rax : x86::reg::r15);
    if (own_ ? !trace_->register_name(number).empty() && !marks_[n]
             : is_general || number == feed::flags)
      found.push_back(number);
  }
  return found;
}

// Flows of the codes that were decoded last.
struct flow_rows::code_cache {
  static constexpr std::size_t most = 65536;
  std::unordered_map<std::string, std::optional<x86::instruction_flow>> all = {};
  std::string key = {};

  const std::optional<x86::instruction_flow>& find(wire::target mode,
                                                   std::span<const std::byte> code) {
    key.assign(reinterpret_cast<const char*>(code.data()),  // NOLINT: bytes as characters
               std::min<std::size_t>(code.size(), 15));
    const auto found = all.find(key);
    if (found != all.end()) return found->second;
    if (all.size() == most) all.clear();
    return all.emplace(key, x86::flow_of(mode, code)).first->second;
  }
};

TRACECODEC_FUNC flow_rows::flow_rows(feed::column_source& trace, bool values)
    : names_(trace),
      all_registers_(trace.has_all_registers()),
      has_values_(values && trace.has().has(feed::column::memory_values)),
      has_register_values_(trace.has().has(feed::column::register_values)),
      lacks_sources_(all_registers_ && !trace.has().has(feed::column::code)),
      has_code_(names_.code_mode() && trace.has().has(feed::column::code) &&
                x86::make_disassembler(*names_.code_mode())),
      codes_(std::make_unique<code_cache>()) {
  using feed::column;
  columns_ = {column::ip, column::thread, column::memory};
  if (has_values_) columns_ |= {column::memory_values};
  // Instructions without known code have the flows of other traces.
  columns_ |= {column::destination_registers, column::source_registers, column::dropped_operands,
               column::is_branch};
  if (has_code())
    columns_ |= {column::code};
  else if (has_register_values_)
    columns_ |= {column::register_values};
}
TRACECODEC_FUNC flow_rows::~flow_rows() = default;

TRACECODEC_FUNC void flow_rows::clear() noexcept {
  rows_.clear();
  flows_.clear();
  sources_.clear();
  shown_.clear();
  bytes_.clear();
}

TRACECODEC_FUNC std::span<const flow> flow_rows::flows(std::size_t r) const noexcept {
  const std::size_t from = rows_[r].first_flow,
                    to = r + 1 == rows_.size() ? flows_.size() : rows_[r + 1].first_flow;
  return std::span(flows_).subspan(from, to - from);
}
TRACECODEC_FUNC std::span<const shown_memory> flow_rows::shown(std::size_t r) const noexcept {
  const std::size_t from = rows_[r].first_shown,
                    to = r + 1 == rows_.size() ? shown_.size() : rows_[r + 1].first_shown;
  return std::span(shown_).subspan(from, to - from);
}

TRACECODEC_FUNC void flow_rows::add(const feed::columns& batch, std::size_t rows) {
  if (rows_.empty()) first_ = batch.first();
  left_out_ += batch.left_out();
  for (std::size_t r = 0; r != rows; ++r) {
    rows_.push_back({batch.ip()[r], batch.thread()[r], static_cast<std::uint32_t>(flows_.size()),
                     static_cast<std::uint32_t>(shown_.size())});
    if (!has_code() || !add_exact(batch, r)) add_coarse(batch, r);
    if (has_values_) add_shown(batch.memory_values(), r);
  }
}

// Adds a flow whose sources are those from `first_source` on.
TRACECODEC_FUNC void flow_rows::add_flow(const place& to, flow_kind kind,
                                         std::size_t first_source) {
  flows_.push_back({to, kind, static_cast<std::uint32_t>(first_source),
                    static_cast<std::uint32_t>(sources_.size() - first_source)});
}

// Returns false if the code of the instruction is not known.
TRACECODEC_FUNC bool flow_rows::add_exact(const feed::columns& batch, std::size_t r) {
  const auto code = batch.code()[r];
  if (code.empty()) return false;
  const auto& f = codes_->find(*names_.code_mode(), code);
  if (f) bind(*f, batch.memory(), r);
  return f.has_value();
}

// Adds the flows of an instruction with the addresses of its accesses.
TRACECODEC_FUNC void flow_rows::bind(const x86::instruction_flow& f, const feed::memory_column& m,
                                     std::size_t r) {
  std::vector<std::size_t> reads, writes;
  for (std::size_t k = m.begin(r); k != m.end(r); ++k)
    (m.write[k] != 0 ? writes : reads).push_back(k);
  // Each step of a repeated instruction is one iteration, or none.
  if (f.repeated && reads.empty() && writes.empty()) return;
  const auto size_of = [&](std::size_t k) { return std::max<std::uint64_t>(m.size[k], 1); };
  const auto fits = [&](const x86::flow_bytes& b, const std::vector<std::size_t>& accesses) {
    return b.which != x86::reg::none || b.access >= accesses.size() ||
           m.size[accesses[b.access]] == 0 || b.offset + 0U + b.size <= m.size[accesses[b.access]];
  };
  bool matches = !f.varies && reads.size() == f.reads && writes.size() == f.writes;
  for (const x86::data_flow& one : f.flows) {
    matches = matches && fits(one.to, writes);
    for (const x86::flow_bytes& b : one.from) matches = matches && fits(b, reads);
  }
  const auto place_of = [&](const x86::flow_bytes& b, const std::vector<std::size_t>& accesses) {
    if (b.which != x86::reg::none) return place{b.offset, b.size, x86::number(b.which)};
    return place{m.address[accesses[b.access]] + b.offset, b.size, 0};
  };
  const auto whole = [&](std::size_t k) {
    return place{m.address[k], static_cast<std::uint32_t>(size_of(k)), 0};
  };
  for (const x86::data_flow& one : f.flows) {
    const std::size_t first = sources_.size();
    bool lacks_memory = false, all_memory = false;
    for (const x86::flow_bytes& b : one.from)
      if (matches || b.which != x86::reg::none) {
        sources_.push_back(place_of(b, reads));
      } else if (!all_memory) {
        for (const std::size_t k : reads) sources_.push_back(whole(k));
        all_memory = true;
        lacks_memory = reads.empty() || f.varies;
      }
    const bool copies = one.copies && (matches || !all_memory);
    // A masked store may leave bytes, which the trace does not show.
    const bool may_leave = f.masks && one.to.which == x86::reg::none;
    const flow_kind kind = f.outside                   ? flow_kind::outside
                           : lacks_memory || may_leave ? flow_kind::incomplete
                           : copies                    ? flow_kind::copy
                                                       : flow_kind::computation;
    if (matches || one.to.which != x86::reg::none) {
      add_flow(place_of(one.to, writes), kind, first);
    } else {
      for (const std::size_t k : writes)
        add_flow(whole(k), kind == flow_kind::copy ? flow_kind::computation : kind, first);
    }
  }
  if (f.addresses.empty()) return;
  const std::size_t first = sources_.size();
  for (const x86::flow_bytes& b : f.addresses) sources_.push_back(place_of(b, reads));
  add_flow({}, flow_kind::none, first);
}

// Adds flows in which every result depends on every operand that is read.
TRACECODEC_FUNC void flow_rows::add_coarse(const feed::columns& batch, std::size_t r) {
  const feed::register_values_column v = batch.register_values();
  const std::size_t begin = v.offsets.empty() ? 0 : v.begin(r),
                    end = v.offsets.empty() ? 0 : v.end(r);
  const auto has_value = [&](std::uint8_t number, bool after) {
    for (std::size_t k = begin; k != end; ++k)
      if (v.number[k] == number && (v.after[k] != 0) == after) return true;
    return false;
  };
  // Calls f() for the bytes of a register of which the trace has values, or for the whole register.
  const auto each_part = [&](std::uint8_t number, bool after, auto f) {
    if (!has_value(number, after)) return f(place{0, names_.size(number), number});
    for (std::size_t k = begin; k != end; ++k)
      if (v.number[k] == number && (v.after[k] != 0) == after)
        f(place{v.offset[k], v.size[k], number});
  };
  for (std::size_t k = begin; k != end; ++k)
    names_.extend(v.number[k], std::size_t{v.offset[k]} + v.size[k]);
  const bool is_branch = batch.is_branch()[r] != 0;
  const std::size_t first = sources_.size();
  for (const std::uint8_t number : batch.source_registers()[r]) {
    // A branch may read registers that only mark its class.
    const bool is_mark =
        number == 0 || number == feed::instruction_pointer || names_.is_mark(number) ||
        (is_branch && (number == feed::unnamed_source ||
                       (names_.are_x86() && number == x86::number(x86::reg::from_memory))));
    if (is_mark) continue;
    // All registers before the instruction are values of the whole state, not operands.
    if (all_registers_)
      sources_.push_back({0, names_.size(number), number});
    else
      each_part(number, false, [&](const place& p) { sources_.push_back(p); });
  }
  const feed::memory_column& m = batch.memory();
  const auto memory = [&](std::size_t k) {
    return place{m.address[k], static_cast<std::uint32_t>(std::max<std::uint64_t>(m.size[k], 1)),
                 0};
  };
  for (std::size_t k = m.begin(r); k != m.end(r); ++k)
    if (m.write[k] == 0) sources_.push_back(memory(k));
  // A trace with all registers, but no code, does not have the registers that are read.
  const bool is_incomplete = lacks_sources_ || batch.dropped_operands()[r] != 0;
  const std::size_t count = flows_.size();
  const flow_kind kind = is_incomplete ? flow_kind::incomplete : flow_kind::computation;
  // A write of 32 bits clears the rest of a 64-bit register.
  const auto written = [this](place p) {
    const auto n = static_cast<x86::reg>(p.number);
    if (names_.are_x86() && n >= x86::reg::rdi && n <= x86::reg::r15 && p.at == 0 && p.size == 4)
      p.size = names_.size(p.number);
    return p;
  };
  for (const std::uint8_t number : batch.destination_registers()[r])
    if (number != 0 && number != feed::instruction_pointer && !names_.is_mark(number))
      each_part(number, true, [&](const place& p) { add_flow(written(p), kind, first); });
  for (std::size_t k = begin; k != end; ++k) {
    const auto& listed = batch.destination_registers()[r];
    if (v.after[k] != 0 && v.number[k] != feed::instruction_pointer &&
        std::find(listed.begin(), listed.end(), v.number[k]) == listed.end())
      add_flow({v.offset[k], v.size[k], v.number[k]}, flow_kind::incomplete, first);
  }
  // A store without any register is one of a format without registers, or of a constant.
  const bool has_registers = batch.source_registers().count(r) != 0;
  for (std::size_t k = m.begin(r); k != m.end(r); ++k)
    if (m.write[k] != 0) add_flow(memory(k), has_registers ? kind : flow_kind::incomplete, first);
  if (flows_.size() == count && sources_.size() != first) add_flow({}, flow_kind::none, first);
}

TRACECODEC_FUNC void flow_rows::add_shown(const feed::memory_values_column& m, std::size_t r) {
  for (std::size_t k = m.begin(r); k != m.end(r); ++k) {
    if (m.trusted[k] == 0) continue;
    const auto bytes = m.bytes[k];
    shown_.push_back(
        {m.address[k], m.after[k] != 0, static_cast<std::uint32_t>(bytes.size()), bytes_.size()});
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }
}

// Reads the window from `begin` up to the end of what is left. Returns false if it has too many
// entries.
TRACECODEC_FUNC bool backward_rows::read(std::uint64_t begin) {
  rows_->clear();
  trace_->move_to(begin);
  trace_->want(rows_->columns());
  while (trace_->position() < end_) {
    const std::uint64_t left = end_ - trace_->position();
    if (!trace_->next(batch_, static_cast<std::size_t>(
                                  std::min<std::uint64_t>(left, feed::columns::most_rows))))
      break;
    rows_->add(batch_, batch_.size());
    if (rows_->entries() > most_entries && end_ - begin > 1) return false;
  }
  return true;
}

TRACECODEC_FUNC bool backward_rows::previous() {
  while (left_ == 0) {
    if (end_ == 0) return false;
    std::uint64_t begin = end_ - std::min(end_, window_);
    while (!read(begin)) {
      window_ = std::max<std::uint64_t>(window_ / 16, 1);
      begin = end_ - std::min(end_, window_);
    }
    window_ = std::clamp(window_ * 4, smallest_window, largest_window);
    // The trace may end before.
    left_ = rows_->size();
    end_ = begin;
  }
  --left_;
  return true;
}

TRACECODEC_FUNC forward_rows::forward_rows(feed::column_source& trace, flow_rows& rows,
                                           std::uint64_t from)
    : trace_(&trace), rows_(&rows) {
  trace.move_to(from);
  rows.clear();
}
TRACECODEC_FUNC bool forward_rows::next() {
  if (row_ + 1 < rows_->size()) {
    ++row_;
    return true;
  }
  rows_->clear();
  row_ = 0;
  trace_->want(rows_->columns());
  if (!trace_->next(batch_, 1024)) return false;
  rows_->add(batch_, batch_.size());
  return true;
}

TRACECODEC_FUNC std::uint32_t thread_at(feed::column_source& trace, std::uint64_t at) {
  feed::columns batch;
  trace.want({feed::column::thread});
  trace.move_to(at);
  if (trace.position() == at && trace.next(batch, 1)) return batch.thread()[0];
  const std::uint64_t end = trace.position();
  if (end != at)
    throw trace_error(trace_errc::refused, {.file = std::string(trace.name())},
                      "there is no instruction " + std::to_string(at) + ": the trace ends before " +
                          std::to_string(end));
  if (end == 0) return 0;
  trace.move_to(end - 1);
  return trace.next(batch, 1) ? batch.thread()[0] : 0;
}

}  // namespace tracecodec::query
