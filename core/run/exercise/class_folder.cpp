#include "core/run/exercise/class_folder.h"

#include <algorithm>
#include <map>
#include <regex>
#include <system_error>

#include <fmt/format.h>

#include "core/base/quantity_text.h"
#include "core/base/text.h"
#include "core/platform/read_file.h"
#include "core/run/kernel_lab/draft.h"

namespace warpwalk::run {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_files = 20000;
constexpr int deepest = 32;  // subfolders
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

// How well a file's name fits a source, 0 the best.
int rank_of(const fs::path& file) {
  static constexpr std::string_view texts[] = {".ptx", ".txt", ".cpp", ".cc", ".cxx", ".c", ".cuh", ".h", ".hpp", ""};
  std::string ending = file.extension().string();
  std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (ending == ".cu") return 0;
  if (ending == ".json") return 1;
  return std::ranges::find(texts, ending) != std::end(texts) ? 2 : 3;
}

// Files that systems put beside those of a person.
bool is_hidden(const fs::path& name) {
  const std::string text = name.string();
  return text.starts_with('.') || text == "__MACOSX" || text == "Thumbs.db" || text == "desktop.ini";
}

bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const std::size_t more = c < 0x80 ? 0 : c >= 0xc2 && c < 0xe0 ? 1 : c >= 0xe0 && c < 0xf0 ? 2 : c < 0xf5 ? 3 : 4;
    if (more == 4 || (c >= 0x80 && c < 0xc2) || i + more >= text.size() + (more == 0 ? 1 : 0)) return false;
    for (std::size_t k = 0; k < more; ++k)
      if ((static_cast<unsigned char>(text[++i]) & 0xc0) != 0x80) return false;
  }
  return true;
}

std::string from_utf16(std::string_view bytes, bool big_end_first) {
  std::string text;
  const auto unit = [&](std::size_t i) {
    const auto first = static_cast<unsigned char>(bytes[i]), second = static_cast<unsigned char>(bytes[i + 1]);
    return static_cast<char32_t>(big_end_first ? first << 8 | second : second << 8 | first);
  };
  for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
    char32_t character = unit(i);
    const bool high = character >= 0xd800 && character < 0xdc00;
    if (high && i + 3 < bytes.size() && unit(i + 2) >= 0xdc00 && unit(i + 2) < 0xe000) {
      character = 0x10000 + ((character - 0xd800) << 10) + (unit(i + 2) - 0xdc00);
      i += 2;
    } else if (character >= 0xd800 && character < 0xe000) {
      character = 0xfffd;  // half of a pair
    }
    base::append_utf8(text, character);
  }
  return text;
}

struct Found {
  fs::path file;
  std::optional<Sender> sender;
  std::string folder = {};  // of the student; empty: none
  std::string group = {};   // the same for all files of a student; empty: the file is alone
};

std::string group_of(const fs::path& parent, const Sender& sender) {
  return fmt::format("{}/{}_{}", parent.string(), sender.name, sender.id);
}

// The files of a folder and its subfolders. Links are not followed: a submission has its own files.
base::Result<void> collect(const fs::path& root, std::vector<Found>& found) {
  std::error_code error;
  // The folder itself may be a student's: `grade class/*`.
  fs::path own = root.lexically_normal();
  if (!own.has_filename()) own = own.parent_path();
  const auto of_root = sender_in(own.filename().string());
  auto at = fs::recursive_directory_iterator(root, fs::directory_options::skip_permission_denied, error);
  for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    const fs::path file = at->path();
    const bool hidden = is_hidden(file.filename());
    if (hidden || at.depth() >= deepest) at.disable_recursion_pending();
    if (hidden || at->symlink_status(error).type() != fs::file_type::regular) continue;
    if (found.size() >= most_files)
      return base::Error{fmt::format("{}: has more than {} files", root.string(), most_files)};
    Found one{file, of_root};
    if (of_root) {
      one.folder = own.filename().string();
      one.group = group_of(own.parent_path(), *of_root);
    }
    const fs::path below = file.lexically_relative(root);
    fs::path to = root;
    for (const fs::path& part : below) {
      to /= part;
      if (one.sender) break;
      one.sender = sender_in(part.string());
      if (!one.sender) continue;
      one.group = group_of(to.parent_path(), *one.sender);
      if (to != file) one.folder = part.string();
    }
    if (!one.sender && below.has_parent_path()) {
      one.folder = below.begin()->string();
      one.group = (root / *below.begin()).string();
    }
    found.push_back(std::move(one));
  }
  if (error) return base::Error{fmt::format("{}: {}", root.string(), error.message())};
  return {};
}

