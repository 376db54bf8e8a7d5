#include "app/panels/files.h"

#include <algorithm>
#include <cstdlib>

#include "app/panels/sheet.h"

namespace warpwalk::panels {

using draw::Box;
using draw::Key;
using draw::Style;

namespace {

// As a shell does it: ~ is home.
std::filesystem::path typed_path(const std::string& text) {
  const char* home = std::getenv("HOME");
  if (home != nullptr && (text == "~" || text.starts_with("~/"))) return home + text.substr(1);
  return text;
}

}  // namespace

std::optional<std::filesystem::path> files(draw::Ui& ui, const std::vector<FileChoice>& choices, FilesState& state) {
  draw::Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  constexpr float row_height = 30;
  std::optional<std::filesystem::path> chosen;
  for (const draw::KeyPress& press : ui.input().keys) {
    if (press.key == Key::down && state.cursor + 1 < choices.size()) ++state.cursor;
    if (press.key == Key::up && state.cursor > 0) --state.cursor;
    if (press.key == Key::enter) {
      if (!state.path.text.empty())
        chosen = typed_path(state.path.text);
      else if (state.cursor < choices.size())
        chosen = choices[state.cursor].file;
    }
  }
  const float wanted = 60 + row_height * static_cast<float>(std::max<std::size_t>(choices.size(), 1));
  const Box box = sheet(ui, 760, wanted, "Open a trace or a lesson", "Enter opens, Esc closes");
  const Box field = {box.x, box.y, box.width, 36};
  point_field(ui, "files.path", field, state.path);
  paint_field(canvas, field, state.path, true, "");
  if (state.path.text.empty())
    canvas.text_in({box.x + 18, box.y, box.width - 30, 36}, Style::label, theme.second,
                   "type a path, or choose below; a file can also be dropped on the window");
  const auto room = static_cast<std::size_t>(std::max(1.0f, (box.height - 52) / row_height));
  const std::size_t first = state.cursor < room ? 0 : state.cursor - room + 1;
  for (std::size_t i = first; i < choices.size() && i < first + room; ++i) {
    const Box row = {box.x, box.y + 52 + row_height * static_cast<float>(i - first), box.width, row_height};
    const bool over = ui.hovered(row);
    const bool at = state.path.text.empty() && i == state.cursor;
    if (over || at) canvas.fill(row, draw::mixed(at ? theme.now : theme.second, theme.panel, 0.14f), 6);
    canvas.text_in({row.x + 12, row.y, 130, row.height}, Style::label, theme.second, choices[i].group);
    canvas.text_in({row.x + 150, row.y, row.width - 162, row.height}, Style::mono_small, theme.text, choices[i].name);
    if (over) ui.tooltip(choices[i].file.string());
    if (over && ui.input().mouse_pressed) chosen = choices[i].file;
  }
  return chosen;
}

}  // namespace warpwalk::panels
