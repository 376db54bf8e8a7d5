#pragma once

#include <string>

#include "core/run/check/op_check.h"

namespace warpwalk::run {

/// How an op's result compares with the cpu's, for people: "16384 elements, each equal to the bit".
std::string check_text(const OpCheck& check);

}  // namespace warpwalk::run
