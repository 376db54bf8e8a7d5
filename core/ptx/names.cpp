#include "core/ptx/type.h"

namespace warpwalk::ptx {

std::string_view name_of(Space space) {
  switch (space) {
    case Space::generic: return "generic";
    case Space::param: return "param";
    case Space::constant: return "const";
    case Space::global: return "global";
    case Space::shared: return "shared";
    case Space::local: return "local";
  }
  return "";
}

}  // namespace warpwalk::ptx
