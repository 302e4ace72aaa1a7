// See first_unit.cpp.
#include "descending.hpp"

std::size_t rows_in_second_unit();
const void* table_in_second_unit();

namespace {
constexpr const auto& table =
    tracecodec::wire::layout_table<tracecodec::champsim::cloudsuite_codec>;
}

std::size_t rows_in_second_unit() { return table.size(); }
const void* table_in_second_unit() { return table.data(); }
