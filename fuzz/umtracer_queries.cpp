// Questions about an UMTracer trace: with an index or without, the answer is the same. The input is
// a container of the eleven files, with a choice of a record and an address.
#include <algorithm>

#include "tracecodec/umtracer/query.hpp"
#include "umtracer/container.hpp"

namespace fuzz::umtracer_queries {
namespace {
using umtracer::moment;

// The result, or nothing if it throws.
template <class F> auto answer(F&& f) {
  std::optional<decltype(f())> a;
  static_cast<void>(error_of([&] { a.emplace(f()); }));
  return a;
}

bool same_bytes(const std::vector<umtracer::known_byte>& a,
                const std::vector<umtracer::known_byte>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return x.known == y.known && (!x.known || (x.value == y.value && x.record == y.record));
  });
}

void memory(const umtracer::reader& r, const std::optional<umtracer::trace_index>& index,
            std::uint64_t n, umtracer::memory_span wanted) {
  for (const moment when : {moment::before, moment::after}) {
    const auto slow = answer([&] { return umtracer::memory_at(r, n, wanted, when); });
    if (!index) continue;
    const auto fast = answer([&] { return index->memory_at(n, wanted, when); });
    require(slow.has_value() == fast.has_value(), "memory: both answer");
    if (slow) require(same_bytes(slow->bytes, fast->bytes), "memory: the same bytes");
  }
  const auto last = answer([&] { return umtracer::last_write(r, n, wanted); });
  const auto next = answer([&] { return umtracer::next_access(r, n, wanted); });
  if (!index) return;
  const auto last_fast = answer([&] { return index->last_write(n, wanted); });
  const auto next_fast = answer([&] { return index->next_access(n, wanted); });
  require(last.has_value() == last_fast.has_value() && next.has_value() == next_fast.has_value(),
          "accesses: both answer");
  const auto record = [](const auto& found) {
    return found && *found ? (*found)->record : ~std::uint64_t{0};
  };
  require(record(last) == record(last_fast) && record(next) == record(next_fast),
          "accesses: the same record");
}

// Whether the neighbours of `n` lead back to each earlier record of its thread. An index meets those
// that they pass over, and refuses the trace; without one nobody sees them.
bool leads_to_all(const umtracer::reader& r, std::uint64_t n) {
  std::uint64_t at = n;
  for (std::uint64_t id = n; id-- > 0;) {
    if (r[id].thread() != r[n].thread()) continue;
    if (r.neighbours_of(at).previous != static_cast<std::int64_t>(id)) return false;
    at = id;
  }
  return true;
}

void registers(const umtracer::reader& r, std::uint64_t n) {
  const auto index = answer([&] { return umtracer::register_index(r, 2); });
  for (const moment when : {moment::before, moment::after}) {
    auto slow = answer([&] { return umtracer::registers_at(r, n, when); });
    if (!index) continue;
    auto fast = answer([&] { return index->registers_at(n, when); });
    for (std::uint16_t id = 1; slow && id < std::min<std::uint16_t>(r.registers().size(), 24);
         ++id) {
      const std::string name(r.registers().name(id));
      if (name.empty()) continue;
      const auto known = [&](auto& state) {
        const auto v = state.value().get(name);
        return std::vector<umtracer::known_byte>(v.bytes.begin(), v.bytes.end());
      };
      const auto expected = answer([&] { return known(slow); });
      if (!expected) break;
      const auto found = answer([&] { return fast ? known(fast) : *expected; });
      if (!found && !leads_to_all(r, n)) break;
      require(fast && found && same_bytes(*expected, *found), "registers: the same bytes");
    }
  }
}

void records(const umtracer::reader& r, const std::optional<umtracer::trace_index>& index,
             std::uint64_t n) {
  if (r.instructions().size() == 0) return;
  const auto row = static_cast<std::size_t>(n % r.instructions().size());
  const auto address = umtracer::instruction_address(r, row);
  const auto slow = answer([&] {
    std::vector<std::uint64_t> all;
    for (const auto& e : umtracer::executions(r, address)) all.push_back(e.id());
    return all;
  });
  if (index) {
    const auto fast = answer([&] { return index->executions(address); });
    require(slow && fast && *slow == *fast, "executions: the same records");
  }
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
  const auto index = answer([&] { return umtracer::build_index(*r); });
  constexpr std::array<std::uint64_t, 6> places{0x200020, 0x7000,   0x8008,
                                                0xFF0,    0x12FF00, ~std::uint64_t{0} - 7};
  const umtracer::memory_span wanted{places[(choice >> 8U) % places.size()] + (choice >> 28U),
                                     1 + (choice >> 16U) % 32};
  memory(*r, index, n, wanted);
  registers(*r, n);
  records(*r, index, n);
}
const target registered("umtracer_queries", run);
}  // namespace
}  // namespace fuzz::umtracer_queries
