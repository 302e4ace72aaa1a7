#pragma once
#include "../register_numbers.hpp"

#include <algorithm>
#include <charconv>
#include <string>
#include <utility>

#include "../../io/shared.hpp"
#include "../../io/source.hpp"

namespace tracecodec::champsim {

TRACECODEC_FUNC std::optional<register_numbers> parse_register_numbers(std::string_view text) {
  register_numbers all;
  struct known {
    std::string_view name;
    std::uint8_t register_numbers::*to;
    bool seen;
  };
  std::array<known, 3> names{{{"ip", &register_numbers::ip, false},
                              {"sp", &register_numbers::sp, false},
                              {"flags", &register_numbers::flags, false}}};
  for (;;) {
    const std::size_t end = std::min(text.find(','), text.size());
    const std::string_view one = text.substr(0, end);
    const std::size_t equals = one.find('=');
    if (equals == std::string_view::npos) return std::nullopt;
    const std::string_view name = one.substr(0, equals), value = one.substr(equals + 1);
    const auto at =
        std::find_if(names.begin(), names.end(), [name](const known& k) { return k.name == name; });
    unsigned n = 0;
    const auto r = std::from_chars(value.data(), value.data() + value.size(), n);
    if (at == names.end() || at->seen || r.ec != std::errc{} ||
        r.ptr != value.data() + value.size() || n == 0 || n > 255)
      return std::nullopt;
    at->seen = true;
    all.*(at->to) = static_cast<std::uint8_t>(n);
    if (end == text.size()) break;
    text.remove_prefix(end + 1);
  }
  if (all.ip == all.sp || all.ip == all.flags || all.sp == all.flags) return std::nullopt;
  return all;
}

namespace detail {

// Where the registers lie in a record: the destinations, and the sources which follow them.
struct register_bytes {
  std::size_t record, first, last;
};
template <class Record> constexpr register_bytes register_bytes_of() {
  using codec = codec_of<Record>;
  constexpr std::size_t first = codec::template offset_of<&Record::destination_registers>,
                        sources = codec::template offset_of<&Record::source_registers>;
  static_assert(sources == first + Record{}.destination_registers.size());
  return {codec::size, first, sources + Record{}.source_registers.size()};
}

template <class = void> class renumbered_registers final : public io::source {
 public:
  renumbered_registers(io::shared<io::input> from, const std::array<std::uint8_t, 256>& table,
                       const register_bytes& of)
      : from_(std::move(from)), table_(table), of_(of) {}

  std::size_t read(std::span<std::byte> out) override {
    const std::size_t n = from_->read(out);
    if (n == 0) from_->check();
    // Of the first record only what is behind `at_` lies in `out`.
    for (std::size_t record = 0; record < n + at_; record += of_.record) {
      const std::size_t begin = std::max(record + of_.first, at_),
                        end = std::min(record + of_.last, n + at_);
      for (std::size_t i = begin; i < end; ++i) {
        std::byte& b = out[i - at_];
        b = std::byte{table_[std::to_integer<std::size_t>(b)]};
      }
    }
    at_ = (at_ + n) % of_.record;
    return n;
  }
  std::uint64_t skip(std::uint64_t n) override {
    const std::uint64_t done = from_->skip(n);
    at_ = static_cast<std::size_t>((at_ + done) % of_.record);
    return done;
  }
  [[nodiscard]] std::optional<double> progress() const override { return from_->progress(); }

 private:
  io::shared<io::input> from_;
  std::array<std::uint8_t, 256> table_;
  register_bytes of_;
  std::size_t at_ = 0;  // of the next byte, in its record
};

}  // namespace detail

TRACECODEC_LAZY_FUNC io::input renumber_registers(io::input in, const register_numbers& numbers,
                                                  bool cloudsuite) {
  const detail::register_bytes of = cloudsuite ? detail::register_bytes_of<cloudsuite_instruction>()
                                               : detail::register_bytes_of<instruction>();
  const io::open_options plain{.compression = io::codec::none};
  const std::string name = in.name();
  const bool again = in.rewindable();
  const auto first = io::make_shared<io::input>(std::move(in));
  const auto make = [table = numbers.table(), of](io::shared<io::input> from) {
    return io::owned<io::source>(new detail::renumbered_registers<>(std::move(from), table, of));
  };
  if (!again) return io::open_source(make(first), name, plain);
  return io::open_sources(
      [first, make, begun = false]() mutable {
        return make(std::exchange(begun, true) ? io::make_shared<io::input>(first->again())
                                               : first);
      },
      name, plain);
}

}  // namespace tracecodec::champsim
