// Writer of tracepack files. The writer is a sink for the bytes of records.
#pragma once
#include <cstddef>
#include <memory>
#include <span>

#include "../config.hpp"
#include "../io/output/sink.hpp"
#include "pack_options.hpp"
#include "properties.hpp"

namespace tracecodec::tracepack {

// Sink that packs records. Readers return the content unchanged, even if the content does not
// consist of valid records. The writer works in one pass, with at most 64 MiB of memory. write()
// and finish() throw the errors of the underlying sink. After finish() or an error, both functions
// throw trace_error(refused).
class writer final : public io::sink {
 public:
  // Creates a writer to `out`, and writes the front of the file. Throws trace_error(refused) if the
  // size of the records is 0 or above most_record, or if a string is too long.
  TRACECODEC_FUNC explicit writer(std::unique_ptr<io::sink> out, const pack_options& options = {});
  TRACECODEC_FUNC ~writer() override;

  TRACECODEC_FUNC void write(std::span<const std::byte> bytes) override;
  // Writes whole records and the properties of their instructions. Only properties that
  // about::properties selects are stored. Also throws trace_error(refused) if:
  // - the numbers of records and properties differ.
  // - the previous write ended inside a record.
  // - an instruction has more than longest_code bytes.
  TRACECODEC_FUNC void write(std::span<const std::byte> records,
                             std::span<const property> properties);
  TRACECODEC_FUNC void finish() override;

 private:
  class packing;
  std::unique_ptr<packing> usable();

  std::unique_ptr<packing> packing_;
};

}  // namespace tracecodec::tracepack

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/writer.ipp"
#endif
