// Records that a table describes at run time (file/record_table.hpp), as ChampSim's or CloudSuite's: its
// columns that have the names of their members are taken over, whatever their width, order and place.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../file/table_reader.hpp"
#include "../io/open.hpp"
#include "../io/owned.hpp"
#include "../io/shared.hpp"
#include "../io/source.hpp"
#include "layout.hpp"

namespace tracecodec::champsim {

// Whether CloudSuite's records are needed: for an address space. (They also hold more operands.)
inline bool needs_cloudsuite(const file::record_table& t) { return t.find("asid") != nullptr; }

// The bytes of `Record`s. What a table lacks is 0. An array with more elements than the record has
// gives those that are not 0. Throws trace_error as file::table_reader; refused if the table has no ip,
// if a field of these names is floating point, or if an array has more elements that are not 0 than
// fit; bad_value for a value that is too large.
template <trace_record Record> class table_source final : public io::source {
 public:
  explicit table_source(file::table_reader from) : from_(std::move(from)) {
    if (from_.table().find("ip") == nullptr)
      throw trace_error(trace_errc::refused, {.file = from_.name(), .field = "ip"},
                        "the record that is described has no field of this name, which every "
                        "instruction needs");
  }

  std::size_t read(std::span<std::byte> out) override {
    std::size_t done = 0;
    while (done < out.size() && (at_ != made_.size() || make())) {
      const std::size_t n = std::min(out.size() - done, made_.size() - at_);
      std::memcpy(out.data() + done, made_.data() + at_, n);
      at_ += n;
      done += n;
    }
    if (done == 0 && !out.empty() && failure_) std::rethrow_exception(failure_);
    return done;
  }
  std::uint64_t skip(std::uint64_t n) override {
    if (at_ != made_.size() || failure_) return 0;  // what is made is read first
    return from_.skip(n / codec::size) * codec::size;
  }

 private:
  using codec = codec_of<Record>;
  static constexpr std::size_t batch = 1024;

  // The next records; false at the end and at an error.
  bool make() {
    at_ = 0;
    made_.clear();
    if (failure_) return false;
    try {
      const std::uint64_t first = from_.position();
      const auto in = from_.next(batch);
      const std::size_t size = from_.table().size(), n = in.size() / size;
      made_.resize(n * codec::size);
      for (std::size_t i = 0; i < n; ++i) {
        Record r{};
        try {
          fill(r, in.data() + i * size, first + i);
        } catch (...) {
          made_.resize(i * codec::size);
          throw;
        }
        codec::store(r, made_.data() + i * codec::size);
      }
    } catch (...) {
      failure_ = std::current_exception();
    }
    return !made_.empty();
  }

  void fill(Record& r, const std::byte* p, std::uint64_t index) const {
    one(r.ip, ip_, p, index);
    one(r.is_branch, is_branch_, p, index);
    one(r.branch_taken, branch_taken_, p, index);
    many(r.destination_registers, destination_registers_, p, index);
    many(r.source_registers, source_registers_, p, index);
    many(r.destination_memory, destination_memory_, p, index);
    many(r.source_memory, source_memory_, p, index);
    if constexpr (requires { r.asid; })
      if (asid_ != nullptr) {
        if (asid_->count == 1) {
          std::uint16_t both = 0;
          one(both, asid_, p, index);
          r.asid = {static_cast<std::uint8_t>(both), static_cast<std::uint8_t>(both >> 8)};
        } else {
          many(r.asid, asid_, p, index);
        }
      }
  }
  template <class T> void one(T& to, const file::record_column* c, const std::byte* p,
                              std::uint64_t index, std::size_t i = 0) const {
    if (c == nullptr) return;
    const std::uint64_t v = c->load(p, i);
    if constexpr (sizeof(T) < 8)
      if (v >> 8 * sizeof(T) != 0)
        fail(trace_errc::bad_value, *c, index,
             std::to_string(v) + " needs more than " + std::to_string(8 * sizeof(T)) + " bits");
    to = static_cast<T>(v);
  }
  template <class T, std::size_t N> void many(std::array<T, N>& to, const file::record_column* c,
                                              const std::byte* p, std::uint64_t index) const {
    if (c == nullptr) return;
    if (c->count <= N) {
      for (std::size_t i = 0; i < c->count; ++i) one(to[i], c, p, index, i);
      return;
    }
    std::size_t n = 0;
    for (std::size_t i = 0; i < c->count; ++i) {
      if (c->load(p, i) == 0) continue;
      if (n == N)
        fail(trace_errc::refused, *c, index,
             "has more than " + std::to_string(N) + " elements that are not 0, for which " +
                 (std::is_same_v<Record, cloudsuite_instruction>
                      ? "a record has no room"
                      : "a ChampSim record has no room; CloudSuite's (format cloudsuite) has 4"));
      one(to[n++], c, p, index, i);
    }
  }
  [[noreturn]] void fail(trace_errc code, const file::record_column& c, std::uint64_t index,
                         const std::string& why) const {
    throw trace_error(code, {from_.name(), index * from_.table().size() + c.offset, index, c.name},
                      why);
  }

  file::table_reader from_;
  // Null if there is none. A real number is no address, register or flag.
  const file::record_column* column(std::string_view name) const {
    const auto* const c = from_.table().find(name);
    if (c != nullptr && c->kind == file::column_kind::real)
      throw trace_error(
          trace_errc::refused, {.file = from_.name(), .field = c->name},
          "floating point is nothing that an instruction has: call the field otherwise");
    return c;
  }
  const file::record_column* ip_ = column("ip");
  const file::record_column* is_branch_ = column("is_branch");
  const file::record_column* branch_taken_ = column("branch_taken");
  const file::record_column* destination_registers_ = column("destination_registers");
  const file::record_column* source_registers_ = column("source_registers");
  const file::record_column* destination_memory_ = column("destination_memory");
  const file::record_column* source_memory_ = column("source_memory");
  const file::record_column* asid_ = column("asid");
  std::vector<std::byte> made_ = {};
  std::size_t at_ = 0;
  std::exception_ptr failure_ = {};
};

namespace detail {
inline io::owned<io::source> source_by_table(io::input in,
                                             const io::shared<const file::record_table>& table,
                                             bool cloudsuite) {
  file::table_reader from(std::move(in), table);
  if (cloudsuite) return io::make_owned<table_source<cloudsuite_instruction>>(std::move(from));
  return io::make_owned<table_source<instruction>>(std::move(from));
}
}  // namespace detail

// An open file as an input of such records: CloudSuite's or the standard ones. It cannot be rewound.
// Throws trace_error(refused) without an ip.
inline io::input open_table(io::input in, const io::shared<const file::record_table>& table,
                            bool cloudsuite) {
  const std::string name = in.name();
  return io::open_source(detail::source_by_table(std::move(in), table, cloudsuite), name,
                         {.compression = io::codec::none});
}
// The same of the file `path`, "-" for standard input. Throws as io::open_input, too. It can be rewound
// if it is no pipe.
inline io::input open_table(const std::string& path,
                            const io::shared<const file::record_table>& table, bool cloudsuite,
                            const io::open_options& how = {}) {
  io::input first = io::open_input(path, how);
  if (!first.rewindable()) return open_table(std::move(first), table, cloudsuite);
  return io::open_sources(
      [=] { return detail::source_by_table(io::open_input(path, how), table, cloudsuite); },
      first.name(), {.compression = io::codec::none});
}

}  // namespace tracecodec::champsim
