#include "app/pages/kernels/kernels_page.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "core/analysis/kernels/kernel_table_csv.h"
#include "core/story/elements/figure.h"

namespace warpwalk::pages {
namespace {

using draw::Align;
using draw::Box;
using draw::Key;
using draw::Style;
using View = KernelsState::View;

constexpr float kernels_margin = 24, kernels_head_height = 44, kernels_bar_height = 30, kernels_bottom = 16;
constexpr float filter_width = 240, filter_gap = 12;

// "trace-kernels.csv" for trace.json.gz, with a number if there is such a file already: nothing is overwritten.
std::filesystem::path unused_csv(const std::filesystem::path& trace_file) {
  std::string stem = trace_file.filename().string();
  stem = stem.substr(0, stem.find('.', 1));
  if (stem.empty()) stem = "trace";
  std::filesystem::path file = stem + "-kernels.csv";
  std::error_code ignored;
  for (int n = 2; std::filesystem::exists(file, ignored); ++n) file = fmt::format("{}-kernels-{}.csv", stem, n);
  return file;
}

// What the limits of occupancy and the peaks are from.
std::string gpu_line(const draw::Ui& ui, const analysis::KernelTable& table) {
  using How = analysis::DeviceMatch::How;
  const analysis::DeviceMatch& device = table.device;
  if (device.how == How::unknown && device.recorded.empty()) return ui.word("kernels_page", "gpu.unknown");
  const bool sheet = !table.peaks.document.empty();
  const std::string_view key = device.how == How::described ? "gpu.described"
                               : device.how == How::adapted ? (sheet ? "gpu.adapted.sheet" : "gpu.adapted")
                               : sheet                      ? "gpu.unlike.sheet"
                                                            : "gpu.unlike";
  return ui.word("kernels_page", key, {{"gpu", device.recorded}});
}

// "1 kernel", "22 kernels".
std::string number_of(const draw::Ui& ui, std::uint64_t n, std::string_view many, std::string_view one) {
  return ui.word("kernels_page", n == 1 ? one : many, {{"n", story::with_thousands(static_cast<std::int64_t>(n))}});
}

std::size_t kernel_names(const analysis::KernelTable& table) {
  return static_cast<std::size_t>(std::ranges::count_if(table.rows, &analysis::KernelRow::is_kernel));
}

}  // namespace

void order_rows(KernelsState& state) {
  state.filtered = state.filter.text;
  state.rows = analysis::ordered_rows(state.document->trace(), state.table, state.order, state.filtered);
}

bool KernelsPage::open(Action) {
  if (!opened().document) return false;
  if (state_.document != opened().document) make_table();
  state_.note.clear();
  return true;
}

void KernelsPage::make_table() {
  state_ = {};
  state_.document = opened().document;
  const trace::Trace& trace = state_.document->trace();
  state_.places = std::make_shared<const analysis::CodePlaces>(trace);
  state_.table = analysis::kernel_table(trace, analysis::kernel_device(trace, context().environment.hardware.devices));
  order_rows(state_);
  // The cursor begins on the followed kernel.
  const story::SliceId followed = opened().walk.kernel;
  if (followed == story::no_slice) return;
  const auto at = std::ranges::find_if(
      state_.rows, [&](std::uint32_t row) { return state_.table.rows[row].name == trace.slices.name[followed]; });
  if (at != state_.rows.end()) state_.place.cursor = static_cast<std::size_t>(at - state_.rows.begin());
}

bool KernelsPage::close() {
  if (state_.typing) {
    state_.typing = false;
    state_.filter = {};
    order_rows(state_);
    return false;
  }
  if (state_.view == View::table) return true;
  state_.view = View::table;
  return false;
}

// The keys that are the same in all views. Those of a list are taken by the view.
void KernelsPage::take_keys(draw::Ui& ui) {
  const auto letter = [](const draw::KeyPress& press, char32_t c) {
    return press.key == Key::character && (press.character == c || press.character == c - U'a' + U'A');
  };
  if (!ui.input().keys.empty()) state_.note.clear();
  for (const draw::KeyPress& press : ui.input().keys) {
    if (press.control && letter(press, U's') && state_.view == View::table) {
      save();
    } else if (state_.typing) {
      const bool of_list = press.key == Key::up || press.key == Key::down;
      if (press.key == Key::enter || press.key == Key::tab) state_.typing = false;
      if (!of_list) state_.filter.type(press, &state_.memory.copied);
    } else if (press.control) {
      if (letter(press, U'f') && state_.view == View::table) state_.typing = true;
    } else if (press.key == Key::character && press.character == U'/' && state_.view == View::table) {
      state_.typing = true;
    } else if (letter(press, U'r') && state_.view != View::launches) {
      state_.view = state_.view == View::roofline ? View::table : View::roofline;
    } else if (press.key == Key::backspace) {
      state_.view = View::table;
    }
  }
}

Box KernelsPage::paint_head(draw::Ui& ui) {
  draw::Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  const float width = canvas.width(), left = kernels_margin, wide = width - 2 * kernels_margin;
  canvas.fill({0, 0, width, canvas.height()}, theme.ground);
  const std::string heading = ui.word("kernels_page", "heading");
  canvas.text_in({left, 0, 200, kernels_head_height}, Style::heading, theme.text, heading);
  const float beside = left + canvas.text_width(Style::heading, heading) + 24;
  const std::string_view keys = state_.table.rows.empty()       ? "keys.empty"
                                : state_.typing                 ? "keys.filter"
                                : state_.view == View::table    ? "keys"
                                : state_.view == View::launches ? "keys.launches"
                                                                : "keys.roofline";
  canvas.text_in({beside, 0, width - kernels_margin - beside, kernels_head_height}, Style::label, theme.second,
                 state_.note.empty() ? ui.word("kernels_page", keys) : state_.note, Align::right);

  if (state_.table.rows.empty())
    return {left, kernels_head_height, wide, canvas.height() - kernels_head_height - kernels_bottom};

  // Views on the left, the filter on the right, in between what the table is of.
  const float y = kernels_head_height;
  float x = left;
  const auto button = [&](std::string_view key, bool on, std::string_view tip) {
    const std::string word = ui.word("kernels_page", key);
    const Box place = {x, y, canvas.text_width(Style::label, word) + 24, kernels_bar_height};
    x += place.width + 4;
    if (!tip.empty() && ui.hovered(place)) ui.tooltip(ui.word("kernels_page", tip));
    return ui.button(fmt::format("kernels.{}", key), place, word, on);
  };
  if (state_.view == View::launches) {
    if (button("back", false, "")) state_.view = View::table;
  } else {
    if (button("table", state_.view == View::table, "")) state_.view = View::table;
    if (button("roofline", state_.view == View::roofline, "roofline.tip")) state_.view = View::roofline;
  }
  float right = width - kernels_margin;
  if (state_.view == View::table) {
    if (button("save", false, "save.tip")) save();
    const Box field = {right - filter_width, y, filter_width, kernels_bar_height};
    draw::point_field(ui, "kernels.filter", field, state_.filter);
    draw::paint_field(canvas, field, state_.filter, state_.typing, ui.word("kernels_page", "filter"));
    if (ui.hovered(field)) ui.tooltip(ui.word("kernels_page", "filter.tip"));
    if (ui.activated("kernels.filter", field)) state_.typing = true;
    if (ui.input().mouse_pressed && !ui.hovered(field)) state_.typing = false;
    const std::string found =
        ui.word("kernels_page", "found",
                {{"n", story::with_thousands(static_cast<std::int64_t>(state_.rows.size()))},
                 {"all", story::with_thousands(static_cast<std::int64_t>(state_.table.rows.size()))}});
    right = field.x - filter_gap;
    canvas.text_in({right - 200, y, 200, kernels_bar_height}, Style::mono_small, theme.second, found, Align::right);
    right -= canvas.text_width(Style::mono_small, found);
  }
  const std::string summary =
      ui.word("kernels_page", "summary",
              {{"names", number_of(ui, kernel_names(state_.table), "kernels", "kernels.one")},
               {"launches", number_of(ui, state_.table.kernel_launches, "launches", "launches.one")},
               {"time", story::time_text(static_cast<double>(state_.table.kernel_time))},
               {"origin", ui.word("origin", trace::name_of(state_.document->trace().records.time_origin()))}}) +
      " · " + gpu_line(ui, state_.table);
  const Box between = {x + 12, y, right - x - 28, kernels_bar_height};
  canvas.text_in(between, Style::label, theme.second, summary);
  if (canvas.text_width(Style::label, summary) > between.width && ui.hovered(between)) ui.tooltip(summary);
  const float top = y + kernels_bar_height + 10;
  return {left, top, wide, canvas.height() - top - kernels_bottom};
}

void KernelsPage::paint(draw::Ui& ui) {
  if (state_.document != opened().document) make_table();
  const View before = state_.view;
  const bool typed = state_.typing;
  take_keys(ui);
  if (state_.filter.text != state_.filtered) {
    order_rows(state_);
    state_.place = {};
  }
  const Box box = paint_head(ui);
  if (state_.table.rows.empty()) {
    ui.canvas().text({box.x, box.y + 8}, Style::body, ui.theme().second, ui.word("kernels_page", "empty"), box.width);
    return;
  }
  const KernelsChoice choice = paint_view(ui, box);
  // A key that changed the view, or ended the filter, does nothing in the view that it led to.
  if (before != state_.view || typed) return;
  if (choice.open_launches) open_launches();
  if (choice.follow == story::no_slice) return;
  program().close_page();
  program().follow(choice.follow);
}

KernelsChoice KernelsPage::paint_view(draw::Ui& ui, const Box& box) {
  switch (state_.view) {
    case View::table: return paint_kernel_table(ui, box, state_);
    case View::launches: return paint_kernel_launches(ui, box, state_);
    case View::roofline: break;
  }
  paint_kernel_roofline(ui, box, state_);
  return {};
}

void KernelsPage::open_launches() {
  if (state_.current() == nullptr) return;
  state_.opened_row = state_.rows[state_.place.cursor];
  state_.view = View::launches;
  state_.launch_place = {};
  state_.launches =
      analysis::ordered_launches(state_.document->trace(), *state_.places,
                                 state_.table.launches_of(state_.table.rows[state_.opened_row]), state_.launch_order);
}

void KernelsPage::save() {
  const std::filesystem::path file = unused_csv(opened().document->file);
  std::ofstream out(file, std::ios::binary);
  out << analysis::kernel_table_csv(state_.document->trace(), state_.table, state_.rows);
  out.close();
  if (out) {
    context().messages.confirm_saved(file);
  } else {
    std::error_code ignored;
    context().messages.error(
        words().text("kernels_page", "save.failed",
                     {{"file", file.string()}, {"folder", std::filesystem::current_path(ignored).string()}}));
  }
  state_.note = context().messages.note().text;
}

void KernelsPage::report(Report& report) const {
  if (!state_.document) return;
  report.begin("kernels");
  report.text("view", state_.view == View::table ? "table" : state_.view == View::launches ? "launches" : "roofline");
  report.text("filter", state_.filter.text);
  report.text("order", analysis::name_of(state_.order.column));
  report.flag("descending", state_.order.descending);
  report.text("column", analysis::name_of(state_.column));
  report.count("rows", static_cast<std::int64_t>(state_.rows.size()));
  report.count("cursor", static_cast<std::int64_t>(state_.place.cursor));
  report.text("row", state_.current() == nullptr ? "" : state_.current()->label);
  report.count("launches", static_cast<std::int64_t>(state_.launches.size()));
  report.text("note", state_.note);
  report.end();
}

}  // namespace warpwalk::pages
