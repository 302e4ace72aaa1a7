// Only this file and zip.ipp include archive.h.
#pragma once
#include "../zip_sink.hpp"

#include <archive.h>
#include <archive_entry.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <new>
#include <utility>

#include "../../error.hpp"
#include "../../os/interruption.hpp"

namespace tracecodec::io {

struct zip_sink::writer {
  writer(std::unique_ptr<sink> below, int level) : out(std::move(below)) {
    to.reset(archive_write_new());
    entry.reset(archive_entry_new());
    if (!to || !entry) throw std::bad_alloc();
    const std::string text = std::to_string(level);
    check(archive_write_set_format_zip(to.get()));
    check(archive_write_set_format_option(to.get(), "zip", "compression-level", text.c_str()));
    check(archive_write_set_bytes_per_block(to.get(), 64 << 10));
    check(archive_write_set_bytes_in_last_block(to.get(), 1));
    check(archive_write_open(to.get(), this, nullptr, &writer::pass, nullptr));
    usable = true;
  }
  writer(const writer&) = delete;
  writer& operator=(const writer&) = delete;
  // The destructor of `to` ends the archive, but these bytes must not reach the sink below.
  // archive_write_fail() would prevent them, too, but leaks memory.
  ~writer() { discards = true; }

  // Calls `f`. After an exception, the writer is unusable.
  template <class F> void guarded(F f) {
    if (!usable) throw trace_error(trace_errc::refused, {}, "output already finished or failed");
    usable = false;
    f();
    usable = true;
  }

  void start(const std::string& name) {
    if (interrupted()) throw interruption();
    archive_entry_clear(entry.get());
    archive_entry_copy_pathname(entry.get(), name.c_str());
    archive_entry_set_filetype(entry.get(), AE_IFREG);
    archive_entry_set_perm(entry.get(), 0644);
    check(archive_write_header(to.get(), entry.get()));
    started = true;
  }

  void write(std::span<const std::byte> bytes) {
    constexpr std::size_t at_once = std::size_t{256} << 10;
    while (!bytes.empty()) {
      if (interrupted()) throw interruption();
      const std::size_t n = std::min(bytes.size(), at_once);
      const la_ssize_t written = archive_write_data(to.get(), bytes.data(), n);
      check(written > 0 ? ARCHIVE_OK : ARCHIVE_FATAL);
      bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
  }

  // Throws the error of the sink below or of libarchive, if there is one.
  void check(int result) const {
    if (error) std::rethrow_exception(error);
    if (result == ARCHIVE_OK || result == ARCHIVE_WARN) return;
    if (archive_errno(to.get()) == ENOMEM) throw std::bad_alloc();
    const char* const text = archive_error_string(to.get());
    throw trace_error(trace_errc::system, {},
                      "cannot write zip: " + std::string(text != nullptr ? text : "no details"));
  }

  // Passes bytes to the sink below. Never reports an error to libarchive, which would then leak
  // memory. check() throws the error after the call of libarchive.
  static la_ssize_t pass(archive* /*a*/, void* self, const void* data, std::size_t size) {
    auto& w = *static_cast<writer*>(self);
    if (w.discards) return static_cast<la_ssize_t>(size);
    try {
      w.out->write({static_cast<const std::byte*>(data), size});
    } catch (...) {
      w.error = std::current_exception();
      w.discards = true;
    }
    return static_cast<la_ssize_t>(size);
  }

  struct release {
    void operator()(archive* a) const { archive_write_free(a); }
    void operator()(archive_entry* e) const { archive_entry_free(e); }
  };
  std::unique_ptr<sink> out;
  std::exception_ptr error = nullptr;
  bool usable = false, started = false;
  bool discards = false;  // true if no more bytes may reach the sink below
  std::uint64_t chunks = 0;
  std::unique_ptr<archive_entry, release> entry = nullptr;
  std::unique_ptr<archive, release> to = nullptr;  // destroyed first, because it may write to `out`
};

TRACECODEC_FUNC zip_sink::zip_sink(std::unique_ptr<sink> out, const output_options& options) {
  const int level = options.level.value_or(6);
  if (level < 0 || level > 9)
    throw trace_error(trace_errc::refused, {},
                      "zip has levels 0 to 9, not " + std::to_string(level));
  writer_ = std::make_unique<writer>(std::move(out), level);
}
TRACECODEC_FUNC zip_sink::~zip_sink() = default;

TRACECODEC_FUNC void zip_sink::start_member(const std::string& name) {
  if (name.empty()) throw trace_error(trace_errc::refused, {}, "a member of a zip needs a name");
  writer_->guarded([&] { writer_->start(name); });
}

TRACECODEC_FUNC bool zip_sink::start_chunk() {
  std::string number = std::to_string(writer_->chunks++);
  if (number.size() < 4) number.insert(0, 4 - number.size(), '0');
  start_member("chunk." + number);
  return true;
}

TRACECODEC_FUNC void zip_sink::write(std::span<const std::byte> bytes) {
  if (!writer_->started) start_chunk();
  writer_->guarded([&] { writer_->write(bytes); });
}

TRACECODEC_FUNC void zip_sink::finish() {
  writer_->guarded([&] {
    if (!writer_->started) throw trace_error(trace_errc::refused, {}, "a zip needs a member");
    writer_->check(archive_write_close(writer_->to.get()));
    writer_->out->finish();
  });
  writer_->usable = false;
}

}  // namespace tracecodec::io
