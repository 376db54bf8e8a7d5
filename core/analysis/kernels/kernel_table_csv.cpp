#include "core/analysis/kernels/kernel_table_csv.h"

#include <numeric>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace warpwalk::analysis {
namespace {

constexpr std::string_view csv_head =
    "kernel,label,kind,launches,total_ns,share_of_kernel_time,mean_ns,min_ns,max_ns,"
    "grid,grid_blocks_min,grid_blocks_max,block,block_threads_min,block_threads_max,"
    "registers_per_thread_min,registers_per_thread_max,shared_bytes_per_block_min,shared_bytes_per_block_max,"
    "occupancy_theoretical_percent_min,occupancy_theoretical_percent_max,occupancy_profiler_percent,"
    "tensor_cores_by_name,category,work_rule,flops,flops_launches,flops_time_ns,flops_per_second,"
    "bytes,bytes_launches,bytes_time_ns,bytes_per_second,unit,share_of_peak,peak\n";

// Adds fields to a line of the file.
class CsvLine {
 public:
  explicit CsvLine(std::string& out) : out_(out) {}

  void text(std::string_view field) {
    begin();
    if (field.find_first_of(",\"\r\n") == std::string_view::npos) {
      out_.append(field);
      return;
    }
    out_.push_back('"');
    for (const char c : field) {
      if (c == '"') out_.push_back('"');
      out_.push_back(c);
    }
    out_.push_back('"');
  }
  template <class T>
  void number(T value) {
    begin();
    fmt::format_to(std::back_inserter(out_), "{}", value);
  }
  template <class T>
  void number(const std::optional<T>& value) {
    if (value)
      number(*value);
    else
      begin();
  }
  void end() { out_.push_back('\n'); }

 private:
  void begin() {
    if (!first_) out_.push_back(',');
    first_ = false;
  }

  std::string& out_;
  bool first_ = true;
};

std::optional<std::int64_t> if_known(std::int64_t value) {
  return value == trace::absent ? std::nullopt : std::optional(value);
}

void add_spread(CsvLine& line, const Spread& spread) {
  line.number(if_known(spread.least));
  line.number(if_known(spread.most));
}

// "8x16x1" if all launches have it, "varies" if they differ.
void add_shape(CsvLine& line, const ShapeSpread& shape) {
  const auto& [x, y, z] = shape.first;
  line.text(!shape.count.known() ? "" : shape.same ? fmt::format("{}x{}x{}", x, y, z) : "varies");
  add_spread(line, shape.count);
}

void add_sum(CsvLine& line, const WorkSum& sum) {
  line.number(sum.known() ? std::optional(sum.amount) : std::nullopt);
  line.number(sum.launches);
  line.number(sum.time);
  line.number(sum.rate());
}

void add_row(CsvLine& line, const Trace& trace, const KernelTable& table, const KernelRow& row) {
  line.text(trace.text(row.name));
  line.text(row.label);
  line.text(trace::name_of(row.kind));
  line.number(row.count);
  const auto timed = [&](std::int64_t value) { return row.timed > 0 ? std::optional(value) : std::nullopt; };
  line.number(timed(row.total));
  line.number(row.share);
  line.number(row.mean());
  line.number(timed(row.min));
  line.number(timed(row.max));
  add_shape(line, row.grid);
  add_shape(line, row.block);
  add_spread(line, row.registers);
  add_spread(line, row.shared);
  for (const std::size_t end : {0, 1}) line.number(row.occupancy ? std::optional((*row.occupancy)[end]) : std::nullopt);
  line.number(row.occupancy_profiler);
  line.text(row.is_kernel() ? name_of(row.tensor_cores.use) : "");
  line.text(name_of(row.category));
  line.text(row.rule == WorkRule::none ? "" : row.rules_differ ? "several" : name_of(row.rule));
  add_sum(line, row.flops);
  add_sum(line, row.bytes);
  line.text(row.unit ? name_of(*row.unit) : "");
  const std::optional<PeakShare> share = table.share_of_peak(row);
  line.number(share ? std::optional(share->share) : std::nullopt);
  line.text(!share ? "" : share->memory ? "memory" : "arithmetic");
  line.end();
}

}  // namespace

std::string kernel_table_csv(const Trace& trace, const KernelTable& table, std::span<const std::uint32_t> rows) {
  std::string out(csv_head);
  for (const std::uint32_t row : rows) {
    CsvLine line(out);
    add_row(line, trace, table, table.rows[row]);
  }
  return out;
}

std::string kernel_table_csv(const Trace& trace, const KernelTable& table) {
  std::vector<std::uint32_t> rows(table.rows.size());
  std::iota(rows.begin(), rows.end(), 0U);
  return kernel_table_csv(trace, table, rows);
}

}  // namespace warpwalk::analysis
