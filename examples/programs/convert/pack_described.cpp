// Packs records that a record table (--record) describes. The records are not changed, and the
// table is stored with them.
#include <tracecodec/file/record_table.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <utility>
#include <vector>

#include "../common/described.hpp"
#include "conversion.hpp"
#include "pack_output.hpp"

namespace convert {

void pack_described(tracecodec::file::table_reader from,
                    const std::optional<tracecodec::tracepack::about>& before, const options& o) {
  const std::size_t size = from.table().size();
  tracepack::about about = tracepack::about_described(from.table());
  if (before) {
    about.program = before->program;
    about.arguments = before->arguments;
    about.recorder = before->recorder;
    about.machine = before->machine;
    about.date = before->date;
    about.region = before->region;
    about.comment = before->comment;
  }
  take_over(about, o);
  const auto out = open_pack(o, std::move(about));
  std::vector<std::byte> held;
  std::uint64_t written = 0;
  const std::exception_ptr failure = examples::for_each_described(
      from, o.as, o.part, examples::everything, [&](std::uint64_t, const std::byte* r) {
        held.insert(held.end(), r, r + size);
        if (++written % 1024 != 0) return;
        stop_if_interrupted();
        out->write(held);
        held.clear();
      });
  out->write(held);
  finish(*out, written, failure, o);
}

}  // namespace convert
