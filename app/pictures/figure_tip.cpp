#include "app/pictures/figure_tip.h"

namespace warpwalk::scenes {

std::string figure_tip(const draw::Ui& ui, std::string_view label, const story::Figure& figure) {
  std::string tip(label);
  tip.append(label.empty() ? "" : ": ").append(figure.text()).append(", ");
  tip.append(ui.word("origin", trace::name_of(figure.origin())));
  if (!figure.formula().empty()) tip.append(figure.is_constant() ? "\n" : ": ").append(figure.formula());
  return tip;
}

}  // namespace warpwalk::scenes
