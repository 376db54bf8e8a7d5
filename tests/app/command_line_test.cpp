// Help, completions and the man page, which the program makes of its own options.
#include <cstdio>
#include <cstdlib>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "tests/app/program.h"

namespace warpwalk::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// The verbs in the list of --help.
std::vector<std::string> helped_verbs() {
  const std::string help = run({"--help"}).out;
  std::vector<std::string> verbs;
  const std::string list = help.substr(help.find("Subcommands:"));
  const std::regex line("\n  ([a-z]+) ");
  for (std::sregex_iterator at(list.begin(), list.end(), line), end; at != end; ++at) verbs.push_back((*at)[1]);
  return verbs;
}

/// The long options at the beginning of the lines of a help text, without dashes.
std::set<std::string> helped_options(const std::vector<std::string>& arguments) {
  const std::string help = run(arguments).out;
  std::set<std::string> options;
  const std::regex line("\n  (-[a-zA-Z],)?--([a-z-]+)");
  for (std::sregex_iterator at(help.begin(), help.end(), line), end; at != end; ++at) options.insert((*at)[2]);
  return options;
}

/// What bash offers after these words, of which the last is being typed.
std::string bash_offers(const std::string& script, const std::string& words, int last) {
  const std::string line =
      fmt::format("bash -c 'source \"{}\"; COMP_WORDS=({}); COMP_CWORD={}; _warpwalk; echo \"${{COMPREPLY[*]}}\"'",
                  script, words, last);
  std::string out;
  std::FILE* const pipe = popen(line.c_str(), "r");
  if (pipe == nullptr) return "no shell";
  char block[4096];
  for (std::size_t n = 0; (n = fread(block, 1, sizeof block, pipe)) > 0;) out.append(block, n);
  pclose(pipe);
  return out;
}

TEST(Completion, HasEveryVerbAndOptionOfHelp) {
  const std::vector<std::string> verbs = helped_verbs();
  ASSERT_THAT(verbs, ::testing::IsSupersetOf({"info", "query", "render", "run", "simulate", "compile", "record",
                                              "answers", "doctor", "completion", "man"}));
  const std::string bash = run({"completion", "bash"}).out, zsh = run({"completion", "zsh"}).out,
                    fish = run({"completion", "fish"}).out, man = run({"man"}).out;
  const auto holds = [](const std::string& text, const std::string& words, const std::string& where) {
    EXPECT_NE(text.find(words), std::string::npos) << words << " is missing in " << where;
  };
  for (const std::string& verb : verbs) {
    holds(bash, "    " + verb + ") options=", "bash");
    holds(zsh, "'" + verb + ":", "zsh");
    holds(fish, fmt::format(" -a {} -d ", verb), "fish");
    holds(man, ".SS " + verb + "\n", "man");
    const std::set<std::string> options = helped_options({verb, "--help"});
    EXPECT_GE(options.size(), 1u) << verb;
    const std::size_t line = bash.find("    " + verb + ") options=");
    const std::string of_verb = bash.substr(line, bash.find(";;", line) - line);
    const std::size_t section = man.find(".SS " + verb + "\n");
    const std::string page = man.substr(section, man.find("\n.S", section + 1) - section);
    for (const std::string& option : options) {
      EXPECT_TRUE(std::regex_search(of_verb, std::regex("[' ]--" + option + "[' ]"))) << verb << " --" << option;
      holds(fish, fmt::format("complete -c warpwalk -n '__fish_seen_subcommand_from {}' -l {} ", verb, option), "fish");
      holds(page, "\\-\\-" + std::regex_replace(option, std::regex("-"), "\\-") + "\\fR", "man " + verb);
      holds(zsh, "--" + option + "[", "zsh");
    }
  }
  for (const std::string& option : helped_options({"--help"})) {
    holds(zsh, "--" + option + "[", "zsh");
    holds(fish, " -l " + option + " ", "fish");
    holds(bash, "--" + option, "bash");
  }
}

TEST(Completion, WorksInBash) {
  const Folder folder;
  const std::string script = folder.file("warpwalk.bash", run({"completion", "bash"}).out);
  ASSERT_EQ(std::system(fmt::format("bash -n '{}'", script).c_str()), 0);
  EXPECT_EQ(bash_offers(script, "warpwalk inf", 1), "info\n");
  EXPECT_EQ(bash_offers(script, "warpwalk re", 1), "render record\n");
  EXPECT_EQ(bash_offers(script, "warpwalk info --fa", 2), "--fail-if\n");
  EXPECT_EQ(bash_offers(script, "warpwalk query file.json --c", 3), "--csv\n");
  EXPECT_EQ(bash_offers(script, "warpwalk completion z", 2), "zsh\n");
  EXPECT_EQ(bash_offers(script, "warpwalk simulate --accuracy rec", 3), "recorded\n");
  EXPECT_EQ(bash_offers(script, "warpwalk info fil", 2), "\n") << "the shell completes names of files";
  EXPECT_THAT(bash_offers(script, "warpwalk --sc", 1), HasSubstr("--scene"));
}

TEST(Completion, IsForThreeShells) {
  const Outcome outcome = run({"completion", "tcsh"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.error_lines(), 1u);
  EXPECT_THAT(outcome.error, HasSubstr("bash"));
  EXPECT_EQ(run({"completion"}).status, 2);
}

TEST(ManPage, HasNoLineThatIsTakenForAnUnknownCommand) {
  const std::string page = run({"man"}).out;
  ASSERT_TRUE(page.starts_with(".TH WARPWALK 1"));
  const std::regex known(R"(\.(TH|SH|SS|TP|PP|br)( .*)?)");
  std::size_t from = 0;
  for (std::size_t end = 0; (end = page.find('\n', from)) != std::string::npos; from = end + 1) {
    const std::string line = page.substr(from, end - from);
    const bool is_command = !line.empty() && (line[0] == '.' || line[0] == '\'');
    EXPECT_TRUE(!is_command || std::regex_match(line, known)) << line;
  }
  for (const char* const section : {"NAME", "SYNOPSIS", "OPTIONS", "VERBS", "EXIT STATUS"})
    EXPECT_THAT(page, HasSubstr(fmt::format(".SH {}\n", section)));
}

TEST(Version, IsPrintedForBothSpellings) {
  const Outcome outcome = run({"-V"});
  EXPECT_EQ(outcome.status, 0);
  // The part in parentheses is missing if the sources are not a git repository.
  const std::regex line(R"(warpwalk \d+\.\d+\.\d+( \([0-9a-f]{8,}, \d{4}-\d\d-\d\d; [^()]+\))?\n)");
  EXPECT_TRUE(std::regex_match(outcome.out, line)) << outcome.out;
  EXPECT_EQ(run({"--version"}).out, outcome.out);
}

TEST(HelpTexts, HaveNoWordsOfTheParser) {
  for (const std::string& verb : helped_verbs()) {
    const std::string help = run({verb, "--help"}).out;
    for (const char* const word : {"UINT", "INT ", "FLOAT", " in [", "POSITIVE", "18446744073709551615"})
      EXPECT_THAT(help, Not(HasSubstr(word))) << verb;
  }
}

}  // namespace
}  // namespace warpwalk::testing
