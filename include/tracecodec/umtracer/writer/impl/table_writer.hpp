// Writes tables of fixed-size rows, and the strings that follow them.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "../../../io/output/folder_file.hpp"
#include "../../layout/common.hpp"
#include "shared_bytes.hpp"

namespace tracecodec::umtracer {

// Size in bytes of a table header, including the header of an extra area.
inline constexpr std::size_t long_header = table_header_codec::size + extra_header_codec::size;

// Returns the header of a table. The rows directly follow the header.
inline std::array<std::byte, table_header_codec::size> encode_header(std::uint32_t record_version,
                                                                     std::size_t rows,
                                                                     std::size_t row_size,
                                                                     std::size_t header_size) {
  std::array<std::byte, table_header_codec::size> out{};
  table_header_codec::store({0,
                             record_version,
                             static_cast<std::int64_t>(rows),
                             static_cast<std::int64_t>(row_size),
                             {static_cast<std::int64_t>(header_size)}},
                            out.data());
  return out;
}

// Returns the header of a table with an extra area. The rows directly follow the header, and the
// extra area follows the rows.
inline std::array<std::byte, long_header> encode_header(std::uint32_t record_version,
                                                        std::size_t rows, std::size_t row_size,
                                                        const shared_bytes& extra) {
  std::array<std::byte, long_header> out{};
  const auto front = encode_header(record_version, rows, row_size, long_header);
  std::memcpy(out.data(), front.data(), front.size());
  extra_header_codec::store({{static_cast<std::int64_t>(long_header + rows * row_size)},
                             static_cast<std::int64_t>(extra.size())},
                            out.data() + front.size());
  return out;
}

// Writes all pieces of the extra area in order. Throws trace_error(system) if the file cannot be
// written.
inline void write_extra(io::folder_file& out, const shared_bytes& extra) {
  extra.for_each([&](std::string_view piece) { out.write(std::as_bytes(std::span(piece))); });
}

}  // namespace tracecodec::umtracer
