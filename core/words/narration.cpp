#include "core/words/narration.h"

#include <algorithm>
#include <system_error>

#include <fmt/format.h>

#include "core/platform/read_file.h"

template class std::map<std::string, std::string, std::less<>>;

namespace warpwalk::words {
namespace {

std::string_view trimmed_view(std::string_view s) {
  while (!s.empty() && (s.front() == ' ' || s.front() == '\t')) s.remove_prefix(1);
  while (!s.empty() && (s.back() == ' ' || s.back() == '\t' || s.back() == '\r')) s.remove_suffix(1);
  return s;
}

bool is_word_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || (c & 0x80) != 0;
}

}  // namespace

base::Result<Narration> Narration::load(const std::filesystem::path& path) {
  std::error_code not_there;
  std::vector<std::filesystem::path> files;
  if (std::filesystem::is_directory(path, not_there)) {
    for (const auto& entry : std::filesystem::directory_iterator(path, not_there))
      if (entry.path().extension() == ".txt") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
  } else {
    files.push_back(path);
  }
  Narration narration;
  for (const std::filesystem::path& file : files) {
    const auto read = platform::read_text_file(file);
    if (!read) {
      files.clear();
      break;
    }
    if (auto error = narration.add(read->text, file.string())) return base::Error{*std::move(error)};
  }
  if (files.empty())
    return base::Error{
        fmt::format("{}: the narration cannot be opened; install warpwalk's assets beside the program or "
                    "set WARPWALK_ASSETS to their folder",
                    path.string())};
  return narration;
}

base::Result<Narration> Narration::parse(std::string_view text, std::string_view file_name) {
  Narration narration;
  if (auto error = narration.add(text, file_name)) return base::Error{*std::move(error)};
  return narration;
}

std::optional<std::string> Narration::add(std::string_view text, std::string_view file_name) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);  // some editors begin a file with it
  std::string section;
  std::string* last = nullptr;
  int number = 0;
  while (!text.empty()) {
    ++number;
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    const std::string_view content = trimmed_view(line);
    const auto wrong = [&](std::string_view what) { return fmt::format("{}: line {}: {}", file_name, number, what); };
    if (content.empty() || content.front() == '#') {
      last = nullptr;
    } else if (content.front() == '[' && content.back() == ']') {
      section = content.substr(1, content.size() - 2);
      last = nullptr;
    } else if (line.front() == ' ' || line.front() == '\t') {
      if (last == nullptr) return wrong("continues a line that does not exist; start it with a key and a colon");
      *last += ' ';
      *last += content;
    } else {
      const std::size_t colon = content.find(':');
      if (colon == std::string_view::npos) return wrong("no colon; write \"key: text\"");
      if (section.empty()) return wrong("text before the first [section]");
      const auto [entry, is_new] =
          sections_[section].emplace(trimmed_view(content.substr(0, colon)), trimmed_view(content.substr(colon + 1)));
      if (!is_new)
        return wrong(fmt::format("\"{}\" appears twice in [{}]", trimmed_view(content.substr(0, colon)), section));
      last = &entry->second;
    }
  }
  return {};
}

void Narration::add_missing(const Narration& other, std::string_view whole) {
  const bool has_whole = sections_.contains(whole);
  for (const auto& [section, texts] : other.sections_)
    if (section != whole || !has_whole) sections_[section].insert(texts.begin(), texts.end());
}

Narration Narration::in_words_of(std::string_view vendor, Values values) const {
  Narration narration;
  narration.base_ = this;
  narration.vendor_ = vendor;
  narration.vendor_values_ = std::move(values);
  const std::string section = fmt::format("words.{}", vendor);
  for (const std::string& key : keys(section)) narration.words_.emplace_back(key, *find(section, key));
  std::ranges::stable_sort(narration.words_, std::ranges::greater{}, [](const auto& one) { return one.first.size(); });
  return narration;
}

// Replaces whole words. What is in braces is a name of a value and stays, unless it is a part of what is replaced.
std::string Narration::in_vendor_words(std::string_view text) const {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const bool begins = at == 0 || !is_word_letter(text[at - 1]);
    const auto found = std::ranges::find_if(words_, [&](const auto& one) {
      const std::size_t end = at + one.first.size();
      return begins && text.substr(at).starts_with(one.first) && (end == text.size() || !is_word_letter(text[end]));
    });
    if (found != words_.end()) {
      out += found->second;
      at += found->first.size();
      continue;
    }
    const std::size_t close = text[at] == '{' ? text.find('}', at) : std::string_view::npos;
    const std::size_t next = close == std::string_view::npos ? at + 1 : close + 1;
    out += text.substr(at, next - at);
    at = next;
  }
  return out;
}

std::vector<std::string> Narration::keys(std::string_view section) const {
  if (base_ != nullptr) return base_->keys(section);
  std::vector<std::string> keys;
  if (const auto found = sections_.find(section); found != sections_.end())
    for (const auto& [key, text] : found->second) keys.push_back(key);
  return keys;
}

const std::string* Narration::find(std::string_view section, std::string_view key) const {
  if (base_ != nullptr) return base_->find(section, key);
  const auto texts = sections_.find(section);
  if (texts == sections_.end()) return nullptr;
  const auto found = texts->second.find(key);
  return found == texts->second.end() ? nullptr : &found->second;
}

bool Narration::has(std::string_view section, std::string_view key) const { return find(section, key) != nullptr; }

std::string Narration::text(std::string_view section, std::string_view key, const Values& values) const {
  const std::string* source = base_ == nullptr ? nullptr : find(section, fmt::format("{}.{}", key, vendor_));
  std::string in_other_words;
  if (source == nullptr) {
    source = find(section, key);
    if (source == nullptr) return fmt::format("(no narration for {} {})", section, key);
    if (!words_.empty()) {
      in_other_words = in_vendor_words(*source);
      source = &in_other_words;
    }
  }
  std::string out;
  std::string_view rest = *source;
  while (!rest.empty()) {
    const std::size_t open = rest.find('{');
    const std::size_t close = open == std::string_view::npos ? open : rest.find('}', open);
    out += rest.substr(0, close == std::string_view::npos ? close : open);
    if (close == std::string_view::npos) break;
    const std::string_view name = rest.substr(open + 1, close - open - 1);
    if (const auto value = values.find(name); value != values.end())
      out += value->second;
    else if (const auto own = vendor_values_.find(name); own != vendor_values_.end())
      out += own->second;
    else
      out += fmt::format("(no value for {})", name);
    rest.remove_prefix(close + 1);
  }
  return out;
}

base::NumberMarks number_marks(const Narration& narration) {
  base::NumberMarks marks;
  if (narration.has("numbers", "decimal")) marks.decimal = narration.text("numbers", "decimal");
  if (narration.has("numbers", "group")) marks.group = narration.text("numbers", "group");
  return marks;
}

std::string count_text(const Narration& narration, std::string_view thing, std::int64_t count) {
  const std::string key = count == 1 ? std::string(thing) : std::string(thing).append("s");
  return narration.text("count", key, {{"n", base::with_thousands(count)}});
}

}  // namespace warpwalk::words