// The attempt that a student pasted into a text, such as an online text of Moodle.
std::optional<base::Result<Attempt>> pasted_attempt(const fs::path& file) {
  std::error_code error;
  const std::uint64_t bytes = fs::file_size(file, error);
  if (error || bytes > max_draft_bytes || rank_of(file) == 0 || rank_of(file) == 1) return {};
  const auto read = platform::read_text_file(file, max_draft_bytes);
  const auto text = read ? source_text(read->text) : base::Result<std::string>(base::Error{read.error()});
  return text ? find_attempt(*text) : std::nullopt;
}

// Takes what a student exported, or says why it cannot be graded.
void take_export(const Attempt& exported, const std::string& name, const Exercise& exercise, Attempt& attempt) {
  if (!exported.exercise.empty() && exported.exercise != exercise.name) {
    attempt.trouble = fmt::format("It is an attempt of {}, not of {}.", exported.exercise, exercise.name);
  } else if (exported.source.size() > max_draft_bytes) {
    attempt.trouble =
        fmt::format("The source in {} has more than {}.", name, base::bytes_text(static_cast<double>(max_draft_bytes)));
  } else {
    const fs::path file = attempt.file;
    attempt = exported;
    attempt.file = file;
  }
}

// Reads a file into an attempt, or says why it cannot be graded.
Attempt read_one(const Found& found, const Exercise& exercise) {
  Attempt attempt;
  attempt.file = found.file;
  attempt.student = !found.folder.empty() ? found.folder : found.file.stem().string();
  const std::string name = base::one_line(found.file.filename().string());
  const auto pasted = pasted_attempt(found.file);
  if (pasted && !*pasted) {
    attempt.trouble = fmt::format("The text in {} that was copied from warpwalk cannot be read: {}. Copy it again.",
                                  name, pasted->error());
  } else if (pasted) {
    const std::string student = std::move(attempt.student);
    take_export(**pasted, name, exercise, attempt);
    if (!found.folder.empty()) attempt.student = student;
  } else if (rank_of(found.file) == 3) {
    attempt.trouble =
        fmt::format("{} is neither CUDA C++ nor PTX. Hand in the source of the kernel as a .cu or .ptx file.", name);
  } else if (rank_of(found.file) == 1) {
    if (auto read = read_attempt(found.file); !read)
      attempt.trouble = fmt::format("{} is not an attempt that warpwalk exported, or it is damaged.", name);
    else
      take_export(*read, name, exercise, attempt);
    if (!found.folder.empty()) attempt.student = found.folder;  // the folder is the teacher's, the export the student's
  } else {
    std::error_code error;
    const std::uint64_t bytes = fs::file_size(found.file, error);
    if (!error && bytes > max_draft_bytes) {
      attempt.trouble = fmt::format("{} has {}; a submission has at most {}. Hand in the source of the kernel alone.",
                                    name, base::bytes_text(static_cast<double>(bytes)),
                                    base::bytes_text(static_cast<double>(max_draft_bytes)));
    } else if (auto read = platform::read_text_file(found.file, max_draft_bytes); !read) {
      attempt.trouble = fmt::format("{} cannot be read.", name);
    } else if (auto text = source_text(read->text); !text) {
      attempt.trouble = fmt::format("{} {}", name, text.error());
    } else {
      attempt.source = std::move(*text);
      if (attempt.source.find_first_not_of(" \t\n") == std::string::npos)
        attempt.trouble = fmt::format("{} is empty.", name);
    }
  }
  if (found.sender) {
    attempt.student = found.sender->name;
    attempt.id = found.sender->id;
    attempt.late = found.sender->late;
    attempt.platform = found.sender->platform;
  }
  for (std::string* const text : {&attempt.student, &attempt.exercise, &attempt.time})
    *text = base::one_line(std::move(*text));
  return attempt;
}

