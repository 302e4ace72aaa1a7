// Reader that returns a trace's records as objects. If the layout and the host allow direct access,
// the objects are located in the mapped file or in the reader's buffer. In all other cases, records
// are decoded in batches.
#pragma once
#include <span>
#include <string>
#include <utility>

#include "../file/objects.hpp"
#include "../file/reader.hpp"
#include "require_records.hpp"
#include "trace_file.hpp"

namespace tracecodec::champsim {

// Batch of consecutive records. The batch is valid until the reader's next call.
template <class Record> struct record_batch {
  std::span<const Record> records = {};
  const Record* following = nullptr;  // record after the batch; nullptr at the end
};

template <class Codec> class reader;

namespace detail {
// Implementation of reader::next().
template <class Record, class Codec> record_batch<Record> next_batch(reader<Codec>& from);
}  // namespace detail

// Reader of a trace's records. Returns every whole record before it throws an error. Throws
// trace_error if the bytes end inside a record (truncated, with offset, record and field) or if the
// compressed stream is damaged. Throws not_a_trace for an empty file. The constructor throws the
// errors of require_records(), unless reader_options::trust is set. skip(), seek(), rewind(),
// count() and progress() are inherited from file::reader.
template <class Codec> class reader : public file::reader<trace_file<Codec>> {
  using base = file::reader<trace_file<Codec>>;

 public:
  using record = typename Codec::value_type;

  explicit reader(io::input in, reader_options how = {})
      : base(require_records<Codec>(std::move(in), how)) {}

  // Returns true if batches are views of the mapped file.
  [[nodiscard]] bool zero_copy() const { return !mapped_records().empty(); }
  // Returns all records if zero_copy() is true. Otherwise, returns an empty span.
  [[nodiscard]] std::span<const record> mapped_records() const {
    return file::objects<Codec>::laid_over(base::mapped_records());
  }

  // Returns up to batch_size records, or an empty batch at the end.
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
  // Include the record after the batch, which is also in memory, so that it can be returned as
  // `following`.
  const auto all = from.objects_.of({b.records.bytes().data(), b.size() + (b.last ? 0 : 1)});
  return {all.first(b.size()), b.last ? nullptr : &all[b.size()]};
}
}  // namespace detail

}  // namespace tracecodec::champsim
