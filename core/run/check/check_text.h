#pragma once

#include <string>

#include "core/run/check/op_check.h"

namespace warpwalk::run {

/// The comparison of an op's result with the cpu's as text: "16384 elements, all equal to the bit".
std::string check_text(const OpCheck& check);

}  // namespace warpwalk::run
