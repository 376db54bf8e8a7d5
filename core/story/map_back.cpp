// Scene 8: the map back. The company folds into the hardware, and a receipt tells where the time went.
#include <fmt/format.h>

#include <algorithm>

#include "core/story/names.h"
#include "core/story/receipt.h"
#include "core/story/rows.h"
#include "core/story/scene.h"

namespace warpwalk::story {
namespace {

std::int64_t since_start(const Trace& trace, std::int64_t ns) { return ns - trace.begin_ns; }

// Bytes that PyTorch's allocator gave out on the GPU while the outermost op ran, on its thread.
std::optional<std::int64_t> bytes_allocated(const Trace& trace, const Walk& walk) {
  if (walk.ops.empty() || trace.memory.empty()) return {};
  const SliceId root = walk.ops.front();
  const trace::Track& thread = trace.tracks[trace.slices.track[root]];
  std::int64_t bytes = 0;
  for (const trace::MemoryEvent& event : trace.memory) {
    const trace::Track& of = trace.tracks[event.track];
    const bool on_thread = of.pid == thread.pid && of.tid == thread.tid;
    if (!on_thread || event.device_type != 1 || event.bytes == trace::absent || event.bytes < 0) continue;
    if (event.time >= trace.slices.start[root] && event.time <= trace.slices.end(root)) bytes += event.bytes;
  }
  return bytes;
}

std::optional<std::int64_t> sms_of(const Trace& trace, std::int64_t id) {
  for (const trace::Device& device : trace.devices)
    if (device.id == id && device.sms != trace::absent) return device.sms;
  return {};
}

std::vector<Station> stations_of(const SceneInput& input, double folded) {
  const Trace& trace = input.trace;
  const Walk& walk = input.walk;
  const Origin recorded = trace.records.time_origin();
  const trace::KernelDetail* kernel = kernel_detail(trace, walk);
  const bool copy = walk.kernel != no_slice && kernel == nullptr;
  std::vector<Station> stations;
  const auto add = [&](std::string_view key, std::string value, std::string missing, std::string formula) {
    const std::string section = fmt::format("map.station.{}", key);
    stations.push_back({input.narration.text(section, "company"), input.narration.text(section, "hardware"),
                        std::move(value), std::move(missing), formula.empty() ? recorded : Origin::derived, std::move(formula),
                        input.narration.text(section, "task"), folded});
  };
  const auto label = [&](SliceId s) { return s == no_slice ? std::string() : label_of(trace, s); };

  add("boardroom", label(walk.ops.empty() ? walk.op : walk.ops.front()), "no op in this trace", "");
  add("translator", label(walk.kernel), "no GPU work", "");
  const auto bytes = bytes_allocated(trace, walk);
  add("warehouse", bytes ? fmt::format("{} allocated", bytes_text(static_cast<double>(*bytes))) : "", "memory not recorded",
      "bytes of the allocations on the op's thread while it ran, added");
  add("ceo", kernel != nullptr && kernel->grid[0] > 0 ? fmt::format("grid {}", shape_text(kernel->grid)) : "",
      copy ? "a copy has no grid" : "no grid recorded", "");
  const auto sms = walk.kernel == no_slice ? std::nullopt : sms_of(trace, trace.tracks[trace.slices.track[walk.kernel]].device);
  std::string on_sms;
  if (kernel != nullptr && kernel->grid[0] > 0 && sms) {
    const std::int64_t blocks = std::int64_t{kernel->grid[0]} * kernel->grid[1] * kernel->grid[2];
    on_sms = fmt::format("{} {} for {} SMs", with_thousands(blocks), blocks == 1 ? "block" : "blocks", *sms);
  }
  add("vp", on_sms, copy ? "a copy needs no SM" : sms ? "no blocks" : "GPU not described", "blocks = grid x × y × z; SMs from the device's record");
  std::string warps;
  if (kernel != nullptr && kernel->block[0] > 0) {
    const std::int64_t threads = std::int64_t{kernel->block[0]} * kernel->block[1] * kernel->block[2];
    warps = fmt::format("{} warps a block", (threads + 31) / 32);
  }
  add("managers", warps, copy ? "a copy has no warps" : "no block recorded", "threads a block / 32, rounded up");
  add("workers", kernel != nullptr && kernel->registers != trace::absent ? fmt::format("{} registers each", kernel->registers) : "",
      copy ? "a copy has no threads" : "registers not recorded", "");
  return stations;
}

std::vector<ReceiptLine> lines_of(const SceneInput& input, const Receipt& receipt, std::string_view beat, double phase) {
  const Trace& trace = input.trace;
  const auto total = static_cast<double>(receipt.total());
  std::vector<ReceiptLine> lines;
  std::vector<std::string_view> order = {"cpu", "launch", "queue", "kernel"};
  if (receipt.skewed()) std::erase(order, "queue");
  const auto at = std::find(order.begin(), order.end(), beat);
  const std::size_t current = beat == "total" ? order.size() : static_cast<std::size_t>(at - order.begin());
  const bool started = beat != "fold";
  const Narration::Values values = common_values(trace, input.walk);
  const auto add = [&](std::string_view key, std::int64_t start, std::int64_t ns, Role role, std::string formula) {
    ReceiptLine line;
    line.key = key;
    line.label = input.narration.text(fmt::format("map.line.{}", key), "label", values);
    line.note = input.narration.text(fmt::format("map.line.{}", key), "note", values);
    line.start = since_start(trace, start);
    line.end = line.start + ns;
    line.overhead_start = line.overhead_end = line.start;
    line.role = role;
    line.time = formula.empty() ? Figure::recorded(static_cast<double>(ns), Unit::nanoseconds, trace.records.time_origin())
                                : Figure::derived(static_cast<double>(ns), Unit::nanoseconds, std::move(formula));
    if (total > 0 && !receipt.skewed())
      line.share = Figure::derived(100 * static_cast<double>(ns) / total, Unit::percent, "this line / total");
    const std::size_t index = lines.size();
    line.shown = !started ? 0 : index < current ? 1 : index == current ? eased(phase) : 0;
    line.current = started && index == current;
    lines.push_back(std::move(line));
  };
  add("cpu", receipt.op_start, receipt.cpu(), Role::op, "start of the launch call − start of the op");
  if (receipt.overhead > 0) lines.back().note = input.narration.text("map.line.cpu", "note.overhead", values);
  lines.back().overhead_start = since_start(trace, receipt.overhead_start);
  lines.back().overhead_end = since_start(trace, receipt.overhead_end);
  if (receipt.skewed()) {
    add("launch", receipt.launch_start, receipt.launch_end - receipt.launch_start, Role::launch, "");
  } else {
    add("launch", receipt.launch_start, receipt.launch(), Role::launch,
        receipt.launch_end <= receipt.kernel_start ? "" : "start on the GPU − start of the launch call (which returned later)");
    add("queue", receipt.kernel_start - receipt.queue(), receipt.queue(), Role::wait,
        "start on the GPU − return of the launch call, 0 where the GPU started first");
  }
  add("kernel", receipt.kernel_start, receipt.kernel(), role_of(trace, input.walk.kernel, {}), "");
  return lines;
}

}  // namespace

std::vector<Beat> map_beats(const Trace& trace, const Walk& walk) {
  const std::optional<Receipt> receipt = receipt_of(trace, walk);
  if (!receipt) return {{walk.empty() ? "empty" : walk.kernel == no_slice ? "nothing" : "unlaunched", 0}};
  std::vector<Beat> beats = {{"fold", since_start(trace, receipt->op_start)},
                             {"cpu", since_start(trace, receipt->op_start)},
                             {"launch", since_start(trace, receipt->launch_start)}};
  if (!receipt->skewed()) beats.push_back({"queue", since_start(trace, receipt->kernel_start - receipt->queue())});
  beats.push_back({"kernel", since_start(trace, receipt->kernel_start)});
  beats.push_back({"total", since_start(trace, receipt->kernel_end)});
  return beats;
}

Stage map_back(const SceneInput& input) {
  const Trace& trace = input.trace;
  const Walk& walk = input.walk;
  const std::vector<Beat> beats = map_beats(trace, walk);
  const auto index = static_cast<std::size_t>(input.moment.value - 1);
  const std::string& beat = beats[index].key;
  const std::optional<Receipt> receipt = receipt_of(trace, walk);

  Narration::Values values = common_values(trace, walk);
  std::string variant;
  if (receipt) {
    const auto put_time = [&](std::string_view key, std::int64_t ns) { values[std::string(key)] = time_text(static_cast<double>(ns)); };
    put_time("cpu", receipt->cpu());
    put_time("overhead", receipt->overhead);
    put_time("launch", receipt->skewed() ? receipt->launch_end - receipt->launch_start : receipt->launch());
    put_time("queue", receipt->queue());
    put_time("total", receipt->total());
    put_time("early", receipt->launch_end - receipt->kernel_start);
    put_time("skew", receipt->launch_start - receipt->kernel_start);
    if (receipt->waited_for != no_slice) values["waited_for"] = label_of(trace, receipt->waited_for);
    if (beat == "cpu") variant = receipt->overhead > receipt->cpu() / 10 ? "overhead" : "";
    if (beat == "launch") variant = receipt->skewed() ? "skew" : receipt->launch_end > receipt->kernel_start ? "overlap" : "";
    if (beat == "queue") variant = receipt->queue() == 0 ? "none" : receipt->waited_for != no_slice ? "behind" : "";
    if (beat == "total") variant = receipt->skewed() ? "skew" : receipt->kernel() * 2 < receipt->total() ? "" : "kernel";
  }
  std::vector<Beat> named = beats;
  if (!variant.empty()) named[index].key += "." + variant;
  Stage stage = common_stage(input, "map", named, values,
                             beat == "cpu" || beat == "nothing" ? "op" : beat == "launch" ? "driver" : beat == "queue" ? "stream" : beat == "kernel" ? "GPU front end" : "");

  ReceiptPicture picture;
  picture.stations = stations_of(input, beat == "fold" ? eased(input.moment.phase) : 1);
  if (receipt && beat != "fold")
    for (Station& station : picture.stations) station.task.clear();
  if (receipt) {
    picture.lines = lines_of(input, *receipt, beat, input.moment.phase);
    picture.from = since_start(trace, std::min(receipt->op_start, receipt->kernel_start));
    picture.to = since_start(trace, std::max(receipt->kernel_end, receipt->launch_end));
    picture.total = Figure::derived(static_cast<double>(receipt->total()), Unit::nanoseconds,
                                    "end on the GPU − start of the op on the CPU");
    picture.total_shown = beat == "total" ? eased(input.moment.phase) : 0;
    for (const ReceiptLine& line : picture.lines)
      if (line.shown > 0) {
        stage.facts.push_back({line.label, *line.time});
        if (line.key == "cpu" && receipt->overhead > 0)
          stage.facts.push_back({"of it, the profiler itself",
                                 Figure::derived(static_cast<double>(receipt->overhead), Unit::nanoseconds,
                                                 "the profiler's own records that lie in this stretch, added")});
      }
    if (beat == "total") {
      stage.facts.push_back({"Total", *picture.total});
      stage.missing.emplace_back("Simulated times to compare with: none for this op.");
    }
    if (receipt->skewed())
      stage.missing.emplace_back(fmt::format("Time in the queue: unknown. By the GPU's clock the work began {} before its launch.",
                                             values["skew"]));
  } else {
    stage.missing.emplace_back(walk.kernel == no_slice ? "A receipt: this op started no GPU work."
                                                       : "A receipt: the launch of this work lies outside the recorded window.");
  }
  if (beat == "fold" || !receipt) {
    for (const Station& station : picture.stations)
      if (!station.value.empty())
        stage.facts.push_back({station.hardware, station.formula.empty() ? Figure::recorded(shortened(station.value, 30), station.origin)
                                                                         : Figure::derived(shortened(station.value, 30), station.formula)});
  }
  stage.picture = std::move(picture);
  return stage;
}

}  // namespace warpwalk::story
