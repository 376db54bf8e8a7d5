#include "core/ptx/opcode.h"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/enum_names.h"
#include "core/ptx/lookup.h"

namespace warpwalk::ptx {
namespace {

/// Ends of names that have an underscore. In the rest of an enumerator, an underscore stands for a dot: cvt_pack is
/// cvt.pack.
constexpr std::string_view underscored[] = {"arrive_drop", "commit_group", "complete_tx",   "cp_fenceproxy",
                                            "expect_tx",   "mma_async",    "pending_count", "test_wait",
                                            "try_wait",    "wait_all",     "wait_group"};

std::string dotted(std::string_view enumerator) {
  std::string name(enumerator);
  std::ranges::replace(name, '_', '.');
  for (const std::string_view end : underscored)
    if (enumerator.ends_with(end)) name.replace(name.size() - end.size(), end.size(), end);
  return name;
}

/// Indexed by Opcode; none has an empty name.
const std::vector<std::string>& opcode_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> made = {""};
    for (const std::string_view enumerator : std::span(base::enum_names<Opcode>).subspan(1))
      made.push_back(dotted(enumerator));
    return made;
  }();
  return names;
}

std::unordered_map<std::string_view, Opcode> opcodes_by_name() {
  std::unordered_map<std::string_view, Opcode> map;
  for (std::size_t i = 1; i < opcode_names().size(); ++i) map.emplace(opcode_names()[i], static_cast<Opcode>(i));
  return map;
}

}  // namespace

std::string_view name_of(Opcode opcode) { return opcode_names()[static_cast<std::size_t>(opcode)]; }

Opcode match_opcode(std::string_view word, std::size_t& length) {
  static const std::unordered_map<std::string_view, Opcode> by_name = opcodes_by_name();
  Opcode best = Opcode::none;
  std::size_t end = 0;
  // No opcode has more than five parts.
  for (int parts = 0; parts < 5 && end != std::string_view::npos; ++parts) {
    end = word.find('.', parts == 0 ? 0 : end + 1);
    const auto found = by_name.find(word.substr(0, end));
    if (found == by_name.end()) continue;
    best = found->second;
    length = found->first.size();
  }
  return best;
}

}  // namespace warpwalk::ptx
