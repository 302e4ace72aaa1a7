// ChampSim's records, with the classes that their feed derives, as rows of text.
#include <tracecodec/champsim/rows.hpp>

#include <cstddef>
#include <cstdint>

#include "champsim_records.hpp"
#include "write_rows.hpp"

namespace convert {

void champsim_to_rows(tracecodec::trace::source in, const options& o, io::codec compression) {
  with_records(std::move(in), o, [&]<class Feed>(Feed& from) {
    with_rows<champsim::row<typename Feed::record>>(o, compression, [&](auto& out) {
      std::uint64_t index = o.part.skip;
      return for_each_record(from, o, [&](const auto& batch) {
        for (std::size_t n = 0; n < batch.size(); ++n)
          out.write(champsim::row_of(index++, batch[n]));
      });
    });
  });
}

}  // namespace convert
