#include "tests/story/crafted.h"

namespace warpwalk::story::testing {

std::vector<Crafted> crafted_translator() { return {}; }

}  // namespace warpwalk::story::testing
