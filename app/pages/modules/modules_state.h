#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "app/draw/ui.h"
#include "core/analysis/modules/module_table.h"

namespace warpwalk::pages {

/// The page's state between frames.
struct ModulesState {
  std::optional<analysis::ModuleTimes> times;  ///< none: not measured yet
  std::size_t gpu = 0;                         ///< the GPU whose times are shown: index into Outline::idle
  std::size_t zoom = 0;                        ///< the module that fills the flame graph; 0: the whole program
  std::size_t levels = 1;                      ///< of the whole flame graph, so that its height stays
  bool all = false;                            ///< the table has all modules inside `zoom`, each with its own time
  analysis::ModuleMeasure measure = analysis::ModuleMeasure::gpu;
  analysis::ModuleColumn sorted_by = analysis::ModuleColumn::share;
  bool descending = true;
  std::vector<analysis::ModuleRow> rows;  ///< of the table, sorted
  std::size_t cursor = 0;                 ///< in `rows`
  std::size_t first = 0;                  ///< the first row that is shown
  bool to_cursor = false;                 ///< the next frame brings the cursor's row into view
  draw::UiMemory memory;                  ///< the page's focus, and what the pointer holds
};

constexpr std::size_t no_module = static_cast<std::size_t>(-1);

/// Renews the rows after a change of zoom, kind or order. The cursor goes to the row of `module`, else to the first.
void renew_rows(ModulesState& state, std::size_t module);

/// The colours of the forward and the backward pass.
struct ModuleTones {
  ImU32 forward = 0, backward = 0;
};
ModuleTones module_tones(analysis::ModuleMeasure measure, const draw::Theme& theme);

/// The name of the time outside of modules.
std::string outside_name(const draw::Ui& ui, const ModulesState& state);
/// The name of a row: the module's, or that of its own time.
std::string row_name(const draw::Ui& ui, const ModulesState& state, const analysis::ModuleRow& row);

}  // namespace warpwalk::pages
