#include "module.hpp"

#include <tracecodec/io/error.hpp>
#include <tracecodec/io/os/interruption.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <mutex>
#include <new>
#include <utility>

#include "table.hpp"
#include "value_set.hpp"

namespace tracecodec::sql {

namespace {

constexpr const char* module_name = "tracecodec_table";

// Tables and views of each trace. A view is skipped if a column that it reads is missing.
struct view {
  const char* name;
  const char* sql;
  feed::column_set needs;
};
using feed::column;
const std::array views{
    view{"branches",
         "SELECT n, ip, thread, branch, taken, target FROM instructions WHERE branch IS NOT NULL",
         {}},
    view{"threads",
         "SELECT thread, count(*) AS instructions, min(n) AS first, max(n) AS last "
         "FROM instructions GROUP BY thread",
         {}},
    view{
        "registers",
        "SELECT n, ip, thread, r.value AS register, 0 AS written "
        "FROM instructions, json_each(source_registers) AS r UNION ALL "
        "SELECT n, ip, thread, r.value, 1 FROM instructions, json_each(destination_registers) AS r",
        {}},
    view{"events",
         "SELECT n, thread, operation, decor, location FROM instructions",
         {column::operation, column::decor, column::location}},
    view{"events",
         "SELECT n, ip, thread, time, system_events FROM instructions WHERE system_events <> 0",
         {column::time, column::system_events}},
};

std::vector<table_kind> all_tables() {
  std::vector<table_kind> all{{"instructions", make_instructions}};
  for (auto& t : memory_tables()) all.push_back(std::move(t));
  for (auto& t : list_tables()) all.push_back(std::move(t));
  return all;
}

// Traces that the tables of a connection have opened.
struct connection {
  std::map<int, shared_trace> traces = {};
  int next = 0;
};

// Connections that have the tables.
std::mutex connections_mutex;
std::map<sqlite3*, std::unique_ptr<connection>> connections;
connection& connection_of(sqlite3* db) {
  const std::lock_guard lock(connections_mutex);
  auto& c = connections[db];
  if (!c) c = std::make_unique<connection>();
  return *c;
}
void forget_connection(void* db) {
  const std::lock_guard lock(connections_mutex);
  connections.erase(static_cast<sqlite3*>(db));
}

// Learns whether the connection was interrupted by running a statement, which also calls its progress
// handler. (SQLite 3.40 has no function for it.)
class interruption_check {
 public:
  explicit interruption_check(sqlite3* db) noexcept : db_(db) {}
  interruption_check(const interruption_check&) = delete;
  interruption_check& operator=(const interruption_check&) = delete;
  ~interruption_check() { sqlite3_finalize(statement_); }
  void operator()() {
    if (statement_ == nullptr &&
        sqlite3_prepare_v2(db_, "SELECT 1", -1, &statement_, nullptr) != SQLITE_OK)
      return;
    const int rc = sqlite3_step(statement_);
    sqlite3_reset(statement_);
    if (rc == SQLITE_INTERRUPT) throw io::interruption();
  }

