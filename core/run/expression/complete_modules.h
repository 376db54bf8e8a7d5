#pragma once

#include <string>

#include "core/run/expression/run_request.h"
#include "core/trace/records.h"

namespace warpwalk::run {

/// Fills in the texts of a real GPU's modules: PTX, source and the shipped machine code from the program's folders,
/// and the text of the machine code of the launched entries if ptxas and nvdisasm are installed. Throws ops::OpError if
/// `request.cancel` was set.
void complete_modules(const RunRequest& request, const std::string& compute_capability, trace::Records& records);

}  // namespace warpwalk::run
