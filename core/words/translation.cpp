#include "core/words/translation.h"

#include <algorithm>
#include <map>
#include <set>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "core/base/exact_json.h"
#include "core/base/text.h"
#include "core/platform/output_file.h"
#include "core/platform/read_file.h"
#include "core/words/lesson_texts.h"

namespace warpwalk::words {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view english_language = "en", stamps_file = "english.tsv", fuzzy_mark = "#, fuzzy";
constexpr std::size_t most_columns = 120;

std::string_view trimmed_text(std::string_view s) {
  while (!s.empty() && (s.front() == ' ' || s.front() == '\t')) s.remove_prefix(1);
  while (!s.empty() && (s.back() == ' ' || s.back() == '\t' || s.back() == '\r')) s.remove_suffix(1);
  return s;
}

// Sections whose keys are words of the language, and lists of names.
bool is_left_out(std::string_view section) {
  return section == "glossary" || section == "walks" || section.starts_with("words.");
}

// A text of a file, in its order. A fuzzy one is in a comment: "#, fuzzy key: text".
struct Entry {
  std::string file, section, key, text, comment;
  bool fuzzy = false;
};

void read_entries(std::string_view text, const std::string& file, std::vector<Entry>& entries) {
  std::string section, comment;
  bool continues = false;
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  for (std::string_view line : base::lines_of(text)) {
    const std::string_view content = trimmed_text(line);
    const bool fuzzy = content.starts_with(fuzzy_mark);
    if (content.empty()) {
      comment.clear();
      continues = false;
    } else if (content.front() == '#' && !fuzzy) {
      comment += (comment.empty() ? "" : "\n") + std::string(trimmed_text(content.substr(1)));
      continues = false;
    } else if (content.front() == '[' && content.back() == ']') {
      section = content.substr(1, content.size() - 2);
      continues = false;
    } else if (!fuzzy && (line.front() == ' ' || line.front() == '\t')) {
      if (continues) entries.back().text += " " + std::string(content);
    } else {
      const std::string_view pair = fuzzy ? trimmed_text(content.substr(fuzzy_mark.size())) : content;
      const std::size_t colon = pair.find(':');
      if (colon == std::string_view::npos) continue;
      entries.push_back({file, section, std::string(trimmed_text(pair.substr(0, colon))),
                         std::string(trimmed_text(pair.substr(colon + 1))), std::exchange(comment, {}), fuzzy});
      continues = !fuzzy;
    }
  }
}

std::vector<fs::path> files_in(const fs::path& folder, std::string_view ending) {
  std::vector<fs::path> files;
  std::error_code error;
  for (auto at = fs::directory_iterator(folder, error); !error && at != fs::directory_iterator(); at.increment(error))
    if (at->path().extension() == ending) files.push_back(at->path());
  std::ranges::sort(files);
  return files;
}

base::Result<std::vector<Entry>> entries_of(const fs::path& folder) {
  std::vector<Entry> entries;
  for (const fs::path& file : files_in(folder, ".txt")) {
    const auto read = platform::read_text_file(file);
    if (!read) return base::Error{read.error()};
    read_entries(read->text, file.filename().string(), entries);
  }
  return entries;
}

// The texts of the lessons, which are in the lessons' own files; their translations are in lesson_NAME.txt.
base::Result<void> add_lessons(const fs::path& folder, std::vector<Entry>& entries) {
  for (const fs::path& file : files_in(folder, ".json")) {
    const auto read = platform::read_text_file(file);
    if (!read) return base::Error{read.error()};
    rapidjson::Document lesson;
    if (const rapidjson::ParseResult parsed = base::parse_exact(read->text, lesson); parsed.IsError())
      return base::Error{fmt::format("{}: byte {}: not JSON", file.string(), parsed.Offset())};
    const std::string name = file.stem().string();
    visit_lesson_texts(lesson, name, [&](const std::string& section, const std::string& key, rapidjson::Value& text) {
      entries.push_back({fmt::format("lesson_{}.txt", name), section, key, text.GetString(), {}});
    });
  }
  return {};
}

// A number that differs for different texts (FNV-1a), as text.
std::string stamp_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return fmt::format("{:016x}", hash);
}

std::map<std::string, std::string> stamps_in(const fs::path& file) {
  std::map<std::string, std::string> stamps;
  if (const auto read = platform::read_text_file(file))
    for (const std::string_view line : base::lines_of(read->text))
      if (const std::size_t tab = line.find('\t'); tab != std::string_view::npos)
        stamps.emplace(line.substr(0, tab), trimmed_text(line.substr(tab + 1)));
  return stamps;
}

std::string po_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n')
      out += "\\n";
    else
      out += c;
  }
  return out + "\"";
}

// The key of the plural of a count: "blocks" of "block".
bool has_plural(const std::vector<Translation>& texts, std::size_t i) {
  return texts[i].section == "count" && i + 1 < texts.size() && texts[i + 1].section == "count" &&
         texts[i + 1].key == texts[i].key + "s";
}

