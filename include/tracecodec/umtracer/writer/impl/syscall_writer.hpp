// Writes syscall.vtable and syscall.offsets.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

#include "../../../io/output/atomic_folder.hpp"
#include "../../files.hpp"
#include "../../layout/syscall.hpp"
#include "../rows.hpp"

namespace tracecodec::umtracer {

// Size of syscallRec according to the specification, which defines fields only for the first 56
// bytes.
inline constexpr std::size_t syscall_front = 64;

// Returns the size of the call's record in bytes: syscallRec, arguments and extras.
inline std::size_t syscall_extent(const syscall_info& s) noexcept {
  return syscall_front + 8 * s.arguments.size() + s.extras.size();
}

// Encodes the call's syscallRec at `to`, which must have space for syscall_extent() bytes. The
// arguments and the extras follow syscallRec.
inline void encode_syscall(const syscall_info& s, const syscall_outcome& o,
                           std::byte* to) noexcept {
  const std::size_t extras = syscall_front + 8 * s.arguments.size();
  wire::zero(to, syscall_front);
  syscall_codec::store({s.raw_id,
                        s.uniform_id,
                        s.convention,
                        o.completed,
                        static_cast<std::uint8_t>(s.arguments.size()),
                        s.extra_count,
                        o.begin_eid,
                        o.end_eid,
                        s.stack_pointer,
                        o.result,
                        {static_cast<std::int64_t>(syscall_front)},
                        {static_cast<std::int64_t>(extras)}},
                       to);
  for (std::size_t i = 0; i < s.arguments.size(); ++i)
    wire::u64le::store(s.arguments[i], to + syscall_front + 8 * i);
  wire::copy(s.extras.data(), to + extras, s.extras.size());
}

// Writer of the system call table. A call is written when it begins, and patched when it ends.
// Memory use grows with the number of calls that have not ended.
class syscall_writer {
 public:
  syscall_writer(const io::atomic_folder& folder, std::uint32_t unified_version)
      : records_(folder.create(std::string(name(file::syscall_records)))),
        offsets_(folder.create(std::string(name(file::syscall_offsets)))),
        unified_version_(unified_version) {
    store_header(records_.append(syscall_header_codec::size));
  }

  // Returns the number of calls, which is also the number of the next call.
  [[nodiscard]] std::int64_t size() const noexcept { return size_; }

  // Throws trace_error(refused), with record and field, if there are more than 255 arguments, or if
  // there are extras but extra_count is 0.
  void check(const syscall_info& s) const {
    if (s.arguments.size() > 255)
      refuse("argument_count", std::to_string(s.arguments.size()) + " arguments: 255 at most");
    if (s.extra_count == 0 && !s.extras.empty())
      refuse("extra_count", "is 0, but there are extras");
  }
  // Adds a call that has ended or will never end, and returns its number. Throws the errors of
  // check(), and also if the call ends before it begins. Does not check that the records begin_eid
  // and end_eid belong to the call.
  std::int64_t add(const syscall_info& s, const syscall_outcome& o) {
    check(s);
    if (o.begin_eid < 0) refuse("begin_eid", "is not a record");
    if (o.end_eid != no_eid && o.end_eid <= o.begin_eid) refuse("end_eid", "lies before begin_eid");
    latest_eid_ = std::max({latest_eid_, o.begin_eid, o.end_eid});
    const std::size_t n = syscall_extent(s);
    syscall_place_codec::store(
        {static_cast<std::int64_t>(records_.size()), static_cast<std::int64_t>(n)},
        offsets_.append(syscall_place_codec::size));
    encode_syscall(s, o, records_.append(n));
    return size_++;
  }
  // Adds a call that begins at record `eid` and may end later, and returns its number. Throws the
  // errors of check().
  std::int64_t begin(const syscall_info& s, std::int64_t eid, std::uint32_t thread) {
    check(s);
    open_.emplace(size_, open_call{records_.size(), thread});
    return add(s, {.begin_eid = eid});
  }
  // Returns true if `id` is a call of `thread` that has not ended.
  [[nodiscard]] bool is_open(std::int64_t id, std::uint32_t thread) const {
    const auto found = open_.find(id);
    return found != open_.end() && found->second.thread == thread;
  }
  // Stores the end of call `id`, which must be open, at record `eid`. `result` is nullopt if the
  // call will never return.
  void end(std::int64_t id, std::int64_t eid, std::optional<std::uint64_t> result) {
    const auto found = open_.find(id);
    patch<&syscall_record::end_eid, wire::i64le>(found->second.offset, eid);
    if (result) {
      patch<&syscall_record::completed, wire::u8>(found->second.offset, 1);
      patch<&syscall_record::result, wire::u64le>(found->second.offset, *result);
    }
    open_.erase(found);
  }

  // Completes the files. `records` is the number of records in the trace. Throws
  // trace_error(refused) if a call begins or ends at a record that does not exist.
  void finish(std::int64_t records) {
    if (latest_eid_ >= records)
      throw trace_error(trace_errc::refused, {records_.name(), {}, {}, "end_eid"},
                        "a system call refers to record " + std::to_string(latest_eid_) +
                            ", but there are " + std::to_string(records));
    std::array<std::byte, syscall_header_codec::size> front{};
    store_header(front.data());
    records_.patch(0, front);
    records_.finish();
    offsets_.finish();
  }

 private:
  [[noreturn]] void refuse(const char* field, const std::string& why) const {
    throw trace_error(trace_errc::refused,
                      {records_.name(), {}, static_cast<std::uint64_t>(size_), field}, why);
  }
  void store_header(std::byte* to) const {
    syscall_header_codec::store({0, unified_version_, size_}, to);
  }
  template <auto Member, class Codec>
  void patch(std::uint64_t record, typename Codec::value_type value) {
    std::array<std::byte, Codec::size> bytes{};
    Codec::store(value, bytes.data());
    records_.patch(record + syscall_codec::offset_of<Member>, bytes);
  }

  io::folder_file records_, offsets_;
  std::uint32_t unified_version_;
  std::int64_t size_ = 0;
  std::int64_t latest_eid_ = no_eid;  // highest record id that a call refers to
  struct open_call {
    std::uint64_t offset;  // offset of the call's record in syscall.vtable
    std::uint32_t thread;
  };
  std::unordered_map<std::int64_t, open_call> open_ = {};  // keyed by the call's number
};

}  // namespace tracecodec::umtracer
