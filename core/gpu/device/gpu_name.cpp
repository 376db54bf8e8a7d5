#include "core/gpu/device/gpu_name.h"

#include <algorithm>
#include <array>

namespace warpwalk::gpu {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool all_digits(std::string_view word) { return !word.empty() && std::ranges::all_of(word, is_digit); }

// The words in capitals: runs of letters and digits.
std::vector<std::string> capital_words(std::string_view name) {
  std::vector<std::string> words;
  bool inside = false;
  for (const char c : name) {
    const bool lower = c >= 'a' && c <= 'z', upper = c >= 'A' && c <= 'Z';
    if (!lower && !upper && !is_digit(c)) {
      inside = false;
      continue;
    }
    if (!inside) words.emplace_back();
    inside = true;
    words.back().push_back(lower ? static_cast<char>(c - 'a' + 'A') : c);
  }
  return words;
}

// Words that drivers name in some versions only.
bool is_optional(std::string_view word) {
  constexpr std::array<std::string_view, 7> names = {"NVIDIA", "TESLA", "GEFORCE", "QUADRO", "AMD", "INSTINCT", "OAM"};
  if (std::ranges::find(names, word) != names.end()) return true;
  return word.starts_with("HBM") || (word.starts_with("SXM") && (word.size() == 3 || all_digits(word.substr(3))));
}

}  // namespace

std::vector<std::string> model_words(std::string_view name) {
  std::vector<std::string> words;
  for (std::string& word : capital_words(name)) {
    if (word == "GB" && !words.empty() && all_digits(words.back()))
      words.back() += word;  // "40 GB"
    else if (!is_optional(word))
      words.push_back(std::move(word));
  }
  std::ranges::sort(words);
  return words;
}

bool same_model(std::string_view a, std::string_view b) {
  const std::vector<std::string> words = model_words(a);
  return !words.empty() && words == model_words(b);
}

bool is_amd(std::string_view name) {
  constexpr std::array<std::string_view, 3> names = {"AMD", "INSTINCT", "RADEON"};
  return std::ranges::any_of(capital_words(name), [&](const std::string& word) {
    return std::ranges::find(names, word) != names.end() ||
           (word.starts_with("GFX") && word.size() > 3 && is_digit(word[3]));
  });
}

}  // namespace warpwalk::gpu
