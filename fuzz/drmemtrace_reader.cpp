// Tests the feed, the rows, the check, the writer and the recognition of drmemtrace traces, and folders.
// In the first byte, bit 0 selects records of 8 bytes for the header, bit 1 a mapped input, and bit 2
// a single thread. The remaining bits are the number of instructions to skip. The values 8 and 9 also
// test a folder, which takes much longer.
#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "input.hpp"
#include "tracecodec/drmemtrace.hpp"
#include "tracecodec/drmemtrace/writer.hpp"

namespace fuzz::drmemtrace_reader {
namespace {
namespace drmemtrace = tracecodec::drmemtrace;
namespace file = tracecodec::file;
using word_size = tracecodec::wire::target;

struct trace {
  std::vector<std::uint64_t> ips = {};
  std::optional<trace_error> error = {};
};
trace read(io::input in, const drmemtrace::feed_options& options, std::uint64_t skip = 0) {
  trace all;
  all.error = error_of([&] {
    drmemtrace::trace_feed from(std::move(in), options);
    require(from.skip(skip) <= skip, "no more are skipped than asked for");
    for (const auto& i : from) {
      std::uint64_t operands = i.target() + i.length() + i.code().size() + i.uncertainty();
      for (const auto r : i.destination_registers()) operands += r;
      for (const auto r : i.source_registers()) operands += r;
      std::size_t accesses = 0;
      i.for_each_access([&](std::uint64_t address, std::uint64_t size, bool) {
        operands += address ^ size;
        ++accesses;
      });
      require(accesses == i.source_memory().size() + i.destination_memory().size(),
              "accesses are reads and writes");
      require(i.taken() || i.target() == 0, "what is not taken has no target");
      require(!i.taken() || i.is_branch(), "only branches are taken");
      require(!options.thread || i.asid() == *options.thread, "of the selected thread");
      all.ips.push_back(i.ip());
      static_cast<void>(operands);
    }
  });
  return all;
}

template <word_size T> void check(view in, bool mapped, const trace& all) {
  using codec = drmemtrace::codec<T>;
  using checker = drmemtrace::checker<T, void (*)(const tracecodec::diagnostic&)>;
  const auto found = checker([](const tracecodec::diagnostic&) {}).run(input_of(in, mapped));
  require(found.records == in.size() / codec::size, "the check sees every record");
  require(in.size() % codec::size == 0 || found.count(drmemtrace::rule::cut) == 1,
          "a cut is found");
  require(all.error.has_value() || in.size() % codec::size == 0, "what is cut is reported");
}

// Merges two files, one of which is a part of the other.
template <word_size T> void merge(view in) {
  using codec = drmemtrace::codec<T>;
  const view part = in.first(in.size() / codec::size / 2 * codec::size);
  const std::string a = scratch() / "a.trace", b = scratch() / "b.trace";
  write_file(a, in);
  write_file(b, part);
  for (const bool merges : {false, true}) {
    std::uint64_t records = 0;
    const drmemtrace::folder_order how{.by = merges ? drmemtrace::order::time
                                                    : drmemtrace::order::thread};
    const auto error = error_of([&] {
      auto from = file::open_merged<drmemtrace::section_rule<T>>({a, b}, "folder", {}, how);
      file::reader<drmemtrace::trace_file<T>> reader(std::move(from));
      for (auto all = reader.next(); all.size() != 0; all = reader.next()) records += all.size();
    });
    const std::uint64_t whole = in.size() / codec::size + part.size() / codec::size;
    require(error.has_value() == (in.size() % codec::size != 0), "a cut file is reported");
    require(error.has_value() || (merges ? records >= whole : records == whole), "all records");
  }
}

// Sink of chunks that only counts.
class chunks final : public io::sink {
 public:
  explicit chunks(std::uint64_t& bytes) : bytes_(bytes) {}
  void write(std::span<const std::byte> part) override { bytes_ += part.size(); }
  bool start_chunk() override { return true; }
  void finish() override {}

 private:
  std::uint64_t& bytes_;
};
// Writes the records, of which the first ones are paused.
template <word_size T> void copy(view in, bool mapped, std::uint64_t paused) {
  std::uint64_t bytes = 0, instructions = 0, n = 0;
  drmemtrace::writer<T> out(std::make_unique<chunks>(bytes), "out", paused % 2 != 0);
  const auto error = error_of([&] {
    if (paused != 0) out.pause();
    file::reader<drmemtrace::trace_file<T>> from(input_of(in, mapped));
    for (auto all = from.next(); all.size() != 0; all = from.next())
      for (const auto& e : all) {
        if (n++ == paused) out.resume();
        const bool is_one =
            drmemtrace::is_instruction(e.type) || e.is(drmemtrace::record_type::instr_no_fetch);
        instructions += n > paused && is_one && e.size != 0;
        out.write(e);
      }
  });
  out.cut();
  out.finish();
  require(out.written() == instructions, "all instructions are written");
  require(bytes % drmemtrace::codec<T>::size == 0, "whole records are written");
  static_cast<void>(error);
}

void run(view in) {
  const unsigned how = take_byte(in);
  // Without a header, there is nothing to read.
  bytes whole;
  const auto put = [&whole, how](unsigned type, unsigned size, std::uint64_t value) {
    for (unsigned n = 0; n != ((how & 1U) != 0 ? 8 : 12); ++n)
      whole.push_back(static_cast<std::byte>((n < 2   ? type >> 8 * n
                                              : n < 4 ? size >> 8 * (n - 2)
                                                      : value >> 8 * (n - 4)) &
                                             0xFFU));
  };
  put(25, 0, 7);
  put(28, 12, 7);
  whole.insert(whole.end(), in.begin(), in.end());
  const bool mapped = (how & 2U) != 0;
  drmemtrace::feed_options options{.reach = 16};
  if ((how & 4U) != 0) options.thread = 5;
  const auto all = read(input_of(whole, mapped), options);
  const auto rest = read(input_of(whole, mapped), options, how >> 3U);
  const auto from = all.ips.begin() +
                    static_cast<std::ptrdiff_t>(std::min<std::size_t>(how >> 3U, all.ips.size()));
  require(std::equal(from, all.ips.end(), rest.ips.begin(), rest.ips.end()),
          "skipping leads to the same instructions");
  const auto width = drmemtrace::target_of(whole);
  require(width.has_value(), "a header is recognised");
  if (width == word_size::x64) {
    check<word_size::x64>(whole, mapped, all);
    copy<word_size::x64>(whole, mapped, how >> 3U);
    if (how == 8) merge<word_size::x64>(whole);
  } else {
    check<word_size::x86>(whole, mapped, all);
    copy<word_size::x86>(whole, mapped, how >> 3U);
    if (how == 9) merge<word_size::x86>(whole);
  }
  drmemtrace::row_reader rows(input_of(whole, mapped));
  std::vector<drmemtrace::row> some;
  static_cast<void>(error_of([&] {
    do rows.next(some);
    while (!some.empty());
  }));
  static_cast<void>(drmemtrace::target_of(in));
}
const target registered("drmemtrace_reader", run);
}  // namespace
}  // namespace fuzz::drmemtrace_reader
