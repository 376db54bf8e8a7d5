#include "core/compiled/line_shares.h"

#include <algorithm>

namespace warpwalk::compiled {
namespace {

std::vector<PythonLine> lines_of_nodes(const CompiledKernel& kernel) {
  std::vector<PythonLine> lines;
  for (const FxNode& node : kernel.fx)
    if (node.python.line > 0) lines.push_back(node.python);
  if (!lines.empty()) return lines;
  for (const PythonLine& line : kernel.python)
    if (line.line > 0) lines.push_back(line);
  return lines;
}

}  // namespace

std::vector<LineShare> line_shares(const Compiled& compiled, std::string_view kernel) {
  std::vector<std::vector<PythonLine>> kernels;
  for (const CompiledKernel& one : compiled.kernels)
    if (one.name == kernel)
      if (auto lines = lines_of_nodes(one); !lines.empty()) kernels.push_back(std::move(lines));
  std::vector<LineShare> shares;
  for (const std::vector<PythonLine>& lines : kernels)
    for (const PythonLine& line : lines) {
      const auto same = [&](const LineShare& share) {
        return share.python.line == line.line && share.python.file == line.file;
      };
      auto share = std::ranges::find_if(shares, same);
      if (share == shares.end()) share = shares.insert(shares.end(), {line, 0});
      share->share += 1 / static_cast<double>(lines.size() * kernels.size());
    }
  std::ranges::stable_sort(shares, std::ranges::greater{}, &LineShare::share);
  return shares;
}

}  // namespace warpwalk::compiled
