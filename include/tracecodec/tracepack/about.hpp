// What a tracepack file says of itself.
#pragma once
#include <cstdint>
#include <string>

#include "../config.hpp"
#include "layout.hpp"
#include "shape.hpp"

namespace tracecodec::file {
class record_table;
}

namespace tracecodec::tracepack {

struct about {
  record_kind kind = record_kind::champsim;
  tracepack::shape shape = {};      // of the records; of `bytes` its size alone counts
  std::uint32_t frame_records = 0;  // of a model frame, at most
  std::uint8_t properties = 0;      // has_classes, has_lengths, has_code
  tracepack::processor processor = processor::unknown;  // whose code that is
  std::string table = {};  // of described records: as trace_view --layout prints it
  std::string program = {}, arguments = {}, recorder = {}, machine = {}, date = {}, region = {},
              comment = {};
};

// Of records of this kind; of described ones the shape is to be set.
TRACECODEC_FUNC about about_champsim();
TRACECODEC_FUNC about about_cloudsuite();
// Of those that a table describes: `ip` is its address, what else has 8 bytes are slots, `source_registers` are bases.
// Throws trace_error(refused) for records of more than most_record bytes.
TRACECODEC_FUNC about about_described(const file::record_table& table);

}  // namespace tracecodec::tracepack

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/about.ipp"
#endif