 private:
  sqlite3* db_;
  sqlite3_stmt* statement_ = nullptr;
};

struct vtab : sqlite3_vtab {
  explicit vtab(sqlite3* db) noexcept : sqlite3_vtab(), interrupted(db) {}
  std::unique_ptr<table> of = {};
  // Plans by their text, which SQLite stores.
  std::map<std::string, plan> plans = {};
  interruption_check interrupted;
};
struct vtab_cursor : sqlite3_vtab_cursor {
  vtab_cursor() noexcept : sqlite3_vtab_cursor() {}
  std::unique_ptr<cursor> of = {};
  bool ends = true;
  std::uint64_t left = 0;  // rows up to LIMIT
};

void set_message(char** to, const char* what) {
  sqlite3_free(*to);
  *to = sqlite3_mprintf("%s", what);
}
// Calls f(), and returns its result or the code of its exception.
template <class F> int guarded(char** message, F f) noexcept {
  try {
    return f();
  } catch (const io::interruption&) {
    return SQLITE_INTERRUPT;
  } catch (const std::bad_alloc&) {
    return SQLITE_NOMEM;
  } catch (const std::exception& e) {
    set_message(message, e.what());
    return SQLITE_ERROR;
  }
}

const char* type_name(column_type t) noexcept {
  switch (t) {
    case column_type::address:
      return "ADDRESS";
    case column_type::text:
      return "TEXT";
    case column_type::blob:
      return "BLOB";
    default:
      return "INTEGER";
  }
}

int connect(sqlite3* db, void*, int argc, const char* const* argv, sqlite3_vtab** out,
            char** message) noexcept {
  return guarded(message, [&] {
    const auto& all = connection_of(db).traces;
    const auto trace = argc == 5 ? all.find(std::atoi(argv[3])) : all.end();
    const auto kinds = all_tables();
    const auto kind = std::find_if(kinds.begin(), kinds.end(), [&](const table_kind& k) {
      return argc == 5 && k.name == argv[4];
    });
    if (trace == all.end() || kind == kinds.end())
      throw trace_error(trace_errc::refused, {}, "tables of traces are made by open_trace('FILE')");
    auto made = std::make_unique<vtab>(db);
    made->of = kind->make(trace->second);
    std::string declaration;
    for (const column_info& c : made->of->columns()) {
      declaration += declaration.empty() ? "CREATE TABLE x(\"" : ", \"";
      declaration += c.name + "\" " + type_name(c.type);
      if (c.is_parameter) declaration += " HIDDEN";
    }
    const int rc = sqlite3_declare_vtab(db, (declaration + ")").c_str());
    if (rc != SQLITE_OK) return rc;
    sqlite3_vtab_config(db, SQLITE_VTAB_INNOCUOUS);
    *out = made.release();
    return SQLITE_OK;
  });
}

int disconnect(sqlite3_vtab* t) noexcept {
  delete static_cast<vtab*>(t);
  return SQLITE_OK;
}

const char* operator_text(int op) noexcept {
  switch (op) {
    case SQLITE_INDEX_CONSTRAINT_EQ:
      return "=?";
    case SQLITE_INDEX_CONSTRAINT_GT:
      return ">?";
    case SQLITE_INDEX_CONSTRAINT_LE:
      return "<=?";
    case SQLITE_INDEX_CONSTRAINT_LT:
      return "<?";
    case SQLITE_INDEX_CONSTRAINT_GE:
      return ">=?";
    case SQLITE_INDEX_CONSTRAINT_NE:
      return "<>?";
    case SQLITE_INDEX_CONSTRAINT_ISNULL:
      return " IS NULL";
    default:
      return " IS NOT NULL";
  }
}

constexpr bool is_limit(int op) noexcept {
  return op == SQLITE_INDEX_CONSTRAINT_LIMIT || op == SQLITE_INDEX_CONSTRAINT_OFFSET;
}

std::string plan_text(const vtab& t, const plan& p) {
  std::string text;
  const auto add = [&text](const std::string& s) { (text += text.empty() ? "" : " ") += s; };
  for (const plan::term& e : p.terms)
    if (is_limit(e.op))
      add(e.op == SQLITE_INDEX_CONSTRAINT_LIMIT ? "LIMIT" : "OFFSET");
    else
      add(t.of->columns()[static_cast<std::size_t>(e.column)].name +
          (e.is_list ? " IN ?" : operator_text(e.op)));
  if (const std::string note = t.of->note_of(p); !note.empty()) add(note);
  std::string columns;
  for (std::size_t i = 0; i != t.of->columns().size(); ++i)
    if (p.uses(i)) (columns += columns.empty() ? "" : ",") += t.of->columns()[i].name;
  add("columns(" + columns + ")");
  return text;
}

int best_index(sqlite3_vtab* base, sqlite3_index_info* info) noexcept {
  auto& t = static_cast<vtab&>(*base);
  return guarded(&t.zErrMsg, [&] {
    plan p;
    p.used = info->colUsed;
    bool all_taken = true;
    const auto take = [&](int i, bool is_list) {
      const auto& c = info->aConstraint[i];
      p.terms.push_back({c.iColumn, c.op, is_list});
      info->aConstraintUsage[i].argvIndex = static_cast<int>(p.terms.size());
      info->aConstraintUsage[i].omit = 1;
    };
    for (int i = 0; i != info->nConstraint; ++i) {
      const auto& c = info->aConstraint[i];
      if (is_limit(c.op)) continue;
      const bool exists = c.iColumn >= 0;
      const bool is_parameter =
          exists && t.of->columns()[static_cast<std::size_t>(c.iColumn)].is_parameter;
      // A parameter of a function must be known before its rows.
      if (is_parameter && c.op == SQLITE_INDEX_CONSTRAINT_EQ && c.usable == 0)
        return SQLITE_CONSTRAINT;
      // SQLite checks a constraint itself, too, if it is not one of the first 16.
      if (c.usable == 0 || !exists || p.terms.size() == 14 || !t.of->takes(c.iColumn, c.op)) {
        all_taken = false;
        continue;
      }
      const bool is_list = !is_parameter && c.op == SQLITE_INDEX_CONSTRAINT_EQ &&
                           sqlite3_vtab_in(info, i, -1) != 0 && sqlite3_vtab_in(info, i, 1) != 0;
      take(i, is_list);
    }
    info->orderByConsumed = info->nOrderBy == 1 && info->aOrderBy[0].desc == 0 &&
                            t.of->is_sorted_by(info->aOrderBy[0].iColumn);
    if (all_taken && (info->nOrderBy == 0 || info->orderByConsumed != 0))
      for (int i = 0; i != info->nConstraint; ++i)
        if (is_limit(info->aConstraint[i].op) && info->aConstraint[i].usable != 0) take(i, false);
    const table::cost cost = t.of->cost_of(p);
    info->estimatedCost = cost.effort;
    info->estimatedRows = static_cast<sqlite3_int64>(std::max(cost.rows, 1.0));
    const std::string text = plan_text(t, p);
    info->idxStr = sqlite3_mprintf("%s", text.c_str());
    if (info->idxStr == nullptr) return SQLITE_NOMEM;
    info->needToFreeIdxStr = 1;
    t.plans.emplace(text, std::move(p));
    return SQLITE_OK;
  });
}

int open(sqlite3_vtab* base, sqlite3_vtab_cursor** out) noexcept {
  auto& t = static_cast<vtab&>(*base);
  return guarded(&t.zErrMsg, [&] {
    auto made = std::make_unique<vtab_cursor>();
    made->of = t.of->open([&t] { t.interrupted(); });
    *out = made.release();
    return SQLITE_OK;
  });
}

int close(sqlite3_vtab_cursor* c) noexcept {
  delete static_cast<vtab_cursor*>(c);
  return SQLITE_OK;
}

int next(sqlite3_vtab_cursor* base) noexcept {
  auto& c = static_cast<vtab_cursor&>(*base);
  return guarded(&c.pVtab->zErrMsg, [&] {
    c.ends = c.left == 0 || !c.of->next();
    --c.left;
    return SQLITE_OK;
  });
}

int filter(sqlite3_vtab_cursor* base, int, const char* text, int argc,
           sqlite3_value** argv) noexcept {
  auto& c = static_cast<vtab_cursor&>(*base);
  auto& t = static_cast<vtab&>(*c.pVtab);
  return guarded(&t.zErrMsg, [&] {
    const plan& p = t.plans.at(text);
    constexpr std::uint64_t everything = ~std::uint64_t{0};
    std::uint64_t skip = 0;
    c.left = everything;
    for (std::size_t k = 0; k != p.terms.size(); ++k) {
      if (!is_limit(p.terms[k].op)) continue;
      const sqlite3_int64 n = sqlite3_value_int64(argv[k]);
      if (p.terms[k].op == SQLITE_INDEX_CONSTRAINT_OFFSET)
        skip = n < 0 ? 0 : static_cast<std::uint64_t>(n);
      else
        c.left = n < 0 ? everything : static_cast<std::uint64_t>(n);
    }
    c.of->filter(p, {argv, static_cast<std::size_t>(argc)});
    for (; skip != 0 && c.left != 0; --skip)
      if (!c.of->next()) c.left = 0;
    c.ends = c.left == 0 || !c.of->next();
    --c.left;
    return SQLITE_OK;
  });
}

int eof(sqlite3_vtab_cursor* c) noexcept { return static_cast<vtab_cursor*>(c)->ends ? 1 : 0; }

int column(sqlite3_vtab_cursor* base, sqlite3_context* to, int n) noexcept {
  auto& c = static_cast<vtab_cursor&>(*base);
  return guarded(&c.pVtab->zErrMsg, [&] {
    c.of->column(to, n);
    return SQLITE_OK;
  });
}

int rowid(sqlite3_vtab_cursor* c, sqlite3_int64* to) noexcept {
  *to = static_cast<vtab_cursor*>(c)->of->rowid();
  return SQLITE_OK;
}

const sqlite3_module tables = [] {
  sqlite3_module m{};
  m.iVersion = 1;
  m.xCreate = m.xConnect = connect;
  m.xBestIndex = best_index;
  m.xDisconnect = m.xDestroy = disconnect;
  m.xOpen = open;
  m.xClose = close;
  m.xFilter = filter;
  m.xNext = next;
  m.xEof = eof;
  m.xColumn = column;
  m.xRowid = rowid;
  return m;
}();

// hex64(X): "0x" and 16 digits, whose order is that of unsigned numbers.
void hex64(sqlite3_context* to, int, sqlite3_value** argv) noexcept {
  if (sqlite3_value_type(argv[0]) == SQLITE_NULL) return sqlite3_result_null(to);
  try {
    const std::uint64_t n = number_of(argv[0], "hex64");
    std::string text = "0x";
    for (unsigned shift = 64; shift != 0;) text += "0123456789abcdef"[n >> (shift -= 4) & 15];
    result_text(to, text);
  } catch (const std::exception& e) {
    sqlite3_result_error(to, e.what(), -1);
  }
}
// address(X): the integer with the bits of a number or text.
void address(sqlite3_context* to, int, sqlite3_value** argv) noexcept {
  if (sqlite3_value_type(argv[0]) == SQLITE_NULL) return sqlite3_result_null(to);
  try {
    result_number(to, number_of(argv[0], "address"));
  } catch (const std::exception& e) {
    sqlite3_result_error(to, e.what(), -1);
  }
}

void open_trace(sqlite3_context* to, int argc, sqlite3_value** argv) noexcept {
  try {
    sqlite3* const db = sqlite3_context_db_handle(to);
    result_text(to, attach_trace(db, text_of(argv[0]), {}, argc > 1 ? text_of(argv[1]) : ""));
  } catch (const std::exception& e) {
    sqlite3_result_error(to, e.what(), -1);
  }
}

[[noreturn]] void refuse(sqlite3* db) {
  throw trace_error(trace_errc::refused, {}, sqlite3_errmsg(db));
}
void run(sqlite3* db, const std::string& sql) {
  if (sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) refuse(db);
}
std::string quoted(const std::string& name) {
  std::string s = "\"";
  for (const char c : name) s += c == '"' ? "\"\"" : std::string(1, c);
  return s + '"';
}

}  // namespace

void register_tables(sqlite3* db) {
  constexpr int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
  for (const auto& [name, function] : {std::pair("hex64", &hex64), std::pair("address", &address)})
    if (sqlite3_create_function_v2(db, name, 1, flags, nullptr, function, nullptr, nullptr,
                                   nullptr) != SQLITE_OK)
      refuse(db);
  for (const int parameters : {1, 2})
    if (sqlite3_create_function_v2(db, "open_trace", parameters, SQLITE_UTF8 | SQLITE_DIRECTONLY,
                                   nullptr, open_trace, nullptr, nullptr, nullptr) != SQLITE_OK)
      refuse(db);
  connection_of(db);
  if (sqlite3_create_module_v2(db, module_name, &tables, db, forget_connection) != SQLITE_OK)
    refuse(db);
}

std::string attach_trace(sqlite3* db, const std::string& path, const format::open_options& how,
                         std::string schema) {
  connection& shared = connection_of(db);
  const auto trace = std::make_shared<opened_trace>(path, how);
  if (schema.empty())
    for (char name = 'a'; name <= 'z' && schema.empty(); ++name)
      if (sqlite3_db_readonly(db, std::string(1, name).c_str()) == -1) schema = name;
  run(db, "ATTACH ':memory:' AS " + quoted(schema));
  try {
    const int number = shared.next++;
    shared.traces.emplace(number, trace);
    for (const table_kind& k : all_tables())
      if (k.make(trace) != nullptr)
        run(db, "CREATE VIRTUAL TABLE " + quoted(schema) + '.' + k.name + " USING " + module_name +
                    '(' + std::to_string(number) + ',' + k.name + ')');
    for (const view& v : views)
      if ((v.needs - trace->has()).empty())
        run(db, "CREATE VIEW " + quoted(schema) + '.' + v.name + " AS " + v.sql);
  } catch (...) {
    sqlite3_exec(db, ("DETACH " + quoted(schema)).c_str(), nullptr, nullptr, nullptr);
    throw;
  }
  return schema;
}

}  // namespace tracecodec::sql
