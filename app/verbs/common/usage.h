#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/verbs/common/verb.h"

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace warpwalk::verbs {

/// The verbs that --help lists.
std::vector<const CLI::App*> listed_verbs(const CLI::App& app);

/// Prepares all options: an empty value is refused (`-o ""` is a script's variable that was not set), and --help calls
/// types by plain words.
void prepare_options(CLI::App& app);

/// What is wrong with a command line, in one line with the verb's hint: an unknown verb or option with the one that was
/// probably meant, a missing value, a value of the wrong type.
std::string usage_error(const CLI::App& app, const CLI::ParseError& error, const std::string& hint);

/// Why the FILE of a command line without a verb cannot be one for the window: it is stdin, or does not exist and is
/// nearly the name of a verb, such as "inf". None if it can be.
std::optional<std::string> window_cannot_open(const CLI::App& app);

}  // namespace warpwalk::verbs
