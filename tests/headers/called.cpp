// Calls the largest functions. This tests that all code they need compiles and links.
#include "ascending.hpp"

namespace {
using namespace tracecodec;

void open_any(const std::string& path) {
  trace::reader by_columns(path);
  trace::reader of_source(trace::source(io::open_input(path)));
  trace::records records(path);
  trace::open_columns(path);
  analysis::finder wanted({}, by_columns.columns());
  analysis::hot_blocks blocks(by_columns.columns());
  analysis::block_vectors vectors(1);
  analysis::run(by_columns, wanted, blocks, vectors);
  vectors.finish();
  static_cast<void>(vectors.result());
  analysis::diff_summary sum;
  analysis::diff(
      analysis::diff_source(trace::open_columns(path)),
      analysis::diff_source(trace::open_columns(path)), {}, sum, [](const auto&...) {},
      [](const auto&...) {});
  program_map map(std::vector<program_module>{});
  map.add(read_symbols(io::open_input(path)));
  static_cast<void>(read_wasm_names(io::open_input(path)));
  static_cast<void>(map.symbol("main"));
#ifdef TRACECODEC_WITH_LIBDW
  program_module module;
  std::vector<program_symbol> functions;
  read_elf_symbols(
      module, [](const auto&...) { return true; }, functions);
  static_cast<void>(read_elf_lines(module));
#endif
  static_cast<void>(trace::modules_of(trace::source(path), {}));
  static_cast<void>(trace::open_described(path, {}));
  static_cast<void>(trace::places_of(path, champsim::descriptor::facts, {}));
  std::string text;
  add_program_map(text, map);
}

#ifdef TRACECODEC_WITH_ZYDIS
struct no_state {
  static std::uint64_t value(x86::reg) { return 0; }
  static std::uint64_t segment_base(x86::reg) { return 0; }
  static void copy(x86::reg, std::span<std::byte>) {}
  static bool memory(std::uint64_t, std::span<std::byte>, umtracer::moment) { return false; }
};

void use_x86(const std::string& path) {
  umtracer::x86_writer out(path, x86::zydis_disassembler(wire::target::x64));
  out.set_xml({});
  out.step(0, out.row(0, {}), no_state{});
  out.finish();
}
#else
void use_x86(const std::string&) {}
#endif

void use_rapidbin(const std::string& path) {
  const rapidbin::metadata names;
  rapidbin::check(
      io::open_input(path), [](const auto&) {}, {}, &names);
  rapidbin::check_std(io::open_input(path), [](const auto&) {});
  rapidbin::open_events(io::open_input(path));
  rapidbin::metadata_text(names);
  static_cast<void>(rapidbin::occurring_ids().part_of(names));
  rapidbin::writer out(path);
  out.write(rapidbin::event{});
  out.write(rapidbin::event_array{});
  out.finish();
  static_cast<void>(out.written());
  static_cast<void>(out.counts());
  rapidbin::std_writer text(path);
  text.write(rapidbin::event{});
  text.write(rapidbin::event_array{});
  text.finish();
  rapidbin::symbolic_writer symbols(path, path);
  symbols.read(0, {}, {});
  symbols.acquire(0, 0, {});
  symbols.fork(0, 1, {});
  symbols.end(0, {});
  symbols.finish();
  rapidbin::decode({}, {});
  rapidbin::encode({}, {});
}

void use_umtracer(const std::string& path) {
  umtracer::check(path, [](const auto&) {});
  const umtracer::reader in(path);
  umtracer::writer out(path, {}, umtracer::options_of(in));
  umtracer::copy_trace(in, out);
  out.copy(in[0]);
  out.add_module({});
  out.add_syscall({}, {});
  out.unload_module(0);
  out.load_module(0);
  out.close_thread(0);
  out.syscall_exit(0, 0, out.syscall_entry(0, 0, {}, {}), 0, {});
  out.skipped_syscall_exit(0, 0, 0);
  out.finish();
  umtracer::cut_writer cut(in, out);
  cut.take(0);
  cut.finish();
  umtracer::merging_writer merged(path, {});
  merged.add_thread({});
  merged.add_instruction({});
  merged.add_range({});
  merged.add_module({});
  merged.unload_module(0, 0);
  merged.set_xml({});
  merged.instruction({0, 0}, 0, 0, {});
  merged.syscall_exit({0, 0}, 0, merged.syscall_entry({0, 0}, 0, {}, {}), 0, {});
  merged.skipped_syscall_exit({0, 0}, 0, 0);
  merged.finish();
}
}  // namespace

void call_all(const std::string& path);
void call_all(const std::string& path) {
  open_any(path);
  use_rapidbin(path);
  use_umtracer(path);
  use_x86(path);
}
