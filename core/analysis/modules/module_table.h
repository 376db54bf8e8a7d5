#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/analysis/modules/module_time.h"

namespace warpwalk::analysis {

/// The time by which modules are compared.
enum class ModuleMeasure : std::uint8_t { gpu, cpu, idle };
constexpr std::size_t module_measures = static_cast<std::size_t>(ModuleMeasure::idle) + 1;

std::int64_t measured(const ModuleCost& cost, ModuleMeasure measure);
/// The part of it that belongs to the backward pass.
std::int64_t measured_backward(const ModuleCost& cost, ModuleMeasure measure);

enum class ModuleColumn : std::uint8_t { module, calls, cpu, gpu_forward, gpu_backward, idle, share };
constexpr std::size_t module_columns = static_cast<std::size_t>(ModuleColumn::share) + 1;

/// A row of the table: a module with all that is inside it, or its own time.
struct ModuleRow {
  std::size_t module = 0;  ///< in ModuleTimes::modules
  bool own = false;        ///< without the modules inside it; of the whole program: outside of modules
  std::size_t calls = 0;   ///< 0: the whole program, which is not called
  ModuleCost cost;
  SliceId longest = no_slice;  ///< the longest kernel, copy or fill in `cost`
};

/// The modules directly inside a module, with all that is inside them, and its own time: they add up to its total.
std::vector<ModuleRow> rows_inside(const ModuleTimes& times, std::size_t module);
/// A module and all that are inside it at any depth, each with its own time: they add up to its total as well.
std::vector<ModuleRow> own_rows(const ModuleTimes& times, std::size_t module);

/// `module` sorts by the first call, `share` by the measure. Rows that are equal stay in their order.
void sort_rows(std::vector<ModuleRow>& rows, ModuleColumn by, bool descending, ModuleMeasure measure);

/// All modules as CSV (RFC 4180) with a line of headings, parents before children. Times are ns. The first row, without
/// a path, is the whole program: its own times are those outside of modules.
std::string module_table_csv(const ModuleTimes& times);

}  // namespace warpwalk::analysis
