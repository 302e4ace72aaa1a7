#include "known_names.hpp"

#include <tracecodec/rapidbin/descriptor.hpp>
#include <tracecodec/rapidbin/open.hpp>
#include <tracecodec/rapidbin/trace_options.hpp>

#include <string>
#include <vector>

namespace examples::rapidbin {

using tracecodec::rapidbin::id_kind;
using tracecodec::rapidbin::selection;

namespace {
// Throws usage_error if known(kind, name) is false for any name. The message contains the first
// such name.
template <class Known> void refuse_unknown_names(const selection::by_name& all, Known known) {
  const auto check = [&known](id_kind kind, const std::vector<std::string>& names,
                              const std::string& expected) {
    for (const std::string& s : names)
      if (!known(kind, s))
        throw usage_error("--" + std::string(name(kind)) + ": expected " + expected + ", got '" +
                          s + "'");
  };
  check(id_kind::thread, all.threads, "a thread's id, 2 or T2");
  check(id_kind::lock, all.locks, "an id, 16 or L16");
  check(id_kind::variable, all.variables, "an id, 16 or V16");
  check(id_kind::location, all.locations, "an id");
}
}  // namespace

void require_known_names(const tracecodec::trace::source& in, const reading& as) {
  const auto* const wanted = as.own.get<selection>();
  if (wanted == nullptr || wanted->names.empty() ||
      &in.format() == &tracecodec::rapidbin::std_descriptor::facts)
    return;
  const bool has_ids = &in.format() == &tracecodec::rapidbin::descriptor::facts;
  const auto metadata = has_ids ? tracecodec::rapidbin::metadata_of(in.name(), as) : std::nullopt;
  refuse_unknown_names(wanted->names, [&](id_kind kind, const std::string& name) {
    return tracecodec::rapidbin::id_of_name(kind, name, metadata ? &metadata->names : nullptr)
        .has_value();
  });
}

}  // namespace examples::rapidbin
