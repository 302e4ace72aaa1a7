#include "moved.hpp"

#include <tracecodec/feed/columns.hpp>
#include <tracecodec/io/error.hpp>

#include <cstddef>
#include <cstdint>

#include "../common/program.hpp"
#include "../common/text.hpp"

namespace diff {

namespace {

namespace feed = tracecodec::feed;
using analysis::found_region;

void require_addresses(const input& i) {
  if (!i.is_file())
    throw examples::usage_error("--relocate auto: " + i.path() + " can be read only once");
  if (!i.format().has_addresses)
    throw examples::usage_error("--relocate auto: the instructions of " + i.path() +
                                " have no addresses");
}

void read(feed::column_source& from, analysis::code_anchors& to) {
  from.want(to.columns(), {feed::column::code});
  try {
    for (feed::columns batch; from.next(batch, 1024);) to.add(batch);
  } catch (const tracecodec::trace_error& e) {
    // The error occurs again when the trace is compared. A system error might not.
    if (e.code() == tracecodec::trace_errc::system) throw;
  }
}

// Adds the distance from the first trace to the second, such as "+0x5000".
void add_distance(std::string& s, const analysis::moved_region& r) {
  const bool is_up = r.from - r.to < r.to - r.from;
  examples::add_hex(s += is_up ? '+' : '-', is_up ? r.from - r.to : r.to - r.from);
}

// Adds text such as "12 of 13 instructions agree".
void add_share(std::string& s, std::uint64_t agree, std::uint64_t all, const char* of) {
  s += examples::grouped(agree) + " of " + examples::grouped(all) + ' ' + of + " agree";
}

}  // namespace

bool can_find_moved(const input& a, const input& b) noexcept {
  return a.is_file() && b.is_file() && a.format().has_addresses && b.format().has_addresses;
}

analysis::found_relocation find_moved(const input& a, const input& b) {
  require_addresses(a);
  require_addresses(b);
  const auto first = a.open_before(), second = b.open_before();
  const feed::column_set both = first->has() & second->has();
  analysis::code_anchors of_a(both), of_b(both);
  read(*first, of_a);
  read(*second, of_b);
  return analysis::find_relocation(of_a, of_b);
}

void add_moved(std::string& text, const analysis::found_relocation& found) {
  std::size_t unmoved = 0;
  for (const found_region& r : found.regions) {
    if (r.where.from == r.where.to) {
      ++unmoved;
      continue;
    }
    examples::add_hex(text += "moved ", r.where.to);
    examples::add_hex(text += '=', r.where.from);
    examples::add_hex(text += '+', r.where.size);
    add_distance(text += " by ", r.where);
    text += ": ";
    if (r.instructions != 0)
      add_share(text, r.instructions_agree, r.instructions, "instructions");
    else
      add_share(text, r.addresses_agree, r.addresses, "addresses");
    text += '\n';
  }
  if (found.regions.empty()) {
    text += "no region is found that moved: the traces have too little code in common\n";
    return;
  }
  add_share(text += examples::some(unmoved, "region") + " did not move; ", found.instructions_agree,
            found.instructions, "sampled instructions");
  text += '\n';
}

void add_moved(examples::json& to, const analysis::found_relocation& found) {
  to.object().key("instructions").number(found.instructions);
  to.key("instructions_agree").number(found.instructions_agree).key("regions").array();
  for (const found_region& r : found.regions) {
    to.object().key("a").hex(r.where.to).key("b").hex(r.where.from).key("size").hex(r.where.size);
    to.key("instructions").number(r.instructions);
    to.key("instructions_agree").number(r.instructions_agree);
    to.key("addresses").number(r.addresses).key("addresses_agree").number(r.addresses_agree);
    to.end_object();
  }
  to.end_array().end_object();
}

}  // namespace diff
