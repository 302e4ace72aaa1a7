#pragma once
#include "../register_numbers.hpp"

#include <algorithm>
#include <charconv>
#include <memory>
#include <string>
#include <utility>

#include "../../io/error.hpp"
#include "../../io/input/source.hpp"
#include "open_changed.hpp"

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

// Positions of the registers in a file of records.
struct register_bytes {
  struct range {
    std::size_t first = 0, last = 0;
  };
  std::uint64_t header = 0;                // number of bytes before the first record
  std::size_t record = 0;                  // number of bytes in a record
  std::array<range, 2> of_registers = {};  // offsets in a record
};
template <class Record> constexpr register_bytes register_bytes_of() {
  using codec = codec_of<Record>;
  constexpr std::size_t written = codec::template offset_of<&Record::destination_registers>,
                        read = codec::template offset_of<&Record::source_registers>;
  return {0,
          codec::size,
          {{{written, written + Record{}.destination_registers.size()},
            {read, read + Record{}.source_registers.size()}}}};
}
constexpr std::array<std::string_view, 2> register_columns{"destination_registers",
                                                           "source_registers"};
TRACECODEC_FUNC register_bytes register_bytes_of(const file::record_table& t) noexcept {
  register_bytes of{t.header().size, t.size(), {}};
  for (std::size_t i = 0; i != register_columns.size(); ++i)
    if (const auto* const c = t.find(register_columns[i]))
      of.of_registers[i] = {c->offset, c->offset + c->count};
  return of;
}

class renumbered_registers final : public io::source {
 public:
  renumbered_registers(io::input from, const std::array<std::uint8_t, 256>& table,
                       const register_bytes& of)
      : from_(std::move(from)), table_(table), of_(of) {}

  std::size_t read(std::span<std::byte> out) override {
    const std::size_t n = from_.read(out);
    if (n == 0) from_.check();
    const auto in_header = static_cast<std::size_t>(pass_header(n));
    renumber(out.subspan(in_header, n - in_header));
    return n;
  }
  std::uint64_t skip(std::uint64_t n) override {
    const std::uint64_t done = from_.skip(n);
    at_ = static_cast<std::size_t>((at_ + done - pass_header(done)) % of_.record);
    return done;
  }
  [[nodiscard]] std::optional<double> progress() const override { return from_.progress(); }

 private:
  // Returns the number of header bytes among the next `n` bytes, and subtracts this number from the
  // size of the remaining header.
  std::uint64_t pass_header(std::uint64_t n) noexcept {
    const std::uint64_t in_header = std::min(n, of_.header);
    of_.header -= in_header;
    return in_header;
  }
  void renumber(std::span<std::byte> bytes) noexcept {
    // `bytes` may begin inside a record, at offset `at_` of this record.
    for (std::size_t record = 0; record < bytes.size() + at_; record += of_.record)
      for (const auto& r : of_.of_registers) {
        const std::size_t begin = std::max(record + r.first, at_),
                          end = std::min(record + r.last, bytes.size() + at_);
        for (std::size_t i = begin; i < end; ++i) {
          std::byte& b = bytes[i - at_];
          b = std::byte{table_[std::to_integer<std::size_t>(b)]};
        }
      }
    at_ = (at_ + bytes.size()) % of_.record;
  }

  io::input from_;
  std::array<std::uint8_t, 256> table_;
  register_bytes of_;   // `header` is the number of header bytes that have not been read yet
  std::size_t at_ = 0;  // offset of the next byte within its record
};

TRACECODEC_FUNC io::input renumber(io::input in, const register_numbers& numbers,
                                   const register_bytes& of) {
  return open_changed(std::move(in), [table = numbers.table(), of](io::input from) {
    return std::unique_ptr<io::source>(new renumbered_registers(std::move(from), table, of));
  });
}

}  // namespace detail

TRACECODEC_FUNC io::input renumber_registers(io::input in, const register_numbers& numbers,
                                             bool cloudsuite) {
  return detail::renumber(std::move(in), numbers,
                          cloudsuite ? detail::register_bytes_of<cloudsuite_instruction>()
                                     : detail::register_bytes_of<instruction>());
}

TRACECODEC_FUNC bool has_byte_registers(const file::record_table& t) noexcept {
  return std::all_of(detail::register_columns.begin(), detail::register_columns.end(),
                     [&t](std::string_view name) {
                       const auto* const c = t.find(name);
                       return c == nullptr || (c->width == 1 && c->bits == 0);
                     });
}

TRACECODEC_FUNC io::input renumber_registers(io::input in, const register_numbers& numbers,
                                             const file::record_table& t) {
  if (!has_byte_registers(t))
    throw trace_error(trace_errc::refused, {.file = in.name()},
                      "only one-byte registers can be renumbered: those of the described records "
                      "have another width");
  return detail::renumber(std::move(in), numbers, detail::register_bytes_of(t));
}

}  // namespace tracecodec::champsim
