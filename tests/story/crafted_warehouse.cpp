#include "tests/story/crafted.h"

namespace warpwalk::story::testing {

std::vector<Crafted> crafted_warehouse() { return {}; }

}  // namespace warpwalk::story::testing
