// Reader of a trace's records as objects. The objects are in the mapped file or in the reader's
// buffer if layout and host allow it; otherwise they are decoded in batches.
#pragma once
#include <span>
#include <string>
#include <utility>

#include "../file/objects.hpp"
#include "../file/reader.hpp"
#include "require_records.hpp"
#include "trace_file.hpp"

namespace tracecodec::champsim {

// Consecutive records, valid until the reader's next call.
template <class Record> struct record_batch {
  std::span<const Record> records = {};
  const Record* following = nullptr;  // record after the batch; nullptr at the end
};

template <class Codec> class reader;

namespace detail {
// Implements reader::next().
template <class Record, class Codec> record_batch<Record> next_batch(reader<Codec>& from);
}  // namespace detail

// Reader of a trace's records. Returns every whole record. Then throws trace_error if the bytes
// end inside a record (truncated, with offset, record and field) or if the compressed stream is
// damaged. Throws not_a_trace for an empty file. The constructor throws what require_records()
// throws, unless the options trust the input. skip(), seek(), rewind(), count() and progress()
// are inherited from file::reader.
template <class Codec> class reader : public file::reader<trace_file<Codec>> {
  using base = file::reader<trace_file<Codec>>;

 public:
  using record = typename Codec::value_type;

  explicit reader(io::input in, reader_options how = {})
      : base(require_records<Codec>(std::move(in), how)) {}

  // Returns true if batches are directly in the mapped file.
  [[nodiscard]] bool zero_copy() const { return !mapped_records().empty(); }
  // Returns all records if zero_copy() is true; an empty span otherwise.
  [[nodiscard]] std::span<const record> mapped_records() const {
    return file::objects<Codec>::laid_over(base::mapped_records());
  }

  // Returns the next records, at most batch_size; an empty batch at the end.
  record_batch<record> next() { return detail::next_batch<record>(*this); }

 private:
  template <class Record, class Of>
  friend record_batch<Record> detail::next_batch(reader<Of>& from);

  file::objects<Codec> objects_ = {};
};

namespace detail {
template <class Record, class Codec> record_batch<Record> next_batch(reader<Codec>& from) {
  const auto b = from.file::template reader<trace_file<Codec>>::next();
  if (b.size() == 0) return {};
  // The record after the batch is also in memory.
  const auto all = from.objects_.of({b.records.bytes().data(), b.size() + (b.last ? 0 : 1)});
  return {all.first(b.size()), b.last ? nullptr : &all[b.size()]};
}
}  // namespace detail

}  // namespace tracecodec::champsim
