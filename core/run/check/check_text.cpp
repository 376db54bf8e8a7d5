#include "core/run/check/check_text.h"

#include <string_view>

#include <fmt/format.h>

namespace warpwalk::run {

std::string check_text(const OpCheck& check) {
  const std::string_view things = check.kernel.empty() && check.op == "between ops" ? "tensors" : "elements";
  if (check.mismatches != 0)
    return fmt::format("MISMATCH: {} of {} {} differ from the cpu by more than allowed ({}), by at most {:.3g}",
                       check.mismatches, check.elements, things, check.allowed, check.max_abs_error);
  if (check.max_abs_error == 0) return fmt::format("{} {}, all equal to the bit", check.elements, things);
  if (check.max_error_share == 0)
    return fmt::format("{} {}, largest difference {:.3g}", check.elements, things, check.max_abs_error);
  return fmt::format("{} {}, largest error {:.3g}: {:.1f} % of the allowed error ({})", check.elements, things,
                     check.max_abs_error, 100 * check.max_error_share, check.allowed);
}

}  // namespace warpwalk::run
