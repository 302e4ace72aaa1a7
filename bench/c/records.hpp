// Reads records through libtracecodec, and through a loop over the feed that creates the same
// records.
#pragma once
#include <tracecodec.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <type_traits>

#include <tracecodec/champsim/record_of.hpp>
#include <tracecodec/trace/open.hpp>

namespace bench {

namespace champsim = tracecodec::champsim;

struct sum {
  std::uint64_t n = 0, all = 0;
  // Adds a record. The asm statement makes the compiler store the whole record in memory.
  template <class Record> void add(const Record& r) {
    asm volatile("" : : "r"(&r) : "memory");
    ++n;
    all += r.ip + r.is_branch + r.source_memory[0];
  }
  friend bool operator==(const sum&, const sum&) = default;
};

template <class Feed> [[gnu::noinline]] sum by_hand(Feed& from, std::size_t passes) {
  sum s;
  for (std::size_t pass = 0; pass != passes; ++pass) {
    from.rewind();
    for (auto b = from.next(); b.size() != 0; b = from.next())
      for (std::size_t i = 0; i != b.size(); ++i) {
        if constexpr (std::is_same_v<typename Feed::batch_type,
                                     champsim::instruction_batch<champsim::instruction>>) {
          s.add(b.records()[i]);
        } else {
          const auto made = champsim::record_of(b[i]);
          s.add(made.record);
        }
      }
  }
  return s;
}

[[gnu::noinline]] inline sum by_library(tracecodec_trace* from, std::size_t passes) {
  sum s;
  for (std::size_t pass = 0; pass != passes; ++pass) {
    tracecodec_rewind(from);
    const tracecodec_record* records = nullptr;
    std::size_t n = 0;
    while (tracecodec_next_records(from, std::numeric_limits<std::size_t>::max(), &records, &n) ==
               TRACECODEC_OK &&
           n != 0) {
      // A local copy, because otherwise the pointer would be reloaded for each record: the library
      // could modify it.
      const tracecodec_record* const own = records;
      for (std::size_t i = 0, end = n; i != end; ++i) s.add(own[i]);
    }
  }
  return s;
}

// Decompresses a sample into the current folder and returns the path of the result.
inline std::string unpacked(const std::string& name) {
  const std::string to = name + ".unpacked";
  auto in = tracecodec::io::open_input(std::string(TRACECODEC_TEST_DATA) + "/" + name);
  const auto out = tracecodec::io::open_output(to);
  std::string buffer(1 << 16, '\0');
  const auto bytes = std::as_writable_bytes(std::span(buffer));
  while (const std::size_t n = in.read(bytes)) out->write(bytes.first(n));
  out->finish();
  return to;
}

}  // namespace bench
