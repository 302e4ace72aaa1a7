// Implementation of umtracer/from_x86/registers.hpp.
#pragma once
#include <string_view>
#include <utility>

#include "../registers.hpp"

namespace tracecodec::umtracer {

TRACECODEC_FUNC x86_register_map::x86_register_map() {
  add_general();
  add_vectors();
  add_x87();
  add_system();
  stack_push_ = add_name("STACKPUSH");
  stack_pop_ = add_name("STACKPOP");
  base_of_fs_ = add_name("FSBASE");
  base_of_gs_ = add_name("GSBASE");
}
TRACECODEC_FUNC x86_register_map::~x86_register_map() = default;
TRACECODEC_FUNC void x86_register_map::add(x86::reg r, std::vector<part> parts,
                                           std::size_t common) {
  std::uint16_t size = 0;
  const auto first = static_cast<std::uint16_t>(all_.size() + 1);
  const auto common_id = static_cast<std::uint16_t>(first + common);
  std::array<std::uint16_t, 2> largest{};
  for (part& p : parts) {
    const auto id = static_cast<std::uint16_t>(all_.size() + 1);
    names_.push_back(std::move(p.name));
    const auto place = [&](std::size_t mode, std::uint8_t n) -> register_info {
      if (n == 0) return {0xFFFF, 0, id};
      if (largest[mode] == 0) largest[mode] = id;
      if (size < n + p.shift) size = static_cast<std::uint16_t>(n + p.shift);
      return {static_cast<std::uint16_t>(dump_size_ + p.shift), n, largest[mode]};
    };
    all_.push_back({id, names_.back(), common_id, place(0, p.size32), place(1, p.size64)});
  }
  for (const std::size_t mode : {0U, 1U}) {
    // If contexts of neither mode contain the register, its common name represents the register.
    const std::uint16_t id = size == 0 ? common_id : largest[mode];
    if (id == 0 || r == x86::reg::none) continue;
    const register_info& i = mode == 0 ? all_[id - 1U].in32 : all_[id - 1U].in64;
    whole_[mode][x86::number(r)] = {id, common_id, i.offset, i.size};
  }
  dump_size_ = static_cast<std::uint16_t>(dump_size_ + size);
}
TRACECODEC_FUNC std::uint16_t x86_register_map::add_name(std::string name, x86::reg r) {
  add(r, {{std::move(name), 0, 0}});
  return static_cast<std::uint16_t>(all_.size());
}
TRACECODEC_FUNC void x86_register_map::add_names(const std::string& prefix, x86::reg first,
                                                 std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) add_name(prefix + std::to_string(i), x86::row(first, i));
}
TRACECODEC_FUNC void x86_register_map::add_general() {
  using x86::reg;
  for (const auto& [two, r] : detail::legacy_registers) {
    const std::string name(two);
    std::vector<part> parts{{"R" + name, 0, 8}, {"E" + name, 4, 4}, {name, 2, 2}};
    if (name[1] == 'X') {
      parts.push_back({name.substr(0, 1) + "L", 1, 1});
      parts.push_back({name.substr(0, 1) + "H", 1, 1, 1});
    } else {
      parts.push_back({name + "L", 0, 1});
    }
    add(r, std::move(parts), 2);
    if (r == reg::rax) al_ = {4, 3, 0, 1};  // AL has number 4, after RAX, EAX and AX
  }
  for (std::size_t i = 8; i < 16; ++i) {
    const std::string name = std::string("R") + std::to_string(i);
    add(x86::row(reg::r8, i - 8),
        {{name, 0, 8}, {name + "D", 0, 4}, {name + "W", 0, 2}, {name + "B", 0, 1}});
  }
  add(reg::flags, {{"RFLAGS", 0, 8}, {"EFLAGS", 4, 4}, {"FLAGS", 2, 2}}, 2);
  add(reg::ip, {{"RIP", 0, 8}, {"EIP", 4, 4}, {"IP", 2, 2}}, 2);
  constexpr std::array<std::string_view, 6> segments{"CS", "SS", "DS", "ES", "FS", "GS"};
  for (std::size_t i = 0; i < segments.size(); ++i)
    add(x86::row(reg::cs, i), {{std::string(segments[i]), 2, 2}});
}
TRACECODEC_FUNC void x86_register_map::add_vectors() {
  for (std::size_t i = 0; i < 32; ++i) {
    const std::string n = std::to_string(i);
    const auto size = [&](bool there, unsigned bytes) {
      return static_cast<std::uint8_t>(there ? bytes : 0);
    };
    add(x86::row(x86::reg::vector0, i),
        {{"YMM" + n, size(i < 8, 32), size(i < 16, 32)},
         {"XMM" + n, size(i < 8, 16), size(i < 16, 16)}},
        1);
  }
  add(x86::reg::mxcsr, {{"MXCSR", 4, 4}});
  add_names("K", x86::reg::mask0, 8);
}
TRACECODEC_FUNC void x86_register_map::add_x87() {
  for (std::size_t i = 0; i < 8; ++i) {
    add(x86::row(x86::reg::x87_0, i), {{std::string("ST") + std::to_string(i), 10, 10}});
    add(x86::row(x86::reg::mmx0, i), {{std::string("MMX") + std::to_string(i), 8, 8}});
  }
  add(x86::reg::x87_control, {{"X87CONTROL", 2, 2}});
  add(x86::reg::x87_status, {{"X87STATUS", 2, 2}});
  add(x86::reg::x87_tag, {{"X87TAG", 2, 2}});
}
TRACECODEC_FUNC void x86_register_map::add_system() {
  using x86::reg;
  for (std::size_t i = 0; i < 16; ++i) {
    const bool there = i < 4 || i == 6 || i == 7;
    add(x86::row(reg::debug0, i),
        {{std::string("DR") + std::to_string(i), static_cast<std::uint8_t>(there ? 4 : 0),
          static_cast<std::uint8_t>(there ? 8 : 0)}});
  }
  add_names("CR", reg::control0, 16);
  add_names("BND", reg::bound0, 4);
  add_names("TMM", reg::tile0, 8);
  for (const auto& [name, r] : {std::pair<const char*, reg>{"BNDCFGU", reg::bound_config},
                                {"BNDSTATUS", reg::bound_status},
                                {"GDTR", reg::gdtr},
                                {"LDTR", reg::ldtr},
                                {"IDTR", reg::idtr},
                                {"TR", reg::task},
                                {"PKRU", reg::pkru},
                                {"XCR0", reg::xcr0},
                                {"UIF", reg::user_interrupt}})
    add_name(name, r);
}

}  // namespace tracecodec::umtracer
