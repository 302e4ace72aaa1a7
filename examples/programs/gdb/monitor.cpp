// Commands of GDB's `monitor`: questions of trace_query about the trace at the position.
#include <tracecodec/io/error.hpp>
#include <tracecodec/io/text/utf8.hpp>
#include <tracecodec/query/origin.hpp>
#include <tracecodec/query/register_state.hpp>
#include <tracecodec/rows/numbers.hpp>

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "../common/address.hpp"
#include "server.hpp"

namespace debug {

namespace {

namespace feed = tracecodec::feed;
namespace query = tracecodec::query;
using feed::column;
using words = std::vector<std::string>;

constexpr std::size_t most_steps = 30;  // of an origin

struct session {
  replay& of;
  const tracecodec::program_map& places;
};

// Returns a line such as "[1234] 0x401000 main+0x4: mov rax, rbx".
std::string line_of(const session& s, std::uint64_t at) {
  feed::column_source& trace = s.of.trace();
  feed::columns row;
  feed::column_set wanted{column::ip};
  const bool has_code = trace.has().has(column::code);
  if (has_code) wanted |= {column::code};
  trace.move_to(at);
  trace.want(wanted, feed::column_set{column::code} & wanted);
  std::string line = '[' + std::to_string(at) + ']';
  if (!trace.next(row, 1)) return line + '\n';
  const std::uint64_t ip = row.ip()[0];
  line += ' ';
  tracecodec::rows::add_hex(line, ip);
  const auto place = s.places.at(ip, at);
  if (place.symbol != nullptr) {
    line += ' ';
    tracecodec::io::add_shown(line, place.symbol->name);
    if (place.symbol_offset != 0) {
      line += '+';
      tracecodec::rows::add_hex(line, place.symbol_offset);
    }
  } else if (place.module != nullptr) {
    line += ' ';
    tracecodec::io::add_shown(line, place.module->name());
    line += '+';
    tracecodec::rows::add_hex(line, place.module_offset);
  }
  std::string text = trace.assembly_at(at);
  if (text.empty() && has_code) text = trace.assembly_of(row.code()[0], ip);
  if (!text.empty()) {
    line += ": ";
    tracecodec::io::add_shown(line, text);
  }
  return line + '\n';
}

std::string answer_where(const session& s, const words&) {
  std::string line = "before instruction " + std::to_string(s.of.position()) + " of " +
                     std::to_string(s.of.instructions());
  if (s.of.code().threads().size() > 1) line += ", thread " + std::to_string(s.of.thread());
  return line + '\n' + line_of(s, s.of.position());
}

std::string answer_goto(const session& s, const words& w) {
  const auto n = examples::number_of(w[1]);
  if (!n || *n >= s.of.instructions())
    return "goto: expected the number of an instruction, 0 to " +
           std::to_string(s.of.instructions() - 1) + '\n';
  s.of.go_to(*n);
  return answer_where(s, w);
}

std::string answer_access(const session& s, const words& w) {
  const auto span = examples::span_of(w[1]);
  if (!span) return w[0] + ": expected " + examples::address_type + examples::address_hint + '\n';
  const bool writes = w[0].ends_with("write");
  const query::access_query q{.bytes = *span, .reads = !writes, .writes = writes};
  const auto at = w[0].starts_with("last") ? s.of.questions().last(q, s.of.position())
                                           : s.of.questions().first(q, s.of.position());
  return at ? line_of(s, *at) : "none\n";
}

// Returns the register or the memory called `name`.
std::optional<query::place> place_named(const query::register_names& names, const std::string& name,
                                        bool may_be_memory) {
  const auto span = examples::span_of(name);
  if (span && may_be_memory && span->last - span->first < 4096)
    return query::place{span->first, static_cast<std::uint32_t>(span->last - span->first) + 1, 0};
  return span ? std::nullopt : names.find(name);
}

std::string answer_last_set(const session& s, const words& w) {
  query::flow_rows flows(s.of.trace());
  const auto part = place_named(flows.names(), w[1], false);
  if (!part) return "last-set: expected a register, such as rax\n";
  const auto at = query::last_set(s.of.trace(), flows, *part, s.of.thread(), s.of.position());
  return at ? line_of(s, *at) : "none\n";
}

std::string answer_origin(const session& s, const words& w) {
  query::flow_rows flows(s.of.trace(), s.of.trace().has().has(column::memory_values));
  const auto part = place_named(flows.names(), w[1], true);
  if (!part) return "origin: expected a register or an address in hexadecimal with 0x\n";
  const query::slice found = query::origin_of(s.of.trace(), flows, s.of.questions(), *part,
                                              s.of.thread(), s.of.position(), {most_steps});
  std::string text;
  for (const query::origin_step& step : found.steps) text += line_of(s, step.index);
  if (found.is_cut) text += "... (trace_query origin prints more)\n";
  return text.empty() ? "no instruction of the trace before\n" : text;
}

struct command {
  std::string_view name, operand, text;
  std::string (*answer)(const session&, const words&);
};

std::string answer_help(const session&, const words&);

constexpr std::array commands{
    command{"goto", "N", "move before instruction N", answer_goto},
    command{"where", "", "the position and the next instruction", answer_where},
    command{"last-write", "ADDRESS", "the last instruction before that writes any of the bytes",
            answer_access},
    command{"next-write", "ADDRESS", "the next instruction that writes any of them", answer_access},
    command{"last-read", "ADDRESS", "the last instruction before that reads any of them",
            answer_access},
    command{"next-read", "ADDRESS", "the next instruction that reads any of them", answer_access},
    command{"last-set", "REGISTER", "the last instruction before that writes the register",
            answer_last_set},
    command{"origin", "REGISTER|ADDRESS", "the instructions from which the value comes",
            answer_origin},
    command{"help", "", "this list", answer_help},
};

std::string answer_help(const session&, const words&) {
  std::string text;
  for (const command& c : commands) {
    std::string line = std::string(c.name) + ' ' + std::string(c.operand);
    line.resize(std::max<std::size_t>(line.size() + 1, 26), ' ');
    text += line + std::string(c.text) + '\n';
  }
  return text + "ADDRESS is " + examples::address_type + examples::address_hint +
         ". After goto, GDB needs `maintenance flush register-cache`.\n";
}

}  // namespace

std::string answer_monitor(replay& of, const tracecodec::program_map& places,
                           std::string_view text) {
  words w;
  for (packet_text rest(text); !rest.is_end();)
    if (const std::string_view word = rest.until(' '); !word.empty()) w.emplace_back(word);
  const session s{of, places};
  if (w.empty()) return answer_help(s, w);
  try {
    for (const command& c : commands)
      if (c.name == w[0]) {
        if (w.size() == (c.operand.empty() ? 1U : 2U)) return c.answer(s, w);
        return w[0] + (c.operand.empty() ? " takes no operand\n"
                                         : " needs one operand: " + std::string(c.operand) + '\n');
      }
  } catch (const tracecodec::trace_error& e) {
    std::string line;
    tracecodec::io::add_shown(line, e.what());
    return line + '\n';
  } catch (const search_interrupted&) {
    return "interrupted\n";
  }
  return "unknown command: monitor help lists them\n";
}

}  // namespace debug
