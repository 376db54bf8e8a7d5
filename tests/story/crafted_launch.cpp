#include "tests/story/crafted.h"

namespace warpwalk::story::testing {

std::vector<Crafted> crafted_launch() { return {}; }

}  // namespace warpwalk::story::testing
