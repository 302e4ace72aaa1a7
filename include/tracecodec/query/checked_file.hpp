// Mapped index file whose pages are compared with their checksums when they are first used.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "../config.hpp"
#include "../io/error.hpp"
#include "../io/input/mapped_file.hpp"
#include "layout.hpp"

namespace tracecodec::query {

// Index file. Several threads may use one object.
class checked_file {
 public:
  // Maps the file `path` and reads its front, its table of sections and its sums. Throws
  // trace_error if the file cannot be read, is not an index, is damaged, or has another major version.
  explicit checked_file(const std::string& path);
  // Reads an index in memory, which must outlive the object. `name` is its name in errors.
  checked_file(std::span<const std::byte> bytes, std::string name);

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] const query::front& front() const noexcept { return front_; }
  [[nodiscard]] std::span<const section> sections() const noexcept { return sections_; }
  // Returns the section of a kind. Throws trace_error(refused) if there is none.
  [[nodiscard]] const section& required(section_kind kind) const;

  // Returns `size` bytes at `offset` of the file. Throws trace_error(corrupt) if they are not
  // between the front and the sums, or if one of their pages is damaged.
  [[nodiscard]] std::span<const std::byte> bytes(std::uint64_t offset, std::uint64_t size) const;

  // Returns the error for damaged content at `offset`.
  [[nodiscard]] trace_error damaged(std::uint64_t offset, const std::string& why) const {
    return {trace_errc::corrupt, {name_, offset}, why + "; make the index again (trace_index)"};
  }

 private:
  void open();
  void check_page(std::size_t page) const;

  std::string name_;
  std::optional<io::mapped_file> file_ = {};  // empty for an index in memory
  std::span<const std::byte> all_ = {};
  query::front front_ = {};
  std::vector<section> sections_ = {};
  // A flag for each page that was checked.
  std::unique_ptr<std::atomic<bool>[]> checked_ = {};
};

}  // namespace tracecodec::query

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/checked_file.ipp"
#endif
