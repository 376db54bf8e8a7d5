#include "app/panels/sheet.h"

#include <algorithm>

namespace warpwalk::panels {

draw::Box sheet(draw::Ui& ui, float width, float height, std::string_view heading, std::string_view closing) {
  draw::Canvas& canvas = ui.canvas();
  const draw::Theme& theme = canvas.theme();
  constexpr float pad = 32, head = 36, edge = 16;
  canvas.fill({0, 0, canvas.width(), canvas.height()}, draw::with_alpha(theme.ground, 0.8f));
  width = std::min(width + 2 * pad, canvas.width() - 2 * edge);
  height = std::min(height + 2 * pad + head, canvas.height() - 2 * edge);
  const draw::Box box = {(canvas.width() - width) / 2, (canvas.height() - height) / 2, width, height};
  canvas.fill(box, theme.panel, 8);
  canvas.outline(box, theme.second, 8, theme.hairline);
  canvas.text({box.x + pad, box.y + pad - 8}, draw::Style::heading, theme.text, heading, width / 2);
  canvas.text({box.right() - pad, box.y + pad - 6}, draw::Style::label, theme.second, closing, width / 2 - pad,
              draw::Align::right);
  return {box.x + pad, box.y + pad + head, width - 2 * pad, height - 2 * pad - head};
}

}  // namespace warpwalk::panels
