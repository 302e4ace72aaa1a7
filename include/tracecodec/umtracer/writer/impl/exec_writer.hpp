// Writes the execution table (exec.vtable, exec.offsets and exec.prev_next.column) and the thread
// table, which is derived from the execution table.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "../../../io/output/atomic_folder.hpp"
#include "../../files.hpp"
#include "../../layout/exec.hpp"
#include "../rows.hpp"
#include "table_writer.hpp"

namespace tracecodec::umtracer {

// Writer of exec.vtable, exec.offsets, exec.prev_next.column and thread.itable. Each added record
// requires a patch of the `next` field of the thread's previous record. Patching is cheap if the
// field is still buffered. If more than 65,536 other records were added in between, patching
// requires a system call. The buffers take 1.1 MiB of memory, and each thread takes a constant
// amount.
class exec_writer {
 public:
  // Creates the files. `version` is 0 or 1. `row_size` is the size of a thread's row, 40 or 48.
  exec_writer(const io::atomic_folder& folder, std::uint32_t version, std::size_t row_size)
      : records_(folder.create(std::string(name(file::exec_records)))),
        offsets_(folder.create(std::string(name(file::exec_offsets)))),
        neighbours_(folder.create(std::string(name(file::exec_neighbours)), std::size_t{1} << 20)),
        threads_(folder.create(std::string(name(file::threads)))),
        version_(version),
        row_size_(row_size) {
    exec_header_codec::store({version_, 0}, records_.append(exec_header_codec::size));
    add_offset();
  }

  // Adds a thread and returns its id. Throws trace_error(refused) if the id already exists.
  std::uint32_t add_thread(const thread_info& t) {
    const std::uint32_t id = t.id.value_or(static_cast<std::uint32_t>(rows_.size()));
    if (!row_of_.try_emplace(id, rows_.size()).second)
      throw trace_error(trace_errc::refused, {threads_.name(), {}, rows_.size(), "id"},
                        "there is a thread " + std::to_string(id) + " already");
    rows_.push_back({{id, t.win_tid, t.tib_address, no_eid, no_eid, 0}, no_eid});
    return id;
  }

  // Returns the number of records, which is also the number of the next record.
  [[nodiscard]] std::int64_t size() const noexcept { return size_; }

  // Adds a record and returns the address of its `n` bytes of data, which the caller must fill
  // before calling another function. Throws trace_error(refused), with record and field:
  // - if the thread is unknown
  // - if a thread_begin is not the thread's first record
  // - if the thread or the application has ended
  [[nodiscard]] std::byte* add(std::uint32_t thread, exec_type type, std::uint8_t flags,
                               std::size_t n) {
    thread_row& row = row_for(thread);
    check_order(row, type);
    std::byte* const to = records_.append(exec_record_codec::size + n);
    exec_record_codec::store({thread, type, flags}, to);
    add_offset();
    link(row);
    if (type == exec_type::thread_end) row.record.last_eid = size_;
    if (type == exec_type::application_end) ended_ = true;
    ++size_;
    return to + exec_record_codec::size;
  }

  // Declares that `thread` has no more records. LastEID in the thread's row becomes the id of the
  // thread's last record. Throws trace_error(refused) if the thread is unknown or has no records.
  void close(std::uint32_t thread) {
    thread_row& row = row_for(thread);
    if (row.previous == no_eid)
      refuse("thread_id", "thread " + std::to_string(thread) + " has no records");
    row.record.last_eid = row.previous;
  }

  // Throws trace_error(refused) for a field of the next record.
  [[noreturn]] void refuse(const char* field, const std::string& why) const {
    throw trace_error(trace_errc::refused,
                      {records_.name(), records_.size(), static_cast<std::uint64_t>(size_), field},
                      why);
  }

  // Completes the four files. Do not call any other function afterwards. Throws trace_error(system)
  // if a file cannot be written.
  void finish() {
    std::array<std::byte, exec_header_codec::size> front{};
    exec_header_codec::store({version_, size_}, front.data());
    records_.patch(0, front);
    records_.finish();
    offsets_.finish();
    neighbours_.finish();
    threads_.write(encode_header(0, rows_.size(), row_size_, table_header_codec::size));
    for (const thread_row& row : rows_) {
      std::byte* const to = threads_.append(row_size_);
      wire::zero(to, row_size_);
      thread_codec::store(row.record, to);
    }
    threads_.finish();
  }

 private:
  struct thread_row {
    thread_record record;
    std::int64_t previous;  // most recent record of the thread
  };

  thread_row& row_for(std::uint32_t thread) {
    if (recent_ < rows_.size() && rows_[recent_].record.id == thread) return rows_[recent_];
    const auto found = row_of_.find(thread);
    if (found == row_of_.end()) refuse("thread_id", "there is no thread " + std::to_string(thread));
    recent_ = found->second;
    return rows_[recent_];
  }
  void check_order(const thread_row& row, exec_type type) const {
    if (ended_) refuse("type", "no record can follow the application's end");
    if (row.record.last_eid != no_eid)
      refuse("type", "thread " + std::to_string(row.record.id) + " has ended");
    if (type == exec_type::thread_begin && row.record.record_count != 0)
      refuse("type", "thread " + std::to_string(row.record.id) + " has already begun");
  }
  void add_offset() {
    wire::i64le::store(static_cast<std::int64_t>(records_.size()),
                       offsets_.append(wire::i64le::size));
  }
  void link(thread_row& row) {
    if (row.previous != no_eid) {
      std::array<std::byte, 8> next{};
      wire::i64le::store(size_, next.data());
      const auto at = static_cast<std::uint64_t>(row.previous) * neighbours_codec::size;
      neighbours_.patch(at + neighbours_codec::offset_of<&neighbours::next>, next);
    } else {
      row.record.first_eid = size_;
    }
    neighbours_codec::store({row.previous, no_eid}, neighbours_.append(neighbours_codec::size));
    row.previous = size_;
    ++row.record.record_count;
  }

  io::folder_file records_, offsets_, neighbours_, threads_;
  std::uint32_t version_;
  std::size_t row_size_;
  std::vector<thread_row> rows_ = {};
  std::map<std::uint32_t, std::size_t> row_of_ = {};  // keyed by thread id
  std::size_t recent_ = 0;                            // index in rows_ of the thread used last
  std::int64_t size_ = 0;
  bool ended_ = false;
};

}  // namespace tracecodec::umtracer
