#include "core/records/lab_runs.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/records/record_table.h"

namespace warpwalk::records {
namespace {

// The error in a row, counted from the first below the header.
base::Error lab_runs_error(std::size_t row, std::string_view expected) {
  return {fmt::format("line {}: expected {}", row + 2, expected)};
}

}  // namespace

base::Result<std::vector<LabRun>> parse_lab_runs(std::string_view text) {
  const auto read =
      record_rows(text,
                  "launch,gpu,cycles_measured,cycles_simulated,active_measured,active_simulated,issue_measured_pct,"
                  "issue_simulated_pct,dram_measured_bytes,dram_simulated_bytes,l1_measured_pct,l1_simulated_pct,"
                  "global_sectors,shared_wavefronts,warp_instructions,occupancy_pct");
  if (!read) return base::Error{read.error()};
  std::vector<LabRun> runs;
  for (const std::vector<std::string_view>& row : *read) {
    std::vector<std::optional<double>> values;
    for (std::size_t i = 2; i < row.size(); ++i) {
      values.push_back(number_in(row[i]));
      // Every second of the first ten is measured, which not every launch is.
      const bool measured = i < 12 && i % 2 == 0;
      if (!values.back() && !(measured && row[i].empty()))
        return lab_runs_error(runs.size(), "numbers from the third cell on");
    }
    const auto both = [&](std::size_t i) { return BothWays{values[i], values[i + 1]}; };
    runs.push_back({std::string(row[0]), std::string(row[1]), both(0), both(2), both(4), both(6), both(8), *values[10],
                    *values[11], *values[12], *values[13]});
  }
  return runs;
}

const LabRun* find_run(const std::vector<LabRun>& runs, std::string_view launch, std::string_view gpu) {
  const auto found =
      std::ranges::find_if(runs, [&](const LabRun& run) { return run.launch == launch && run.gpu == gpu; });
  return found == runs.end() ? nullptr : &*found;
}

base::Result<std::vector<CoreTimes>> parse_core_times(std::string_view text) {
  const auto read = record_rows(text, "work,size,cores,one_core_ns,all_cores_ns,gpu_ns");
  if (!read) return base::Error{read.error()};
  std::vector<CoreTimes> all;
  for (const std::vector<std::string_view>& row : *read) {
    const auto positive = [&](std::size_t i) {
      const auto value = number_in(row[i]);
      return value && *value > 0 ? value : std::nullopt;
    };
    const auto size = positive(1), cores = positive(2), one = positive(3), every = positive(4), gpu = positive(5);
    const bool both = cores && every, neither = row[2].empty() && row[4].empty();
    if (!size || !one || !gpu || !(both || neither))
      return lab_runs_error(all.size(), "a size, a number of cores and times");
    all.push_back({std::string(row[0]), *size, cores.value_or(1), *one, every, *gpu});
  }
  return all;
}

base::Result<std::vector<CoreTimes>> parse_allocator_times(std::string_view text) {
  static constexpr const char* works[] = {"cached_alloc", "cached_free", "cuda_malloc", "cuda_free"};
  const auto read = record_rows(text, "bytes,cached_alloc_ns,cached_free_ns,cuda_malloc_ns,cuda_free_ns");
  if (!read) return base::Error{read.error()};
  std::vector<CoreTimes> times;
  std::size_t line = 1;
  double before = 0;
  for (const auto& row : *read) {
    ++line;
    const auto bytes = number_in(row[0]);
    bool good = bytes && *bytes > before;
    for (std::size_t i = 0; i < std::size(works) && good; ++i) {
      const auto ns = number_in(row[i + 1]);
      good = ns && *ns > 0;
      if (good) times.push_back({works[i], *bytes, 1, *ns, {}, 0});
    }
    if (!good) return base::Error{fmt::format("line {}: expected a larger size than before, and four times", line)};
    before = *bytes;
  }
  return times;
}

}  // namespace warpwalk::records
