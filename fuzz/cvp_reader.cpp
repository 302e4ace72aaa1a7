// Tests the reader, the feed, the writer, the check and the recognition of CVP-1 and CBP2025 traces.
// In the first byte, bit 0 selects CBP2025, and bit 1 a mapped input. The remaining bits are the
// number of records to skip.
#include <algorithm>
#include <optional>
#include <vector>

#include "input.hpp"
#include "operands.hpp"
#include "tracecodec/cvp.hpp"

namespace fuzz::cvp_reader {
namespace {
namespace cvp = tracecodec::cvp;
namespace file = tracecodec::file;

template <cvp::dialect D> bytes encoded(const cvp::instruction<D>& i) {
  bytes out(static_cast<std::size_t>(cvp::codec<D>::extent(i)));
  require(bool(cvp::codec<D>::encode(i, out)), "what was decoded can be encoded");
  return out;
}

struct trace {
  std::vector<bytes> records = {};
  std::optional<trace_error> error = {};
};
template <cvp::dialect D> trace read(io::input in, std::uint64_t skip = 0) {
  trace all;
  all.error = error_of([&] {
    file::reader<cvp::trace_file<D>> r(std::move(in));
    require(r.skip(skip) <= skip, "no more are skipped than asked for");
    for (auto b = r.next(); b.size() != 0; b = r.next())
      for (const auto& i : b) all.records.push_back(encoded(i));
  });
  return all;
}

template <cvp::dialect D> void feed(view in, bool mapped, const trace& all) {
  std::size_t n = 0;
  const auto error = error_of([&] {
    for (const auto& i : cvp::trace_feed<D>(input_of(in, mapped))) {
      std::uint64_t operands = sum_of_operands(i);
      for_each_register_value(
          i, [&](std::uint8_t r, std::size_t offset, std::uint64_t value, std::size_t, bool) {
            require(r != 0 && offset < 16, "a value belongs to a register");
            operands += value;
          });
      static_cast<void>(operands + i.target());
      ++n;
    }
  });
  require(n == all.records.size(), "the feed has every record");
  require(error.has_value() == all.error.has_value(), "the feed ends as the reader");
}

template <cvp::dialect D> void try_all(view in, bool mapped, std::uint64_t skip) {
  const auto all = read<D>(input_of(in, mapped));
  const auto rest = read<D>(input_of(in, mapped), skip);
  const auto from = all.records.begin() +
                    static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(skip, all.records.size()));
  require(std::equal(from, all.records.end(), rest.records.begin(), rest.records.end()),
          "skipping leads to the same records");
  bytes joined;
  for (const bytes& one : all.records) joined.insert(joined.end(), one.begin(), one.end());
  require(same(joined, in.first(joined.size())), "the records are the bytes of the input");
  require(all.error.has_value() == (in.empty() || joined.size() != in.size()),
          "sound, or an error");

  using checker = cvp::checker<D, void (*)(const tracecodec::diagnostic&)>;
  const auto found = checker([](const tracecodec::diagnostic&) {}).run(input_of(in, mapped));
  require(found.records == all.records.size(), "the check sees every record");
  require((found.count(tracecodec::severity::error) != 0) == all.error.has_value(),
          "reader and check agree on what is broken");
  feed<D>(in, mapped, all);
  const auto match = cvp::trace_file<D>::probe(in, in.size());
  require(match == file::match::none || !all.records.empty(), "what is recognised has records");
}

void run(view in) {
  const unsigned how = take_byte(in);
  if ((how & 1U) != 0)
    try_all<cvp::dialect::cbp2025>(in, (how & 2U) != 0, how >> 2U);
  else
    try_all<cvp::dialect::cvp1>(in, (how & 2U) != 0, how >> 2U);
}
const target registered("cvp_reader", run);
}  // namespace
}  // namespace fuzz::cvp_reader
