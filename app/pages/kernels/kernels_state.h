#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/document/document.h"
#include "app/draw/text/text_field.h"
#include "app/draw/ui.h"
#include "app/pages/kernels/grid_view.h"
#include "core/analysis/kernels/kernel_columns.h"
#include "core/analysis/kernels/kernel_table.h"
#include "core/story/facts/kernels/kernel_roofline.h"
#include "core/words/amount_text.h"
#include "core/words/time_column.h"

namespace warpwalk::pages {

/// The units of the table's columns, from all its rows, so that a filter does not change them.
struct TableUnits {
  words::TimeColumn total{0}, mean{0}, min{0}, max{0};
  words::RateColumn flops{0}, bytes{0};
  double largest_share = 1;  ///< of the time of all kernels
};

/// The page's state between frames.
struct KernelsState {
  enum class View : unsigned char { table, launches, roofline };

  std::shared_ptr<const document::Document> document;  ///< the table's; null: the page was not opened yet
  std::shared_ptr<const analysis::CodePlaces> places;  ///< of the document
  analysis::KernelTable table;
  TableUnits units;
  std::vector<GridColumn> columns;                ///< all, with the width of their texts; empty: not measured yet
  std::optional<story::KernelRoofline> roofline;  ///< made when it is first shown
  View view = View::table;

  draw::TextField filter;
  bool typing = false;
  std::string filtered;  ///< the filter that `rows` was made with
  analysis::TableOrder order;
  analysis::KernelColumn column = analysis::KernelColumn::total;  ///< that Left, Right and S act on
  std::vector<std::uint32_t> rows;                                ///< of the table, as shown
  GridState place;

  std::uint32_t opened_row = 0;  ///< whose launches are shown
  analysis::LaunchOrder launch_order;
  analysis::LaunchColumn launch_column = analysis::LaunchColumn::start;
  std::vector<story::SliceId> launches;
  GridState launch_place;

  std::string note;       ///< what was saved, or why not; may be empty
  draw::UiMemory memory;  ///< the page's focus

  /// The row at the cursor; null if none is shown.
  const analysis::KernelRow* current() const {
    return place.cursor < rows.size() ? &table.rows[rows[place.cursor]] : nullptr;
  }
};

/// What was chosen on the page.
struct KernelsChoice {
  story::SliceId follow = story::no_slice;
  bool open_launches = false;  ///< of the row at the cursor
};

/// Orders the rows again after a change of filter or order.
void order_rows(KernelsState& state);

/// The table with the facts of the row at the cursor, the launches of a row, the roofline. Each takes the keys of its
/// view.
KernelsChoice paint_kernel_table(draw::Ui& ui, const draw::Box& box, KernelsState& state);
KernelsChoice paint_kernel_launches(draw::Ui& ui, const draw::Box& box, KernelsState& state);
void paint_kernel_roofline(draw::Ui& ui, const draw::Box& box, KernelsState& state);

/// The facts of one row with where they come from, one a line.
std::vector<std::string> kernel_facts(const story::Narration& words, const analysis::KernelTable& table,
                                      const analysis::KernelRow& row);
/// The lines of the program that a compiler made a kernel from, and the ops that it fused; empty if the walk has no
/// files of the compiler about it.
std::string compiled_fact(const story::Narration& words, const compiled::Compiled& made, std::string_view kernel);

}  // namespace warpwalk::pages
