// Checks the rules of threads: the thread table must match the execution records.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "exec.hpp"

namespace tracecodec::umtracer::detail {

// Checker that receives the execution records in order. Memory use grows with the number of threads
// in the table.
class thread_checker {
 public:
  thread_checker(file_findings& found, const exec_files& exec, const row_table<thread_codec>& table)
      : found_(found), exec_(exec), table_(table) {
    for (std::size_t i = 0; i < table.size(); ++i)
      if (const std::uint32_t id = table[i].id; !states_.emplace(id, state{.row = i}).second)
        bad(i, rule::duplicate_thread, thread_codec::offset_of<&thread_record::id>,
            "thread " + std::to_string(id) + " once more");
  }

  void add(std::uint64_t id, const exec_record& r) {
    state* const s = find(r.thread_id);
    if (s == nullptr) return broken(id, rule::thread_id, "thread " + std::to_string(r.thread_id));
    if (s->ended) broken(id, rule::after_thread_end, "thread " + std::to_string(r.thread_id));
    if (r.type == exec_type::thread_begin && s->records != 0)
      broken(id, rule::thread_begin, "thread " + std::to_string(r.thread_id) + " has begun");
    if (const auto n = exec_.neighbours_of(id)) check_neighbours(*s, id, r, *n);
    if (s->records++ == 0) s->first_type = r.type;
    s->latest = static_cast<std::int64_t>(id);
    s->latest_type = r.type;
    s->ended |= r.type == exec_type::thread_end;
  }

  void finish() {
    for (std::size_t i = 0; i < table_.size(); ++i) {
      const thread_record t = table_[i];
      // A mapped file may change, so skip rows that have changed since the constructor read them.
      if (const auto s = states_.find(t.id); s != states_.end() && s->second.row == i)
        check_row(i, t, s->second);
    }
  }

 private:
  struct state {
    std::size_t row = 0;
    std::uint64_t records = 0;
    std::int64_t first = no_eid;   // record that has no previous record
    std::int64_t last = no_eid;    // record that has no next record
    std::int64_t latest = no_eid;  // most recent record seen
    exec_type first_type = {}, latest_type = {};
    bool ended = false;
  };

  state* find(std::uint32_t id) {
    if (recent_ == nullptr || recent_id_ != id) {
      const auto at = states_.find(id);
      if (at == states_.end()) return nullptr;
      recent_ = &at->second;
      recent_id_ = id;
    }
    return recent_;
  }

  void check_neighbours(state& s, std::uint64_t id, const exec_record& r, const neighbours& n) {
    check_neighbour(id, r, n.previous, "previous", &neighbours::next, s.first);
    check_neighbour(id, r, n.next, "next", &neighbours::previous, s.last);
    if (n.previous != s.latest)
      broken(id, rule::neighbour_order,
             "previous " + std::to_string(n.previous) + ", but the thread's last record is " +
                 std::to_string(s.latest));
  }

  // Checks `other`, the previous or next neighbour of record `id`. `which` is the kind of
  // neighbour. `back` is the member of the neighbour's entry that must refer back to the record. If
  // record `id` has no such neighbour, sets `none` to `id`. A thread may have only one record
  // without a previous neighbour, and only one without a next neighbour.
  void check_neighbour(std::uint64_t id, const exec_record& r, std::int64_t other,
                       const char* which, std::int64_t neighbours::*back, std::int64_t& none) {
    const auto self = static_cast<std::int64_t>(id);
    if (other == no_eid) {
      if (none != no_eid)
        broken(id, rule::neighbour,
               "no " + std::string(which) + ", like record " + std::to_string(none));
      none = self;
      return;
    }
    // Use a lambda, so that a message is built only if there is a violation.
    const auto bad = [&](const std::string& why) {
      broken(id, rule::neighbour, std::string(which) + ' ' + std::to_string(other) + why);
    };
    const auto head = exec_.head(other);
    const auto there = head ? exec_.neighbours_of(static_cast<std::uint64_t>(other)) : std::nullopt;
    if (!there)
      bad(" is not a record");
    else if (head->thread_id != r.thread_id)
      bad(" belongs to thread " + std::to_string(head->thread_id));
    else if ((*there).*back != self)
      bad(" does not link back");
  }

  void check_row(std::size_t i, const thread_record& t, const state& s) {
    if (t.record_count < 0 || static_cast<std::uint64_t>(t.record_count) != s.records)
      bad(i, rule::thread_records, thread_codec::offset_of<&thread_record::record_count>,
          std::to_string(t.record_count) + " records, but there are " + std::to_string(s.records));
    if (s.records == 0) return check_no_records(i, t);
    if (exec_.has_neighbours()) check_span(i, t, s);
    if (s.first_type != exec_type::thread_begin)
      bad(i, rule::no_thread_begin, thread_codec::offset_of<&thread_record::first_eid>,
          type(s.first_type));
    if (t.last_eid == no_eid && s.ended)
      bad(i, rule::last_record, thread_codec::offset_of<&thread_record::last_eid>,
          "-1, but it has ended");
    if (t.last_eid != no_eid && !s.ended && s.latest_type != exec_type::application_end)
      bad(i, rule::no_thread_end, thread_codec::offset_of<&thread_record::last_eid>,
          type(s.latest_type));
  }
  // Checks the row of a thread without records. The specification does not define the first and
  // last record of a thread without records, so both -1 and 0 are accepted.
  void check_no_records(std::size_t i, const thread_record& t) {
    if (exec_.size() == 0) return;
    if (t.first_eid != no_eid && t.first_eid != 0)
      bad(i, rule::thread_span, thread_codec::offset_of<&thread_record::first_eid>,
          "first record " + std::to_string(t.first_eid) + ", but it has no records");
    if (t.last_eid != no_eid && t.last_eid != 0)
      bad(i, rule::thread_span, thread_codec::offset_of<&thread_record::last_eid>,
          "last record " + std::to_string(t.last_eid) + ", but it has no records");
  }
  void check_span(std::size_t i, const thread_record& t, const state& s) {
    if (t.first_eid != s.first)
      bad(i, rule::thread_span, thread_codec::offset_of<&thread_record::first_eid>,
          "first record " + std::to_string(t.first_eid) + ", but it is " + std::to_string(s.first));
    if (t.last_eid != no_eid && t.last_eid != s.last)
      bad(i, rule::thread_span, thread_codec::offset_of<&thread_record::last_eid>,
          "last record " + std::to_string(t.last_eid) + ", but it is " + std::to_string(s.last));
  }
  static std::string type(exec_type t) {
    return "type " + std::to_string(static_cast<unsigned>(t));
  }

  void bad(std::size_t row, rule r, std::size_t at, const std::string& message) {
    found_.add(r, file::threads, table_.offset(row) + at, row, message);
  }
  void broken(std::uint64_t id, rule r, const std::string& message) {
    const bool column = r == rule::neighbour || r == rule::neighbour_order;
    found_.add(r, column ? file::exec_neighbours : file::exec_records,
               column ? neighbours_codec::size * id : exec_.begin(id), id, message);
  }

  file_findings& found_;
  const exec_files& exec_;
  const row_table<thread_codec>& table_;
  std::map<std::uint32_t, state> states_ = {};
  state* recent_ = nullptr;  // points into states_, whose elements do not move
  std::uint32_t recent_id_ = 0;
};

}  // namespace tracecodec::umtracer::detail
