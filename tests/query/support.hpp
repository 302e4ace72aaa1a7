// An index in memory, for tests.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "tracecodec/io/output/sink.hpp"
#include "tracecodec/query/index_writer.hpp"
#include "tracecodec/query/posting_sorter.hpp"

namespace test {

namespace query = tracecodec::query;

class memory_sink final : public tracecodec::io::sink {
 public:
  explicit memory_sink(std::vector<std::byte>& to) : to_(&to) {}
  void write(std::span<const std::byte> bytes) override {
    to_->insert(to_->end(), bytes.begin(), bytes.end());
  }
  [[nodiscard]] bool patchable() const override { return true; }
  void patch(std::uint64_t offset, std::span<const std::byte> bytes) override {
    std::copy(bytes.begin(), bytes.end(), to_->begin() + static_cast<std::ptrdiff_t>(offset));
  }
  void finish() override {}

 private:
  std::vector<std::byte>* to_;
};

// Access of a granule.
struct access {
  std::uint64_t granule;
  query::posting posting;
};

// Returns an index with one section, in which the accesses are. The sorter writes runs of `run`
// postings.
inline std::vector<std::byte> index_of(const std::vector<access>& all, query::posting_form form,
                                       std::size_t run = query::posting_sorter::usual_run) {
  std::vector<std::byte> bytes;
  query::index_writer to(std::make_unique<memory_sink>(bytes));
  query::posting_sorter sorter(form, run);
  for (const access& a : all) sorter.add(a.granule, a.posting);
  query::posting_writer postings(to, query::section_kind::writes, form);
  sorter.finish(postings);
  postings.finish();
  query::front about{};
  for (const access& a : all) about.instructions = a.posting.at + 1;
  to.finish(about);
  return bytes;
}

}  // namespace test