// The best of a student's files.
Attempt read_student(const std::vector<Found>& files, const Exercise& exercise) {
  std::optional<Attempt> best;
  int best_worth = -1;
  for (const Found& file : files) {
    Attempt attempt = read_one(file, exercise);
    const bool ptx = language_of(attempt.source) == DraftLanguage::ptx;
    const bool has_kernel = attempt.source.find(ptx ? ".entry" : "__global__") != std::string::npos &&
                            attempt.source.find(exercise.kernel) != std::string::npos;
    const int worth = (attempt.trouble.empty() ? 8 : 0) + (has_kernel ? 4 : 0) + 3 - rank_of(file.file);
    if (worth < best_worth) continue;
    best_worth = worth;
    best = std::move(attempt);
  }
  return *std::move(best);
}

}  // namespace

std::optional<Sender> sender_in(std::string_view name) {
  static const std::regex moodle(R"((.+?)_(\d+)_assignsubmission_(file|onlinetext).*)");
  static const std::regex canvas(R"(([^_]+)_(LATE_)?(\d+)_(\d+)_.+)");
  const std::string text(name);
  std::smatch part;
  if (std::regex_match(text, part, moodle)) {
    Sender sender{LearningPlatform::moodle, part[1].str(), part[2].str()};
    if (sender.name == "Participant") sender.name += " " + sender.id;
    return sender;
  }
  if (std::regex_match(text, part, canvas))
    return Sender{LearningPlatform::canvas, part[1].str(), part[3].str(), part[2].matched};
  return {};
}

base::Result<std::string> source_text(std::string_view bytes) {
  std::string text;
  if (bytes.starts_with("\xff\xfe") || bytes.starts_with("\xfe\xff")) {
    text = from_utf16(bytes.substr(2), bytes.front() == '\xfe');
  } else if (bytes.find('\0') != std::string_view::npos) {
    // UTF-16 without a mark: every second byte of program text is 0.
    const bool big_end_first = bytes.front() == '\0';
    if (static_cast<std::size_t>(std::ranges::count(bytes, '\0')) < bytes.size() * 2 / 5)
      return base::Error{"is not a text. Hand in the source of the kernel as a .cu file."};
    text = from_utf16(bytes, big_end_first);
  } else {
    if (bytes.starts_with(byte_order_mark)) bytes.remove_prefix(byte_order_mark.size());
    if (is_utf8(bytes))
      text = bytes;
    else
      for (const char c : bytes) base::append_utf8(text, static_cast<unsigned char>(c));  // Latin-1
  }
  std::string lines;
  lines.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\r')
      lines += text[i];
    else if (i + 1 == text.size() || text[i + 1] != '\n')
      lines += '\n';
  }
  return lines;
}

base::Result<std::vector<Attempt>> read_class(const std::vector<fs::path>& paths, const Exercise& exercise) {
  std::vector<Found> found;
  for (const fs::path& path : paths) {
    std::error_code error;
    if (!fs::exists(path, error)) return base::Error{fmt::format("{}: there is no such file", path.string())};
    if (!fs::is_directory(path, error)) {
      found.push_back({path, sender_in(path.filename().string()), {}});
      continue;
    }
    const std::size_t before = found.size();
    if (auto done = collect(path, found); !done) return base::Error{done.error()};
    if (found.size() == before) return base::Error{fmt::format("{}: holds no submissions", path.string())};
  }
  // A student's files are together.
  std::map<std::string, std::vector<Found>> students;
  std::ranges::sort(found, {}, &Found::file);
  for (Found& one : found) {
    const std::string key = !one.group.empty() ? one.group
                            : one.sender       ? group_of(one.file.parent_path(), *one.sender)
                                               : one.file.string();
    students[key].push_back(std::move(one));
  }
  std::vector<Attempt> attempts;
  for (const auto& [key, files] : students) attempts.push_back(read_student(files, exercise));
  return attempts;
}

}  // namespace warpwalk::run
