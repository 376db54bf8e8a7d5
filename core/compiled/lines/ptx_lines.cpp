#include <algorithm>
#include <charconv>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "core/base/text.h"
#include "core/compiled/lines/code_lines.h"

namespace warpwalk::compiled {
namespace {

constexpr std::size_t max_calls = 64;

std::string_view without_blanks(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin);
}

/// Takes a number from the front; 0 if there is none.
int take_number(std::string_view& text) {
  text = without_blanks(text);
  int value = 0;
  const auto [after, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  text.remove_prefix(static_cast<std::size_t>(after - text.data()));
  return error == std::errc() && value > 0 ? value : 0;
}

/// "standard.py:191:40"; a column of 0 is not written.
CodeFrame frame_in(std::string_view text) {
  CodeFrame frame;
  int numbers[2] = {};
  int count = 0;
  for (; count < 2; ++count) {
    const std::size_t colon = text.rfind(':');
    if (colon == std::string_view::npos || colon + 1 == text.size()) break;
    const std::string_view digits = text.substr(colon + 1);
    const auto [after, error] = std::from_chars(digits.data(), digits.data() + digits.size(), numbers[count]);
    if (error != std::errc() || after != digits.data() + digits.size() || numbers[count] < 0) break;
    text = text.substr(0, colon);
  }
  if (count == 0) return frame;
  frame.line = count == 2 ? numbers[1] : numbers[0];
  frame.column = count == 2 ? numbers[0] : 0;
  frame.file = bounded_text(text);
  return frame;
}

class PtxReader {
 public:
  PtxLines read(std::string_view ptx) {
    const std::vector<std::string_view> lines = base::lines_of(ptx);
    for (const std::string_view whole : lines)  // they stand behind the code
      if (const std::string_view line = without_blanks(whole); line.starts_with(".file")) file(line.substr(5));
    std::int32_t now = -1;
    for (const std::string_view whole : lines) {
      const std::string_view line = without_blanks(whole);
      if (line.starts_with(".loc")) {
        now = location(line.substr(4));
      } else if (line.starts_with(".visible") || line.starts_with(".entry") || line.starts_with(".func")) {
        now = -1;
      } else if (line.starts_with(".section")) {
        break;  // .debug_info and the like follow the code
      }
      out_.of_line.push_back(now);
      out_.instruction.push_back(!line.empty() && now_instruction(line));
    }
    // PTX without any call may come from an LLVM that does not write them.
    out_.calls_known.assign(out_.chains.size(), says_calls_);
    return std::move(out_);
  }

 private:
  static bool now_instruction(std::string_view line) {
    const char c = line.front();
    const bool word = (c >= 'a' && c <= 'z') || c == '@';
    return word && !line.ends_with(':');
  }

  void file(std::string_view text) {
    const int number = take_number(text);
    const std::size_t begin = text.find('"');
    if (begin == std::string_view::npos) return;
    const std::size_t end = std::min(text.find('"', begin + 1), text.size());
    std::string path(text.substr(begin + 1, end - begin - 1));
    if (const std::size_t second = text.find('"', end + 1); second != std::string_view::npos)  // folder and name
      path +=
          "/" + std::string(text.substr(second + 1, std::min(text.find('"', second + 1), text.size()) - second - 1));
    path = bounded_text(path);
    by_name_.emplace(std::string(file_name(path)), path);
    files_[number] = std::move(path);
  }

  std::int32_t location(std::string_view text) {
    const int file = take_number(text), line = take_number(text), column = take_number(text);
    const auto own = files_.find(file);
    CodeChain chain{{own == files_.end() ? std::string() : own->second, line, column, {}}};
    const std::size_t comment = text.find("//"), call = text.find("inlined_at");
    if (call < comment) {  // may be the position of a .loc before it, which may be inlined itself
      std::string_view place = text.substr(call + 10);
      const int of_file = take_number(place), of_line = take_number(place), of_column = take_number(place);
      if (const auto caller = by_place_.find({of_file, of_line, of_column}); caller != by_place_.end()) {
        const CodeChain& calls = out_.chains[caller->second];
        chain.insert(chain.end(), calls.begin(), calls.end());
        chain.resize(std::min(chain.size(), max_calls));
      } else if (const auto named = files_.find(of_file); named != files_.end() && of_line > 0) {
        chain.push_back({named->second, of_line, of_column, {}});
      }
      says_calls_ = true;
    } else if (comment != std::string_view::npos) {
      std::string_view rest = text.substr(comment + 2);
      for (std::size_t at = rest.find("@["); at != std::string_view::npos && chain.size() < max_calls;) {
        rest.remove_prefix(at + 2);
        at = rest.find("@[");
        std::string_view place = without_blanks(rest.substr(0, at));
        while (place.ends_with(']')) place = without_blanks(place.substr(0, place.size() - 1));
        says_calls_ = true;
        if (CodeFrame frame = frame_in(place); frame.line > 0) {
          name(frame);
          chain.push_back(std::move(frame));
        }
      }
    }
    by_place_[{file, line, column}] = out_.chains.size();
    out_.chains.push_back(std::move(chain));
    return static_cast<std::int32_t>(out_.chains.size() - 1);
  }

  /// The path of a file that is named without its folder, if only one has this name.
  void name(CodeFrame& frame) const {
    const auto [begin, end] = by_name_.equal_range(frame.file);
    if (begin != end && std::next(begin) == end) frame.file = begin->second;
  }

  PtxLines out_;
  bool says_calls_ = false;  // in inlined_at or in comments
  std::unordered_map<int, std::string> files_;
  std::multimap<std::string, std::string> by_name_;
  std::map<std::tuple<int, int, int>, std::size_t> by_place_;
};

/// Whether a chain of PTX, with files that may lack their folders, is this one of the LLVM IR.
bool same_places(const CodeChain& ptx, const CodeChain& llvm) {
  return std::ranges::equal(ptx, llvm, [](const CodeFrame& a, const CodeFrame& b) {
    return a.line == b.line && a.column == b.column && file_name(a.file) == file_name(b.file);
  });
}

}  // namespace

PtxLines read_ptx_lines(std::string_view ptx) { return PtxReader().read(ptx); }

void complete_from_llvm(PtxLines& ptx, const LlvmLines& llvm) {
  std::map<std::tuple<std::string_view, int, int>, std::vector<const CodeChain*>> by_place;
  for (const CodeChain& chain : llvm.chains)
    by_place[{chain.front().file, chain.front().line, chain.front().column}].push_back(&chain);
  for (std::size_t i = 0; i < ptx.chains.size(); ++i) {
    CodeChain& chain = ptx.chains[i];
    const auto found = by_place.find({chain.front().file, chain.front().line, chain.front().column});
    if (found == by_place.end()) continue;
    const CodeChain* best = nullptr;
    if (ptx.calls_known[i]) {
      const auto same =
          std::ranges::find_if(found->second, [&](const CodeChain* one) { return same_places(chain, *one); });
      if (same != found->second.end()) best = *same;
    } else if (std::ranges::all_of(found->second,
                                   [&](const CodeChain* one) { return *one == *found->second.front(); })) {
      best = found->second.front();
    }
    if (best == nullptr) continue;
    chain = *best;
    ptx.calls_known[i] = true;
  }
}

}  // namespace warpwalk::compiled
