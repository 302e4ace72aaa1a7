// Writes an index file.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "../config.hpp"
#include "../io/checksum.hpp"
#include "../io/output/sink.hpp"
#include "layout.hpp"
#include "posting_sorter.hpp"

namespace tracecodec::query {

// Writer of an index file, section by section.
class index_writer {
 public:
  // `to` must be patchable, such as io::atomic_file.
  explicit index_writer(std::unique_ptr<io::sink> to);

  // Appends bytes to the current section.
  void write(std::span<const std::byte> bytes);
  // Begins a section. Everything that is written up to the next call belongs to it.
  void begin(section_kind kind, posting_form form = {});
  // Returns the number of bytes of the current section.
  [[nodiscard]] std::uint64_t size() const noexcept { return end_ - sections_.back().offset; }

  // Writes the table and the sums, and completes the file. `about` has the members that concern
  // the trace. Throws trace_error(system).
  void finish(front about);

 private:
  void end_section();
  void end_page();

  std::unique_ptr<io::sink> to_;
  std::uint64_t end_ = front_codec::size;
  std::vector<section> sections_ = {};
  std::vector<std::byte> sums_ = {};
  io::crc32c page_ = {};
  std::size_t page_bytes_ = 0;
};

// Writes the sorted postings of a section.
class posting_writer final : public posting_receiver {
 public:
  // Begins the section. `to` must outlive the writer.
  posting_writer(index_writer& to, section_kind kind, posting_form form);
  ~posting_writer() override;

  void add(std::uint64_t granule, std::span<const posting> postings) override;
  // Completes the section. Throws trace_error(system).
  void finish();

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace tracecodec::query

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/index_writer.ipp"
#endif
