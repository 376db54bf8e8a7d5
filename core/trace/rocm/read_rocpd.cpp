#include "core/trace/rocm/read_rocpd.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "core/trace/json/numbers.h"
#include "core/trace/rocm/json_fields.h"

namespace warpwalk::trace::rocm {
namespace {

using nsys::Database;
using nsys::Statement;

constexpr std::array<std::string_view, 3> event_tables = {"rocpd_kernel_dispatch", "rocpd_memory_copy", "rocpd_region"};

// What follows the name of a table of events: "_" and the GUID of the recording, or nothing.
std::set<std::string> suffixes_of(const Database& database) {
  constexpr std::size_t most_recordings = 4096;
  std::set<std::string> suffixes;
  Statement tables(database, "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'rocpd_%'");
  while (tables && tables.next() && suffixes.size() < most_recordings) {
    const std::string_view name = tables.text(0).value_or("");
    for (const std::string_view table : event_tables) {
      if (!name.starts_with(table)) continue;
      const std::string_view rest = name.substr(table.size());
      const bool plain = rest.find_first_not_of("0123456789abcdefABCDEF_-") == std::string_view::npos;
      if (rest.empty() || (rest.front() == '_' && plain)) suffixes.emplace(rest);
    }
  }
  return suffixes;
}

// The number at the end of a name such as "Stream 3"; else `other`.
std::int64_t number_at_end(std::string_view name, std::int64_t other) {
  const std::size_t last = name.find_last_not_of("0123456789");
  const std::string_view digits = last == std::string_view::npos ? name : name.substr(last + 1);
  return parse_integer(digits).value_or(other);
}

struct Placement {
  std::int64_t process = absent, thread = absent, agent = absent, queue = absent, stream = absent;
};

struct EventOfRow {
  std::int64_t correlation = absent;
  std::int64_t category = absent;
};

struct Symbol {
  StringId name = 0;
  std::int64_t registers = absent;
};

struct AgentRow {
  bool gpu = false;
  std::int64_t device = absent;
};

/// The tables of one recording.
class RocpdTables {
 public:
  RocpdTables(const Database& database, std::string suffix, Recording& recording)
      : database_(database), suffix_(std::move(suffix)), recording_(recording) {}

  void read() {
    read_names();
    read_places();
    read_agents();
    read_symbols();
    read_dispatches();
    read_copies();
    read_regions();
  }

 private:
  template <class Row>
  using ById = std::unordered_map<std::int64_t, Row>;

  // Calls visit(row) for each row of a table.
  template <std::size_t n, class Visit>
  void for_each_row(std::string_view table, const std::array<std::string_view, n>& columns, Visit visit) {
    const std::string name = std::string(table) + suffix_;
    row_ = 0;
    table_ = table;
    if (!database_.has_table(name) || recording_.stopped()) return;
    Statement rows = nsys::select(database_, name, columns);
    while (rows && rows.next()) {
      ++row_;
      if (!visit(rows)) break;
    }
    if (!rows || rows.damaged())
      recording_.problems().add(ProblemKind::lost_event, 0, [&] {
        return fmt::format("the table {} is damaged after {} rows ({}); what was read before is kept", name, row_,
                           database_.last_error());
      });
  }
  std::string place() const { return fmt::format("row {} of {}", row_, table_); }

  template <class Row>
  static const Row* row_of(const ById<Row>& rows, std::int64_t id) {
    const auto found = rows.find(id);
    return found == rows.end() ? nullptr : &found->second;
  }
  static std::int64_t number_of(const ById<std::int64_t>& rows, std::int64_t id) {
    const std::int64_t* const found = row_of(rows, id);
    return found == nullptr ? id : *found;
  }
  StringId string_of(std::int64_t id) const {
    const StringId* const found = row_of(strings_, id);
    return found == nullptr ? 0 : *found;
  }

