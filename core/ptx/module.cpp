#include "core/ptx/module.h"

#include <algorithm>

namespace warpwalk::ptx {

const Function* Module::entry(std::string_view name) const {
  const auto found = std::find_if(functions.begin(), functions.end(), [&](const Function& function) {
    return function.is_entry && function.defined && function.name == name;
  });
  return found == functions.end() ? nullptr : &*found;
}

}  // namespace warpwalk::ptx
