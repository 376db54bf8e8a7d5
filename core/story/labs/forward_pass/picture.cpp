// Pictures of the lab "forward-pass": the call, its frames, levels and launches.
#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/slices.h"
#include "core/story/facts/words/rows.h"
#include "core/story/labs/forward_pass/forward_pass.h"

namespace warpwalk::story {
namespace {

Bar bar_of(const ForwardPass& lab, SliceId slice, Role role, std::int64_t origin, bool followed) {
  const auto& rows = lab.input.trace.slices;
  Bar bar;
  bar.slice = slice;
  bar.label = analysis::label_of(lab.input.trace, slice);
  bar.start = rows.start[slice] - origin;
  bar.end = rows.end(slice) - origin;
  bar.role = role;
  bar.followed = followed;
  return bar;
}

Role role_of_level(Level level) {
  return level == Level::python ? Role::python : level == Level::pytorch ? Role::op : Role::launch;
}

Role role_of_work(const Trace& trace, SliceId work) {
  const trace::SliceKind kind = trace.slices.kind[work];
  return kind == trace::SliceKind::kernel ? Role::kernel : kind == trace::SliceKind::memcpy ? Role::copy : Role::fill;
}

std::int64_t last_end(const ForwardPass& lab, const CallTree& tree) {
  std::int64_t end = lab.input.trace.slices.end(tree.root);
  for (const StartedWork& one : tree.started) end = std::max(end, lab.input.trace.slices.end(one.work));
  return end;
}

void cut_at(std::vector<Bar>& bars, std::int64_t until) {
  std::erase_if(bars, [&](const Bar& bar) { return bar.start >= until; });
  for (Bar& bar : bars) bar.end = std::min(bar.end, until);
}

std::string_view level_key(Level level) {
  return level == Level::python ? "python" : level == Level::pytorch ? "pytorch" : "cuda";
}

// The number of a launch among those of a call, from 1; empty for calls that start nothing.
std::string launch_number(const CallTree& tree, SliceId launch) {
  for (std::size_t i = 0; i < tree.started.size(); ++i)
    if (tree.started[i].launch == launch) return fmt::to_string(i + 1);
  return {};
}

std::string work_number(const CallTree& tree, SliceId work) {
  for (std::size_t i = 0; i < tree.started.size(); ++i)
    if (tree.started[i].work == work) return fmt::to_string(i + 1);
  return {};
}

constexpr Level levels[] = {Level::python, Level::pytorch, Level::cuda};

}  // namespace

Panel frames_timeline(const ForwardPass& lab, double shown) {
  TimelinePicture picture;
  const Trace& trace = lab.input.trace;
  const std::int64_t origin = lab.start(), length = last_end(lab, lab.call.tree) - origin;
  picture.to = static_cast<double>(length) * 1.03;
  const auto until = static_cast<std::int64_t>(shown * picture.to) + 1;
  // Views inside aten::t are in the table only: a projected picture has room for eight rows.
  constexpr std::size_t max_depth = 6;
  RowGroup group;
  Row calls{lab.word("cuda"), {}};
  for (const CallFrame& frame : lab.call.tree.frames) {
    Bar bar = bar_of(lab, frame.slice, role_of_level(frame.level), origin, frame.slice == lab.followed().slice);
    if (frame.level == Level::cuda) {  // named by their numbers, as in the table of kernels
      bar.label = launch_number(lab.call.tree, frame.slice);
      calls.bars.push_back(std::move(bar));
      continue;
    }
    if (frame.depth >= max_depth) continue;
    if (frame.depth >= group.rows.size()) group.rows.resize(frame.depth + 1);
    const std::string level = lab.word(level_key(frame.level));
    if (std::ranges::none_of(group.rows, [&](const Row& one) { return one.name == level; }))
      group.rows[frame.depth].name = level;
    group.rows[frame.depth].bars.push_back(std::move(bar));
  }
  if (!calls.bars.empty()) group.rows.push_back(std::move(calls));
  for (trace::TrackId track = 0; track < trace.tracks.size() && group.rows.size() < 12; ++track) {
    if (!trace.tracks[track].gpu) continue;
    Row row{lab.word("stream", {{"n", analysis::stream_name(trace, track)}}),
            bars_of(lab.input.narration, trace, track, origin, origin + length, length / 400, {},
                    [&](SliceId s) { return trace::is_gpu_work(trace.slices.kind[s]); })};
    if (row.bars.empty()) continue;
    for (Bar& bar : row.bars) {
      bar.start += trace.begin_ns - origin;  // from the trace's start to the call's
      bar.end += trace.begin_ns - origin;
      bar.label = work_number(lab.call.tree, bar.slice);
      bar.followed = !bar.label.empty();
    }
    group.rows.push_back(std::move(row));
  }
  for (Row& row : group.rows) cut_at(row.bars, until);
  picture.groups.push_back(std::move(group));
  return {"", 1, std::move(picture)};
}

Panel frames_table(const ForwardPass& lab, std::size_t most) {
  TablePicture table;
  table.columns = {{lab.word("frame"), 1.3}, {lab.word("own"), 1, true, true}, {lab.word("does"), 1.5}};
  const auto& frames = lab.call.tree.frames;
  const std::size_t rows = std::min(frames.size(), most);
  const std::size_t first = std::min(lab.frame > rows / 2 ? lab.frame - rows / 2 : 0, frames.size() - rows);
  for (std::size_t i = first; i < first + rows; ++i) {
    TableRow& row = table.rows.emplace_back();
    TableCell name = word_cell(std::string(2 * std::min<std::size_t>(frames[i].depth, 12), ' ') +
                               analysis::shortened(lab.frame_name(frames[i]), 44));
    name.code = true;
    name.tip = std::string(lab.input.trace.name(frames[i].slice));
    TableCell does = word_cell(lab.frame_words(frames[i], "short"), Tone::quiet);
    does.tip = lab.frame_words(frames[i], "long");
    row.cells = {
        std::move(name),
        figure_cell(Figure::derived(static_cast<double>(frames[i].own), Unit::nanoseconds, lab.word("own_formula"))),
        std::move(does)};
    row.followed = i == lab.frame;
    row.sets = {{fmt::format("{}.frame", ForwardPass::name), static_cast<double>(i)}};
  }
  return {"", 1, std::move(table)};
}

Panel levels_timeline(const ForwardPass& lab) {
  TimelinePicture picture;
  std::int64_t at = 0;
  picture.to = static_cast<double>(std::max(lab.cpu(), lab.gpu())) * 1.03;
  RowGroup& group = picture.groups.emplace_back();
  const auto bar = [](std::string label, std::int64_t start, std::int64_t length, Role role) {
    Bar made;
    made.label = std::move(label);
    made.start = start;
    made.end = start + length;
    made.role = role;
    made.followed = true;
    return made;
  };
  for (const Level level : levels) {
    const std::int64_t own = own_time(lab.call.tree, level);
    group.rows.push_back(
        {lab.word(level_key(level)), {bar(lab.word(level_key(level)), at, own, role_of_level(level))}});
    at += own;
  }
  if (lab.gpu() > 0) group.rows.push_back({lab.word("gpu"), {bar(lab.word("gpu"), 0, lab.gpu(), Role::kernel)}});
  return {"", 1, std::move(picture)};
}

Panel levels_table(const ForwardPass& lab) {
  TablePicture table;
  table.columns = {{lab.word("level"), 1.2},
                   {lab.word("frames"), 0.7, true},
                   {lab.word("time"), 0.8, true},
                   {lab.word("share"), 0.8, true},
                   {lab.word("spends"), 3}};
  const double cpu = static_cast<double>(std::max<std::int64_t>(1, lab.cpu()));
  for (const Level level : levels) {
    const auto own = static_cast<double>(own_time(lab.call.tree, level));
    table.rows.push_back({{word_cell(lab.word(level_key(level))),
                           number_cell(std::ranges::count_if(
                               lab.call.tree.frames, [&](const CallFrame& frame) { return frame.level == level; })),
                           figure_cell(Figure::derived(own, Unit::nanoseconds, lab.word("level_formula"))),
                           figure_cell(Figure::derived(100 * own / cpu, Unit::percent, lab.word("share_formula"))),
                           word_cell(lab.word(fmt::format("{}_spends", level_key(level))), Tone::quiet)},
                          false});
  }
  return {"", 1, std::move(table)};
}

Panel launches_timeline(const ForwardPass& lab, double shown) {
  TimelinePicture picture;
  const auto& started = lab.call.tree.started;
  if (started.empty()) return {"", 1, std::move(picture)};
  const Trace& trace = lab.input.trace;
  const std::int64_t origin = trace.slices.start[started.front().launch];
  picture.from = -0.03 * static_cast<double>(last_end(lab, lab.call.tree) - origin);
  picture.to = static_cast<double>(last_end(lab, lab.call.tree) - origin) * 1.03;
  picture.groups.resize(2);
  Row& calls = picture.groups[0].rows.emplace_back();
  calls.name = lab.word("cuda");
  Row& works = picture.groups[1].rows.emplace_back();
  works.name = lab.word("gpu");
  for (const StartedWork& one : started) {
    if (calls.bars.empty() || calls.bars.back().slice != one.launch) {
      calls.bars.push_back(bar_of(lab, one.launch, Role::launch, origin, true));
      calls.bars.back().label = launch_number(lab.call.tree, one.launch);
    }
    works.bars.push_back(bar_of(lab, one.work, role_of_work(trace, one.work), origin, true));
    works.bars.back().label = work_number(lab.call.tree, one.work);
    picture.arrows.push_back({one.launch, one.work, shown});
  }
  std::ranges::sort(works.bars, {}, &Bar::start);
  return {"", 1, std::move(picture)};
}

Panel kernels_table(const ForwardPass& lab) {
  TablePicture table;
  table.columns = {{"#", 0.2},
                   {lab.word("work"), 2.2},
                   {lab.word("grid"), 1, true},
                   {lab.word("block"), 0.8, true},
                   {lab.word("time"), 0.8, true},
                   {lab.word("queued"), 1, true},
                   {lab.word("units"), 1.6}};
  const Trace& trace = lab.input.trace;
  constexpr std::size_t max_kernels = 8;
  for (const StartedWork& one : lab.call.tree.started) {
    if (table.rows.size() == max_kernels) break;
    const trace::KernelDetail* const kernel = trace.slices.kind[one.work] == trace::SliceKind::kernel
                                                  ? &trace.kernels[trace.slices.detail[one.work]]
                                                  : nullptr;
    const auto shape = [&](const auto& sizes) { return kernel == nullptr ? "–" : analysis::shape_text(sizes); };
    const std::string name = kernel == nullptr ? lab.word("fill") : analysis::short_kernel_name(trace.name(one.work));
    TableCell cell = word_cell(analysis::shortened(name, 42));
    cell.code = kernel != nullptr;
    cell.tip = std::string(trace.name(one.work));
    const TensorCores cores = kernel == nullptr ? TensorCores::not_a_product : tensor_cores_of(trace.name(one.work));
    constexpr std::string_view keys[] = {"tensor_cores", "cuda_cores", "no_product", "not_said"};
    const Origin origin = trace.records.time_origin();
    const std::int64_t queued = trace.slices.start[one.work] - trace.slices.end(one.launch);
    table.rows.push_back(
        {{number_cell(std::ssize(table.rows) + 1), std::move(cell),
          word_cell(shape(kernel == nullptr ? std::array<std::int32_t, 3>{} : kernel->grid)),
          word_cell(shape(kernel == nullptr ? std::array<std::int32_t, 3>{} : kernel->block)),
          figure_cell(
              Figure::recorded(static_cast<double>(trace.slices.duration[one.work]), Unit::nanoseconds, origin)),
          figure_cell(Figure::derived(static_cast<double>(std::max<std::int64_t>(0, queued)), Unit::nanoseconds,
                                      lab.word("queued_formula"))),
          word_cell(lab.word(keys[static_cast<std::size_t>(cores)]),
                    cores == TensorCores::yes || cores == TensorCores::no ? Tone::plain : Tone::quiet)},
         one.launch == lab.launch()});
  }
  return {"", 1, std::move(table)};
}

Panel backward_timeline(const ForwardPass& lab) {
  TimelinePicture picture;
  const Trace& trace = lab.input.trace;
  std::int64_t longest = 1;
  RowGroup& group = picture.groups.emplace_back();
  const auto add = [&](std::string name, const std::vector<const CallTree*>& trees) {
    Row call{std::move(name), {}}, launches{lab.word("cuda"), {}}, works{lab.word("gpu"), {}};
    const std::int64_t origin = trace.slices.start[trees.front()->root];
    for (const CallTree* const tree : trees) {
      Bar& bar =
          call.bars.emplace_back(bar_of(lab, tree->root, role_of_level(tree->frames.front().level), origin, true));
      if (const std::size_t colon = bar.label.find(": "); bar.label.starts_with("autograd::"))
        bar.label = bar.label.substr(colon == std::string::npos ? 0 : colon + 2);
      for (const StartedWork& one : tree->started) {
        launches.bars.push_back(bar_of(lab, one.launch, Role::launch, origin, true));
        launches.bars.back().label = launch_number(*tree, one.launch);
        works.bars.push_back(bar_of(lab, one.work, role_of_work(trace, one.work), origin, true));
        works.bars.back().label = work_number(*tree, one.work);
      }
      longest = std::max(longest, last_end(lab, *tree) - origin);
    }
    for (Row* const row : {&call, &launches, &works}) {
      std::ranges::sort(row->bars, {}, &Bar::start);
      group.rows.push_back(std::move(*row));
    }
  };
  add(lab.word("forward"), {&lab.call.tree});
  std::vector<const CallTree*> nodes;
  for (const CallTree& tree : lab.call.backward) nodes.push_back(&tree);
  if (!nodes.empty()) add(lab.word("backward"), nodes);
  picture.to = static_cast<double>(longest) * 1.03;
  return {"", 1, std::move(picture)};
}

}  // namespace warpwalk::story
