// Converts ChampSim records to text rows. The rows include the branch classes that the feed derives
// from the records.
#include <tracecodec/champsim/rows.hpp>

#if defined(TRACECODEC_WITH_ZSTD)
#include <tracecodec/tracepack/rows.hpp>
#endif
#if defined(TRACECODEC_WITH_ZSTD) && defined(TRACECODEC_WITH_ZYDIS)
#include <tracecodec/tracepack/values.hpp>
#endif

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "../write_rows.hpp"
#include "conversion.hpp"
#include "records.hpp"

namespace convert {

namespace {

// Writes a row for each selected instruction. make(index, instruction) returns the row.
template <class Row, class Feed, class Make>
void write_record_rows(Feed& from, const options& o, io::codec compression, Make make) {
  with_rows<Row>(o, compression, [&](auto& out) {
    std::uint64_t index = o.part.skip;
    return for_each_record(from, o, [&](const auto& batch) {
      for (std::size_t n = 0; n < batch.size(); ++n) out.write(make(index++, batch[n]));
    });
  });
}

#if defined(TRACECODEC_WITH_ZSTD)
// Writes rows that include the code of the instructions. Used for tracepacks that store code.
template <class Feed> void write_code(Feed& from, const options& o, io::codec compression) {
  namespace tracepack = tracecodec::tracepack;
  using record = typename Feed::record;
#if !defined(TRACECODEC_WITH_ZYDIS)
  if (o.disassembly)
    throw usage_error("--disassembly: this build lacks Zydis (TRACECODEC_WITH_ZYDIS)");
#else
  if (o.disassembly) {
    std::string text;
    return write_record_rows<tracepack::row<record, std::string_view>>(
        from, o, compression, [&](std::uint64_t index, const auto& i) {
          return tracepack::row_of(index, i, std::string_view(text = assembly(i)));
        });
  }
#endif
  write_record_rows<tracepack::row<record>>(
      from, o, compression,
      [](std::uint64_t index, const auto& i) { return tracepack::row_of(index, i); });
}
#endif

}  // namespace

bool has_code(const tracecodec::trace::source& in) {
  return in.packed() != nullptr && (in.packed()->properties & tracecodec::tracepack::has_code) != 0;
}

void champsim_to_rows(tracecodec::trace::source in, const options& o, io::codec compression) {
  [[maybe_unused]] const bool code = has_code(in);
  with_records(std::move(in), o, [&]<class Feed>(Feed& from) {
#if defined(TRACECODEC_WITH_ZSTD)
    if constexpr (requires(typename Feed::batch_type b) { b[0].code(); })
      if (code) return write_code(from, o, compression);
#endif
    write_record_rows<champsim::row<typename Feed::record>>(
        from, o, compression,
        [](std::uint64_t index, const auto& i) { return champsim::row_of(index, i); });
  });
}

}  // namespace convert
