#include "prompt.hpp"

#include <sqlite3.h>

#include <cerrno>
#include <cstdio>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>
#ifndef _WIN32
#include <unistd.h>
#endif

#include "../common/interrupt.hpp"
#include "../common/output.hpp"
#include "../common/text.hpp"

namespace sql {

namespace {

constexpr std::string_view help =
    ".help              print this list\n"
    ".mode MODE         print rows as table, csv, json or markdown\n"
    ".quit              end\n"
    ".schema [TABLE]    print the columns of the tables\n"
    ".tables            print the names of the tables\n"
    "A statement ends with a semicolon.\n";

std::vector<std::string> schemas_of(session& s) {
  std::vector<std::string> all;
  s.each("SELECT name FROM pragma_database_list WHERE name <> 'main'",
         [&all](const std::vector<std::string>& row) { all.push_back(row[0]); });
  return all;
}

void print_tables(session& s) {
  std::string text;
  for (const std::string& schema : schemas_of(s)) {
    std::string names;
    s.each("SELECT name FROM \"" + schema + "\".sqlite_schema ORDER BY name",
           [&names](const std::vector<std::string>& row) { names += "  " + row[0]; });
    if (!names.empty()) text += schema + ':' + names + '\n';
  }
  examples::print(text);
}

void print_schema(session& s, const std::string& table) {
  std::string text;
  for (const std::string& schema : schemas_of(s)) {
    std::vector<std::string> tables;
    s.each("SELECT name FROM \"" + schema + "\".sqlite_schema ORDER BY name",
           [&tables](const std::vector<std::string>& row) { tables.push_back(row[0]); });
    for (const std::string& name : tables) {
      if (!table.empty() && table != name && table != schema + '.' + name) continue;
      std::string columns, parameters;
      s.each("SELECT name, type, hidden FROM pragma_table_xinfo('" + name + "', '" + schema + "')",
             [&](const std::vector<std::string>& row) {
               std::string& to = row[2] == "1" ? parameters : columns;
               to += (to.empty() ? "" : ", ") + row[0];
               if (row[2] != "1" && !row[1].empty()) to += ' ' + row[1];
             });
      text += schema + '.' + name + (parameters.empty() ? " (" : '(' + parameters + ") -> (") +
              columns + ")\n";
    }
  }
  if (text.empty()) throw examples::usage_error("no table '" + table + "'");
  examples::print(text);
}

// Reads a line. Returns false at the end of the input, or after a signal.
bool read_line(std::string& line) {
  line.clear();
  for (;;) {
    errno = 0;
    const int c = std::getc(stdin);
    if (c == '\n') return true;
    if (c != EOF) {
      line += static_cast<char>(c);
      continue;
    }
    // A handled signal makes the read fail, but not every signal ends the line.
    const bool has_signal = errno == EINTR;
    if (has_signal) std::clearerr(stdin);
    if (examples::interrupted != 0) return false;
    if (!has_signal) return !line.empty();
  }
}

}  // namespace

bool run_command(session& s, const std::string& command) {
  const std::size_t at = command.find_first_of(" \t");
  const std::string name = command.substr(0, at);
  std::string operand = at == command.npos ? "" : command.substr(at + 1);
  operand.erase(operand.find_last_not_of(" \t;") + 1);
  operand.erase(0, operand.find_first_not_of(" \t"));
  if (name == ".quit" || name == ".exit") return false;
  if (name == ".help") {
    examples::print(help);
  } else if (name == ".tables") {
    print_tables(s);
  } else if (name == ".schema") {
    print_schema(s, operand);
  } else if (name == ".mode") {
    const auto chosen = examples::choose(modes(), operand);
    if (!chosen)
      throw examples::usage_error(".mode: expected " + examples::one_of(modes()) + ", got '" +
                                  operand + "'");
    s.set_mode(mode_named(*chosen));
  } else {
    throw examples::usage_error("unknown command '" + name + "': .help lists the commands");
  }
  return true;
}

bool read_statements(session& s, bool is_terminal) {
  bool all_ran = true;
  std::string statement, line;
  for (;;) {
    if (is_terminal) {
      // The handler of a signal works once.
      examples::interrupted = 0;
      examples::on_interrupt({SIGINT});
#ifndef _WIN32
      ::alarm(0);  // interrupt_waiting() has set it
#endif
      std::fputs(statement.empty() ? "sql> " : "...> ", stderr);
    }
    const bool has_line = read_line(line);
    if (!has_line && is_terminal && examples::interrupted == SIGINT) {
      std::fputc('\n', stderr);
      statement.clear();
      continue;
    }
    examples::stop_if_interrupted();
    try {
      if (has_line && statement.empty() && line.starts_with('.')) {
        if (!run_command(s, line)) return all_ran;
        continue;
      }
      if (has_line) statement += line + '\n';
      const bool is_blank = statement.find_first_not_of(" \t\r\n;") == statement.npos;
      if (is_blank || (has_line && sqlite3_complete(statement.c_str()) == 0)) {
        if (is_blank) statement.clear();
        if (!has_line) return all_ran;
        continue;
      }
      const std::string complete = std::exchange(statement, {});
      s.run(complete);
    } catch (const tracecodec::io::interruption&) {
      if (!is_terminal) throw;
      std::fputs("interrupted\n", stderr);
    } catch (const std::exception& e) {
      all_ran = false;
      examples::print_message("trace_sql", e.what());
      if (!is_terminal) return false;
    }
    if (!has_line) return all_ran;
  }
}

}  // namespace sql
