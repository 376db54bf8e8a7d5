#include "app/verbs/translate.h"

#include <algorithm>
#include <map>
#include <memory>
#include <system_error>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/verbs/common/assets.h"
#include "app/verbs/common/files.h"
#include "app/verbs/common/terminal.h"
#include "core/platform/read_file.h"
#include "core/words/translation.h"

namespace warpwalk::verbs {
namespace {

using words::Translation;

constexpr std::string_view english = "en";

bool is_name(std::string_view text) {
  return !text.empty() && text != english && std::ranges::all_of(text, [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '@';
  });
}

struct Counts {
  std::size_t all = 0, translated = 0, fuzzy = 0;
  void add(const Translation& one) {
    ++all;
    if (!one.text.empty()) ++(one.fuzzy ? fuzzy : translated);
  }
  std::string text() const {
    return fmt::format("{} of {} texts ({:.0f} %), {} fuzzy", translated, all,
                       all == 0 ? 0 : 100 * static_cast<double>(translated) / static_cast<double>(all), fuzzy);
  }
};

// One line for a language: what it has.
std::string line_of(const std::string& language, const std::vector<Translation>& texts) {
  Counts counts;
  for (const Translation& one : texts) counts.add(one);
  return fmt::format("{}: {}\n", language, counts.text());
}

// The whole report: by file, then what is odd.
std::string report_of(const std::string& language, const std::vector<Translation>& texts) {
  std::map<std::string, Counts> files;
  for (const Translation& one : texts) files[one.file].add(one);
  std::string out = line_of(language, texts);
  for (const auto& [file, counts] : files) out += fmt::format("  {:34} {}\n", file, counts.text());
  for (const Translation& one : texts) {
    if (one.fuzzy) out += fmt::format("fuzzy: {} {}: the English text has changed\n", one.file, one.context());
    if (const std::string odd = words::odd_placeholder(one); !odd.empty())
      out += fmt::format("odd: {} {}: {} is not in both texts\n", one.file, one.context(), odd);
  }
  return out + "A text without its translation is shown in English, and a fuzzy one from the next --import on.\n";
}

int list_languages(const std::filesystem::path& folder) {
  std::vector<std::string> languages;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error))
    if (entry.is_directory(error) && entry.path().filename() != english)
      languages.push_back(entry.path().filename().string());
  std::ranges::sort(languages);
  std::string out = fmt::format("{}: the texts that others are translated from\n", english);
  for (const std::string& language : languages) {
    const auto texts = words::read_translation(folder, language);
    if (!texts) return refuse(texts.error());
    out += line_of(language, *texts);
  }
  print_report(out);
  return 0;
}

}  // namespace

int translate(const TranslateOptions& options) {
  const auto assets = find_assets();
  if (!assets) return refuse("the folder of the assets was not found; set WARPWALK_ASSETS");
  const std::filesystem::path folder = *assets / "narration";
  if (options.language.empty()) {
    if (!options.export_to.empty() || !options.import_from.empty())
      return refuse("translate: name the language, such as de");
    return list_languages(folder);
  }
  if (!is_name(options.language))
    return refuse(fmt::format("translate: {} is no language to translate into; expected a name such as de or pt-BR",
                              options.language));
  auto texts = words::read_translation(folder, options.language);
  if (!texts) return refuse(texts.error());
  std::vector<std::string> unknown;
  if (!options.import_from.empty()) {
    const auto read = platform::read_text_file(options.import_from);
    if (!read) return refuse(read.error());
    if (const auto done = words::take_po(read->text, *texts, unknown); !done)
      return refuse(fmt::format("{}: {}", options.import_from.string(), done.error()));
    if (const auto done = words::write_translation(folder, options.language, *texts); !done)
      return refuse(done.error());
  }
  if (!options.export_to.empty())
    if (const auto done = write_file(options.export_to, words::po_text(*texts, options.language)); !done)
      return refuse(done.error());
  if (options.export_to != "-") {
    std::string out = report_of(options.language, *texts);
    for (const std::string& context : unknown) out += fmt::format("unknown: {}: no text has this context\n", context);
    print_report(out);
  }
  return 0;
}

Verb add_translate(CLI::App& app) {
  const auto options = std::make_shared<TranslateOptions>();
  CLI::App* const verb =
      app.add_subcommand("translate", "Report what a language lacks; exchange its texts with translators as .po");
  verb->add_option("LANGUAGE", options->language,
                   "a folder of assets/narration, such as de; without it, all are listed");
  verb->add_option("--export", options->export_to,
                   "write the texts and their translations as a .po file (- for stdout)");
  verb->add_option("--import", options->import_from,
                   "take the translations of a .po file into the text files of the language");
  return {verb, [options] { return translate(*options); }};
}

}  // namespace warpwalk::verbs
