// Feed of any described file (file/describe.hpp). A mapping assigns members of the file's records
// to the properties of an instruction:
//
//   using step_feed = feed::of<step_file, feed::map::ip<&step::ip>, feed::map::asid<&step::thread>,
//       feed::map::branch<feed::branch_class::direct_jump, feed::map::is<&step::what, kind::jump>>,
//       feed::map::target<&step::address>>;
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../file/reader.hpp"
#include "mapped.hpp"
#include "mapping.hpp"
#include "stream.hpp"

namespace tracecodec::feed {

namespace detail {
// Batches of the instructions of a file in which every record is an instruction.
template <class Reader, class... Words> class all_records {
 public:
  using batch_type = mapped_batch<decltype(Reader::batch_type::records), Words...>;

  explicit all_records(Reader from) : reader_(std::move(from)) {}

  batch_type next() { return batch_type(reader_.next()); }
  std::uint64_t skip(std::uint64_t n) { return reader_.skip(n); }
  void rewind() { reader_.rewind(); }
  std::uint64_t count() { return reader_.count(); }
  [[nodiscard]] const Reader& reader() const noexcept { return reader_; }

 private:
  Reader reader_;
};

// Batches of the instructions of a file in which map::only<> selects the records that are
// instructions.
template <class Reader, class... Words> class chosen_records {
  using says = mapping<Words...>;
  static_assert(
      !says::template has<map::role::branch> || says::template has<map::role::target>,
      "a feed with map::only<> needs the targets of its branches, map::target<&S::m>: the "
      "next record may not be an instruction");

 public:
  using batch_type = chosen_batch<decltype(Reader::batch_type::records), Words...>;

  explicit chosen_records(Reader from) : reader_(std::move(from)) {}

  batch_type next() {
    fetch();
    const batch_type b = std::exchange(rest_, {});
    done_ += b.size();
    return b;
  }
  std::uint64_t skip(std::uint64_t n) {
    std::uint64_t skipped = 0;
    while (skipped < n) {
      fetch();
      if (rest_.size() == 0) break;
      const auto step =
          static_cast<std::size_t>(std::min<std::uint64_t>(n - skipped, rest_.size()));
      rest_ = rest_.drop(step);
      skipped += step;
    }
    done_ += skipped;
    return skipped;
  }
  void rewind() {
    reader_.rewind();
    rest_ = {};
    done_ = 0;
  }
  // Reads all records, and then moves back to the current instruction.
  std::uint64_t count() {
    const std::uint64_t here = done_;
    rewind();
    const std::uint64_t n = skip(std::numeric_limits<std::uint64_t>::max());
    rewind();
    skip(here);
    return n;
  }
  [[nodiscard]] const Reader& reader() const noexcept { return reader_; }

 private:
  // Reads batches until one contains an instruction, unless instructions of a batch are left.
  void fetch() {
    while (rest_.size() == 0) {
      const auto b = reader_.next();
      if (b.size() == 0) return;
      chosen_.clear();
      for (std::size_t i = 0; i < b.size(); ++i)
        if (says::template evaluate<says::template word<map::role::only>::condition>(
                file::view_of(b.records, i)))
          chosen_.push_back(static_cast<std::uint32_t>(i));
      rest_ = batch_type(b.records, chosen_, b.last);
    }
  }

  Reader reader_;
  batch_type rest_ = {};  // instructions of the reader's batch that were not returned yet
  std::vector<std::uint32_t> chosen_ = {};
  std::uint64_t done_ = 0;  // number of instructions that were returned or skipped
};

template <class Reader, class... Words> using records_of =
    std::conditional_t<mapping<Words...>::template has<map::role::only>,
                       chosen_records<Reader, Words...>, all_records<Reader, Words...>>;
}  // namespace detail

// Feed of the records of `Reader` (models feed::stream, and is a range). `Reader` is a reader of a
// described file, or of records that are made from a file (file/made_records.hpp). `Words` are types
// of feed::map. Throws the same errors as the reader.
template <class Reader, class... Words> class over : public iterable<over<Reader, Words...>> {
 public:
  using batch_type = typename detail::records_of<Reader, Words...>::batch_type;

  explicit over(Reader from) : records_(std::move(from)) {}
  explicit over(io::input in) requires(std::is_constructible_v<Reader, io::input>)
      : over(Reader(std::move(in))) {}

  batch_type next() { return records_.next(); }
  std::uint64_t skip(std::uint64_t n) { return records_.skip(n); }
  void rewind() { records_.rewind(); }
  std::optional<std::uint64_t> count() { return records_.count(); }
  [[nodiscard]] std::optional<double> progress() const { return source().progress(); }
  [[nodiscard]] const std::string& name() const { return source().name(); }
  [[nodiscard]] const Reader& source() const noexcept { return records_.reader(); }

 private:
  detail::records_of<Reader, Words...> records_;
};

// Feed of a described file.
template <class File, class... Words> class of : public over<file::reader<File>, Words...> {
  using reader = file::reader<File>;

 public:
  explicit of(io::input in, file::reader_options options = {})
      : over<reader, Words...>(reader(std::move(in), options)) {}
  // Opens the file `path`, or standard input for "-".
  explicit of(const std::string& path, file::reader_options options = {})
      : of(io::open_input(path), options) {}
};

}  // namespace tracecodec::feed
