#include <algorithm>
#include <charconv>
#include <string>
#include <unordered_map>
#include <utility>

#include "core/base/text.h"
#include "core/compiled/lines/code_lines.h"

namespace warpwalk::compiled {
namespace {

constexpr int max_inlined = 64;  // calls in each other; damaged metadata can refer to itself

/// One of the metadata that locations consist of: !12 = !DILocation(line: 3, column: 8, scope: !4, inlinedAt: !9)
struct Metadata {
  enum class Kind : std::uint8_t { location, file, subprogram, block } kind = Kind::location;
  int line = 0, column = 0;
  std::int64_t scope = -1, file = -1, inlined_at = -1;
  std::string_view name, directory;
};

/// The value of a field, `line: 3`. Quotes around it are left out.
std::string_view field(std::string_view text, std::string_view name) {
  for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const std::size_t after = at + name.size();
    const bool whole = at > 0 && (text[at - 1] == '(' || text[at - 1] == ' ');
    if (!whole || text.substr(after, 2) != ": ") continue;
    const std::string_view value = text.substr(after + 2);
    if (value.starts_with('"')) return value.substr(1, std::min(value.find('"', 1), value.size()) - 1);
    return value.substr(0, value.find_first_of(",)"));
  }
  return {};
}

std::int64_t number_in(std::string_view text) {
  std::int64_t value = -1;
  if (text.starts_with('!')) text.remove_prefix(1);
  return std::from_chars(text.data(), text.data() + text.size(), value).ec == std::errc() ? value : -1;
}

/// A line number; 0 if it is none.
int line_in(std::string_view text) {
  constexpr std::int64_t last = 1 << 28;
  const std::int64_t value = number_in(text);
  return value > 0 && value < last ? static_cast<int>(value) : 0;
}

class LlvmReader {
 public:
  LlvmLines read(std::string_view llir) {
    std::vector<std::int64_t> used;  // the metadata of each line's !dbg
    bool in_function = false;
    for (const std::string_view line : base::lines_of(llir)) {
      used.push_back(-1);
      if (line.starts_with("define ")) in_function = true;
      const bool body = in_function && line.starts_with("  ");
      if (line.starts_with('}')) in_function = false;
      const std::size_t begin = line.find_first_not_of(' ');
      out_.instruction.push_back(body && begin != std::string_view::npos && line[begin] != ';');
      if (line.starts_with('!')) metadata(line);
      const std::size_t debug = body ? line.rfind("!dbg !") : std::string_view::npos;
      if (debug != std::string_view::npos) used.back() = number_in(line.substr(debug + 5));
    }
    std::unordered_map<std::int64_t, std::int32_t> chain_of;
    for (const std::int64_t location : used) {
      std::int32_t chain = -1;
      if (location >= 0) {
        const auto [known, added] = chain_of.try_emplace(location, -1);
        if (added) known->second = add(location);
        chain = known->second;
      }
      out_.of_line.push_back(chain);
    }
    return std::move(out_);
  }

 private:
  void metadata(std::string_view line) {
    const std::int64_t number = number_in(line);
    const std::size_t equals = line.find(" = ");
    if (number < 0 || equals == std::string_view::npos) return;
    std::string_view value = line.substr(equals + 3);
    if (value.starts_with("distinct ")) value.remove_prefix(9);
    Metadata read;
    if (value.starts_with("!DILocation(")) {
      read.kind = Metadata::Kind::location;
    } else if (value.starts_with("!DIFile(")) {
      read.kind = Metadata::Kind::file;
      read.name = field(value, "filename");
      read.directory = field(value, "directory");
    } else if (value.starts_with("!DISubprogram(")) {
      read.kind = Metadata::Kind::subprogram;
      read.name = field(value, "name");
    } else if (value.starts_with("!DILexicalBlock")) {
      read.kind = Metadata::Kind::block;
    } else {
      return;
    }
    read.line = line_in(field(value, "line"));
    read.column = line_in(field(value, "column"));
    read.scope = number_in(field(value, "scope"));
    read.file = number_in(field(value, "file"));
    read.inlined_at = number_in(field(value, "inlinedAt"));
    metadata_[number] = read;
  }

  const Metadata* at(std::int64_t number, Metadata::Kind kind) const {
    const auto found = metadata_.find(number);
    return found == metadata_.end() || found->second.kind != kind ? nullptr : &found->second;
  }

  CodeFrame frame(const Metadata& location) const {
    CodeFrame frame;
    frame.line = location.line;
    frame.column = location.column;
    std::int64_t file = -1, scope = location.scope;
    for (int hop = 0; hop < max_inlined; ++hop) {
      const auto found = metadata_.find(scope);
      if (found == metadata_.end()) break;
      if (file < 0) file = found->second.file;
      if (found->second.kind == Metadata::Kind::subprogram) frame.function = bounded_text(found->second.name);
      if (found->second.kind != Metadata::Kind::block) break;
      scope = found->second.scope;
    }
    if (const Metadata* const named = at(file, Metadata::Kind::file)) {
      const bool whole = named->directory.empty() || named->name.starts_with('/');
      frame.file = whole ? std::string() : bounded_text(named->directory) + "/";
      frame.file += bounded_text(named->name);
    }
    return frame;
  }

  /// Returns the index of the chain; -1 if there is no such location.
  std::int32_t add(std::int64_t number) {
    CodeChain chain;
    for (const Metadata* location = at(number, Metadata::Kind::location);
         location != nullptr && chain.size() < max_inlined;
         location = at(location->inlined_at, Metadata::Kind::location))
      chain.push_back(frame(*location));
    if (chain.empty()) return -1;
    out_.chains.push_back(std::move(chain));
    return static_cast<std::int32_t>(out_.chains.size() - 1);
  }

  LlvmLines out_;
  std::unordered_map<std::int64_t, Metadata> metadata_;
};

}  // namespace

LlvmLines read_llvm_lines(std::string_view llir) { return LlvmReader().read(llir); }

}  // namespace warpwalk::compiled
