#include "core/platform/toolchain/architecture.h"

#include <algorithm>

#include <fmt/format.h>

namespace warpwalk::platform {
namespace {

constexpr std::string_view prefix = "sm_";

std::string digits_of(std::string_view compute_capability) {
  std::string digits;
  for (const char c : compute_capability)
    if (c != '.') digits += c;
  return digits;
}

/// "90a" has the suffix 'a'; '\0' for none.
char suffix_of(std::string_view target) {
  return target.ends_with('a') || target.ends_with('f') ? target.back() : '\0';
}

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/// Removes blanks and comments at the beginning.
std::string_view without_blanks(std::string_view text) {
  for (;;) {
    if (text.starts_with("//")) {
      text.remove_prefix(std::min(text.find('\n'), text.size()));
    } else if (text.starts_with("/*")) {
      const std::size_t end = text.find("*/");
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 2);
    } else if (!text.empty() && is_blank(text.front())) {
      text.remove_prefix(1);
    } else {
      return text;
    }
  }
}

std::string_view take_word(std::string_view& text) {
  text = without_blanks(text);
  const auto end = std::ranges::find_if(text, [](char c) { return is_blank(c) || c == ',' || c == '/'; });
  const std::string_view word = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  text.remove_prefix(word.size());
  return word;
}

}  // namespace

std::string own_architecture(std::string_view compute_capability) {
  std::string digits = digits_of(compute_capability);
  // Two digits before 9.0, and 90 or three digits from then on.
  const bool has_own = digits.size() > 2 || digits >= "90";
  return has_own ? digits + 'a' : digits;
}

std::string_view target_of(std::string_view ptx) {
  // .version 9.0 .target sm_90a, texmode_independent
  if (take_word(ptx) != ".version") return {};
  take_word(ptx);
  return take_word(ptx) == ".target" ? take_word(ptx) : std::string_view();
}

std::string target_mismatch(std::string_view target, std::string_view compute_capability) {
  const char suffix = suffix_of(target);
  if (suffix == '\0' || !target.starts_with(prefix) || target.size() <= prefix.size() + 1) return {};
  const std::string_view needs = target.substr(prefix.size(), target.size() - prefix.size() - 1);
  const std::string has = digits_of(compute_capability);
  if (needs == has) return {};
  // A family has the same major version, and the minor versions from that one on.
  const bool same_major = needs.substr(0, needs.size() - 1) == std::string_view(has).substr(0, has.size() - 1);
  if (suffix == 'f' && same_major && needs.size() == has.size() && has >= needs) return {};
  return fmt::format("its .target is {}, which only GPUs of compute capability {}.{}{} run; this GPU has {}", target,
                     needs.substr(0, needs.size() - 1), needs.substr(needs.size() - 1),
                     suffix == 'f' ? " and of its family" : "", compute_capability);
}

std::string architecture_for(std::string_view ptx, std::string_view compute_capability) {
  const std::string_view target = target_of(ptx);
  const bool own = suffix_of(target) == 'a' && target_mismatch(target, compute_capability).empty();
  return fmt::format("{}{}", prefix, own ? own_architecture(compute_capability) : digits_of(compute_capability));
}

}  // namespace warpwalk::platform
