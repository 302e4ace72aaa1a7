// Base class of descriptors for formats whose file is described with file/describe.hpp, and whose
// records are mapped to instructions with feed/of.hpp. A derived class adds only `facts`.
//
//   struct step_descriptor : format::file_descriptor<step_file, step_feed> {
//     static constexpr format::facts facts{.name = "step", .title = "STEP", .family = "STEP"};
//   };
#pragma once
#include <array>
#include <span>
#include <utility>

#include "../feed/of.hpp"
#include "../file/check.hpp"
#include "../file/recognise.hpp"
#include "check.hpp"
#include "front.hpp"
#include "layout.hpp"
#include "open_options.hpp"
#include "opened.hpp"

namespace tracecodec::format {

// `Checker` is the check of the file, which a format with rules of its own replaces
// (file/check_records.hpp).
template <class File, class Feed, class Checker = file::checker<File, on_finding>>
struct file_descriptor {
  static match probe(const front& f) {
    switch (File::probe(f.bytes, f.size)) {
      case file::match::certain:
        // Other kinds of text can begin with the same characters.
        return File::lines::there ? match::marked : match::certain;
      case file::match::possible:
        return match::possible;
      case file::match::none:
        break;
    }
    return match::none;
  }

  static std::span<const layout> layouts(bool) {
    if constexpr (File::lines::there) {
      return {};  // lines of text have no layout
    } else if constexpr (File::has_header) {
      static const std::array all{layout_of<typename File::header_codec>("Header", "header"),
                                  layout_of<typename File::codec>("Record", "record")};
      return all;
    } else {
      static const std::array all{layout_of<typename File::codec>("", "record")};
      return all;
    }
  }

  template <class Visitor>
  static decltype(auto) visit(opened from, const open_options&, Visitor& visitor) {
    return visitor(Feed(std::move(*from.input)));
  }

  static check_summary check(opened from, const on_finding& report, const check_options& how,
                             const open_options&) {
    const auto sum = Checker(report, how).run(std::move(*from.input));
    return summary_of(sum.records, sum);
  }
};

}  // namespace tracecodec::format
