#pragma once

#include <set>
#include <string>
#include <string_view>

namespace warpwalk::ptx {

/// The instructions that an entry of a module contains, with their modifiers but without operands, such as
/// "cp.async.ca.shared.global"; those of the functions that it calls, too. Accepts any text, also instructions that the
/// parser does not know. Empty if the module has no such entry.
std::set<std::string, std::less<>> used_instructions(std::string_view module, std::string_view entry);

}  // namespace warpwalk::ptx
