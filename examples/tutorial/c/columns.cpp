// Prints the columns of a trace, and some figures about their values. Written in C++17.
#include <tracecodec.h>

#include <cstdint>
#include <cstdio>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>

namespace {

class trace {
 public:
  explicit trace(const char* path) {
    tracecodec_options options{};
    options.size = sizeof options;
    options.flags = TRACECODEC_REPAIR;
    tracecodec_trace* opened = nullptr;
    tracecodec_status status = tracecodec_open(path, &options, &opened);
    at_.reset(opened);
    if (status == TRACECODEC_REFUSED) {
      // The format does not support TRACECODEC_REPAIR, so open the trace without that flag.
      options.flags = 0;
      status = tracecodec_open(path, &options, &opened);
      at_.reset(opened);
    }
    check(status);
  }
  operator tracecodec_trace*() const noexcept { return at_.get(); }
  void check(tracecodec_status status) const {
    if (status == TRACECODEC_OK) return;
    const tracecodec_error* const e = tracecodec_last_error(at_.get());
    throw std::runtime_error(e != nullptr ? std::string(e->line.bytes, e->line.size)
                                          : tracecodec_status_name(status));
  }

 private:
  struct close {
    void operator()(tracecodec_trace* t) const noexcept { tracecodec_close(t); }
  };
  std::unique_ptr<tracecodec_trace, close> at_;
};

void print_columns(const trace& from) {
  for (std::size_t c = 0; c != tracecodec_columns(); ++c) {
    if ((tracecodec_has(from) & TRACECODEC_BIT(c)) == 0) continue;
    const tracecodec_column_info& info = *tracecodec_column(c);
    std::printf("%s%s", info.name, info.is_list != 0 ? ", list:" : ":");
    for (std::size_t p = 0; p != info.parts; ++p) {
      const tracecodec_part_info& part = *tracecodec_part(c, p);
      if (info.parts != 1) std::printf(" %s", part.name);
      std::printf(" (%s)", part.unit);
    }
    std::printf("\n");
  }
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 2) return 2;
  const trace from(argv[1]);
  print_columns(from);
  from.check(tracecodec_want(
      from, TRACECODEC_BIT(TRACECODEC_COLUMN_TAKEN) | TRACECODEC_BIT(TRACECODEC_COLUMN_MEMORY), 0));
  std::uint64_t n = 0, taken = 0, entries = 0, most = 0, written = 0;
  for (std::size_t rows = 0;; n += rows) {
    from.check(tracecodec_next_columns(from, SIZE_MAX, &rows));
    if (rows == 0) break;
    tracecodec_array flags, writes;
    from.check(tracecodec_values(from, TRACECODEC_COLUMN_TAKEN, 0, &flags));
    from.check(tracecodec_values(from, TRACECODEC_COLUMN_MEMORY, 2, &writes));
    const auto* const flag = static_cast<const std::uint8_t*>(flags.values);
    taken = std::accumulate(flag, flag + rows, taken);
    const auto* const write = static_cast<const std::uint8_t*>(writes.values);
    written = std::accumulate(write, write + writes.size, written);
    entries += writes.size;
    for (std::size_t row = 0; row != rows; ++row) {
      const auto here = static_cast<std::uint64_t>(writes.offsets[row + 1] - writes.offsets[row]);
      if (here > most) most = here;
    }
  }
  std::printf(
      "%llu rows, %llu taken, %llu operands in memory, %llu written, at most %llu of a row\n",
      static_cast<unsigned long long>(n), static_cast<unsigned long long>(taken),
      static_cast<unsigned long long>(entries), static_cast<unsigned long long>(written),
      static_cast<unsigned long long>(most));
} catch (const std::exception& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
