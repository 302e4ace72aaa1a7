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
#include "../wire/policy.hpp"
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

// Base class of descriptors for formats whose records depend on the target. `TargetOf` is a function
// of the first bytes that returns the target, or nullopt for another format. File<T> describes the
// file, and Checker<T, Report> checks it. The checker's function use(own_options), if there is one, is
// called first.
template <auto TargetOf, template <wire::target> class File,
          template <wire::target, class> class Checker>
struct two_file_descriptor {
  static match probe(const front& f) { return TargetOf(f.bytes) ? match::marked : match::none; }
  static bool is_narrow(opened from) {
    return TargetOf(from.input->peek(io::input::peek_limit)) == wire::target::x86;
  }
  static std::span<const layout> layouts(bool narrow) {
    static const std::array wide{
        layout_of<typename File<wire::target::x64>::codec>("", File<wire::target::x64>::each)};
    static const std::array small{
        layout_of<typename File<wire::target::x86>::codec>("", File<wire::target::x86>::each)};
    return narrow ? small : wide;
  }
  static check_summary check(opened from, const on_finding& report, const check_options& how,
                             const open_options& o) {
    const auto run = [&]<wire::target T>() {
      Checker<T, on_finding> checker(report, how);
      if constexpr (requires { checker.use(o.own); }) checker.use(o.own);
      const auto sum = checker.run(std::move(*from.input));
      return summary_of(sum.records, sum);
    };
    if (TargetOf(from.input->peek(io::input::peek_limit)) == wire::target::x86)
      return run.template operator()<wire::target::x86>();
    return run.template operator()<wire::target::x64>();
  }
};

}  // namespace tracecodec::format
