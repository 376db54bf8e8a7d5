#include "app/verbs/moments.h"

#include <algorithm>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include "app/draw/image.h"
#include "app/film/studio.h"
#include "app/verbs/common/files.h"
#include "app/verbs/common/find_device.h"
#include "app/verbs/common/numbers.h"
#include "app/verbs/stages/kernel_history.h"
#include "core/base/base64.h"
#include "core/run/record/launch_trace.h"
#include "core/run/replay/compiled_modules.h"
#include "core/run/replay/load_recorded.h"
#include "core/run/replay/time_travel.h"
#include "core/story/scene_list.h"
#include "core/trace/read/read_trace.h"

namespace warpwalk::verbs {
namespace {

/// A launch as `debug` simulates it, and the walk along it.
struct DebuggedLaunch {
  trace::Trace trace;
  story::Walk walk;
  std::shared_ptr<const run::History> history;
  std::shared_ptr<run::TimeTravel> travel;
  story::HistoryView view;
};

/// The trace of a launch file's launch, as the Kernel lab has it.
base::Result<trace::Trace> trace_of_launch(const DebugTarget& target, int threads) {
  DebugTarget loading = target;
  loading.max_instructions = 1;  // only what is loaded is wanted
  const auto session = DebugLoader({}).load(loading, {});
  if (!session) return base::Error{session.error()};
  const debug::Recording& recording = (*session)->recording();
  run::LoadedLaunch loaded = recording.loaded();
  auto initial = run::initial_buffers(loaded, ~std::uint64_t{0});
  gpu::SimulateOptions how;
  how.threads = threads;
  how.operation_limit = gpu::runaway_limit;
  const auto result = run::run_launch(recording.device(), loaded, how);
  if (!result) return base::Error{result.error()};
  trace::Trace trace = run::trace_of(recording.device(), loaded, *result, std::move(initial));
  if (!loaded.runs_machine_code()) trace.records.modules.front().cubin.clear();
  return trace;
}

/// The launch of a walk that was recorded with its memory.
base::Result<trace::SliceId> kernel_of_walk(const DebugTarget& target, trace::Trace& into) {
  trace::ReadResult read = trace::read_trace(target.file);
  if (read.error) return base::Error{*read.error};
  into = std::move(read.trace);
  run::add_inlined_calls(into, target.file);
  const auto kernels = run::recorded_launches(into);
  if (*target.launch < 1 || *target.launch > kernels.size())
    return base::Error{fmt::format("{} has {} launches that were recorded with their memory; there is no launch {}",
                                   target.file.string(), kernels.size(), *target.launch)};
  return kernels[*target.launch - 1];
}

base::Result<void> load_debugged(const DebugTarget& target, const RenderAssets& assets, DebuggedLaunch& out) {
  const auto device = find_device(target.gpu);
  if (!device) return base::Error{device.error()};
  run::HistoryOptions options = history_options(assets.folder);
  options.device = *device;
  options.max_timed_warp_instructions = target.max_instructions;
  trace::SliceId kernel = 0;
  if (target.launch) {
    const auto of_walk = kernel_of_walk(target, out.trace);
    if (!of_walk) return base::Error{of_walk.error()};
    kernel = *of_walk;
  } else {
    auto made = trace_of_launch(target, options.threads);
    if (!made) return base::Error{made.error()};
    out.trace = std::move(*made);
    kernel = out.trace.kernel_order[0];
  }
  out.walk = story::follow_gpu_work(out.trace, kernel);
  auto history = run::build_history(out.trace, kernel, options);
  if (auto* const none = std::get_if<run::NoHistory>(&history)) return base::Error{std::move(none->reason)};
  out.history = std::move(std::get<0>(history));
  auto travel = run::TimeTravel::make(out.trace, kernel, out.history, options, {}, run::TimeTravel::Kind::debugged);
  if (!travel) return base::Error{travel.error()};
  out.travel = std::move(*travel);
  out.view.state = story::HistoryView::State::ready;
  out.view.history = out.history.get();
  out.view.travel = out.travel.get();
  out.view.take_timing();
  return {};
}

/// A line of JSON on stdout.
class AnswerLine {
 public:
  AnswerLine() { writer_.StartObject(); }
  void number(const char* name, std::int64_t value) {
    writer_.Key(name);
    writer_.Int64(value);
  }
  void text(const char* name, std::string_view value) {
    writer_.Key(name);
    writer_.String(value.data(), static_cast<rapidjson::SizeType>(value.size()));
  }
  /// An array of objects, whose members `each` writes.
  template <class Range, class Each>
  void objects(const char* name, const Range& range, Each each) {
    writer_.Key(name);
    writer_.StartArray();
    for (const auto& element : range) {
      writer_.StartObject();
      each(element);
      writer_.EndObject();
    }
    writer_.EndArray();
  }
  void print() {
    writer_.EndObject();
    std::cout << buffer_.GetString() << std::endl;
  }

