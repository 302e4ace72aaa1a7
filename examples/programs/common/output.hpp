// Buffered standard output for programs that print millions of lines. All write errors are
// reported.
#pragma once
#include <tracecodec/io/open.hpp>
#include <tracecodec/io/output/atomic_file.hpp>

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace examples {

// Buffered writer of standard output. Append to `text`, call passed() after each line or row, and
// call finish() at the end.
class output {
 public:
  std::string text = {};

  // Writes the buffer once its size reaches 64 KiB. Throws std::runtime_error, not trace_error,
  // because a write error does not mean that the trace is damaged.
  void passed() {
    if (text.size() >= std::size_t{1} << 16) flush();
  }
  void finish() {
    flush();
    attempt([this] { out_.finish(); });
  }

 private:
  void flush() {
    attempt([this] { out_.write(std::as_bytes(std::span(text))); });
    text.clear();
  }
  template <class F> static void attempt(F f) {
    try {
      f();
    } catch (const tracecodec::trace_error& e) {
      throw std::runtime_error(e.what());
    }
  }
  tracecodec::io::stdout_sink out_ = {};
};

inline void print(std::string_view text) {
  output out;
  out.text = text;
  out.finish();
}

}  // namespace examples
