// The functions of champsim/reader.hpp for ChampSim's and CloudSuite's records, to be compiled once.
#pragma once
#include "../reader.hpp"

namespace tracecodec::champsim::detail {

template record_batch<instruction> next_batch(reader<instruction_codec>& from);
template record_batch<cloudsuite_instruction> next_batch(reader<cloudsuite_codec>& from);

}  // namespace tracecodec::champsim::detail
