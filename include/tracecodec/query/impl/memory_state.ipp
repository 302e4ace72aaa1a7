#pragma once
#include <algorithm>
#include <compare>
#include <string>
#include <utility>

#include "../../io/error.hpp"
#include "../memory_state.hpp"

namespace tracecodec::query {

TRACECODEC_FUNC std::vector<std::optional<std::byte>> values_in(
    const feed::memory_values_column& values, std::size_t row, std::uint64_t address,
    std::size_t size, bool after) {
  std::vector<std::optional<std::byte>> found(size);
  for (std::size_t k = values.begin(row); k != values.end(row); ++k) {
    if (values.trusted[k] == 0 || (values.after[k] != 0) != after) continue;
    const auto bytes = values.bytes[k];
    for (std::size_t i = 0; i != size; ++i)
      if (const std::uint64_t place = address + i - values.address[k]; place < bytes.size())
        found[i] = bytes[static_cast<std::size_t>(place)];
  }
  return found;
}

namespace detail {

inline memory_byte shown_byte(std::byte value, known_by by, const instruction_time& at) noexcept {
  return {value, by, at.index, at.thread, at.time};
}

// Reads all accesses of the bytes, from the first one on. The last write or read before `at` shows
// the value of a byte and, if there is none, the first one afterwards.
inline std::vector<memory_byte> memory_by_reading(memory_questions& questions,
                                                  feed::column_source& trace,
                                                  analysis::address_span bytes, std::uint64_t at) {
  const auto size = static_cast<std::size_t>(bytes.last - bytes.first) + 1;
  std::vector<memory_byte> found(size);
  // True for bytes that an instruction from `at` on has written.
  std::vector<bool> overwritten(size);
  std::size_t unknown = size;
  feed::columns row;
  questions.each(
      {.bytes = bytes}, 0, memory_questions::no_end,
      [&](const feed::columns& batch, std::size_t n) {
        const std::uint64_t access = batch.first() + n;
        if (access >= at && unknown == 0) return false;
        trace.read_row(row, n, {feed::column::memory, feed::column::memory_values});
        const instruction_time by = time_of(batch, n);
        const auto old = values_in(row.memory_values(), 0, bytes.first, size, false),
                   now = values_in(row.memory_values(), 0, bytes.first, size, true);
        for (std::size_t i = 0; i != size; ++i) {
          const std::uint64_t address = bytes.first + i;
          const bool writes = has_access(row, 0, {.bytes = {address, address}, .reads = false});
          const bool was_unknown = found[i].by == known_by::nothing;
          if (access < at) {
            if (writes)
              found[i] = now[i] ? shown_byte(*now[i], known_by::earlier, by) : memory_byte{};
            else if (old[i])
              found[i] = shown_byte(*old[i], known_by::earlier, by);
          } else if (was_unknown && !overwritten[i]) {
            if (old[i]) found[i] = shown_byte(*old[i], known_by::later, by);
            overwritten[i] = writes;
          }
        }
        unknown = 0;
        for (std::size_t i = 0; i != size; ++i)
          unknown += found[i].by == known_by::nothing && !overwritten[i] ? 1U : 0U;
        return true;
      });
  return found;
}

// Looks up bytes of memory with an index. All bytes are looked up at the same time, because a file
// that cannot be entered in the middle is read from its beginning whenever the position moves back.
class memory_lookup {
 public:
  memory_lookup(memory_questions& questions, feed::column_set has, std::uint64_t address,
                std::size_t size)
      : questions_(&questions),
        columns_(time_columns(has) |
                 feed::column_set{feed::column::memory, feed::column::memory_values}),
        address_(address),
        found_(size) {}

  // Returns the bytes before instruction `at`. Call this function once.
  std::vector<memory_byte> find(std::uint64_t at) {
    std::vector<open_byte> open;
    for (std::size_t i = 0; i != found_.size(); ++i) open.push_back({at, i});
    open = search(
        open,
        [this](const open_byte& b) { return questions_->indexed_last(query(b.place), b.access); },
        known_by::earlier);
    for (open_byte& b : open) b.access = at - 1;
    search(
        open,
        [this](const open_byte& b) {
          return questions_->indexed_first(query(b.place), b.access + 1);
        },
        known_by::later);
    return std::move(found_);
  }

 private:
  struct open_byte {
    std::uint64_t access;  // number of the instruction that was examined last
    std::size_t place;     // in `found_`
    friend auto operator<=>(const open_byte&, const open_byte&) = default;
  };

  [[nodiscard]] access_query query(std::size_t place) const {
    return {.bytes = {address_ + place, address_ + place}};
  }

  // Examines the accesses next(b), next() of that one, and so on, of each byte `b`, until one of them
  // shows or changes the value. Returns the bytes of which none does.
  template <class Next>
  std::vector<open_byte> search(std::vector<open_byte> open, Next next, known_by by) {
    std::vector<open_byte> without_access, examined;
    for (; !open.empty(); std::swap(open, examined)) {
      examined.clear();
      for (const open_byte& b : open) {
        const auto access = next(b);
        (access ? examined : without_access).push_back({access.value_or(0), b.place});
      }
      std::sort(examined.begin(), examined.end());
      // A read without a value does not change the byte, so another access may show it.
      std::erase_if(examined, [&](const open_byte& b) { return examine(b, by); });
    }
    return without_access;
  }

  // Reads an access of a byte. Returns true if it shows or changes the value.
  bool examine(const open_byte& b, known_by by) {
    access_query q = query(b.place);
    const bool is_read = row_.size() != 0 && row_.first() == b.access;
    if (!(is_read ? has_access(row_, 0, q) : questions_->read(b.access, q, row_, columns_)))
      return false;
    q.reads = false;
    const bool writes = has_access(row_, 0, q);
    const auto value =
        values_in(row_.memory_values(), 0, q.bytes.first, 1, writes && by == known_by::earlier)[0];
    if (value) found_[b.place] = shown_byte(*value, by, time_of(row_, 0));
    return value || writes;
  }

  memory_questions* questions_;
  feed::column_set columns_;
  std::uint64_t address_;
  std::vector<memory_byte> found_;
  feed::columns row_ = {};
};

}  // namespace detail

TRACECODEC_FUNC std::vector<memory_byte> memory_at(memory_questions& questions,
                                                   feed::column_source& trace,
                                                   std::uint64_t address, std::size_t size,
                                                   std::uint64_t at) {
  const auto refuse = [&](const char* why) {
    return trace_error(trace_errc::refused, {.file = std::string(trace.name())}, why);
  };
  if (!trace.has().has(feed::column::memory_values))
    throw refuse("traces of this format do not have the values of memory");
  if (size == 0) return {};
  if (address + (size - 1) < address)
    throw refuse("the bytes would continue after the highest address");
  if (!questions.has_index())
    return detail::memory_by_reading(questions, trace, {address, address + (size - 1)}, at);
  return detail::memory_lookup(questions, trace.has(), address, size).find(at);
}

}  // namespace tracecodec::query
