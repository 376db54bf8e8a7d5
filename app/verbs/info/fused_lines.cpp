#include "app/verbs/info/fused_lines.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "core/base/quantity_text.h"
#include "core/base/text.h"
#include "core/compiled/line_shares.h"
#include "core/compiled/lines/chain.h"

namespace warpwalk::verbs {

std::vector<FusedLine> fused_lines(const trace::Trace& trace, const compiled::Compiled& compiled) {
  std::map<trace::StringId, std::int64_t> times;
  for (const trace::SliceId kernel : trace.kernel_order)
    times[trace.slices.name[kernel]] += trace.slices.duration[kernel];
  std::vector<FusedLine> lines;
  for (const auto& [name, time] : times) {
    const std::string kernel(trace.text(name));
    const std::vector<compiled::LineShare> shares = compiled::line_shares(compiled, kernel);
    std::int64_t left = time;
    for (const compiled::LineShare& share : shares) {
      const bool last = &share == &shares.back();
      const std::int64_t part =
          last ? left : std::min<std::int64_t>(left, std::llround(share.share * static_cast<double>(time)));
      left -= part;
      auto line = std::ranges::find_if(lines, [&](const FusedLine& one) {
        return one.python.line == share.python.line && one.python.file == share.python.file;
      });
      if (line == lines.end()) line = lines.insert(lines.end(), {share.python, 0, {}});
      line->gpu_ns += part;
      line->kernels.push_back({kernel, share.share, part});
    }
  }
  for (FusedLine& line : lines)
    std::ranges::stable_sort(line.kernels, std::ranges::greater{}, &FusedLine::Kernel::gpu_ns);
  std::ranges::stable_sort(lines, std::ranges::greater{}, &FusedLine::gpu_ns);
  return lines;
}

std::string fused_lines_table(InfoFigures& figures) {
  constexpr std::size_t most_lines = 10, most_kernels = 3;
  const std::vector<FusedLine> lines = fused_lines(figures.trace(), figures.compiled());
  if (lines.empty()) return {};
  std::string out =
      "\ncompiled kernels by line of the program (a kernel counts to the nodes that it fuses, in equal parts)\n";
  for (std::size_t i = 0; i < std::min(lines.size(), most_lines); ++i) {
    const FusedLine& line = lines[i];
    out += fmt::format("  {:>10}  {}:{}  {}\n", base::time_text(static_cast<double>(line.gpu_ns)),
                       compiled::file_name(line.python.file), line.python.line, base::one_line(line.python.code));
    for (std::size_t k = 0; k < std::min(line.kernels.size(), most_kernels); ++k)
      out += fmt::format("  {:>10}    {:.0f} % of {}\n", base::time_text(static_cast<double>(line.kernels[k].gpu_ns)),
                         100 * line.kernels[k].share, base::one_line(line.kernels[k].name));
    if (line.kernels.size() > most_kernels)
      out += fmt::format("  {:>10}    and {} more\n", "", line.kernels.size() - most_kernels);
  }
  if (lines.size() > most_lines) out += fmt::format("  {:>10}  and {} more lines\n", "", lines.size() - most_lines);
  return out;
}

void write_fused_lines(JsonWriter& json, InfoFigures& figures) {
  if (figures.compiled().kernels.empty()) return;
  json.array("fused_lines", fused_lines(figures.trace(), figures.compiled()), [&](const FusedLine& line) {
    json.object([&] {
      json.text("file", line.python.file);
      json.integer("line", line.python.line);
      json.text("function", line.python.function);
      json.text("code", line.python.code);
      json.integer("gpu_ns", line.gpu_ns);
      json.array("kernels", line.kernels, [&](const FusedLine::Kernel& kernel) {
        json.object([&] {
          json.text("name", kernel.name);
          json.real("share_pct", 100 * kernel.share);
          json.integer("gpu_ns", kernel.gpu_ns);
        });
      });
    });
  });
}

}  // namespace warpwalk::verbs
