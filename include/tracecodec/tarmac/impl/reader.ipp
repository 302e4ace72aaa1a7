#pragma once
#include "../reader.hpp"

#include <algorithm>
#include <utility>

#include "../../arm/operands.hpp"
#include "../../io/input/byte_order_mark.hpp"
#include "../../x86/composed_operands.hpp"
#include "../../x86/general_registers.hpp"
#include "../../x86/make_disassembler.hpp"

namespace tracecodec::tarmac {

namespace detail {
struct first_lines {
  state first = state::none;  // of the first instruction
  bool typical = false;       // true if there is an instruction, or a register with a time
};
// Looks at up to `most` whole lines before a malformed one.
inline first_lines look(std::string_view text, unsigned most) {
  line_parser parser;
  content all;
  first_lines found;
  try {
    for (std::size_t end = text.find('\n'); end != text.npos && most-- != 0;
         end = text.find('\n')) {
      const line_kind kind = parser.parse(text.substr(0, end), all, nullptr);
      found.typical = found.typical || kind == line_kind::instruction ||
                      (kind == line_kind::reg && text.front() != 'R');
      if (kind == line_kind::instruction && found.first == state::none)
        found.first = all.lines.back().state;
      text.remove_prefix(end + 1);
    }
  } catch (const trace_error&) {  // next() throws the error again
  }
  return found;
}
constexpr arm::instruction_set set_of(state s) noexcept {
  using enum arm::instruction_set;
  return s == state::a32 ? a32 : s == state::t32 ? t32 : a64;
}
}  // namespace detail

TRACECODEC_FUNC state first_state(io::input& in) {
  const auto front = in.peek(io::input::peek_limit);
  const std::string_view text(reinterpret_cast<const char*>(front.data()), front.size());
  return detail::look(io::without_byte_order_mark(text), ~0U).first;
}
TRACECODEC_FUNC bool begins_like_a_trace(std::string_view text) {
  return detail::look(text, 64).typical;
}

TRACECODEC_FUNC trace_reader::trace_reader(state first, io::input&& in)
    : lines_(std::move(in)),
      first_(first),
      set_(is_x86(first) ? &x86::general_registers : &arm::registers()),
      recorder_(*set_) {
  if (set_ != &arm::registers())
    disassembler_ =
        x86::make_disassembler(first == state::x64 ? wire::target::x64 : wire::target::x86);
  begin();
}

TRACECODEC_FUNC void trace_reader::begin() {
  parser_ = {};
  *now_ = {};
  now_->own = &now_->processors[0];
  now_->own->set = first_;
  recorder_ = feed::state_recorder<arm::word_count>(*set_);
}

TRACECODEC_FUNC bool trace_reader::make(std::vector<instruction>& to) {
  const std::size_t ready = to.size();
  to.insert(to.end(), now_->held.begin(), now_->held.end());
  now_->held.clear();
  recorder_.begin(to.size());
  auto& all = now_->text.lines;
  const std::uint64_t used = to.empty() ? now_->first : to.front().first_;
  all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(used - now_->dropped));
  now_->dropped = used;
  now_->text.text.drop(all.empty() ? now_->text.text.end() : all.front().start);
  const std::size_t enough = to.size() + batch_size;
  for (bool full = false; to.size() != enough && !full;) {
    const std::size_t before = all.size(), made = to.size();
    try {
      if (!read_line()) return complete(to, false), false;
    } catch (const trace_error&) {
      all.resize(before);
      complete(to, false);
      throw;
    }
    for (std::size_t n = before; n != all.size(); ++n) take(to, all[n]);
    full = to.size() != made && now_->is_full(used);
  }
  if (now_->is_full(used)) return true;
  auto from = to.begin() +
              static_cast<std::ptrdiff_t>(std::max(ready, to.size() - std::min(to.size(), reach)));
  from = std::find_if(from, to.end(), [](const instruction& i) { return i.awaits_; });
  now_->held.assign(from, to.end());
  to.erase(from, to.end());
  return true;
}

TRACECODEC_FUNC bool trace_reader::read_line() {
  const auto text = lines_.next();
  if (!text) return false;
  if (!lines_.is_whole())
    throw lines_.error(trace_errc::truncated, {},
                       "the text ends inside a line, or without a line feed");
  const auto& all = now_->text.lines;
  const std::size_t before = all.size();
  parser_.parse(*text, now_->text, &lines_);
  if (now_->is_full(now_->first))
    throw lines_.error(trace_errc::unsupported, {},
                       "more than 65536 lines, or 16 MiB of text, without an instruction");
  if (all.size() == before || all.back().source == now_->source) return true;
  if (now_->processors.try_emplace(all.back().source, processor{.set = first_}).second &&
      now_->processors.size() > most_processors)
    throw lines_.error(trace_errc::unsupported, "processor", "more than 4096 processors");
  return true;
}

