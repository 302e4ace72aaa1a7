// Copies an STF trace: to a plain stream or a ZSTF file, to extract a part, or to change the
// compression.
#include <tracecodec/file/reader.hpp>
#include <tracecodec/file/writer.hpp>
#ifdef TRACECODEC_WITH_ZSTD
#include <tracecodec/io/compression/zstf.hpp>
#endif
#include <tracecodec/io/os/path.hpp>
#include <tracecodec/stf/instruction.hpp>
#include <tracecodec/trace/source.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../selected.hpp"
#include "conversion.hpp"

namespace convert {

namespace stf = tracecodec::stf;

namespace {

// Returns a sink that writes a ZSTF file to `out`.
std::unique_ptr<io::sink> zstf_to([[maybe_unused]] std::unique_ptr<io::sink> out,
                                  [[maybe_unused]] const options& o) {
#ifdef TRACECODEC_WITH_ZSTD
  return std::make_unique<io::zstf_sink>(std::move(out), io::usual_zstf_chunk, o.packing);
#else
  throw usage_error(o.out + ": this build cannot write ZSTF: it lacks zstd (TRACECODEC_WITH_ZSTD)");
#endif
}

// Returns the header of a trace that begins with the instruction `first`: that of the whole trace,
// with the address of `first` and with the size of vector registers before `first`. `bytes` stores
// the records.
stf::header header_before(const stf::instruction& first, const stf::header& whole,
                          std::vector<std::byte>& bytes) {
  const auto add = [&bytes](const stf::record& r) {
    const std::size_t at = bytes.size();
    bytes.resize(at + stf::record_codec::extent(r));
    stf::record_codec::encode(r, std::span(bytes).subspan(at));
  };
  for (const stf::record& r : whole.records) {
    using enum stf::record_kind;
    if (r.descriptor == force_pc || r.descriptor == vector_length) continue;
    if (r.descriptor == end_header) {
      stf::record state{};
      state.descriptor = vector_length;
      state.length = first.vector_bits;
      if (first.vector_bits != 0) add(state);
      state.descriptor = force_pc;
      state.pc = first.expected_pc;
      add(state);
    }
    add(r);
  }
  stf::header part = whole;
  part.records = decltype(part.records)(bytes);
  return part;
}

}  // namespace

void copy_stf(tracecodec::trace::source in, const options& o, const format& /*to*/,
              io::codec compression) {
  using writer = tracecodec::file::writer<stf::trace_file>;
  tracecodec::file::reader<stf::trace_file> from(std::move(in.input()));
  const bool chunks = compression == io::codec::none && io::ends_in(o.out, ".zstf");
  std::optional<writer> out;
  std::vector<std::byte> records;
  const auto begin = [&](const stf::header& header) {
    auto to = io::open_output(o.out, compression, o.packing);
    if (chunks) to = zstf_to(std::move(to), o);
    out.emplace(std::move(to), output_name(o), header);
  };
  if (o.part.skip == 0) begin(from.header());
  const auto failure = for_each_selected(from, o, [&](std::uint64_t, const stf::instruction& i) {
    if (!out) begin(header_before(i, from.header(), records));
    out->write(i);
  });
  if (!out) begin(from.header());
  finish(*out, out->written(), failure, o);
}

}  // namespace convert
