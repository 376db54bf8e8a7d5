#include "instrumentation/cuda/hardware_counters.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/platform/child_program.h"
#include "core/platform/find_program.h"

namespace warpwalk::cuda {
namespace {

struct Metric {
  std::string_view ncu, report;
};

// Nsight Compute's metric for each counter of the report.
constexpr std::array metrics = {
    Metric{"smsp__inst_executed.sum", "warp_instructions"},
    Metric{"smsp__thread_inst_executed.sum", "thread_instructions"},
    Metric{"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "global_load_requests"},
    Metric{"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", "global_store_requests"},
    Metric{"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "global_load_sectors"},
    Metric{"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "global_store_sectors"},
    Metric{"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", "shared_load_wavefronts"},
    Metric{"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", "shared_store_wavefronts"},
    Metric{"l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum", "shared_bank_conflicts"},
    Metric{"sm__warps_active.avg.pct_of_peak_sustained_active", "achieved_occupancy_pct"},
    Metric{"l1tex__t_sector_hit_rate.pct", "l1_hit_pct"},
    Metric{"lts__t_sector_hit_rate.pct", "l2_hit_pct"},
    Metric{"dram__bytes_read.sum", "dram_read_bytes"},
    Metric{"dram__bytes_write.sum", "dram_write_bytes"},
    Metric{"smsp__cycles_elapsed.max", "cycles"},
    Metric{"sm__cycles_active.avg", "cycles_active"},
};

/// The fields of a CSV line, without quotes.
std::vector<std::string> split_csv_line(std::string_view line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
      fields.back() += line[++i];
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  return fields;
}

/// Parses numbers such as "2,056,192" and "99.5".
std::optional<double> parse_number(std::string text) {
  std::erase(text, ',');
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

/// The factor of a byte unit: byte, Kbyte, Mbyte or Gbyte.
double unit_scale(std::string_view unit) {
  return unit == "Kbyte" ? 1e3 : unit == "Mbyte" ? 1e6 : unit == "Gbyte" ? 1e9 : 1;
}

std::string_view report_name(std::string_view ncu) {
  const auto at = std::ranges::find(metrics, ncu, &Metric::ncu);
  return at == metrics.end() ? std::string_view() : at->report;
}

struct Columns {
  std::size_t id = 0, kernel = 0, metric = 0, unit = 0, value = 0;

  static std::optional<Columns> find(const std::vector<std::string>& header) {
    Columns columns;
    const auto find = [&](std::string_view name, std::size_t& out) {
      out = static_cast<std::size_t>(std::ranges::find(header, name) - header.begin());
      return out < header.size();
    };
    if (find("ID", columns.id) && find("Kernel Name", columns.kernel) && find("Metric Name", columns.metric) &&
        find("Metric Unit", columns.unit) && find("Metric Value", columns.value))
      return columns;
    return {};
  }
  std::size_t last() const { return std::max({id, kernel, metric, unit, value}); }
};

std::string_view next_line(std::string_view& rest) {
  const std::string_view line = rest.substr(0, rest.find('\n'));
  rest.remove_prefix(std::min(line.size() + 1, rest.size()));
  return line.ends_with('\r') ? line.substr(0, line.size() - 1) : line;
}

}  // namespace

base::Result<std::vector<ProfiledKernel>> read_ncu_csv(std::string_view printed) {
  std::vector<ProfiledKernel> kernels;
  std::optional<Columns> columns;
  std::string id, ncu_error;
  for (std::string_view rest = printed; !rest.empty();) {
    const std::string_view line = next_line(rest);
    constexpr std::string_view marked = "==ERROR== ";
    if (line.starts_with(marked) && ncu_error.empty()) ncu_error = line.substr(marked.size());
    if (!line.starts_with('"')) continue;
    const std::vector<std::string> fields = split_csv_line(line);
    if (!columns) {
      columns = Columns::find(fields);
      continue;
    }
    if (fields.size() <= columns->last()) continue;
    if (kernels.empty() || fields[columns->id] != id) kernels.push_back({fields[columns->kernel], {}});
    id = fields[columns->id];
    const std::string_view name = report_name(fields[columns->metric]);
    const auto value = parse_number(fields[columns->value]);
    if (!name.empty() && value)
      kernels.back().counters.push_back(
          {std::string(name), *value * unit_scale(fields[columns->unit]), trace::Origin::measured});
  }
  if (!kernels.empty()) return kernels;
  return base::Error{fmt::format("Nsight Compute measured no kernels{}{}", ncu_error.empty() ? "" : ": ", ncu_error)};
}

base::Result<std::vector<ProfiledKernel>> profile_kernels(const std::vector<std::string>& command,
                                                          const std::atomic<bool>* cancel) {
  const auto ncu = platform::find_tool("ncu");
  if (!ncu)
    return base::Error{"hardware counters need Nsight Compute (ncu), which is neither in PATH nor in a CUDA toolkit"};
  std::vector<std::string> arguments = {ncu->string(),     "--csv", "--clock-control",    "none",
                                        "--cache-control", "all",   "--target-processes", "application-only",
                                        "--metrics"};
  std::vector<std::string_view> names;
  for (const Metric& metric : metrics) names.push_back(metric.ncu);
  arguments.push_back(fmt::format("{}", fmt::join(names, ",")));
  arguments.insert(arguments.end(), command.begin(), command.end());
  const auto ran = platform::run_child(std::move(arguments), {{}, cancel});
  if (!ran) return base::Error{fmt::format("{} cannot be started", ncu->string())};
  if (ran->cancelled) return base::Error{"stopped before the end"};
  return read_ncu_csv(ran->output);
}

base::Result<void> add_counters(const std::vector<ProfiledKernel>& counted, trace::Records& records) {
  if (counted.size() < records.kernels.size())
    return base::Error{fmt::format("Nsight Compute measured {} launches, but the walk has {}", counted.size(),
                                   records.kernels.size())};
  const std::size_t first = counted.size() - records.kernels.size();
  for (std::size_t i = 0; i < records.kernels.size(); ++i) {
    const ProfiledKernel& kernel = counted[first + i];
    if (kernel.name.substr(0, kernel.name.find('(')) != records.kernels[i].entry)
      return base::Error{fmt::format("launch {} is {} in the walk but {} in the output of Nsight Compute", i + 1,
                                     records.kernels[i].entry, kernel.name)};
  }
  for (std::size_t i = 0; i < records.kernels.size(); ++i) {
    trace::KernelRecord& record = records.kernels[i];
    record.counters = counted[first + i].counters;
    for (const trace::NamedCounter& counter : record.counters) {
      if (counter.name != "cycles") continue;
      record.cycles = static_cast<std::int64_t>(counter.value);
      record.cycles_origin = trace::Origin::measured;
    }
  }
  records.sources.push_back(
      {"counters", "Nsight Compute, in a separate run, caches flushed before each launch", trace::Origin::measured});
  return {};
}

}  // namespace warpwalk::cuda
