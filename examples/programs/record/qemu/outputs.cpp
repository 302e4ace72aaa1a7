#include "outputs.hpp"

#include <bit>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <tracecodec/champsim/writer.hpp>
#include <tracecodec/io/open.hpp>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../common/output_name.hpp"
#include "../../convert/drmemtrace/output.hpp"
#include "../packed.hpp"
#include "../summary.hpp"

namespace record::qemu {

namespace champsim = tracecodec::champsim;
namespace io = tracecodec::io;

static_assert(std::endian::native == std::endian::little,
              "records are shared as the file has them");

std::string name_of(const std::string& out, std::size_t process, std::size_t thread) {
  std::string which;
  if (process > 1) which += ".process" + std::to_string(process);
  if (thread > 1) which += ".thread" + std::to_string(thread);
  const std::size_t packed = tracecodec::io::codec_suffix_of(out).text.size();
  const std::size_t form = examples::output_name(out).suffix.size();
  return std::string(out).insert(out.size() - packed - form, which);
}

namespace {
// Sink that counts the bytes written to a file.
class counting_sink final : public io::sink {
 public:
  counting_sink(std::unique_ptr<io::sink> to, std::uint64_t& bytes)
      : to_(std::move(to)), bytes_(bytes) {}
  void write(std::span<const std::byte> bytes) override {
    to_->write(bytes);
    bytes_ += bytes.size();
  }
  void finish() override { to_->finish(); }

 private:
  std::unique_ptr<io::sink> to_;
  std::uint64_t& bytes_;
};

template <class Record> std::span<Record> records_in(std::span<std::byte> bytes) {
  return {reinterpret_cast<Record*>(bytes.data()), bytes.size() / sizeof(Record)};
}
template <class Record>
void set_thread([[maybe_unused]] std::span<Record> all, [[maybe_unused]] std::uint32_t thread) {
  if constexpr (requires(Record r) { r.asid; })
    for (Record& r : all)
      r.asid = {static_cast<std::uint8_t>(thread), static_cast<std::uint8_t>(thread >> 8)};
}

template <class Codec> class records_output final : public output {
 public:
  explicit records_output(const std::string& path)
      : to_(as_named(std::make_unique<counting_sink>(io::open_output(path), bytes_), path), path) {}

  void write(const process& /*from*/, std::uint32_t thread, std::span<std::byte> records) override {
    const auto all = records_in<typename Codec::value_type>(records);
    set_thread(all, thread);
    to_.write(all);
  }
  void finish() override { to_.finish(); }
  [[nodiscard]] std::uint64_t bytes() const override { return bytes_; }

 private:
  std::uint64_t bytes_ = 0;
  champsim::writer<Codec> to_;
};

// Returns the code of a record, whose place replaces the record's source registers, and restores the
// registers. `whose` is the processor whose code the file contains.
template <class Record>
tracepack::property take_code(Record& r, const process& from, tracepack::processor whose) {
  std::uint32_t place = 0;
  static_assert(sizeof place == sizeof r.source_registers);
  std::memcpy(&place, r.source_registers.data(), sizeof place);
  const kept_code k = from.code_at(place);
  r.source_registers = k.source_registers;
  // After exec, the program may run on a different processor. The file cannot contain code for
  // that processor.
  return from.processor == whose ? k.known : tracepack::property{.branch = k.known.branch};
}

// Tracepack output that also stores the properties of each record's instruction.
template <class Record> class packed_output final : public output {
 public:
  packed_output(const std::string& path, tracepack::processor whose, const options& o)
      : whose_(whose),
        to_(pack(std::make_unique<counting_sink>(io::open_output(path), bytes_), path,
                 sizeof(Record), whose, o)) {}

  void write(const process& from, std::uint32_t thread, std::span<std::byte> records) override {
    const auto all = records_in<Record>(records);
    set_thread(all, thread);
    known_.resize(all.size());
    auto known = known_.begin();
    for (Record& r : all) *known++ = take_code(r, from, whose_);
    examples::write_packed(*to_, records, known_);
  }
  void finish() override { to_->finish(); }
  [[nodiscard]] std::uint64_t bytes() const override { return bytes_; }

 private:
  std::uint64_t bytes_ = 0;
  tracepack::processor whose_;
  std::unique_ptr<io::sink> to_;
  std::vector<tracepack::property> known_ = {};
};

// Output of a drmemtrace trace. The last instruction of each thread is held back, because the next one
// determines the target of its branch.
class drmemtrace_file final : public output {
 public:
  drmemtrace_file(const std::string& path, tracepack::processor whose, const options& o)
      : whose_(whose),
        quiet_(o.quiet),
        to_(convert::compress_drmemtrace(
                std::make_unique<counting_sink>(io::open_output(path), bytes_), path,
                io::codec_of_suffix(path), {}),
            path, whose, !o.split_threads) {}

