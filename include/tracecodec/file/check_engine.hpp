// Steps that all checks share: open the input, read the input to its end, and return a summary. An
// error that prevents further reading is also a finding.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "../io/error.hpp"
#include "../io/findings.hpp"

namespace tracecodec::file {

// Base class of the checker `Own`, which derives from this class and declares it a friend. `Own`
// defines what is specific to one kind of file:
//   batch(b)             examines the batch `b` from the source's next(), which is never empty
//   not_opened(error)    handles an error in the constructor of the source
//   failed(error, from)  handles an error of next(). Returns true to call next() again
// `Own` may also define:
//   opened(from)         prepares the check before the first batch
//   ended(from)          checks the end of the file after everything was read
//   closing()            completes the check. It is always called, and always last
// Errors thrown by the source become findings. Exceptions thrown by `report` propagate.
// `Findings` is findings<> or a class derived from findings<>.
template <class Own, class Findings> class check_engine {
  using Rule = typename Findings::rule_type;
  using Summary = typename Findings::summary_type;

 public:
  check_engine(typename Findings::report_type report, check_options options)
      : found_(std::move(report), options.each), options_(std::move(options)) {}

 protected:
  // Checks the `Source` constructed from `args`.
  template <class Source, class... Args> Summary check(Args&&... args) {
    // The source exists until closing() returns, because closing() can use the source's data.
    std::optional<Source> from;
    if (open(from, std::forward<Args>(args)...)) {
      own().opened(*from);
      if (read(*from)) own().ended(*from);
    }
    own().closing();
    found_.finish();
    return found_.sum;
  }

  template <class Source> void opened(Source&) {}
  template <class Source> void ended(Source&) {}
  void closing() {}

  void add(Rule r, std::optional<std::uint64_t> offset, std::optional<std::uint64_t> record,
           const std::string& message) {
    found_.add(r, offset, record, message);
  }
  void add(Rule r, const trace_error& e) { found_.add(r, e); }
  // Returns true if `e`, an error thrown by a reader's constructor, is about the file's header
  // rather than the input itself.
  static bool of_header(const trace_error& e) {
    return e.code() == trace_errc::not_a_trace || e.code() == trace_errc::bad_value ||
           (e.code() == trace_errc::truncated && !e.field().empty());
  }
  [[nodiscard]] Findings& found() { return found_; }
  [[nodiscard]] Summary& sum() { return found_.sum; }
  [[nodiscard]] bool missing_before(std::uint64_t record) const {
    return options_.missing_before && options_.missing_before(record);
  }

 private:
  Own& own() { return static_cast<Own&>(*this); }

  template <class Source, class... Args> bool open(std::optional<Source>& from, Args&&... args) {
    try {
      from.emplace(std::forward<Args>(args)...);
      return true;
    } catch (const trace_error& e) {
      own().not_opened(e);
      return false;
    }
  }
  // Reads batches until the end of the file or an error. Returns true if the end of the file was
  // reached.
  template <class Source> bool read(Source& from) {
    decltype(from.next()) b{};
    for (std::uint64_t batches = 0;; ++batches) {
      try {
        b = from.next();
      } catch (const trace_error& e) {
        if (!own().failed(e, from)) return false;
        continue;
      }
      if (b.size() == 0) return true;
      own().batch(b);
      if (options_.progress && batches % 16 == 0) options_.progress(from.progress());
    }
  }

  Findings found_;
  check_options options_;
};

}  // namespace tracecodec::file
