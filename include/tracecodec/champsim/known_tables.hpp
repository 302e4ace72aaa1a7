// Records of ChampSim's relatives that the library can describe by itself: tables with a name, in the form of
// file/record_table.hpp.
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "../config.hpp"

namespace tracecodec::file {
class record_table;
}

namespace tracecodec::champsim {

struct known_table {
  std::string_view name = {};  // "champsim2"
  std::string_view text = {};
};

TRACECODEC_FUNC std::span<const known_table> known_tables() noexcept;

// Finds the table that some bytes, the beginning of a file, seem to follow: by the header that it begins with, or by
// fields that no other record has there. Null if none fits.
TRACECODEC_FUNC const known_table* recognise_table(std::span<const std::byte> bytes);

// Reads the known table `name`, or else the one in the file of that name. Throws as file::read_record_table().
TRACECODEC_FUNC file::record_table read_table(const std::string& name);

}  // namespace tracecodec::champsim

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/known_tables.ipp"
#endif
