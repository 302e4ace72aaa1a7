// Implementation of umtracer/from_x86/writer.hpp.
#pragma once
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <unordered_map>

#include "../../../io/hash.hpp"
#include "../../../x86/cache.hpp"
#include "../writer.hpp"

namespace tracecodec::umtracer::detail {

struct x86_steps::program {
  struct place {
    std::uint64_t ip;
    x86::detail::opcode_key code;
    friend constexpr bool operator==(const place&, const place&) = default;
  };
  struct place_hash {
    std::size_t operator()(const place& p) const noexcept {
      return io::keyed_hash()(p.ip, p.code.low, p.code.high);
    }
  };
  struct cached {
    place at = {};
    const x86_row* row = nullptr;
  };

  x86::any_disassembler code;
  // Use a deque, which never moves its elements, because x86_row stores pointers to elements.
  std::deque<x86_form> forms = {};
  std::unordered_map<place, const x86_form*, place_hash> form_of_code = {};  // ip is 0 in all keys
  std::unordered_map<place, x86_row, place_hash> rows = {};
  std::vector<cached> recent = std::vector<cached>(8192);
  std::map<std::uint32_t, thread_state> threads = {};  // keyed by win_tid
  thread_state* last_thread = nullptr;                 // state of thread last_tid
  std::uint32_t last_tid = 0;
};

TRACECODEC_FUNC x86_steps::x86_steps(const std::string& folder, x86::any_disassembler code,
                                     std::uint64_t most_bytes)
    : code64_(code.mode() == wire::target::x64),
      map_(std::make_unique<x86_register_map>()),
      out_(folder, map_->file(), {.most_bytes = most_bytes}),
      context_(map_->dump_size()),
      program_(std::make_unique<program>(program{std::move(code)})) {}
TRACECODEC_FUNC x86_steps::x86_steps(x86_steps&&) noexcept = default;
TRACECODEC_FUNC x86_steps& x86_steps::operator=(x86_steps&&) noexcept = default;
TRACECODEC_FUNC x86_steps::~x86_steps() = default;

TRACECODEC_FUNC void x86_steps::set_xml(std::string text) { out_.set_xml(std::move(text)); }

TRACECODEC_FUNC const x86_row& x86_steps::row(std::uint64_t ip, std::span<const std::byte> code) {
  program& p = *program_;
  const program::place at{ip, x86::detail::key_of(code)};
  program::cached& c = p.recent[program::place_hash()(at) % p.recent.size()];
  if (c.row != nullptr && c.at == at) [[likely]]
    return *c.row;
  const auto [found, added] = p.rows.try_emplace(at);
  if (added) {
    const x86_form*& form = p.form_of_code.try_emplace({0, at.code}).first->second;
    if (form == nullptr)
      form = &p.forms.emplace_back(form_of(*map_, code64_, p.code.decode(code), code));
    const std::string text = p.code.text(code, ip);
    found->second = {out_.add_instruction({.type = form->type,
                                           .code64 = code64_,
                                           .address = ip,
                                           .code = code,
                                           .text = text,
                                           .decoded = form->decoded_at(ip),
                                           .slots = form->slots}),
                     form};
  }
  c = {at, &found->second};
  return *c.row;
}

TRACECODEC_FUNC void x86_steps::finish(const std::function<void(double)>& passed) {
  for (auto& [tid, t] : program_->threads) {
    if (!t.form->after.empty()) t.flags |= exec_flags::unreliable_outputs;
    if (!x86::taken(t.form->what, t.state).value_or(true)) mark_branch(t, false);
    put(t);
  }
  out_.finish(passed);
}

TRACECODEC_FUNC x86_steps::thread_state& x86_steps::thread(std::uint32_t win_tid) {
  program& p = *program_;
  if (p.last_thread == nullptr || p.last_tid != win_tid) [[unlikely]] {
    p.last_thread = &p.threads[win_tid];  // elements of the map keep their addresses
    p.last_tid = win_tid;
  }
  return *p.last_thread;
}

TRACECODEC_FUNC void x86_steps::put(const thread_state& t) {
  out_.instruction({t.id, t.sequence}, t.flags, t.row, t.values);
}

}  // namespace tracecodec::umtracer::detail
