#include "app/verbs/completion.h"

#include <memory>
#include <vector>

#include <CLI/CLI.hpp>

#include "app/verbs/common/terminal.h"
#include "app/verbs/description/command_line.h"

namespace warpwalk::verbs {

Verb add_completion(CLI::App& app) {
  const auto shell = std::make_shared<std::string>();
  CLI::App* const verb = app.add_subcommand("completion", "Print the completion script of a shell (docs/verbs.md)");
  verb->add_option("SHELL", *shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember(std::vector<std::string>{"bash", "zsh", "fish"}));
  return {verb, [shell, &app] {
            const std::vector<VerbText> verbs = described_verbs(app);
            print_text(*shell == "bash"  ? bash_completion(verbs)
                       : *shell == "zsh" ? zsh_completion(verbs)
                                         : fish_completion(verbs));
            return 0;
          }};
}

Verb add_man(CLI::App& app, const std::string& version) {
  CLI::App* const verb = app.add_subcommand("man", "Print the man page: warpwalk man | man -l -");
  return {verb, [&app, version] {
            print_text(man_page(described_verbs(app), version));
            return 0;
          }};
}

}  // namespace warpwalk::verbs
