// Implementation of champsim/thread_records.hpp.
#pragma once
#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../../file/table_reader.hpp"
#include "../../io/error.hpp"
#include "../../io/input/source.hpp"
#include "../../wire/table.hpp"
#include "../layout.hpp"
#include "../table_feed.hpp"
#include "../thread_records.hpp"
#include "open_changed.hpp"

namespace tracecodec::champsim {

TRACECODEC_FUNC file::record_table cloudsuite_table() {
  std::string text;
  wire::print_table(wire::layout_table<cloudsuite_codec>,
                    [&text](std::string_view piece) { text += piece; });
  return file::parse_record_table(text, "cloudsuite");
}

namespace detail {

class thread_records final : public io::source {
 public:
  thread_records(io::input in, std::shared_ptr<const file::record_table> table,
                 std::uint32_t thread)
      : from_(std::move(in), table),
        columns_(instruction_columns(*table, from_.name(), true)),
        thread_(thread) {}

  std::size_t read(std::span<std::byte> out) override {
    std::size_t n = 0;
    while (n == 0) {
      if (at_ == kept_.size() && !keep_more()) break;
      n = std::min(out.size(), kept_.size() - at_);
      std::copy_n(kept_.begin() + static_cast<std::ptrdiff_t>(at_), n, out.begin());
      at_ += n;
    }
    return n;
  }
  [[nodiscard]] std::optional<double> progress() const override { return from_.progress(); }

 private:
  // Collects the thread's records from the next batch. Returns false at the end.
  bool keep_more() {
    kept_.clear();
    at_ = 0;
    const auto bytes = from_.next();
    const std::size_t size = from_.table().size();
    for (std::size_t i = 0; i != bytes.size(); i += size)
      if (address_space(columns_.asid, &bytes[i]) == thread_)
        kept_.insert(kept_.end(), &bytes[i], &bytes[i] + size);
    found_ = found_ || !kept_.empty();
    if (bytes.empty() && !found_)
      throw trace_error(trace_errc::refused, {.file = from_.name(), .field = columns_.asid->name},
                        "none of its " + std::to_string(from_.position()) +
                            " records belongs to thread " + std::to_string(thread_));
    return !bytes.empty();
  }

  file::table_reader from_;
  table_columns columns_;
  std::uint32_t thread_;
  bool found_ = false;
  std::vector<std::byte> kept_ = {};
  std::size_t at_ = 0;  // number of bytes of kept_ that were already read
};

}  // namespace detail

TRACECODEC_FUNC io::input keep_thread(io::input in, std::shared_ptr<const file::record_table> table,
                                      std::uint32_t thread) {
  if (instruction_columns(*table, in.name(), true).asid == nullptr)
    throw trace_error(trace_errc::refused, {.file = in.name(), .field = "asid"},
                      "its records have no thread to select by");
  return detail::open_changed(std::move(in), [table = std::move(table), thread](io::input from) {
    return std::unique_ptr<io::source>(new detail::thread_records(std::move(from), table, thread));
  });
}

}  // namespace tracecodec::champsim
