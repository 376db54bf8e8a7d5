#include "app/pages/timeline/timeline_page.h"

namespace warpwalk::pages {

void TimelinePage::paint(draw::Ui& ui) {
  const auto slice = timeline(ui, opened().document->trace(), opened().walk, context().strip, state_);
  if (!slice) return;
  program().close_page();
  program().follow(*slice);
}

}  // namespace warpwalk::pages
