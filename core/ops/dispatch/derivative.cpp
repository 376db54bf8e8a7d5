#include "core/ops/dispatch/derivative.h"

namespace warpwalk::ops {

void save(Node& node, const Call& call, std::size_t argument, bool needed) {
  const auto* const tensor =
      argument < call.arguments.size() ? std::get_if<Tensor>(&call.arguments[argument]) : nullptr;
  node.saved.push_back(needed && tensor != nullptr ? SavedTensor(*tensor) : SavedTensor());
}

}  // namespace warpwalk::ops
