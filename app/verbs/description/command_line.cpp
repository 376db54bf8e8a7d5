#include "app/verbs/description/command_line.h"

#include <CLI/CLI.hpp>

#include "app/verbs/common/usage.h"

namespace warpwalk::verbs {
namespace {

// CLI::IsMember adds the choices to the name of the type: "TEXT:{bash,zsh,fish}".
std::vector<std::string> choices_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::size_t from = type.find('{'), to = type.rfind('}');
  if (from == std::string::npos || to == std::string::npos || to < from) return {};
  return CLI::detail::split(type.substr(from + 1, to - from - 1), ',');
}

bool takes_many(const CLI::Option& option) {
  return option.get_expected_max() >= CLI::detail::expected_max_vector_size;
}

VerbText described_verb(const CLI::App& verb, bool is_program) {
  VerbText text;
  text.name = is_program ? "" : verb.get_name();
  text.meaning = verb.get_description();
  for (const CLI::Option* const option : verb.get_options()) {
    if (option->get_group().empty()) continue;
    if (option->get_positional()) {
      text.arguments.push_back({option->get_name(true, false), choices_of(*option), option->get_description(),
                                option->get_required(), takes_many(*option)});
      continue;
    }
    OptionText& one = text.options.emplace_back();
    if (!option->get_lnames().empty()) one.long_name = option->get_lnames().front();
    if (!option->get_snames().empty()) one.short_name = option->get_snames().front();
    const std::string type = option->get_type_name();
    if (option->get_items_expected_max() > 0) one.value = type.substr(0, type.find(':'));
    one.choices = choices_of(*option);
    one.meaning = option->get_description();
    one.repeatable = takes_many(*option);
  }
  return text;
}

}  // namespace

std::vector<VerbText> described_verbs(const CLI::App& app) {
  std::vector<VerbText> all = {described_verb(app, true)};
  for (const CLI::App* const verb : listed_verbs(app)) all.push_back(described_verb(*verb, false));
  return all;
}

}  // namespace warpwalk::verbs
