// A ChampSim trace, or a CloudSuite one, again: a part of it, with another compression.
#include <tracecodec/champsim/writer.hpp>

#include "champsim_records.hpp"

namespace convert {

void copy_records(tracecodec::trace::source in, const options& o, io::codec compression) {
  with_records(std::move(in), o, [&]<class Feed>(Feed& from) {
    champsim::writer<champsim::codec_of<typename Feed::record>> out(
        io::open_output(o.out, compression, o.packing), output_name(o));
    const auto failure =
        for_each_record(from, o, [&](const auto& batch) { out.write(batch.records()); });
    finish(out, out.written(), failure, o);
  });
}

}  // namespace convert
