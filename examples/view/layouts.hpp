// The layout of each format's records, printed from their descriptors in a form that is asked for.
#pragma once
#include <tracecodec/champsim/layout.hpp>
#include <tracecodec/feed/open.hpp>
#include <tracecodec/rapidbin/layout.hpp>
#include <tracecodec/umtracer/context_layout.hpp>
#include <tracecodec/umtracer/exec_layout.hpp>
#include <tracecodec/umtracer/instruction_layout.hpp>
#include <tracecodec/umtracer/syscall_layout.hpp>
#include <tracecodec/wire/forms/c_struct.hpp>
#include <tracecodec/wire/forms/imhex.hpp>
#include <tracecodec/wire/forms/json.hpp>
#include <tracecodec/wire/forms/kaitai.hpp>
#include <tracecodec/wire/forms/numpy.hpp>
#include <tracecodec/wire/table.hpp>
#include <tracecodec/x64dbg/regdump.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "../common/options.hpp"

namespace view {

// A table with its title, and the name that other forms give it.
struct layout {
  std::string_view title, name;
  std::span<const tracecodec::wire::layout_row> rows;
};
// Those of a format. Where the file is the first once, if there are two, and then the last to its
// end, `whole`.
struct layouts {
  std::vector<layout> all = {};
  bool whole = false;
};

template <class Codec> layout layout_of(std::string_view title, std::string_view name, Codec) {
  return {title, name, tracecodec::wire::layout_table<Codec>};
}

template <tracecodec::x64dbg::target T> layouts x64dbg_layouts() {
  namespace x64dbg = tracecodec::x64dbg;
  return {{layout_of("Prefix, then `length` bytes of JSON", "prefix", x64dbg::prefix_codec{}),
           layout_of("Instruction, type 0", "block", x64dbg::block_codec<T>{}),
           layout_of("User block, types 128 to 255", "user_block", x64dbg::user_block_codec<T>{}),
           layout_of("Registers: word N of an instruction's values is the N-th word of REGDUMP",
                     "regdump", x64dbg::regdump_codec<T>{})}};
}

inline layouts umtracer_layouts() {
  namespace umtracer = tracecodec::umtracer;
  return {{
      layout_of("exec.vtable begins", "exec_header", umtracer::exec_header_codec{}),
      layout_of("execRec, before its data", "exec_record", umtracer::exec_record_codec{}),
      layout_of("rmContext, before its memory references", "context_record",
                umtracer::context_record_codec{}),
      layout_of("contextMem", "context_memory", umtracer::context_memory_codec{}),
      layout_of("exec.prev_next.column", "neighbours", umtracer::neighbours_codec{}),
      layout_of("Tables of rows of one size begin", "table_header", umtracer::table_header_codec{}),
      layout_of("ins.itable and module.itable go on", "extra_header",
                umtracer::extra_header_codec{}),
      layout_of("insRec", "instruction_record", umtracer::instruction_codec{}),
      layout_of("decodedIns", "decoded_instruction", umtracer::decoded_codec{}),
      layout_of("lcSlot", "slot", umtracer::slot_codec{}),
      layout_of("syscall.vtable begins", "syscall_header", umtracer::syscall_header_codec{}),
      layout_of("syscall.offsets", "syscall_place", umtracer::syscall_place_codec{}),
      layout_of("syscallRec", "syscall_record", umtracer::syscall_codec{}),
      layout_of("moduleRec", "module_record", umtracer::module_codec{}),
      layout_of("moduleRec of 64 bytes goes on", "module_version",
                umtracer::module_version_codec{}),
      layout_of("threadRec", "thread_record", umtracer::thread_codec{}),
      layout_of("addressRange", "address_range", umtracer::address_range_codec{}),
      layout_of("context_map.itable begins", "context_header", umtracer::context_header_codec{}),
      layout_of("regInfo", "register_info", umtracer::register_info_codec{}),
  }};
}

// `narrow`: of 32-bit programs.
inline layouts layouts_of(tracecodec::feed::format f, bool narrow) {
  using tracecodec::feed::format;
  namespace champsim = tracecodec::champsim;
  namespace rapidbin = tracecodec::rapidbin;
  if (f == format::cloudsuite)
    return {{layout_of("", "cloudsuite_instruction", champsim::cloudsuite_codec{})}, true};
  if (f == format::champsim)
    return {{layout_of("", "instruction", champsim::instruction_codec{})}, true};
  if (has_events(f))
    return {{layout_of("Header", "header", rapidbin::header_codec{}),
             layout_of("Event", "event", rapidbin::event_codec{})},
            true};
  if (f == format::umtracer) return umtracer_layouts();
  return narrow ? x64dbg_layouts<tracecodec::x64dbg::target::x86>()
                : x64dbg_layouts<tracecodec::x64dbg::target::x64>();
}

inline examples::choices layout_forms() {
  return {{"text", {}},  {"json", {}},        {"markdown", {"md"}}, {"c", {}},
          {"numpy", {}}, {"kaitai", {"ksy"}}, {"imhex", {"hexpat"}}};
}

// The tables of format `f` in a form of layout_forms(). `left_out`: what the form cannot hold.
inline std::string print_layouts(const layouts& l, std::string_view f, std::string_view form,
                                 std::string& left_out) {
  namespace wire = tracecodec::wire;
  std::string s;
  const auto out = [&s](std::string_view piece) { s += piece; };
  const auto add = [&s](auto&&... pieces) { ((s += pieces), ...); };
  if (form == "c") add("#include <stdint.h>\n\n");
  if (form == "numpy") add("import numpy\n\n");
  if (form == "json") add("[");
  if (form == "kaitai") {
    add("meta:\n  id: ", f, "\n");
    if (l.whole) add("seq:\n");
    if (l.whole && l.all.size() == 2)
      add("  - id: ", l.all[0].name, "\n    type: ", l.all[0].name, "\n");
    if (l.whole) add("  - id: records\n    type: ", l.all.back().name, "\n    repeat: eos\n");
    add("types:\n");
  }
  const char* between = "";
  for (const layout& one : l.all) {
    s += between;
    between = form == "json" ? ",\n" : form == "kaitai" ? "" : "\n";
    const bool titled = !one.title.empty();
    if (form == "text") {
      if (titled) add(one.title, "\n");
      wire::print_table(one.rows, out);
    } else if (form == "markdown") {
      if (titled) add(one.title, "\n\n");
      wire::print_markdown(one.rows, out);
    } else if (form == "json") {
      wire::print_json(one.name, one.rows, out);
    } else if (form == "c") {
      if (titled) add("/* ", one.title, " */\n");
      wire::print_c_struct(one.name, one.rows, out);
    } else if (form == "imhex") {
      if (titled) add("// ", one.title, "\n");
      wire::print_imhex(one.name, one.rows, out);
    } else if (form == "kaitai") {
      if (titled) add("  # ", one.title, "\n");
      wire::print_kaitai(one.name, one.rows, out);
    } else {
      if (titled) add("# ", one.title, "\n");
      if (const wire::layout_row* r = wire::print_numpy_dtype(one.name, one.rows, out)) {
        add("# ", one.name, " varies in size\n");
        if (!left_out.empty()) left_out += ", ";
        ((left_out += one.name) += ": ") += r->name.view();
      }
    }
  }
  if (form == "json") add("]\n");
  if (form == "imhex" && l.whole) {
    const layout& last = l.all.back();
    s += '\n';
    if (l.all.size() == 2) add(l.all[0].name, " begin @ 0;\n");
    add(last.name, " records[while(!std::mem::eof())] @ ",
        l.all.size() == 2 ? "sizeof(" + std::string(l.all[0].name) + ")" : "0", ";\n");
  }
  if (form == "imhex") s.insert(0, "import std.mem;\n\n");
  return s;
}

}  // namespace view