  void read_names();
  void read_places();
  void read_agents();
  void read_symbols();
  void read_dispatches();
  void read_copies();
  void read_regions();
  // A row says where it ran itself, or refers to a track that does.
  Placement placement(const Statement& row, int track, Placement own) const;
  // A time of a row, or of the row of timestamps that it refers to.
  std::int64_t time_of(const Statement& row, int own, int reference) const;
  EventOfRow event_of(std::int64_t id) const {
    const EventOfRow* const found = row_of(events_, id);
    return found == nullptr ? EventOfRow{} : *found;
  }
  std::int64_t device_of(std::int64_t agent) const {
    const AgentRow* const found = row_of(agents_, agent);
    return found == nullptr ? agent : found->device;
  }

  const Database& database_;
  std::string suffix_;
  Recording& recording_;
  ById<StringId> strings_;
  ById<EventOfRow> events_;
  ById<std::int64_t> processes_, threads_, queues_, streams_, times_;
  ById<Placement> tracks_;
  ById<AgentRow> agents_;
  ById<Symbol> symbols_;
  std::string_view table_;
  std::uint64_t row_ = 0;
};

void RocpdTables::read_names() {
  for_each_row("rocpd_string", std::array<std::string_view, 2>{"id", "string"}, [&](const Statement& row) {
    if (const auto text = row.text(1)) strings_[row.integer(0)] = recording_.intern(*text);
    return recording_.trace().strings.size() < std::size_t{1} << 31;
  });
  // The profiler's correlation is the stack's number; "correlation_id" is one that the program gave.
  for_each_row("rocpd_event", std::array<std::string_view, 4>{"id", "stack_id", "correlation_id", "category_id"},
               [&](const Statement& row) {
                 EventOfRow event{row.integer(1), row.integer(3)};
                 if (event.correlation == absent || event.correlation == 0) event.correlation = row.integer(2);
                 events_[row.integer(0)] = event;
                 return true;
               });
  for_each_row("rocpd_timestamp", std::array<std::string_view, 2>{"id", "value"}, [&](const Statement& row) {
    times_[row.integer(0)] = row.integer(1);
    return true;
  });
}

void RocpdTables::read_places() {
  for_each_row(
      "rocpd_info_process", std::array<std::string_view, 4>{"id", "pid", "name", "command"}, [&](const Statement& row) {
        processes_[row.integer(0)] = row.integer(1);
        const std::string_view name = row.text(2).value_or("");
        recording_.name_process(row.integer(1), recording_.intern(name.empty() ? row.text(3).value_or("") : name));
        return true;
      });
  for_each_row("rocpd_info_thread", std::array<std::string_view, 2>{"id", "tid"}, [&](const Statement& row) {
    threads_[row.integer(0)] = row.integer(1);
    return true;
  });
  const auto read_named = [&](std::string_view table, ById<std::int64_t>& numbers) {
    for_each_row(table, std::array<std::string_view, 2>{"id", "name"}, [&](const Statement& row) {
      numbers[row.integer(0)] = number_at_end(row.text(1).value_or(""), row.integer(0));
      return true;
    });
  };
  read_named("rocpd_info_queue", queues_);
  read_named("rocpd_info_stream", streams_);
  for_each_row(
      "rocpd_track", std::array<std::string_view, 6>{"id", "pid", "tid", "agent_id", "queue_id", "stream_id"},
      [&](const Statement& row) {
        tracks_[row.integer(0)] = {row.integer(1), row.integer(2), row.integer(3), row.integer(4), row.integer(5)};
        return true;
      });
}

// GPUs have the number that HIP has for them.
void RocpdTables::read_agents() {
  enum : int { id, type, type_index, product, model, agent_name, more };
  for_each_row(
      "rocpd_info_agent",
      std::array<std::string_view, 7>{"id", "type", "type_index", "product_name", "model_name", "name", "extdata"},
      [&](const Statement& row) {
        AgentRow& agent = agents_[row.integer(id)];
        agent.gpu = row.text(type).value_or("") == "GPU";
        agent.device = agent.gpu ? row.integer(type_index) : absent;
        if (agent.gpu && agent.device == absent) agent.device = row.integer(id);
        Trace& trace = recording_.trace();
        if (!agent.gpu || std::ranges::find(trace.devices, agent.device, &Device::id) != trace.devices.end())
          return true;
        Device device = device_of_json(row.text(more).value_or(""));
        device.id = agent.device;
        for (const int column : {product, model, agent_name})
          if (const auto text = row.text(column); text && !text->empty() && device.name == 0)
            device.name = recording_.intern(*text);
        trace.devices.push_back(device);
        constexpr std::size_t most_devices = 1024;
        return trace.devices.size() < most_devices;
      });
}

void RocpdTables::read_symbols() {
  for_each_row(
      "rocpd_info_kernel_symbol",
      std::array<std::string_view, 5>{"id", "display_name", "kernel_name", "arch_vgpr_count", "accum_vgpr_count"},
      [&](const Statement& row) {
        const std::string_view shown = row.text(1).value_or("");
        Symbol symbol{recording_.intern(shown.empty() ? row.text(2).value_or("") : shown), row.integer(3)};
        if (const std::int64_t more = row.integer(4); symbol.registers >= 0 && more > 0 && more < 1 << 16)
          symbol.registers = std::min<std::int64_t>(symbol.registers, 1 << 16) + more;
        symbols_[row.integer(0)] = symbol;
        return true;
      });
}

Placement RocpdTables::placement(const Statement& row, int track, Placement own) const {
  if (const Placement* const found = row_of(tracks_, row.integer(track)))
    for (auto member :
         {&Placement::process, &Placement::thread, &Placement::agent, &Placement::queue, &Placement::stream})
      if (own.*member == absent) own.*member = found->*member;
  own.process = number_of(processes_, own.process);
  own.thread = number_of(threads_, own.thread);
  own.queue = number_of(queues_, own.queue);
  own.stream = number_of(streams_, own.stream);
  return own;
}

std::int64_t RocpdTables::time_of(const Statement& row, int own, int reference) const {
  if (const std::int64_t time = row.integer(own); time != absent) return time;
  const std::int64_t* const time = row_of(times_, row.integer(reference));
  return time == nullptr ? absent : *time;
}

void RocpdTables::read_dispatches() {
  enum : int {
    start,
    end,
    start_id,
    end_id,
    track,
    pid,
    tid,
    agent,
    queue,
    stream,
    kernel,
    event,
    lds,
    scratch,
    block,
    grid = block + 3
  };
  constexpr std::array<std::string_view, 20> columns = {"start",
                                                        "end",
                                                        "start_id",
                                                        "end_id",
                                                        "track_id",
                                                        "pid",
                                                        "tid",
                                                        "agent_id",
                                                        "queue_id",
                                                        "stream_id",
                                                        "kernel_id",
                                                        "event_id",
                                                        "group_segment_size",
                                                        "private_segment_size",
                                                        "workgroup_size_x",
                                                        "workgroup_size_y",
                                                        "workgroup_size_z",
                                                        "grid_size_x",
                                                        "grid_size_y",
                                                        "grid_size_z"};
  for_each_row("rocpd_kernel_dispatch", columns, [&](const Statement& row) {
    const Placement where = placement(
        row, track, {row.integer(pid), row.integer(tid), row.integer(agent), row.integer(queue), row.integer(stream)});
    const Work work{where.process,
                    device_of(where.agent),
                    where.queue,
                    where.stream,
                    event_of(row.integer(event)).correlation,
                    time_of(row, start, start_id),
                    time_of(row, end, end_id)};
    KernelDetail detail;
    const std::array<std::int64_t, 3> threads = {row.integer(grid), row.integer(grid + 1), row.integer(grid + 2)};
    const std::array<std::int64_t, 3> group = {row.integer(block), row.integer(block + 1), row.integer(block + 2)};
    detail.block = checked_block(group);
    detail.grid = blocks_of(threads, group);
    detail.shared_bytes = row.integer(lds);
    const Symbol* const symbol = row_of(symbols_, row.integer(kernel));
    if (symbol != nullptr) detail.registers = symbol->registers;
    if (symbol == nullptr)
      recording_.problems().add(ProblemKind::missing_field, 0,
                                [&] { return fmt::format("{} has no name of its kernel", place()); });
    const auto added = recording_.kernel(work, detail, symbol == nullptr ? 0 : symbol->name, place());
    if (const std::int64_t bytes = row.integer(scratch); added && bytes > 0)
      recording_.trace().slices.extra[*added] = recording_.intern(fmt::format("\"scratch bytes\": {}", bytes));
    return recording_.go_on(place());
  });
}

void RocpdTables::read_copies() {
  enum : int { start, end, start_id, end_id, track, pid, tid, to, from, queue, stream, name, bytes, event };
  constexpr std::array<std::string_view, 14> columns = {
      "start",        "end",          "start_id", "end_id",    "track_id", "pid",  "tid",
      "dst_agent_id", "src_agent_id", "queue_id", "stream_id", "name_id",  "size", "event_id"};
  for_each_row("rocpd_memory_copy", columns, [&](const Statement& row) {
    const AgentRow* const target = row_of(agents_, row.integer(to));
    const std::int64_t agent = target != nullptr && target->gpu ? row.integer(to) : row.integer(from);
    const Placement where =
        placement(row, track, {row.integer(pid), row.integer(tid), agent, row.integer(queue), row.integer(stream)});
    const Work work{where.process,
                    device_of(where.agent),
                    where.queue,
                    where.stream,
                    event_of(row.integer(event)).correlation,
                    time_of(row, start, start_id),
                    time_of(row, end, end_id)};
    const StringId shown = recording_.intern(copy_name(recording_.trace().text(string_of(row.integer(name)))));
    recording_.copy(work, row.integer(bytes), shown, place());
    return recording_.go_on(place());
  });
}

void RocpdTables::read_regions() {
  enum : int { start, end, start_id, end_id, track, pid, tid, name, event, more };
  constexpr std::array<std::string_view, 10> columns = {"start", "end", "start_id", "end_id",   "track_id",
                                                        "pid",   "tid", "name_id",  "event_id", "extdata"};
  for_each_row("rocpd_region", columns, [&](const Statement& row) {
    const Placement where = placement(row, track, {row.integer(pid), row.integer(tid), absent, absent, absent});
    const EventOfRow known = event_of(row.integer(event));
    const HostRow host{where.process, where.thread, known.correlation, time_of(row, start, start_id),
                       time_of(row, end, end_id)};
    const std::string_view category = recording_.trace().text(string_of(known.category));
    StringId shown = string_of(row.integer(name));
    if (category.starts_with("MARKER"))
      if (const std::string message = text_member(row.text(more).value_or(""), "message"); !message.empty())
        shown = recording_.intern(message);
    recording_.host(host, category, shown, place());
    return recording_.go_on(place());
  });
}

}  // namespace

bool is_rocpd(const Database& database) { return !suffixes_of(database).empty(); }

Result read_rocpd(const Database& database, const Options& options, Trace& trace, Problems& problems) {
  Recording recording(options, trace, problems);
  for (const std::string& suffix : suffixes_of(database)) RocpdTables(database, suffix, recording).read();
  recording.finish();
  Result result{recording.events(), recording.stopped(), {}};
  if (result.events != 0) return result;
  result.error =
      "is a database of rocprofv3 without a kernel, copy or call; record with rocprofv3 --sys-trace --output-format "
      "rocpd";
  if (!problems.rows().empty()) result.error = problems.rows().front().message;
  return result;
}

}  // namespace warpwalk::trace::rocm
