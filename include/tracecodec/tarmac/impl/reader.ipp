#pragma once
#include "../reader.hpp"

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
      now_(std::make_unique<progress_state>(progress_state{.set = first})),
      set_(is_x86(first) ? &x86::general_registers() : &arm::registers()),
      recorder_(*set_) {
  if (set_ != &arm::registers())
    disassembler_ =
        x86::make_disassembler(first == state::x64 ? wire::target::x64 : wire::target::x86);
}

TRACECODEC_FUNC bool trace_reader::make(std::vector<instruction>& to) {
  recorder_.begin(to.size());
  auto& all = now_->text.lines;
  const std::uint64_t used = to.empty() ? now_->first : to.front().first_;
  all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(used - now_->dropped));
  now_->dropped = used;
  now_->text.text.drop(all.empty() ? now_->text.text.end() : all.front().start);
  for (const std::size_t enough = to.size() + batch_size; to.size() != enough;) {
    const std::size_t before = all.size();
    try {
      const auto text = lines_.next();
      if (text && !lines_.is_whole())
        throw lines_.error(trace_errc::truncated, {},
                           "the text ends inside a line, or without a line feed");
      if (text) parser_.parse(*text, now_->text, &lines_);
      if (!text) return complete(to, nullptr), false;
      if (now_->end() - now_->first > most_lines)
        throw lines_.error(trace_errc::unsupported, {},
                           "more than 65536 lines without an instruction");
    } catch (const trace_error&) {
      all.resize(before);
      complete(to, nullptr);
      throw;
    }
    for (std::size_t n = before; n != all.size(); ++n) take(to, all[n]);
  }
  return true;
}

TRACECODEC_FUNC void trace_reader::take(std::vector<instruction>& to, const line& l) {
  if (now_->others.size() > most_processors)
    throw lines_.error(trace_errc::unsupported, {}, "more than 4096 processors");
  if (l.kind == line_kind::instruction) {
    if (now_->open) complete(to, &l);
    if (!now_->open) now_->before = now_->text.lines.size() - 1;
    now_->open = true;
    now_->set = l.state;
    if (l.source == now_->source) return;
    now_->others[now_->source] = recorder_.before();
    now_->source = l.source;
    recorder_.before() = now_->others[l.source];
    return;
  }
  const bool own = l.source == now_->source;
  if (l.kind == line_kind::reg && l.known)
    set_register(l, own);
  else if ((l.kind == line_kind::read || l.kind == line_kind::write) && own && now_->open)
    l.known
        ? recorder_.access(l.address, now_->text.text.bytes(l.bytes), l.kind == line_kind::write)
        : recorder_.access(l.address, l.bytes.size, l.kind == line_kind::write);
}

// Sets a register. Values of another processor are those before its next instruction.
TRACECODEC_FUNC void trace_reader::set_register(const line& l, bool own) {
  const std::string_view name = now_->text.text.text(l.text);
  const auto part =
      is_x86(now_->set) ? set_->find(name) : arm::find_part(name, detail::set_of(now_->set));
  if (!part) return;
  const auto bytes = now_->text.text.bytes(l.bytes);
  const std::size_t offset = std::size_t{part->offset} + l.offset;
  if (own && now_->open)
    recorder_.change(part->number, offset, bytes);
  else
    recorder_.set(own ? recorder_.before() : now_->others[l.source], part->number, offset, bytes);
}

// Ends the current instruction, if there is one. `next` is the line of the next instruction, or null.
TRACECODEC_FUNC void trace_reader::complete(std::vector<instruction>& to, const line* next) {
  if (!now_->open) return;
  instruction i;
  i.from_ = &now_->text;
  i.dropped_ = &now_->dropped;
  i.first_ = now_->first;
  i.count_ = static_cast<std::size_t>(now_->end() - now_->first) - (next != nullptr ? 1 : 0);
  i.before_ = std::exchange(now_->before, 0);
  i.ip = i.own().address;
  now_->first += i.count_;
  if (next == nullptr) now_->open = false;
  decode(i, next != nullptr && next->source == i.source() ? next : nullptr);
  to.push_back(i);
}

TRACECODEC_FUNC void trace_reader::decode(instruction& i, const line* next) {
  using feed::branch_class;
  const line& own = i.own();
  const auto code = i.code();
  x86::instruction d;
  if (!is_x86(own.state))
    d = arm::decode(detail::set_of(own.state), code);
  else if (disassembler_)
    d = disassembler_->decode(code);
  const std::uint64_t after = i.ip + code.size();
  const std::uint64_t direct =
      is_x86(own.state) ? x86::direct_target(d, i.ip).value_or(0) : arm::direct_target(d, i.ip);
  i.branch = static_cast<branch_class>(std::min(d.kind, x86::kind::not_branch));
  // The T32 instruction IT makes the next ones conditional.
  const bool governed = now_->conditional != 0 && own.state == state::t32;
  now_->conditional = governed                  ? now_->conditional - 1
                      : own.state == state::t32 ? arm::conditional_count(code)
                                                : 0;
  const bool is_branch = i.branch != branch_class::not_branch;
  if (is_branch && (governed || !own.executed)) i.branch = branch_class::conditional;
  i.taken = is_branch && own.executed;
  if (i.branch == branch_class::conditional && next != nullptr && direct != after)
    i.taken = next->address != after && (i.taken || next->address == direct);
  if (i.taken) i.target = direct != 0 ? direct : next != nullptr ? next->address : 0;
  recorder_.end(i, is_branch);
  i.operands = is_x86(own.state) ? x86::composed_operands(d, i.branch)
                                 : arm::operands_of(d, i.branch, own.executed, i.written());
}

}  // namespace tracecodec::tarmac
