// Writes tracepack: takes the bytes of records, as any sink does, and packs them.
#pragma once
#include <cstddef>
#include <memory>
#include <span>

#include "../config.hpp"
#include "../io/output/sink.hpp"
#include "layout.hpp"
#include "pack_options.hpp"

namespace tracecodec::tracepack {

// The content written comes out of a reader byte for byte, whatever it is. One pass, in at most 64 MiB. write() and
// finish() throw what the sink below throws, and trace_error(refused) once finished or failed.
class writer final : public io::sink {
 public:
  // Throws trace_error(refused) if the records' size is 0 or above most_record, or a text is too long.
  TRACECODEC_FUNC explicit writer(std::unique_ptr<io::sink> out, const pack_options& options = {});
  TRACECODEC_FUNC ~writer() override;

  TRACECODEC_FUNC void write(std::span<const std::byte> bytes) override;
  // Whole records, and what is known of the instruction of each: as much as about::properties says is kept.
  // Throws trace_error(refused) also if they are not as many, or follow a part of a record, or if one has more than
  // longest_code bytes.
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
