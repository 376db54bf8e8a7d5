// Pictures of the lab "cuda-triton" about recordings: PTX, counters, times, autotuning.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/records/hardware.h"
#include "core/story/labs/cuda_triton/cuda_triton.h"

namespace warpwalk::story {
namespace {

bool is_access(std::string_view line) {
  return line.find("ld.global") != std::string_view::npos || line.find("st.global") != std::string_view::npos;
}

// The instructions of a kernel with its loads and stores lit; around the first load if they are many.
CodePicture::Column ptx_column(std::string name, std::string_view ptx, std::string_view entry, std::string missing) {
  CodePicture::Column column;
  column.name = std::move(name);
  column.kind = CodeKind::ptx;
  const std::vector<std::string_view> lines = base::lines_of(ptx);
  const std::string head = fmt::format(".entry {}(", entry);
  std::size_t i = 0;
  while (i < lines.size() && lines[i].find(head) == std::string_view::npos) ++i;
  if (i == lines.size()) {
    column.missing = std::move(missing);
    return column;
  }
  while (i < lines.size() && !lines[i].starts_with("{")) ++i;
  for (++i; i < lines.size() && !lines[i].starts_with("}"); ++i) {
    const std::string_view line = lines[i];
    if (line.find(".loc") != std::string_view::npos || line.find(".reg") != std::string_view::npos ||
        line.starts_with("$"))
      continue;
    CodeLine& one = column.window.lines.emplace_back();
    one.number = static_cast<std::int64_t>(i + 1);
    one.text = line.substr(std::min(line.find_first_not_of(" \t"), line.size()));
    std::ranges::replace(one.text, '\t', ' ');
    one.lit = is_access(line);
    column.window.lit_lines += one.lit;
    if (one.lit && column.window.focus == 0) column.window.focus = column.window.lines.size() - 1;
  }
  column.window.all_lines = std::ssize(column.window.lines);
  constexpr std::size_t limit = 60;
  if (column.window.lines.size() > limit) column.window.lines.resize(limit);
  if (column.window.focus >= column.window.lines.size()) column.window.focus = 0;
  return column;
}

// Elements per block against time, at most `top`.
ScatterPoint point_of(const CudaTriton& lab, const records::KernelLaunch& launch, std::size_t group) {
  return {static_cast<double>(launch.elements_per_block()),
          launch.us,
          group,
          lab.word(launch.language == "triton" ? "triton_point" : "cuda_point",
                   {{"block", with_thousands(launch.block)}, {"warps", fmt::to_string(launch.warps)}}),
          time_text(1000 * launch.us),
          false};
}

}  // namespace

Panel ptx_panel(const CudaTriton& lab) {
  CodePicture code;
  const std::string key =
      fmt::format("{}_{}_{}_{}.ptx", lab.kernel, lab.layout.elements, lab.layout.warps, lab.even() ? "even" : "odd");
  code.columns = {ptx_column(lab.word("cuda_ptx"), lab.record->text("cuda.ptx"), lab.kernel, lab.word("no_ptx")),
                  ptx_column(lab.word("triton_ptx"), lab.record->text(key), lab.kernel, lab.word("no_ptx"))};
  return {"", 1, std::move(code)};
}

Panel counters_table(const CudaTriton& lab) {
  TablePicture table;
  table.columns = {{lab.word("version"), 1.5}};
  for (const std::string_view column : {"registers", "per_element", "requests", "sectors", "time"})
    table.columns.push_back({lab.word(column), 1, true});
  const auto add = [&](std::string_view key, const records::KernelLaunch* launch) {
    TableRow& row = table.rows.emplace_back();
    row.cells = {word_cell(lab.word(key))};
    if (launch == nullptr) {
      for (int i = 0; i < 5; ++i) row.cells.push_back(word_cell("–", Tone::quiet));
      return;
    }
    const auto derived = [&](double value, std::string_view formula) {
      return figure_cell(Figure::derived(with_marks(fmt::format("{:.3g}", value)), lab.word(formula)));
    };
    row.cells.push_back(figure_cell(Figure::recorded(launch->registers, Unit::count, Origin::measured)));
    // A warp instruction is executed by 32 threads.
    row.cells.push_back(derived(32 * launch->instructions / launch->simulated, "per_element_formula"));
    row.cells.push_back(derived(1024 * launch->requests / launch->simulated, "requests_formula"));
    row.cells.push_back(derived(launch->sectors / launch->requests, "sectors_formula"));
    row.cells.push_back(figure_cell(Figure::recorded(1000 * launch->us, Unit::nanoseconds, Origin::measured)));
  };
  add("cuda_one", lab.cuda(false));
  add("cuda_four", lab.cuda(true));
  add("triton_here", lab.triton());
  table.rows.back().followed = true;
  return {lab.word("counters"), 1, std::move(table)};
}

Panel times_panel(const CudaTriton& lab) {
  ScatterPicture picture;
  picture.across = {lab.word("per_block"), 24, 12000, true, {}};
  for (double tick = 32; tick <= 8192; tick *= 4)
    picture.across.ticks.emplace_back(tick, with_thousands(std::llround(tick)));
  picture.up = {lab.word("microseconds"), 0, 120, false, {{0, "0"}, {40, "40"}, {80, "80"}, {120, "120"}}};
  picture.groups = {{lab.word("triton_here"), Tone::followed},
                    {lab.word("triton_others"), Tone::work},
                    {lab.word("cuda_one"), Tone::memory},
                    {lab.word("cuda_four"), Tone::shared}};
  for (const records::KernelLaunch& launch : lab.record->launches) {
    const bool four = launch.kernel == lab.kernel + "4";
    if (launch.kernel != lab.kernel && !four) continue;
    const bool even = std::fmod(launch.elements, 16) == 0;
    if (launch.language == "triton" && even != lab.even()) continue;
    const std::size_t group = launch.language == "cuda" ? (four ? 3 : 2) : &launch == lab.triton() ? 0 : 1;
    if (group != 0) picture.points.push_back(point_of(lab, launch, group));
  }
  if (const records::KernelLaunch* const here = lab.triton(); here != nullptr)
    picture.points.push_back(point_of(lab, *here, 0));  // last, so that it is on top
  const double bytes = 4.0 * lab.arrays() * (1 << 24);
  const double least = bytes / *described_gpu(lab.input.hardware, "h200").memory_bandwidth * 1e6;
  picture.lines.push_back({{24, least}, {12000, least}, lab.word("bandwidth"), true});
  return {"", 1, std::move(picture)};
}

Panel autotune_panel(const CudaTriton& lab, double shown) {
  TimelinePicture picture;
  const records::TunedConfig* const winner = lab.winner();
  picture.to = 5000 * (winner == nullptr ? 1 : winner->autotuner_us);  // ns; slower ones end at the edge
  RowGroup& group = picture.groups.emplace_back();
  const std::vector<const records::TunedConfig*> configs = lab.configs();
  const auto tried = static_cast<std::size_t>(std::lround(shown * static_cast<double>(configs.size())));
  const auto bar = [&](std::string_view config, double us, Role role, bool followed) {
    Bar made;
    made.label = fmt::format("{}: {}", config, time_text(1000 * us));
    made.end = std::llround(std::min(1000 * us, picture.to));
    made.role = role;
    made.followed = followed;
    return made;
  };
  for (std::size_t i = 0; i < configs.size(); ++i) {
    // The nine fastest, and the ends of the list.
    const auto faster = std::ranges::count_if(
        configs, [&](const records::TunedConfig* one) { return one->autotuner_us < configs[i]->autotuner_us; });
    if (faster >= 9 && i > 0 && i + 1 < configs.size()) continue;
    Row& row = group.rows.emplace_back();
    if (i < tried)
      row.bars = {bar(configs[i]->text(), configs[i]->autotuner_us, Role::kernel,
                      configs[i]->chosen && tried == configs.size())};
  }
  if (!configs.empty()) group.rows.emplace_back().bars = {bar("cuBLAS", configs.front()->cublas_us, Role::copy, true)};
  return {"", 1, std::move(picture)};
}

}  // namespace warpwalk::story
