#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpwalk::story {

/// Short names of the kernels of one list (see short_kernel_name()), in the order of `names`, which are distinct. If
/// instances of one template would get the same short name, the template arguments in which they differ are appended:
/// "splitKreduce_kernel<…, true, …>".
std::vector<std::string> kernel_labels(std::span<const std::string_view> names);

}  // namespace warpwalk::story
