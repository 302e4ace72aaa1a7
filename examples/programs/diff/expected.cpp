#include "expected.hpp"

#include <tracecodec/trace/source.hpp>
#include <tracecodec/x86/lower_case.hpp>
#include <tracecodec/x86/spellings.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "../common/address.hpp"
#include "../common/command_line.hpp"
#include "../common/program.hpp"
#if defined(TRACECODEC_WITH_ZYDIS)
#include <tracecodec/x86/zydis.hpp>
#endif

namespace diff {

namespace {

const examples::choices& kinds() {
  static const examples::choices all{{"registers", {"register"}},
                                     {"memory", {}},
                                     {"outcome", {"outcomes"}},
                                     {"values", {"value"}},
                                     {"code", {}},
                                     {"events", {"event"}},
                                     {"syscalls", {}},
                                     {"contexts", {"context"}},
                                     {"addresses", {"address"}}};
  return all;
}

// Group of mnemonics that one word of --ignore selects.
struct mnemonic_class {
  std::string_view name;
  std::array<std::string_view, 4> mnemonics;
};
constexpr std::array<mnemonic_class, 3> mnemonic_classes{
    {{"clock", {"rdtsc", "rdtscp", "rdpmc"}},
     {"random", {"rdrand", "rdseed"}},
     {"syscall", {"syscall", "sysenter", "int"}}}};

std::size_t place_of(const diff_step& i) {
  std::uint64_t h = i.record.ip;
  for (const std::byte b : i.reads.code())
    h = (h ^ std::to_integer<std::uint64_t>(b)) * 0x9E3779B97F4A7C15U;
  return static_cast<std::size_t>(h >> 32U ^ h) % 1024;
}

}  // namespace

bool ignored::add(const std::string& word) {
  if (const auto kind = examples::choose(kinds(), word)) {
    addresses = addresses || kind == "addresses";
    of_kind.insert(kind == "addresses" ? "memory" : *kind);
    return true;
  }
  const std::string name = tracecodec::x86::lower_case(word);
  for (const mnemonic_class& c : mnemonic_classes)
    if (c.name == name) {
      for (const std::string_view m : c.mnemonics)
        if (!m.empty()) mnemonics.emplace(m);
      return true;
    }
#if defined(TRACECODEC_WITH_ZYDIS)
  if (!tracecodec::x86::zydis_mnemonic_named(name)) return false;
#endif
  for (std::string& spelling : tracecodec::x86::spellings_of(name))
    mnemonics.insert(std::move(spelling));
  return true;
}

std::string ignored::expected() {
  std::string s = examples::one_of(kinds()) + "; or a mnemonic; or one of ";
  for (std::size_t i = 0; i < mnemonic_classes.size(); ++i)
    (s += i == 0                             ? ""
          : i + 1 == mnemonic_classes.size() ? " or "
                                             : ", ") += mnemonic_classes[i].name;
  return s;
}

bool written_by::is_one(const diff_step& i, side& of) const {
  cached& known = of.known[place_of(i)];
  if (!known.is_known || known.ip != i.record.ip || known.code != i.reads)
    known = {i.record.ip, true, of.read && has_one(of.read(i)), i.reads};
  return known.value;
}

bool written_by::has_one(std::string text) const {
  text = tracecodec::x86::lower_case(text);
  constexpr std::array<std::string_view, 9> prefixes{"lock",  "rep", "repe",    "repz",  "repne",
                                                     "repnz", "bnd", "notrack", "data16"};
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view word = rest.substr(0, rest.find(' '));
    if (mnemonics_.count(word) != 0) return true;
    if (std::find(prefixes.begin(), prefixes.end(), word) == prefixes.end()) return false;
    rest.remove_prefix(std::min(word.size() + 1, rest.size()));
  }
  return false;
}

bool moved_regions::add(const std::string& s) {
  if (s == "auto") return automatic_ = true;
  const std::size_t equal = s.find('='), plus = s.find('+', equal);
  if (equal == std::string::npos) return false;
  const auto to = examples::number_of(std::string_view(s).substr(0, equal));
  const auto from = examples::number_of(std::string_view(s).substr(equal + 1, plus - equal - 1));
  const auto size = plus == std::string::npos
                        ? std::optional(std::uint64_t{0})
                        : examples::number_of(std::string_view(s).substr(plus + 1));
  if (!to || !from || !size || (plus != std::string::npos && *size == 0)) return false;
  all_.push_back({*from, *to, *size});
  return true;
}

analysis::relocation moved_regions::relocation() const {
  if (automatic_ && !all_.empty())
    throw examples::usage_error("--relocate: auto finds all regions, so no other is possible");
  auto all = all_;
  std::sort(all.begin(), all.end(), [](const auto& x, const auto& y) { return x.from < y.from; });
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].size != 0) continue;
    const std::uint64_t available = ~std::max(all[i].from, all[i].to);
    all[i].size = i + 1 < all.size() ? all[i + 1].from - all[i].from : available;
  }
  try {
    return analysis::relocation(std::move(all));
  } catch (const tracecodec::trace_error& e) {
    throw examples::usage_error("--relocate: " + std::string(e.what()));
  }
}

}  // namespace diff
