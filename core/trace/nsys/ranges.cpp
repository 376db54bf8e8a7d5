// NVTX ranges and marks.
#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/trace/nsys/import.h"
#include "core/trace/nsys/range_name.h"

namespace warpwalk::trace::nsys {
namespace {

enum RangeColumn : int { range_start, range_end, range_type, range_text, range_text_id, range_thread, range_domain };
constexpr std::array<std::string_view, 7> range_columns = {"start",  "end",       "eventType", "text",
                                                           "textId", "globalTid", "domainId"};

// Values of ENUM_NSYS_EVENT_TYPE.
constexpr std::int64_t nvtx_mark = 34, nvtx_push_pop = 59, nvtx_start_end = 60, nvtx_domain = 75;

// More tracks for overlapping ranges of one thread would show nothing.
constexpr std::size_t most_lanes = 32;

// A start/end range: it may overlap others of its thread, so its track is found when all are known.
struct OpenRange {
  std::int64_t thread;
  std::int64_t start, end;
  std::size_t row;  // of Trace::slices
};

class Ranges {
 public:
  explicit Ranges(Import& in) : in_(in), trace_(in.trace()) {}

  void read() {
    read_domains();
    in_.for_each_row({"NVTX_EVENTS", range_columns}, [&](const Statement& row) { add(row); });
    place_start_end_ranges();
  }

 private:
  // Domains have their names in rows of their own, by process and number.
  void read_domains() {
    Statement rows = select(in_.database(), "NVTX_EVENTS", range_columns);
    while (rows && rows.next()) {
      if (rows.integer(range_type) != nvtx_domain) continue;
      if (const StringId name = text_of(rows); name != 0) domains_.insert_or_assign(domain_of(rows), name);
    }
  }

  std::pair<Process, std::int64_t> domain_of(const Statement& row) {
    return {in_.places().process(row.integer(range_thread)), row.integer(range_domain)};
  }

  StringId text_of(const Statement& row) {
    const StringId text = in_.strings().text(row, range_text);
    return text != 0 ? text : in_.strings().text(row, range_text_id);
  }

  void add(const Statement& row) {
    std::int64_t type = row.integer(range_type);
    if (type == absent) type = row.integer(range_end) == absent ? nvtx_mark : nvtx_push_pop;
    if (type == nvtx_mark) return add_mark(row);
    if (type == nvtx_push_pop || type == nvtx_start_end) add_range(row, type == nvtx_start_end);
  }

  void add_mark(const Statement& row) {
    const auto time = in_.time(row, range_start);
    if (!time) return;
    StringId name = text_of(row);
    // In a file of PyTorch's profiler, marks with these names are memory events.
    if (const std::string_view text = trace_.text(name); text == "[memory]" || text == "[OutOfMemory]")
      name = trace_.strings.intern(fmt::format("NVTX mark {}", text));
    trace_.instants.push_back({*time, name, trace_.strings.intern("nvtx"), domain_extra(row),
                               in_.places().thread(row.integer(range_thread)), 't'});
  }

  void add_range(const Statement& row, bool beside) {
    const auto span = in_.span(row, range_start, range_end);
    if (!span) return;
    const std::int64_t thread = row.integer(range_thread);
    std::string_view text = in_.strings().peek(row, range_text);
    const int column = text.empty() ? range_text_id : range_text;
    if (text.empty()) text = in_.strings().peek(row, column);
    // A text with a number is that of one range, so only its parts are kept. Others repeat and are found again by id.
    RangeName name = read_range_name(text);
    if (!text.empty() && name.sequence == absent && name.op_id == absent)
      name = read_range_name(trace_.text(in_.strings().text(row, column)));
    OpDetail detail;
    detail.sequence = name.sequence;
    detail.record_function = name.op_id;
    detail.input_dims = trace_.strings.intern(name.sizes);
    trace_.ops.push_back(detail);
    if (beside) beside_.push_back({thread, span->start, span->start + span->duration, trace_.slices.size()});
    in_.slice(name.op ? SliceKind::op : SliceKind::annotation, trace_.strings.intern(name.name), *span,
              beside ? 0 : in_.places().thread(thread), trace_.ops.size() - 1, range_extra(row, name));
  }

  StringId domain_extra(const Statement& row) {
    const auto domain = domains_.find(domain_of(row));
    if (domain == domains_.end()) return 0;
    Extra extra;
    extra.add_text("NVTX domain", trace_.text(domain->second));
    return trace_.strings.intern(extra.json());
  }

  StringId range_extra(const Statement& row, const RangeName& name) {
    if (name.input_op_ids.empty()) return domain_extra(row);
    Extra extra;
    extra.add_text("input_op_ids", name.input_op_ids);
    return trace_.strings.intern(extra.json());
  }

  // Spreads the ranges of each thread over lanes, so that those of one lane nest.
  void place_start_end_ranges() {
    std::ranges::stable_sort(beside_, [](const OpenRange& a, const OpenRange& b) {
      return a.start != b.start ? a.start < b.start : a.end > b.end;
    });
    std::unordered_map<std::int64_t, std::vector<std::vector<std::int64_t>>> lanes_of;  // ends of what is open
    for (const OpenRange& range : beside_) {
      auto& lanes = lanes_of[range.thread];
      std::size_t lane = 0;
      for (; lane < lanes.size(); ++lane) {
        while (!lanes[lane].empty() && lanes[lane].back() <= range.start) lanes[lane].pop_back();
        if (lanes[lane].empty() || lanes[lane].back() >= range.end) break;
      }
      lane = std::min(lane, most_lanes - 1);
      if (lane == lanes.size()) lanes.emplace_back();
      lanes[lane].push_back(range.end);
      trace_.slices.track[range.row] = in_.places().beside_thread(range.thread, lane);
    }
  }

  Import& in_;
  Trace& trace_;
  std::map<std::pair<Process, std::int64_t>, StringId> domains_;
  std::vector<OpenRange> beside_;
};

}  // namespace

void read_ranges(Import& in) { Ranges(in).read(); }

}  // namespace warpwalk::trace::nsys
