#include "app/panels/help.h"

namespace warpwalk::panels {

void help(draw::Ui& ui, const std::vector<std::pair<std::string_view, std::string_view>>& rows) {
  draw::Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  canvas.fill({0, 0, canvas.width(), canvas.height()}, draw::with_alpha(theme.ground, 0.8f));
  constexpr float step = 28, pad = 32, column = 400;
  const std::size_t half = (rows.size() + 1) / 2;
  const float width = 2 * column + 2 * pad;
  const float height = step * static_cast<float>(half) + 2 * pad + 44;
  const draw::Box box = {(canvas.width() - width) / 2, (canvas.height() - height) / 2, width, height};
  canvas.fill(box, theme.panel, 8);
  canvas.outline(box, theme.second, 8, theme.hairline);
  canvas.text({box.x + pad, box.y + pad - 8}, draw::Style::heading, theme.text, "Keys");
  canvas.text({box.right() - pad, box.y + pad - 6}, draw::Style::label, theme.second, "? or Esc closes", 200,
              draw::Align::right);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const float x = box.x + pad + column * static_cast<float>(i / half);
    const float y = box.y + pad + 36 + step * static_cast<float>(i % half);
    canvas.text_in({x, y, 110, step}, draw::Style::mono_small, theme.text, rows[i].first);
    canvas.text_in({x + 116, y, column - 132, step}, draw::Style::label, theme.second, rows[i].second);
  }
}

}  // namespace warpwalk::panels
