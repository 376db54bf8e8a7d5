#pragma once

#include <vector>

#include "app/pictures/touch.h"
#include "app/shell/parts.h"

namespace warpwalk::shell {

/// "Who wrote this?": the key that asks it in the lanes, and the way back through what was asked before.
class AskedTrail {
 public:
  /// Asks about the instruction that the lanes show, or the schedulers; if a value is asked about, stops asking. A
  /// message says where it works if no instruction is shown.
  void ask(Parts& parts);
  /// Before what was touched is done: remembers the view if the touch asks about a value.
  void note(const pages::Opened& opened, const pictures::Touch& touched);
  /// To the view in which the last question was asked. Returns false if there is none.
  bool back(Parts& parts);

 private:
  std::vector<document::View> views_;  ///< the last one at the end
};

/// Whether a touch asks about a value and leads to another cycle, whose SM it sets, too.
bool leads_to_writer(const pictures::Touch& touched);

}  // namespace warpwalk::shell
