#include "server.hpp"

#include <tracecodec/io/error.hpp>

#include <algorithm>
#include <utility>

#include "link.hpp"

namespace debug {

namespace {

// Error replies: an invalid packet, bytes that are not known, and a trace that cannot be changed.
constexpr auto invalid = "E16", unknown_bytes = "E0e", read_only = "E1e", damaged = "E05";
constexpr std::size_t most_memory = most_packet / 2;  // bytes that a reply can have

void add_xml(std::string& to, std::string_view s) {
  for (const char c : s)
    if (c == '&')
      to += "&amp;";
    else if (c == '<')
      to += "&lt;";
    else if (c == '"')
      to += "&quot;";
    else if (static_cast<unsigned char>(c) < 0x20)
      to += '?';
    else
      to += c;
}

}  // namespace

server::server(replay& of, const tracecodec::program_map& places, note f)
    : of_(&of), places_(&places), note_(std::move(f)) {
  const auto& threads = of.code().threads();
  const auto is_used = [&](std::uint64_t id) {
    return std::any_of(threads.begin(), threads.end(),
                       [id](const thread_range& t) { return t.thread == id; });
  };
  for (zero_id_ = 1; is_used(zero_id_);) ++zero_id_;
  selected_ = resumed_ = of.thread();
}

std::optional<std::string> server::answer(const std::string& packet) try {
  return answer_known(packet);
} catch (const tracecodec::trace_error& e) {
  note_(e.what());
  return damaged;
}

std::optional<std::string> server::answer_known(const std::string& packet) {
  packet_text p(packet);
  if (packet.empty()) return "";
  p.skip(packet.substr(0, 1));
  switch (packet[0]) {
    case '?':
      return stopped({});
    case 'g': {
      std::string all;
      for (const std::string& r : of_->registers(selected_)) all += r;
      return all;
    }
    case 'p':
      return read_register(p);
    case 'm':
      return read_memory(p);
    case 'G':
    case 'P':
    case 'M':
    case 'X':
      return read_only;
    case 's':
      return stopped(of_->step(resumed_, true));
    case 'c':
      return stopped(of_->run(true));
    case 'b':
      if (p.rest() == "s") return stopped(of_->step(resumed_, false));
      if (p.rest() == "c") return stopped(of_->run(false));
      return "";
    case 'Z':
    case 'z':
      return change_point(p, packet[0] == 'Z');
    case 'H':
      return select_thread(p);
    case 'T': {
      const auto thread = read_thread(p);
      const auto all = of_->threads();
      return thread && std::find(all.begin(), all.end(), *thread) != all.end() ? "OK" : invalid;
    }
    case 'D':
      is_done_ = true;
      return "OK";
    case 'k':
      is_done_ = true;
      return std::nullopt;
    case 'v':
      return answer_v(p);
    case 'q':
    case 'Q':
      return answer_query(packet_text(packet));
    default:
      return "";
  }
}

std::string server::read_register(packet_text p) {
  const auto n = p.last_number();
  if (!n) return invalid;
  const auto& all = of_->registers(selected_);
  return *n < all.size() ? all[static_cast<std::size_t>(*n)] : invalid;
}

std::string server::read_memory(packet_text p) {
  const auto address = p.number();
  if (!address || !p.skip(",")) return invalid;
  const auto size = p.last_number();
  if (!size) return invalid;
  const std::string bytes =
      of_->memory(*address, static_cast<std::size_t>(std::min<std::uint64_t>(*size, most_memory)));
  return bytes.empty() && *size != 0 ? unknown_bytes : hex_text(bytes);
}

std::string server::change_point(packet_text p, bool inserts) {
  const auto type = p.number();
  if (!type || !p.skip(",")) return invalid;
  if (*type > 4) return "";
  const auto address = p.number();
  if (!address || !p.skip(",")) return invalid;
  const auto size = p.number();
  // Conditions and commands are not offered.
  if (!size || !p.is_end()) return invalid;
  if (*type < 2) {
    if (!inserts) of_->remove_breakpoint(*address);
    return !inserts || of_->add_breakpoint(*address) ? "OK" : invalid;
  }
  if (*size == 0 || *address + (*size - 1) < *address) return invalid;
  const watchpoint w{
      {.bytes = {*address, *address + (*size - 1)}, .reads = *type != 2, .writes = *type != 3},
      static_cast<char>('0' + *type)};
  if (!inserts) of_->remove_watchpoint(w);
  return !inserts || of_->add_watchpoint(w) ? "OK" : invalid;
}

std::uint64_t server::id_of(std::uint32_t thread) const noexcept {
  return thread == 0 ? zero_id_ : thread;
}

std::optional<std::uint32_t> server::read_thread(packet_text& p) const {
  if (p.skip("-1")) return of_->thread();
  const auto id = p.number();
  if (!id) return std::nullopt;
  if (*id == 0) return of_->thread();
  for (const thread_range& t : of_->code().threads())
    if (id_of(t.thread) == *id) return t.thread;
  return std::nullopt;
}

std::string server::select_thread(packet_text p) {
  const bool is_general = p.skip("g");
  if (!is_general && !p.skip("c")) return "";
  const auto thread = read_thread(p);
  if (!thread || !p.is_end()) return invalid;
  (is_general ? selected_ : resumed_) = *thread;
  return "OK";
}

std::string server::answer_v(packet_text p) {
  if (p.rest() == "Cont?") return "vCont;c;C;s;S";
  if (p.skip("Cont;")) return resume(p);
  if (p.skip("Kill")) {
    is_done_ = true;
    return "OK";
  }
  return "";
}

std::string server::resume(packet_text p) {
  // The first action for a thread counts. The other threads do what the trace has.
  const std::string_view action = p.until(';');
  packet_text a(action);
  const bool steps = a.skip("s") || a.skip("S");
  if (!steps && !a.skip("c") && !a.skip("C")) return invalid;
  if (action[0] == 'S' || action[0] == 'C') {
    // The program cannot receive a signal.
    if (!a.number()) return invalid;
  }
  std::optional<std::uint32_t> thread = of_->thread();
  if (a.skip(":")) thread = read_thread(a);
  if (!thread || !a.is_end()) return invalid;
  return stopped(steps ? of_->step(*thread, true) : of_->run(true));
}

std::string server::stopped(const stop& s) {
  selected_ = resumed_ = of_->thread();
  std::string reply = s.reason == stop_reason::interrupted ? "T02" : "T05";
  switch (s.reason) {
    case stop_reason::begin:
      reply += "replaylog:begin;";
      break;
    case stop_reason::end:
      reply += "replaylog:end;";
      break;
    case stop_reason::breakpoint:
      if (knows_breakpoints_) reply += "swbreak:;";
      break;
    case stop_reason::watchpoint:
      reply += s.watched.type == '2' ? "watch:" : s.watched.type == '3' ? "rwatch:" : "awatch:";
      reply += hex_number(s.watched.address()) + ';';
      break;
    case stop_reason::step:
    case stop_reason::interrupted:
      break;
  }
  return reply + "thread:" + hex_number(id_of(of_->thread())) + ';';
}

std::string server::answer_query(packet_text p) {
  if (p.skip("qSupported")) {
    knows_breakpoints_ = p.rest().find("swbreak+") != p.rest().npos;
    return "PacketSize=" + hex_number(most_packet) +
           ";QStartNoAckMode+;ReverseStep+;ReverseContinue+;swbreak+;hwbreak+;vContSupported+;"
           "qXfer:features:read+;qXfer:threads:read+;qXfer:libraries:read+";
  }
  if (p.rest() == "QStartNoAckMode") {
    no_acknowledgements_ = true;
    return "OK";
  }
  if (p.skip("qXfer:")) return transfer(p);
  if (p.skip("qRcmd,")) {
    const auto command = bytes_of_hex(p.rest());
    if (!command) return invalid;
    std::string text = answer_monitor(*of_, *places_, *command);
    selected_ = resumed_ = of_->thread();
    if (text.empty()) return "OK";
    if (text.size() > most_memory) {
      text.resize(most_memory - 4);
      text += "...\n";
    }
    return hex_text(text);
  }
  if (p.rest() == "qC") return "QC" + hex_number(id_of(of_->thread()));
  if (p.rest() == "qfThreadInfo") {
    std::string all;
    for (const std::uint32_t t : of_->threads())
      if (all.size() < most_memory) all += (all.empty() ? 'm' : ',') + hex_number(id_of(t));
    return all;
  }
  if (p.rest() == "qsThreadInfo") return "l";
  // The program ends when the debugger ends, but is not killed.
  if (p.rest() == "qAttached" || p.skip("qAttached:")) return "1";
  return "";
}

std::string server::transfer(packet_text p) {
  const std::string object(p.until(':'));
  if (!p.skip("read:")) return "";
  const std::string_view annex = p.until(':');
  const auto offset = p.number();
  if (!offset || !p.skip(",")) return invalid;
  const auto size = p.last_number();
  if (!size) return invalid;
  std::string content;
  if (object == "features") {
    if (annex != "target.xml") return "E00";
    content = of_->target().xml;
  } else if (object == "threads") {
    content = thread_list();
  } else if (object == "libraries") {
    content = libraries();
  } else {
    return "";
  }
  if (*offset > content.size()) return invalid;
  const auto most = static_cast<std::size_t>(std::min<std::uint64_t>(*size, most_memory));
  const std::string part = content.substr(static_cast<std::size_t>(*offset), most);
  return (*offset + part.size() == content.size() ? 'l' : 'm') + part;
}

std::string server::thread_list() const {
  std::string s = "<?xml version=\"1.0\"?>\n<threads>\n";
  for (const std::uint32_t t : of_->threads())
    s += "<thread id=\"" + hex_number(id_of(t)) + "\" name=\"" + std::to_string(t) + "\"/>\n";
  return s + "</threads>\n";
}

std::string server::libraries() const {
  std::string s = "<library-list>\n";
  for (const tracecodec::program_module& m : places_->modules()) {
    s += "<library name=\"";
    add_xml(s, m.path);
    s += "\"><segment address=\"0x" + hex_number(m.base) + "\"/></library>\n";
  }
  return s + "</library-list>\n";
}

}  // namespace debug
