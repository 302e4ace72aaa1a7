// A record that a table describes: the table up to a byte of 0, then a file of such records.
#include <algorithm>
#include <memory>
#include <vector>

#include "target.hpp"
#include "tracecodec/champsim/reader.hpp"
#include "tracecodec/champsim/table_source.hpp"

namespace fuzz::record_table {
namespace {
namespace champsim = tracecodec::champsim;
namespace file = tracecodec::file;
namespace io = tracecodec::io;

io::input input_of(view in) { return io::open_bytes(in, "fuzz", {.compression = io::codec::none}); }

void run(view in) {
  const auto end = std::find(in.begin(), in.end(), std::byte{});
  const std::string_view text(reinterpret_cast<const char*>(in.data()),
                              static_cast<std::size_t>(end - in.begin()));
  std::shared_ptr<const file::record_table> table;
  if (error_of([&] {
        table = std::make_shared<const file::record_table>(file::parse_record_table(text, "table"));
      }))
    return;
  // Of exactly its size, so that a read behind it is seen.
  const std::vector<std::byte> records(end == in.end() ? end : end + 1, in.end());
  std::uint64_t n = 0, sum = 0;
  file::table_reader reader(input_of(records), table);
  static_cast<void>(error_of([&] {
    for (auto all = reader.next(3); !all.empty(); all = reader.next(3))
      for (std::size_t at = 0; at != all.size(); at += table->size(), ++n)
        for (const auto& c : table->columns())
          for (std::size_t i = 0; i < c.count; ++i) sum += c.load(all.data() + at, i);
  }));
  require(n == records.size() / table->size(), "each whole record is delivered");
  file::table_reader skipped(input_of(records), table);
  require(skipped.skip(n + 1) == n, "as many are skipped");
  if (table->find("ip") == nullptr) return;
  std::uint64_t made = 0;
  const auto error = error_of([&] {
    io::input as_instructions =
        champsim::open_table(input_of(records), table, champsim::needs_cloudsuite(*table));
    std::vector<std::byte> some(97);
    for (std::size_t got = 1; got != 0; made += got) got = as_instructions.read(some);
  });
  const std::size_t size = champsim::needs_cloudsuite(*table) ? champsim::cloudsuite_codec::size
                                                              : champsim::instruction_codec::size;
  require(made % size == 0 && made / size <= n, "whole records are made");
  require(error || made / size == n, "all of them, or an error");
}
const target registered("record_table", run);
}  // namespace
}  // namespace fuzz::record_table
