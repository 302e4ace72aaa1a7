#pragma once
#include "../spool.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "../../os/os.hpp"
#include "../atomic_file.hpp"

namespace tracecodec::io {

namespace detail {

inline constexpr const char* spool_name = "a temporary file for the output";

TRACECODEC_FUNC os::descriptor open_spool() {
  return os::create_vanishing(os::temporary_folder(), spool_name);
}

}  // namespace detail

TRACECODEC_FUNC spool::spool(std::unique_ptr<sink> to)
    : to_(std::move(to)),
      writer_(std::make_unique<detail::file_writer>(detail::open_spool(), detail::spool_name)) {}

TRACECODEC_FUNC spool::~spool() = default;

TRACECODEC_FUNC void spool::write(std::span<const std::byte> bytes) { writer_->write(bytes); }

TRACECODEC_FUNC void spool::patch(std::uint64_t offset, std::span<const std::byte> bytes) {
  writer_->patch(offset, bytes);
}

TRACECODEC_FUNC void spool::finish() {
  const os::descriptor from = writer_->release();
  os::seek(from, 0, detail::spool_name);
  std::vector<std::byte> chunk(std::size_t{64} << 10);
  int error = 0;
  while (const std::size_t n = os::read_full(from, chunk, error))
    to_->write(std::span(chunk).first(n));
  if (error != 0) os::fail(detail::spool_name, error);
  to_->finish();
}

TRACECODEC_FUNC std::unique_ptr<sink> patchable(std::unique_ptr<sink> out) {
  if (out->patchable()) return out;
  return std::make_unique<spool>(std::move(out));
}

}  // namespace tracecodec::io
