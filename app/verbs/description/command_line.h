#pragma once

// This folder describes the program's own command line, from the options as they are registered: completions of shells
// and a man page, which therefore never get stale.

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace warpwalk::verbs {

/// One option of a verb, or of the program.
struct OptionText {
  std::string long_name, short_name;  ///< without dashes; empty if there is none
  std::string value;                  ///< what follows it: "TEXT", "N", "NUMBER"; empty for a flag
  std::vector<std::string> choices;   ///< the only values; empty: any, completed with the names of files
  std::string meaning;
  bool repeatable = false;
};

struct ArgumentText {
  std::string name;  ///< "FILE"
  std::vector<std::string> choices;
  std::string meaning;
  bool required = false, repeatable = false;
};

struct VerbText {
  std::string name;  ///< empty: the program itself
  std::string meaning;
  std::vector<ArgumentText> arguments;
  std::vector<OptionText> options;
};

/// The program itself first, then the verbs that --help lists.
std::vector<VerbText> described_verbs(const CLI::App& app);

std::string bash_completion(const std::vector<VerbText>& verbs);
std::string zsh_completion(const std::vector<VerbText>& verbs);
std::string fish_completion(const std::vector<VerbText>& verbs);
/// In the format of man(7). `version`: of the program.
std::string man_page(const std::vector<VerbText>& verbs, const std::string& version);

}  // namespace warpwalk::verbs