 private:
  rapidjson::StringBuffer buffer_;
  rapidjson::Writer<rapidjson::StringBuffer> writer_{buffer_};
};

/// A member of a request that is a whole number; nullopt if there is none.
std::optional<std::int64_t> number_in(const rapidjson::Document& request, const char* name) {
  if (!request.IsObject()) return {};
  const auto member = request.FindMember(name);
  if (member == request.MemberEnd() || !member->value.IsInt64()) return {};
  return member->value.GetInt64();
}

/// Draws the moments of a launch.
class MomentPictures {
 public:
  MomentPictures(const DebuggedLaunch& launch, const RenderAssets& assets, const film::Studio& studio)
      : launch_(launch), assets_(assets), studio_(studio) {}

  /// Writes the members of the answer to a request.
  void answer(const rapidjson::Document& request, AnswerLine& line) const {
    const auto cycle = number_in(request, "cycle"), block = number_in(request, "block");
    const auto warp = number_in(request, "warp");
    if (!cycle || !block || !warp)
      return line.text("error", "a request has `cycle`, `block` and `warp`: whole numbers");
    const auto& sms = launch_.travel->timing().sm;
    if (*block < 0 || static_cast<std::uint64_t>(*block) >= sms.size())
      return line.text("error", "this block is not in the cycles that were simulated");
    const auto sm = static_cast<std::uint16_t>(sms[static_cast<std::size_t>(*block)]);
    const std::int64_t at = std::clamp<std::int64_t>(*cycle, 0, launch_.travel->end(sm));
    const auto moment = launch_.travel->at(sm, at);
    const auto on_sm = std::ranges::find_if(moment->state.warps, [&](const gpu::WarpState& other) {
      return other.place.block == static_cast<std::uint64_t>(*block) && other.place.warp == *warp;
    });
    if (on_sm == moment->state.warps.end())
      return line.text("error",
                       fmt::format("warp {} of block {} is not on an SM in cycle {}: it has not begun, or it has ended",
                                   *warp, *block, *cycle));
    story::Controls controls;
    for (const std::string scene : moment_scenes) {
      controls.set(scene + ".sm", sm);
      controls.set(scene + ".warp", on_sm->place.slot);
    }
    if (const auto lane = number_in(request, "lane")) controls.set("lanes.lane", static_cast<double>(*lane));
    line.objects("pictures", moment_scenes, [&](const char* name) {
      line.text("scene", name);
      write(*story::find_scene(name), at, controls, line);
    });
  }

 private:
  void write(const story::Scene& scene, std::int64_t cycle, const story::Controls& controls, AnswerLine& line) const {
    const auto stage = story::stage_at(scene, {.trace = launch_.trace,
                                               .walk = launch_.walk,
                                               .narration = assets_.words,
                                               .hardware = assets_.hardware,
                                               .moment = {story::Moment::Kind::cycle, cycle, 1},
                                               .controls = controls,
                                               .history = launch_.view});
    if (!stage) return line.text("text", stage.error());
    line.text("title", stage->title);
    line.text("text", stage->sentence);
    if (const auto png = draw::png_of(studio_.image(*stage)))
      line.text("png", base::to_base64({reinterpret_cast<const std::uint8_t*>(png->data()), png->size()}));
  }

  const DebuggedLaunch& launch_;
  const RenderAssets& assets_;
  const film::Studio& studio_;
};

}  // namespace

void add_moments(CLI::App& verb, MomentOptions& options) {
  CLI::Option* const moments =
      verb.add_flag("--moments", options.chosen,
                    "draw the moments at which a debugger stops, for an editor: a request in JSON per line of stdin, "
                    "an answer per line of stdout; FILE is a launch file or a walk");
  verb.add_option("--launch", options.target.launch,
                  "with --moments: which launch of those that a walk has recorded, from 1")
      ->check(whole_number(1, std::uint64_t{1} << 32))
      ->needs(moments);
  verb.add_option("--gpu", options.target.gpu, "with --moments: the GPU to simulate")->needs(moments);
  verb.add_option("--code", options.target.code, "with --moments: auto, sass or ptx")->needs(moments);
  verb.add_flag("-G,--device-debug", options.target.device_debug, "with --moments: as for debug")->needs(moments);
}

int render_moments(const RenderOptions& options, DebugTarget target) {
  if (options.file.empty()) return refuse("render: no file given; write: warpwalk render launch.json --moments");
  target.file = options.file;
  if (target.gpu.empty()) target.gpu = "h200";
  auto studio_options = verbs::studio_options(options);
  if (!studio_options) return refuse(studio_options.error());
  studio_options->picture_only = true;
  const auto assets = render_assets(options);
  if (!assets) return refuse(assets.error());
  const auto studio = film::Studio::open(*std::move(studio_options));
  if (!studio) return refuse(studio.error());
  DebuggedLaunch launch;
  if (const auto done = load_debugged(target, *assets, launch); !done) return refuse(done.error());
  const MomentPictures pictures(launch, *assets, **studio);
  AnswerLine ready;
  ready.number("cycles", static_cast<std::int64_t>(launch.travel->timing().cycles));
  ready.print();
  for (std::string text; std::cout && std::getline(std::cin, text);) {
    rapidjson::Document request;
    request.Parse<rapidjson::kParseIterativeFlag>(text.data(), text.size());
    AnswerLine line;
    line.number("id", number_in(request, "id").value_or(0));
    pictures.answer(request, line);
    line.print();
  }
  return 0;
}

}  // namespace warpwalk::verbs