  void write(const process& from, std::uint32_t thread, std::span<std::byte> records) override {
    held& last = last_[thread];
    for (champsim::cloudsuite_instruction& r :
         records_in<champsim::cloudsuite_instruction>(records)) {
      if (last.there) add(thread, last, r.ip);
      last.known = take_code(r, from, whose_);
      last.record = r;
      last.there = true;
    }
  }
  void finish() override {
    for (const auto& [thread, last] : last_)
      if (last.there) add(thread, last, std::nullopt);
    if (!quiet_)
      convert::report(to_.unknown(), [](const std::string& what) { say("note: " + what); });
    to_.finish();
  }
  [[nodiscard]] std::uint64_t bytes() const override { return bytes_; }

 private:
  struct held {
    champsim::cloudsuite_instruction record = {};
    tracepack::property known = {};
    bool there = false;
  };
  static tracecodec::feed::branch_class branch_of(const held& one) {
    using tracecodec::feed::branch_class;
    if (one.known.branch != tracepack::unknown_class)
      return static_cast<branch_class>(one.known.branch);
    return one.record.is_branch != 0 ? branch_class::other : branch_class::not_branch;
  }
  void add(std::uint32_t thread, const held& one, std::optional<std::uint64_t> next) {
    accesses_.clear();
    for (const std::uint64_t a : one.record.source_memory)
      if (a != 0) accesses_.push_back({a, 0, false});
    for (const std::uint64_t a : one.record.destination_memory)
      if (a != 0) accesses_.push_back({a, 0, true});
    to_.add({.ip = one.record.ip,
             .next = next,
             .thread = thread,
             .length = one.known.length,
             .branch = branch_of(one),
             .taken = one.record.branch_taken != 0,
             .code = std::as_bytes(std::span(one.known.code)).first(one.known.length),
             .accesses = accesses_,
             .written = one.record.destination_registers,
             .read = one.record.source_registers});
  }

  std::uint64_t bytes_ = 0;
  tracepack::processor whose_;
  bool quiet_;
  convert::drmemtrace_output to_;
  std::map<std::uint32_t, held> last_ = {};
  std::vector<tracecodec::feed::listed_access> accesses_ = {};
};
}  // namespace

std::unique_ptr<output> open_output(const std::string& path, std::size_t record_size,
                                    tracepack::processor whose, const options& o) {
  if (o.wants("drmemtrace")) return std::make_unique<drmemtrace_file>(path, whose, o);
  if (is_packed(path)) {
    if (record_size == sizeof(champsim::instruction))
      return std::make_unique<packed_output<champsim::instruction>>(path, whose, o);
    return std::make_unique<packed_output<champsim::cloudsuite_instruction>>(path, whose, o);
  }
  if (record_size == sizeof(champsim::instruction))
    return std::make_unique<records_output<champsim::instruction_codec>>(path);
  return std::make_unique<records_output<champsim::cloudsuite_codec>>(path);
}

}  // namespace record::qemu
