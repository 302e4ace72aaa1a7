#include "outputs.hpp"

#include <bit>
#include <cstring>
#include <memory>
#include <tracecodec/champsim/writer.hpp>
#include <tracecodec/io/open.hpp>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../common/output_name.hpp"
#include "../packed.hpp"

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
    for (Record& r : all) {
      std::uint32_t place = 0;
      static_assert(sizeof place == sizeof r.source_registers);
      std::memcpy(&place, r.source_registers.data(), sizeof place);
      const kept_code k = from.code_at(place);
      r.source_registers = k.source_registers;
      // After exec, the program may run on a different processor. The file cannot contain code for
      // that processor.
      *known++ = from.processor == whose_ ? k.known : tracepack::property{.branch = k.known.branch};
    }
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
}  // namespace

std::unique_ptr<output> open_output(const std::string& path, std::size_t record_size,
                                    tracepack::processor whose, const options& o) {
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
