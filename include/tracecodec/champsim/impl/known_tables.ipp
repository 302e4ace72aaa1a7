// Implementation of champsim/known_tables.hpp.
#pragma once
#include <algorithm>
#include <array>
#include <cstring>

#include "../../file/record_table.hpp"
#include "../../wire/types/scalar.hpp"
#include "../known_tables.hpp"
#include "../record_size.hpp"

namespace tracecodec::champsim {

namespace detail {

inline constexpr std::string_view champsim2_text =
    R"(ChampSim's record of version 2: the standard one in its first 64 bytes, then physical addresses (0: not
known), widths in bytes and the contents of memory, 64 bytes for each operand.

Offset  Size  Field                     Type     Byte order
------  ----  ------------------------  -------  ----------
0       8     ip                        u64      little
8       1     is_branch                 u8
9       1     branch_taken              u8
10      2     destination_registers     u8[2]
12      4     source_registers          u8[4]
16      16    destination_memory        u64[2]   little
32      32    source_memory             u64[4]   little
64      16    destination_memory_pa     u64[2]   little
80      32    source_memory_pa          u64[4]   little
112     4     source_memory_size        u8[4]
116     2     destination_memory_size   u8[2]
118     1     privilege                 u8                  0 user, 1 kernel
119     1     instr_type                u8                  0 integer, 1 floating point, 2 vector
120     8     reserved                  u8[8]
128     256   source_memory_value       u8[256]
384     128   destination_memory_value  u8[128]
)";

// Header of a CHTRCV2 file: "CHTRCV2", a zero byte, the version 2, and the record size 72.
inline constexpr std::array<unsigned char, 16> chtrcv2_magic{'C', 'H', 'T', 'R', 'C', 'V', '2', 0,
                                                             2,   0,   0,   0,   72,  0,   0,   0};
inline constexpr std::string_view chtrcv2_text =
    R"(A ChampSim record that writes up to eight registers, after a file header with its version and size.

header: 16 43485452435632000200000048000000

Offset  Size  Field                  Type    Byte order
------  ----  ---------------------  ------  ----------
0       8     ip                     u64     little
8       1     is_branch              u8
9       1     branch_taken           u8
10      8     destination_registers  u8[8]
18      4     source_registers       u8[4]
22      2     (padding)
24      16    destination_memory     u64[2]  little
40      32    source_memory          u64[4]  little
)";

inline constexpr std::array<known_table, 2> all_tables{
    {{"champsim2", champsim2_text}, {"chtrcv2", chtrcv2_text}}};

// Returns true if the 512 bytes at `r` can be a champsim2 record.
TRACECODEC_FUNC bool may_be_champsim2(const std::byte* r) {
  const auto at_most = [r](std::size_t from, std::size_t n, unsigned most) {
    return std::all_of(r + from, r + from + n,
                       [most](std::byte b) { return std::to_integer<unsigned>(b) <= most; });
  };
  return wire::u64le::load(r) != 0 && at_most(8, 2, 1) && at_most(112, 6, 64) &&
         at_most(118, 1, 1) && at_most(119, 1, 2);
}

}  // namespace detail

TRACECODEC_FUNC std::span<const known_table> known_tables() noexcept { return detail::all_tables; }

TRACECODEC_FUNC const known_table* recognise_table(std::span<const std::byte> bytes) {
  if (bytes.size() >= detail::chtrcv2_magic.size() &&
      std::memcmp(bytes.data(), detail::chtrcv2_magic.data(), detail::chtrcv2_magic.size()) == 0)
    return &detail::all_tables[1];
  // Ignore a truncated last record, so that a truncated file is still recognised.
  constexpr std::size_t record = 512, judged = 32;
  const std::size_t n = std::min(bytes.size() / record, judged);
  if (n < 2) return nullptr;
  std::size_t near = 0, inside = 0;
  for (std::size_t i = 0; i != n; ++i) {
    const std::byte* const r = bytes.data() + i * record;
    if (!detail::may_be_champsim2(r)) return nullptr;
    // In a trace of ChampSim's own records without branches, the next ip is here.
    inside += follows_as_code(wire::u64le::load(r), wire::u64le::load(r + 64)) ? 1U : 0U;
    if (i + 1 != n)
      near += follows_as_code(wire::u64le::load(r), wire::u64le::load(r + record)) ? 1U : 0U;
  }
  return 3 * near >= n - 1 && 2 * inside < n ? &detail::all_tables[0] : nullptr;
}

TRACECODEC_FUNC file::record_table read_table(const std::string& name) {
  for (const known_table& t : known_tables())
    if (t.name == name) return file::parse_record_table(t.text, name);
  return file::read_record_table(name);
}

}  // namespace tracecodec::champsim