// An entry of a .po file.
struct PoEntry {
  std::string context, id, plural;
  std::vector<std::string> texts;
  bool fuzzy = false, any = false;
};

class PoReader {
 public:
  explicit PoReader(std::vector<PoEntry>& out) : out_(out) {}

  // False: the line is not of a .po file.
  bool line(std::string_view text) {
    text = trimmed_text(text);
    if (text.empty()) {
      finish();
    } else if (text.starts_with("#~")) {
      return true;
    } else if (text.front() == '#') {
      if (entry_.any && !entry_.texts.empty()) finish();
      if (text.starts_with("#,") && text.find("fuzzy") != std::string_view::npos) entry_.fuzzy = true;
    } else if (text.front() == '"') {
      return at_ != nullptr && append(text);
    } else {
      const std::size_t space = text.find(' ');
      if (space == std::string_view::npos) return false;
      const std::string_view word = text.substr(0, space);
      if ((word == "msgctxt" || word == "msgid") && !entry_.texts.empty()) finish();
      if (word == "msgctxt")
        at_ = &entry_.context;
      else if (word == "msgid")
        at_ = &entry_.id;
      else if (word == "msgid_plural")
        at_ = &entry_.plural;
      else if (word.starts_with("msgstr"))
        at_ = &entry_.texts.emplace_back();
      else
        return false;
      entry_.any = true;
      return append(trimmed_text(text.substr(space)));
    }
    return true;
  }
  void finish() {
    if (entry_.any) out_.push_back(std::move(entry_));
    entry_ = {};
    at_ = nullptr;
  }

 private:
  bool append(std::string_view text) {
    if (text.size() < 2 || text.front() != '"' || text.back() != '"') return false;
    text = text.substr(1, text.size() - 2);
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] != '\\') {
        *at_ += text[i];
      } else if (++i < text.size()) {
        *at_ += text[i] == 'n' ? ' ' : text[i] == 't' ? ' ' : text[i];
      }
    }
    return true;
  }

  std::vector<PoEntry>& out_;
  PoEntry entry_;
  std::string* at_ = nullptr;
};

// A text in lines of the files' length; a line that continues it is indented.
std::string in_lines(const std::string& start, std::string_view text) {
  std::string out, line = start;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    const std::string_view word = rest.substr(0, end);
    // Spaces that are a part of the text stay in their line.
    const bool breaks = line.size() + 1 + word.size() > most_columns && !word.empty() && line.back() != ' ' &&
                        word.front() != '#' && word.front() != '[';
    if (breaks) {
      out += line + "\n";
      line = "  " + std::string(word);
    } else {
      line += (line == start ? "" : " ") + std::string(word);
    }
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return out + line + "\n";
}

std::set<std::string> placeholders_of(std::string_view text) {
  std::set<std::string> names;
  for (std::size_t open = text.find('{'); open != std::string_view::npos;) {
    const std::size_t next = text.find_first_of("{}", open + 1);
    if (next == std::string_view::npos) break;
    if (text[next] == '}') names.emplace(text.substr(open, next - open + 1));
    open = text[next] == '{' ? next : text.find('{', next);
  }
  return names;
}

}  // namespace

base::Result<std::vector<Translation>> read_translation(const fs::path& folder, std::string_view language) {
  auto english = entries_of(folder / english_language);
  if (!english) return base::Error{english.error()};
  if (const auto done = add_lessons(folder.parent_path() / "lessons", *english); !done)
    return base::Error{done.error()};
  const auto own = entries_of(folder / language);
  if (!own) return base::Error{own.error()};
  const auto stamps = stamps_in(folder / language / stamps_file);
  std::map<std::pair<std::string_view, std::string_view>, const Entry*> translated;
  for (const Entry& entry : *own)
    translated.emplace(std::pair<std::string_view, std::string_view>(entry.section, entry.key), &entry);
  std::vector<Translation> texts;
  for (const Entry& entry : *english) {
    if (is_left_out(entry.section)) continue;
    Translation& one = texts.emplace_back(Translation{entry.file, entry.section, entry.key, entry.comment, entry.text});
    const auto found = translated.find({entry.section, entry.key});
    if (found == translated.end()) continue;
    one.text = found->second->text;
    const auto stamp = stamps.find(one.context());
    one.fuzzy = found->second->fuzzy || (stamp != stamps.end() && stamp->second != stamp_of(one.english));
  }
  return texts;
}

