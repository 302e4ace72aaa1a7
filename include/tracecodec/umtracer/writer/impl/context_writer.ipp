// Implementation of umtracer/writer/context_writer.hpp.
#pragma once
#include <algorithm>
#include <cstring>
#include <string>

#include "../context_writer.hpp"

namespace tracecodec::umtracer {

TRACECODEC_FUNC std::size_t context_extent(const context_values& c) noexcept {
  std::size_t n = context_record_codec::size + c.registers.size();
  for (const memory_reference& m : c.memory) n += context_memory_codec::size + m.bytes.size();
  return n;
}

TRACECODEC_FUNC void encode_context(const context_values& c, std::byte* to) noexcept {
  std::byte* row = to + context_record_codec::size;
  std::byte* data = row + c.memory.size() * context_memory_codec::size;
  const auto put = [&](std::span<const std::byte> bytes) {
    wire::copy(bytes.data(), data, bytes.size());
    const std::int64_t at = data - to;
    data += bytes.size();
    return at;
  };
  context_record_codec::store({static_cast<std::uint32_t>(c.memory.size()), {put(c.registers)}},
                              to);
  for (const memory_reference& m : c.memory) {
    context_memory_codec::store(
        {m.address, static_cast<std::int64_t>(m.bytes.size()), {put(m.bytes)}}, row);
    row += context_memory_codec::size;
  }
}

TRACECODEC_FUNC std::vector<std::byte> make_context_map(
    std::uint16_t dump_size, std::span<const context_register> registers) {
  std::vector<std::byte> out(context_map_size);
  const auto at = [&](std::size_t offset, std::size_t size, std::size_t id) {
    return out.data() + offset + size * id;
  };
  for (std::size_t id = 0; id < context_registers; ++id)
    for (const std::size_t map : {map32_offset, map64_offset})
      register_info_codec::store({0xFFFF, 0, 0}, at(map, register_info_codec::size, id));
  std::vector<bool> taken(context_registers);
  std::uint16_t count = 0;
  for (const context_register& r : registers)
    if (r.id < context_registers) count = std::max(count, static_cast<std::uint16_t>(r.id + 1));
  for (const context_register& r : registers) {
    const auto refuse = [&](const char* field, const std::string& why) {
      throw trace_error(trace_errc::refused, {"context_map.itable", {}, r.id, field}, why);
    };
    if (r.id >= context_registers) refuse("id", "511 at most");
    if (taken[r.id]) refuse("id", "this register already exists");
    if (r.name.size() >= register_name_codec::size)
      refuse("name", std::string(r.name) + ": 15 characters at most");
    if (r.common_name >= count) refuse("common_name", "there is no register with this number");
    for (const register_info& i : {r.in32, r.in64})
      if (i.largest >= count) refuse("largest", "there is no register with this number");
    for (const register_info& i : {r.in32, r.in64})
      if (i.present() && std::size_t{i.offset} + i.size > dump_size)
        refuse("offset", "ends outside a context of " + std::to_string(dump_size) + " bytes");
    taken[r.id] = true;
    wire::u16le::store(r.common_name, at(common_name_offset, wire::u16le::size, r.id));
    if (!r.name.empty())
      std::memcpy(at(name_offset, register_name_codec::size, r.id), r.name.data(), r.name.size());
    register_info_codec::store(r.in32, at(map32_offset, register_info_codec::size, r.id));
    register_info_codec::store(r.in64, at(map64_offset, register_info_codec::size, r.id));
  }
  context_header_codec::store({dump_size, count}, out.data());
  return out;
}

}  // namespace tracecodec::umtracer
