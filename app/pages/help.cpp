#include "app/pages/help.h"

#include <algorithm>

#include "app/panels/sheet.h"

namespace warpwalk::pages {

void HelpPage::paint(draw::Ui& ui) {
  draw::Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  constexpr float column = 400, widest_step = 28;
  const std::vector<Shortcut>& rows = shortcuts();
  const std::size_t half = (rows.size() + 1) / 2;
  const draw::Box box = panels::sheet(ui, 2 * column, widest_step * static_cast<float>(half),
                                      ui.word("help", "heading"), ui.word("help", "closing"));
  const float step = std::min(widest_step, box.height / static_cast<float>(half));
  const float width = box.width / 2;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const float x = box.x + width * static_cast<float>(i / half);
    const float y = box.y + step * static_cast<float>(i % half);
    canvas.text_in({x, y, 110, step}, draw::Style::mono_small, theme.text, key_label(rows[i], ui.words()));
    canvas.text_in({x + 116, y, width - 132, step}, draw::Style::label, theme.second, ui.word("keys", rows[i].what));
  }
}

}  // namespace warpwalk::pages
