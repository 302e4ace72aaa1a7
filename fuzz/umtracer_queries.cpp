// Tests that queries on a UMTracer trace agree with each other: different queries for the same
// facts return the same results. The input is a container of the eleven files. The container's
// choice selects a record and an address.
#include <algorithm>

#include "tracecodec/umtracer/query.hpp"
#include "umtracer/container.hpp"

namespace fuzz::umtracer_queries {
namespace {
using umtracer::moment;

// Returns the result of f(), or nullopt if it throws a trace_error.
template <class F> auto result_of(F&& f) {
  std::optional<decltype(f())> a;
  static_cast<void>(error_of([&] { a.emplace(f()); }));
  return a;
}

bool same_bytes(std::span<const umtracer::known_byte> a, std::span<const umtracer::known_byte> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return x.known == y.known && (!x.known || (x.value == y.value && x.record == y.record));
  });
}

void memory(const umtracer::reader& r, std::uint64_t n, umtracer::memory_span wanted) {
  for (const moment when : {moment::before, moment::after}) {
    const auto whole = result_of([&] { return umtracer::memory_at(r, n, wanted, when); });
    if (!whole) continue;
    // A query for part of the bytes must not need more records than the whole query.
    const std::uint64_t half = wanted.size / 2;
    const auto part = result_of([&] {
      return umtracer::memory_at(r, n, {wanted.address, half}, when);
    });
    require(part.has_value(), "memory: a part is known too");
    require(part->records_read <= whole->records_read, "memory: a part reads no more");
    require(same_bytes(part->bytes, std::span(whole->bytes).first(part->bytes.size())),
            "memory: the same bytes");
  }
  const auto last = result_of([&] { return umtracer::last_write(r, n, wanted); });
  if (last && *last) {
    require((*last)->record < n, "accesses: the last one is an earlier record");
    const auto again = result_of([&] {
      return umtracer::next_access(r, (*last)->record, wanted, umtracer::access_kinds::write);
    });
    require(again && *again && (*again)->record == (*last)->record, "accesses: the same record");
  }
  const auto next = result_of([&] { return umtracer::next_access(r, n, wanted); });
  if (next && *next) {
    require((*next)->record >= n, "accesses: the next one is no earlier record");
    const auto again = result_of([&] {
      return umtracer::last_access(r, (*next)->record + 1, wanted,
                                   umtracer::access_kinds::read | umtracer::access_kinds::write);
    });
    require(again && *again && (*again)->record == (*next)->record, "accesses: the same record");
  }
}

void registers(const umtracer::reader& r, std::uint64_t n) {
  for (const moment when : {moment::before, moment::after}) {
    auto all = result_of([&] { return umtracer::registers_at(r, n, when); });
    auto one = result_of([&] { return umtracer::registers_at(r, n, when); });
    if (!all || !result_of([&] { return all->all().size(); })) continue;
    for (std::uint16_t id = 1; id < std::min<std::uint16_t>(r.registers().size(), 24); ++id) {
      const std::string name(r.registers().name(id));
      if (name.empty()) continue;
      const auto known = [&](umtracer::register_state& state) {
        const auto v = state.get(name);
        return std::vector<umtracer::known_byte>(v.bytes.begin(), v.bytes.end());
      };
      const auto expected = result_of([&] { return known(*all); });
      const auto found = result_of([&] { return known(*one); });
      require(expected && found && same_bytes(*expected, *found), "registers: the same bytes");
    }
    require(one->records_read() <= all->records_read(), "registers: some read no more than all");
  }
}

void records(const umtracer::reader& r, std::uint64_t n) {
  if (r.instructions().size() == 0) return;
  const auto row = static_cast<std::size_t>(n % r.instructions().size());
  const auto address = umtracer::instruction_address(r, row);
  static_cast<void>(error_of([&] {
    std::vector<std::uint64_t> expected, found;
    for (std::uint64_t id = 0; id < r.size(); ++id)
      if (r[id].type() == umtracer::exec_type::instruction &&
          umtracer::instruction_address(r, r.row_of(r[id])) == address)
        expected.push_back(id);
    for (const auto& e : umtracer::executions(r, address)) found.push_back(e.id());
    require(found == expected, "executions: the same records");
  }));
  static_cast<void>(error_of([&] {
    for (const auto& e : umtracer::filtered(r, {.thread = 5, .module = 0}))
      require(e.thread() == 5, "a filter's thread");
  }));
}

void run(view in) {
  const container all = unpack(in);
  const std::uint32_t choice = all.choice;
  std::optional<umtracer::reader> r;
  if (error_of([&] { r.emplace(files_of(all)); })) return;
  if (r->size() == 0) return;
  const std::uint64_t n = choice % r->size();
  constexpr std::array<std::uint64_t, 6> places{0x200020, 0x7000,   0x8008,
                                                0xFF0,    0x12FF00, ~std::uint64_t{0} - 7};
  const umtracer::memory_span wanted{places[(choice >> 8U) % places.size()] + (choice >> 28U),
                                     1 + (choice >> 16U) % 32};
  memory(*r, n, wanted);
  registers(*r, n);
  records(*r, n);
}
const target registered("umtracer_queries", run);
}  // namespace
}  // namespace fuzz::umtracer_queries
