#include "core/ops/expression/parsing.h"

#include <utility>

namespace warpwalk::ops {

void fail(Place place, std::string message, std::string hint) {
  throw ExpressionFault{{place.position, place.length, std::move(message), std::move(hint)}};
}

}  // namespace warpwalk::ops
