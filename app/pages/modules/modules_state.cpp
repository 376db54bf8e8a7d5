#include "app/pages/modules/modules_state.h"

#include <algorithm>

namespace warpwalk::pages {

void renew_rows(ModulesState& state, std::size_t module) {
  state.levels = 1 + std::ranges::max_element(state.times->modules, {}, &analysis::ModuleTime::depth)->depth;
  state.rows =
      state.all ? analysis::own_rows(*state.times, state.zoom) : analysis::rows_inside(*state.times, state.zoom);
  analysis::sort_rows(state.rows, state.sorted_by, state.descending, state.measure);
  const auto found = std::ranges::find(state.rows, module, &analysis::ModuleRow::module);
  state.cursor = found == state.rows.end() ? 0 : static_cast<std::size_t>(found - state.rows.begin());
  state.first = 0;
  state.to_cursor = true;
}

ModuleTones module_tones(analysis::ModuleMeasure measure, const draw::Theme& theme) {
  const ImU32 colour = measure == analysis::ModuleMeasure::gpu   ? theme.done
                       : measure == analysis::ModuleMeasure::cpu ? theme.host
                                                                 : theme.launch;
  return {draw::mixed(colour, theme.ground, 0.60f), draw::mixed(colour, theme.ground, 0.28f)};
}

std::string outside_name(const draw::Ui& ui, const ModulesState& state) {
  switch (state.times->grouping) {
    case analysis::ModuleGrouping::functions: return ui.word("modules", "outside.functions");
    case analysis::ModuleGrouping::ranges: return ui.word("modules", "outside.ranges");
    case analysis::ModuleGrouping::modules:
    case analysis::ModuleGrouping::none: break;
  }
  return ui.word("modules", "outside");
}

std::string row_name(const draw::Ui& ui, const ModulesState& state, const analysis::ModuleRow& row) {
  if (row.own && row.module == 0) return outside_name(ui, state);
  if (state.all) return state.times->path_text(row.module);
  const std::string& name = state.times->modules[row.module].name;
  return row.own ? ui.word("modules", "own", {{"module", name}}) : name;
}

}  // namespace warpwalk::pages
