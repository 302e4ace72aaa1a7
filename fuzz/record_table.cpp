// Tests records that a table describes. The input is the table, a zero byte, and a file of
// such records.
#include <algorithm>
#include <memory>
#include <vector>

#include "target.hpp"
#include "tracecodec/champsim/table_feed.hpp"

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
  // A copy of the exact size, so that a sanitizer detects reads past its end.
  const std::vector<std::byte> records(end == in.end() ? end : end + 1, in.end());
  std::uint64_t n = 0, sum = 0;
  file::table_reader reader(input_of(records), table);
  const auto no_header = error_of([&] {
    for (auto all = reader.next(3); !all.empty(); all = reader.next(3))
      for (std::size_t at = 0; at != all.size(); at += table->size(), ++n)
        for (const auto& c : table->columns())
          for (std::size_t i = 0; i < c.count; ++i) sum += c.load(all.data() + at, i);
  });
  const std::uint64_t header = table->header().size;
  const std::uint64_t whole =
      records.size() > header ? (records.size() - header) / table->size() : 0;
  require(n == whole || (no_header && n == 0), "each whole record is delivered");
  if (n != whole) return;
  if (whole != 0) {
    file::table_reader skipped(input_of(records), table);
    require(skipped.skip(n + 1) == n, "as many are skipped");
  }
  if (table->find("ip") == nullptr) return;
  std::uint64_t made = 0;
  const auto error = error_of([&] {
    champsim::table_feed feed(input_of(records), table, {.trust = true});
    for (const auto& i : feed) {
      champsim::instruction r{};
      sum += i.as_record(r) + i.target() + i.asid() + i.destination_memory().size();
      ++made;
    }
  });
  const bool refused = error && error->code() == trace_errc::refused;
  require(refused ? made == 0 : made == n, "each whole record is an instruction");
}
const target registered("record_table", run);
}  // namespace
}  // namespace fuzz::record_table