std::string po_text(const std::vector<Translation>& texts, std::string_view language) {
  std::string out = fmt::format(
      "msgid \"\"\nmsgstr \"\"\n\"Project-Id-Version: warpwalk\\n\"\n\"Language: {}\\n\"\n"
      "\"MIME-Version: 1.0\\n\"\n\"Content-Type: text/plain; charset=UTF-8\\n\"\n"
      "\"Content-Transfer-Encoding: 8bit\\n\"\n\"Plural-Forms: nplurals=2; plural=(n != 1);\\n\"\n",
      language);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const Translation& one = texts[i];
    out += "\n";
    for (const std::string_view line : base::lines_of(one.comment)) out += fmt::format("#. {}\n", line);
    out += fmt::format("#: {}\n", one.file);
    const bool plural = has_plural(texts, i);
    if (one.fuzzy || (plural && texts[i + 1].fuzzy)) out += fmt::format("{}\n", fuzzy_mark);
    out += fmt::format("msgctxt {}\nmsgid {}\n", po_string(one.context()), po_string(one.english));
    if (!plural) {
      out += fmt::format("msgstr {}\n", po_string(one.text));
      continue;
    }
    const Translation& many = texts[++i];
    out += fmt::format("msgid_plural {}\nmsgstr[0] {}\nmsgstr[1] {}\n", po_string(many.english), po_string(one.text),
                       po_string(many.text));
  }
  return out;
}

base::Result<void> take_po(std::string_view po, std::vector<Translation>& texts, std::vector<std::string>& unknown) {
  if (po.starts_with("\xef\xbb\xbf")) po.remove_prefix(3);
  std::vector<PoEntry> entries;
  PoReader reader(entries);
  std::size_t number = 0;
  for (const std::string_view line : base::lines_of(po)) {
    ++number;
    if (!reader.line(line)) return base::Error{fmt::format("line {}: is no line of a .po file", number)};
  }
  reader.finish();
  std::map<std::string, std::size_t> by_context;
  for (std::size_t i = 0; i < texts.size(); ++i) by_context.emplace(texts[i].context(), i);
  for (const PoEntry& entry : entries) {
    if (entry.context.empty()) continue;  // the head
    const auto found = by_context.find(entry.context);
    if (found == by_context.end()) {
      unknown.push_back(entry.context);
      continue;
    }
    const auto take = [&](Translation& one, const std::string& id, std::size_t form) {
      one.text = form < entry.texts.size() ? std::string(trimmed_text(entry.texts[form])) : std::string();
      one.fuzzy = !one.text.empty() && (entry.fuzzy || id != one.english);
    };
    take(texts[found->second], entry.id, 0);
    if (!entry.plural.empty() && has_plural(texts, found->second)) take(texts[found->second + 1], entry.plural, 1);
  }
  return {};
}

base::Result<void> write_translation(const fs::path& folder, std::string_view language,
                                     const std::vector<Translation>& texts) {
  std::error_code error;
  const fs::path own = folder / language;
  fs::create_directories(own, error);
  if (error) return base::Error{fmt::format("{}: {}", own.string(), error.message())};
  // What is not for translators stays: the glossary, the words of vendors, the order of the walks.
  std::map<std::string, std::string> files;
  std::string stamps, file, section;
  const auto before = entries_of(own);
  if (!before) return base::Error{before.error()};
  for (const Entry& entry : *before)
    if (!is_left_out(entry.section)) files.try_emplace(entry.file);
  for (const Translation& one : texts) {
    if (one.text.empty()) continue;
    std::string& text = files[one.file];
    if (one.file != file || one.section != section)
      text += fmt::format("{}[{}]\n", text.empty() ? "" : "\n", one.section);
    file = one.file;
    section = one.section;
    text += one.fuzzy ? fmt::format("{} {}: {}\n", fuzzy_mark, one.key, one.text) : in_lines(one.key + ": ", one.text);
    if (!one.fuzzy) stamps += fmt::format("{}\t{}\n", one.context(), stamp_of(one.english));
  }
  file.clear();
  for (const Entry& entry : *before) {
    const auto written = files.find(entry.file);
    if (!is_left_out(entry.section) || written == files.end()) continue;  // a file of these alone stays as it is
    std::string& text = written->second;
    if (entry.file != file || entry.section != section)
      text += fmt::format("{}[{}]\n", text.empty() ? "" : "\n", entry.section);
    file = entry.file;
    section = entry.section;
    text += in_lines(entry.key + ": ", entry.text);
  }
  files[std::string(stamps_file)] = stamps;
  for (const auto& [name, text] : files) {
    if (text.empty()) {
      fs::remove(own / name, error);
      continue;
    }
    if (const auto done = platform::write_regular_file(own / name, text); !done) return base::Error{done.error()};
  }
  return {};
}

std::string odd_placeholder(const Translation& one) {
  if (one.text.empty()) return {};
  const auto wanted = placeholders_of(one.english), has = placeholders_of(one.text);
  std::vector<std::string> odd;
  std::ranges::set_symmetric_difference(wanted, has, std::back_inserter(odd));
  return odd.empty() ? std::string() : odd.front();
}

}  // namespace warpwalk::words
