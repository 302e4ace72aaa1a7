#include "outputs.hpp"

#include <bit>
#include <cstring>
#include <tracecodec/champsim/writer.hpp>
#include <tracecodec/io/open.hpp>
#include <type_traits>
#include <utility>

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
// Counts what arrives at the file.
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

template <class Codec> class records_output final : public output {
 public:
  records_output(const std::string& path, const options& o)
      : to_(as_named(std::make_unique<counting_sink>(io::open_output(path), bytes_), path,
                     sizeof(typename Codec::value_type), o),
            path) {}

  void write(std::span<std::byte> records, std::uint32_t thread) override {
    using record = typename Codec::value_type;
    auto* const all = reinterpret_cast<record*>(records.data());
    const std::size_t n = records.size() / sizeof(record);
    if constexpr (requires { all->asid; })
      for (std::size_t i = 0; i != n; ++i)
        all[i].asid = {static_cast<std::uint8_t>(thread), static_cast<std::uint8_t>(thread >> 8)};
    to_.write(std::span<const record>(all, n));
  }
  void finish() override { to_.finish(); }
  [[nodiscard]] std::uint64_t bytes() const override { return bytes_; }

 private:
  std::uint64_t bytes_ = 0;
  champsim::writer<Codec> to_;
};
}  // namespace

std::unique_ptr<output> open_output(const std::string& path, std::size_t record_size,
                                    const options& o) {
  if (record_size == sizeof(champsim::instruction))
    return std::make_unique<records_output<champsim::instruction_codec>>(path, o);
  return std::make_unique<records_output<champsim::cloudsuite_codec>>(path, o);
}

}  // namespace record::qemu