TRACECODEC_FUNC void trace_reader::take(std::vector<instruction>& to, const line& l) {
  if (l.kind == line_kind::instruction) {
    complete(to, true);
    if (!now_->open) now_->before = now_->text.lines.size() - 1;
    now_->open = true;
    if (l.source != now_->source) {
      now_->own->registers = recorder_.before();
      now_->source = l.source;
      now_->own = &now_->processors.at(l.source);
      recorder_.before() = now_->own->registers;
    }
    now_->own->set = l.state;
    return decide(to, l.address);
  }
  if (l.kind == line_kind::reg && l.known)
    set_register(l);
  else if ((l.kind == line_kind::read || l.kind == line_kind::write) && l.source == now_->source &&
           now_->open)
    l.known
        ? recorder_.access(l.address, now_->text.text.bytes(l.bytes), l.kind == line_kind::write)
        : recorder_.access(l.address, l.bytes.size, l.kind == line_kind::write);
}

// Sets a register. Values of another processor are those before its next instruction.
TRACECODEC_FUNC void trace_reader::set_register(const line& l) {
  const bool own = l.source == now_->source;
  processor& p = own ? *now_->own : now_->processors.at(l.source);
  const std::string_view name = now_->text.text.text(l.text);
  const auto part =
      set_ == &arm::registers() ? arm::find_part(name, detail::set_of(p.set)) : set_->find(name);
  if (!part) return;
  const auto bytes = now_->text.text.bytes(l.bytes);
  const std::size_t offset = std::size_t{part->offset} + l.offset;
  if (own && now_->open)
    recorder_.change(part->number, offset, bytes);
  else
    recorder_.set(own ? recorder_.before() : p.registers, part->number, offset, bytes);
}

TRACECODEC_FUNC void trace_reader::complete(std::vector<instruction>& to, bool follows) {
  if (!now_->open) return;
  instruction i;
  i.from_ = &now_->text;
  i.dropped_ = &now_->dropped;
  i.first_ = now_->first;
  i.count_ = static_cast<std::size_t>(now_->end() - now_->first) - (follows ? 1 : 0);
  i.before_ = std::exchange(now_->before, 0);
  i.ip = i.own().address;
  now_->first += i.count_;
  now_->open = follows;
  decode(i);
  if (i.awaits_) now_->own->awaiting = now_->made;
  ++now_->made;
  to.push_back(i);
}

TRACECODEC_FUNC void trace_reader::decode(instruction& i) {
  using feed::branch_class;
  const line& own = i.own();
  const auto code = i.code();
  x86::instruction d;
  if (!is_x86(own.state))
    d = arm::decode(detail::set_of(own.state), code);
  else if (disassembler_)
    d = disassembler_->decode(code);
  i.direct_ =
      is_x86(own.state) ? x86::direct_target(d, i.ip).value_or(0) : arm::direct_target(d, i.ip);
  i.branch = static_cast<branch_class>(std::min(d.kind, x86::kind::not_branch));
  // The T32 instruction IT makes the next ones conditional.
  unsigned& conditional = now_->own->conditional;
  const bool governed = conditional != 0 && own.state == state::t32;
  conditional = governed                  ? conditional - 1
                : own.state == state::t32 ? arm::conditional_count(code)
                                          : 0;
  const bool is_branch = i.branch != branch_class::not_branch;
  if (is_branch && (governed || !own.executed)) i.branch = branch_class::conditional;
  i.taken = is_branch && own.executed;
  if (i.taken) i.target = i.direct_;
  i.awaits_ = i.branch == branch_class::conditional ? i.direct_ != i.ip + code.size()
                                                    : i.taken && i.direct_ == 0;
  recorder_.end(i, is_branch);
  i.operands = is_x86(own.state) ? x86::composed_operands(d, i.branch)
                                 : arm::operands_of(d, i.branch, own.executed, i.written());
}

TRACECODEC_FUNC void trace_reader::decide(std::vector<instruction>& to, std::uint64_t next) {
  const std::uint64_t number = std::exchange(now_->own->awaiting, processor::none);
  const std::uint64_t first = now_->made - to.size();
  if (number == processor::none || number < first) return;
  instruction& i = to[static_cast<std::size_t>(number - first)];
  i.awaits_ = false;
  if (i.branch == feed::branch_class::conditional)
    i.taken = next != i.ip + i.code().size() && (i.taken || next == i.direct_);
  i.target = !i.taken ? 0 : i.direct_ != 0 ? i.direct_ : next;
}

}  // namespace tracecodec::tarmac
