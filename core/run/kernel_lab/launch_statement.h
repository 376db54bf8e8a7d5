#pragma once

#include <string>
#include <string_view>

namespace warpwalk::run {

/// The value of a statement of a launch text (launch_text.h), such as "h200" of "gpu h200"; empty without the
/// statement. The text may have errors.
std::string statement_value(std::string_view launch, std::string_view word);

/// The launch text with this value in the statement, which is added behind those of the launch's shape if it is not
/// there. Comments stay.
std::string with_statement(std::string_view launch, std::string_view word, std::string_view value);

}  // namespace warpwalk::run
