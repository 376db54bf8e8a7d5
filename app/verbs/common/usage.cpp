#include "app/verbs/common/usage.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "core/base/nearest.h"

namespace warpwalk::verbs {
namespace {

/// The program or verb whose options are meant.
const CLI::App& chosen(const CLI::App& app) {
  for (const CLI::App* const verb : app.get_subcommands(nullptr))
    if (verb->parsed()) return *verb;
  return app;
}

std::string nearest_verb(const CLI::App& app, std::string_view word) {
  std::vector<std::string> names;
  for (const CLI::App* const verb : listed_verbs(app)) names.push_back(verb->get_name());
  const std::vector<std::string_view> views(names.begin(), names.end());
  return std::string(base::nearest_name(word, views));
}

std::string nearest_option(const CLI::App& app, std::string_view word) {
  std::vector<std::string> names;
  for (const CLI::Option* const option : app.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  const std::vector<std::string_view> views(names.begin(), names.end());
  return std::string(base::nearest_name(word.substr(0, word.find('=')), views));
}

std::string did_you_mean(const std::string& near) {
  return near.empty() ? "" : fmt::format("; did you mean {}?", near);
}

/// The text between two others; empty if they are not there.
std::string_view between(std::string_view text, std::string_view begin, std::string_view end) {
  const std::size_t from = text.find(begin);
  if (from == std::string_view::npos) return {};
  const std::size_t to = text.find(end, from + begin.size());
  return to == std::string_view::npos ? std::string_view() : text.substr(from + begin.size(), to - from - begin.size());
}

/// FILE of a command line without a verb.
std::optional<std::string> window_file(const CLI::App& app) {
  const CLI::Option* const file = app.get_option_no_throw("FILE");
  if (file == nullptr || file->count() == 0 || &chosen(app) != &app) return {};
  return file->results().front();
}

/// "unknown verb inf; did you mean info?"
std::optional<std::string> mistyped_verb(const CLI::App& app) {
  const auto word = window_file(app);
  std::error_code ignored;
  if (!word || word->find_first_of("./") != std::string::npos || std::filesystem::exists(*word, ignored)) return {};
  const std::string near = nearest_verb(app, *word);
  if (near.empty()) return {};
  return fmt::format("unknown verb {}; did you mean {}?", *word, near);
}

std::string unexpected(const CLI::App& app) {
  std::vector<std::string> extra = app.remaining(true);
  if (extra.empty()) return "too many arguments";
  const auto is_option = [](const std::string& word) { return word.size() > 1 && word[0] == '-'; };
  if (const auto verb = mistyped_verb(app)) return *verb;
  if (const auto option = std::ranges::find_if(extra, is_option); option != extra.end())
    return fmt::format("unknown option {}{}", *option, did_you_mean(nearest_option(chosen(app), *option)));
  return fmt::format("unexpected argument {}", extra.front());
}

// CLI11 says "Could not convert: --fps = abc".
std::string not_converted(const CLI::App& app, std::string_view message) {
  const std::string name(between(message, ": ", " = "));
  const std::size_t at = message.find(" = ");
  if (name.empty() || at == std::string_view::npos) return std::string(message);
  const CLI::Option* const option = chosen(app).get_option_no_throw(name);
  const bool whole = option != nullptr && option->get_type_name() == "N";
  return fmt::format("{}: {} is not a {}", name, message.substr(at + 3), whole ? "whole number" : "number");
}

std::string plain_message(const CLI::App& app, const CLI::ParseError& error) {
  const std::string message = error.what();
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) return unexpected(app);
  if (dynamic_cast<const CLI::ConversionError*>(&error) != nullptr) return not_converted(app, message);
  // CLI11 says "--output: 1 required TEXT missing".
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr && message.ends_with(" missing"))
    return fmt::format("{}: its value is missing", message.substr(0, message.find(": ")));
  return message;
}

}  // namespace

std::vector<const CLI::App*> listed_verbs(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* verb) { return !verb->get_group().empty(); });
}

void prepare_options(CLI::App& app) {
  for (CLI::Option* const option : app.get_options()) {
    if (option->nonpositional() && option->get_expected_min() > 0)
      option->check([](const std::string& value) {
        return value.empty() ? std::string("the value is empty; give one, or leave the option out") : std::string();
      });
    const std::string type = option->get_type_name();
    if (type == "UINT" || type == "INT") option->type_name("N");
    if (type == "FLOAT") option->type_name("NUMBER");
  }
  for (CLI::App* const verb : app.get_subcommands(nullptr)) prepare_options(*verb);
}

std::string usage_error(const CLI::App& app, const CLI::ParseError& error, const std::string& hint) {
  const std::string message = plain_message(app, error);
  const std::string_view then = message.ends_with('?') ? " " : "; ";
  return fmt::format("{}{}{}see warpwalk --help", message, then, hint);
}

std::optional<std::string> window_cannot_open(const CLI::App& app) {
  const auto word = window_file(app);
  if (!word) return {};
  if (*word == "-") return "-: the window needs a file; save what stdin has, or use warpwalk info - or query -";
  if (const auto verb = mistyped_verb(app)) return fmt::format("{} see warpwalk --help", *verb);
  return {};
}

}  // namespace warpwalk::verbs
