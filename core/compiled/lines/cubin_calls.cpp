#include <map>
#include <string>
#include <utility>

#include "core/compiled/lines/code_lines.h"
#include "core/sass/elf/cubin.h"
#include "core/sass/encoding.h"

namespace warpwalk::compiled {

std::vector<InstructionChain> instruction_chains(const sass::Cubin& cubin, const sass::CubinFunction& function,
                                                 const PtxLines& ptx) {
  std::map<std::pair<std::string_view, int>, const CodeChain*> by_place;
  for (const CodeChain& chain : ptx.chains) by_place.try_emplace({chain.front().file, chain.front().line}, &chain);
  std::vector<InstructionChain> all;
  const CodeChain* before = nullptr;  // of the PTX
  for (std::uint64_t address = 0; address < function.code.size(); address += sass::instruction_bytes) {
    InstructionChain& here = all.emplace_back();
    const std::vector<sass::SourcePosition> rows = sass::source_positions(cubin, function, address);
    for (const sass::SourcePosition& row : rows)
      here.chain.push_back({std::string(row.file), static_cast<int>(row.line), 0, {}});
    const std::uint32_t line = sass::ptx_line(function, address);
    const std::int32_t of_ptx = line == 0 || line > ptx.of_line.size() ? -1 : ptx.of_line[line - 1];
    const CodeChain* const named = of_ptx < 0 ? nullptr : &ptx.chains[static_cast<std::size_t>(of_ptx)];
    here.without_line = !ptx.chains.empty() && (named == nullptr || named->front().line == 0);
    if (rows.size() != 1) continue;  // the line table has the calls, or no row
    const auto is_row = [&](const CodeChain* chain) {
      return chain != nullptr && chain->front().file == rows.front().file &&
             chain->front().line == static_cast<int>(rows.front().line);
    };
    const CodeChain* chain = is_row(named) ? named : is_row(before) ? before : nullptr;
    if (chain == nullptr)
      if (const auto found = by_place.find({rows.front().file, static_cast<int>(rows.front().line)});
          found != by_place.end())
        chain = found->second;
    if (chain == nullptr) continue;
    here.chain = *chain;
    before = chain;
  }
  return all;
}

}  // namespace warpwalk::compiled
