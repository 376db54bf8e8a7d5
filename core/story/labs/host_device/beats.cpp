// Lab: how data gets to the GPU and back, and what the CPU waits for.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/story/beats/beat_of.h"
#include "core/story/labs/host_device/host_device.h"
#include "core/story/labs/lab_parts.h"
#include "core/story/labs/labs.h"
#include "core/story/pictures/hide.h"

namespace warpwalk::story {
namespace {

constexpr std::string_view use_keys[] = {"use_copied", "use_mapped", "use_managed", "use_prefetched"};

// The number of the shortest of the four.
std::size_t fastest_use(const UseCosts& costs) {
  const double ns[] = {costs.copied, costs.mapped, costs.managed, costs.prefetched};
  return static_cast<std::size_t>(std::ranges::min_element(ns) - ns);
}

// The fewest kernels on the same data for which copying is faster than mapped memory; 0 if none of the slider's are.
int uses_for_copying(const HostDevice& lab) {
  for (int uses = 1; uses <= 64; ++uses)
    if (const auto costs = use_costs(lab.record, lab.bytes, uses); costs && costs->copied < costs->mapped) return uses;
  return 0;
}

// The shortest time of all ways at the chosen size.
double shortest_ns(const HostDevice& lab) {
  double least = total_ns(lab.calls(Way::pageable));
  for (std::size_t i = 1; i < way_count; ++i) least = std::min(least, total_ns(lab.calls(static_cast<Way>(i))));
  return least;
}

double copy_ns(const std::vector<CallSpan>& spans) {
  double copies = 0;
  for (const CallSpan& span : spans)
    if (span.lane == Lane::copies) copies += span.to - span.from;
  return copies;
}

std::vector<Task> tasks_of(const HostDevice& lab) {
  const std::vector<CallSpan> calls = lab.calls(lab.way);
  const std::optional<double> even = break_even(lab.compared());
  return {{"small", lab.way == Way::async && copy_ns(calls) < total_ns(calls) / 4},
          {"largest", lab.bytes == lab.sizes.back() && total_ns(calls) <= 1.01 * shortest_ns(lab)},
          {"uses", lab.bytes >= 64 << 20 && lab.uses > 1 && lab.uses == uses_for_copying(lab)},
          {"never", !lab.pinned && lab.adds >= 100 && !even},
          {"early", lab.pinned && even && *even <= 65536}};
}

// How many times as fast the copy to the GPU is from pinned memory.
double pinned_gain(const HostDevice& lab) {
  return lab.done_ns("h2d_pageable") / std::max(1.0, lab.done_ns("h2d_pinned"));
}

std::string even_text(const HostDevice& lab, const std::optional<double>& from) {
  return from ? lab.word("even_from", {{"n", count_text(lab.input.narration, "element", std::llround(*from))}})
              : lab.word("even_never");
}

Narration::Values values_of(const HostDevice& lab) {
  Narration::Values values;
  if (!lab.recorded()) return values;
  const std::vector<CallSpan> calls = lab.calls(lab.way);
  double kernel = 0;
  for (const CallSpan& span : calls)
    if (span.lane == Lane::gpu) kernel += span.to - span.from;
  const auto percent = [](double share, double of) {
    return with_marks(fmt::format("{:.2g} %", 100 * share / std::max(of, 1.0)));
  };
  values["size"] = bytes_text(lab.bytes);
  values["way"] = lab.word(HostDevice::way_keys[static_cast<std::size_t>(lab.way)]);
  values["total"] = time_text(total_ns(calls));
  values["kernel"] = percent(kernel, total_ns(calls));
  values["gain"] = lab.times_text(pinned_gain(lab));
  values["async_returned"] = time_text(lab.returned_ns("h2d_pinned_async"));
  values["async_done"] = time_text(lab.done_ns("h2d_pinned_async"));
  values["pinned_rate"] = lab.rate_text(lab.bytes / std::max(1.0, lab.done_ns("h2d_pinned")));
  values["step"] = lab.word(lab.steps()[lab.step].key);
  values["step_time"] = time_text(lab.done_ns(lab.steps()[lab.step].record));
  values["faulting"] = lab.times_text(lab.done_ns("managed_kernel_first") / std::max(1.0, lab.done_ns("kernel")));
  values["uses"] = lab.uses_text(lab.uses);
  if (const auto costs = use_costs(lab.record, lab.bytes, lab.uses))
    values["fastest"] = lab.word(use_keys[fastest_use(*costs)]);
  values["adds"] = lab.adds_text();
  values["from"] = even_text(lab, break_even(lab.compared()));
  values["kind"] = lab.word(lab.pinned ? "pinned_memory" : "pageable_memory");
  values["malloc_host"] = time_text(lab.returned_ns("malloc_host"));
  return values;
}

void calls_facts(const HostDevice& lab, FactWriter& facts) {
  const std::vector<CallSpan> calls = lab.calls(lab.way);
  facts.derived("total", total_ns(calls), Unit::nanoseconds);
  facts.derived("busy", cpu_busy_ns(calls), Unit::nanoseconds);
  for (const CallSpan& span : calls)
    if (span.lane == Lane::cpu && !span.waits && !has_room(span, total_ns(calls)))
      facts.named(lab.word(span.key), measured_time(span.to - span.from));
}

void copies_facts(const HostDevice& lab, FactWriter& facts) {
  facts.fact("async_returned", measured_time(lab.returned_ns("h2d_pinned_async")));
  facts.fact("async_done", measured_time(lab.done_ns("h2d_pinned_async")));
  facts.derived("gain", lab.times_text(pinned_gain(lab)));
}

void bandwidth_facts(const HostDevice& lab, FactWriter& facts) {
  for (const std::string_view key : {"h2d_pageable", "h2d_pinned", "d2h_pageable", "d2h_pinned"})
    facts.named(lab.word(key), Figure::derived(lab.rate_text(lab.bytes / std::max(1.0, lab.done_ns(key))),
                                               facts.word("formula", "rate")));
  facts.derived("on_gpu", lab.rate_text(2 * lab.bytes / std::max(1.0, lab.done_ns("d2d"))));
  if (link_rate(lab.record) > 0) facts.derived("link", lab.rate_text(link_rate(lab.record)));
}

void managed_facts(const HostDevice& lab, FactWriter& facts) {
  facts.fact("device_kernel", measured_time(lab.done_ns("kernel")));
  facts.fact("first_kernel", measured_time(lab.done_ns("managed_kernel_first")));
  facts.derived("faulting", lab.times_text(lab.done_ns("managed_kernel_first") / std::max(1.0, lab.done_ns("kernel"))));
  facts.fact("plain_read", measured_time(lab.done_ns("host_read")));
}

void uses_facts(const HostDevice& lab, FactWriter& facts) {
  if (const auto costs = use_costs(lab.record, lab.bytes, lab.uses)) {
    facts.derived("copied", costs->copied, Unit::nanoseconds);
    facts.derived("mapped", costs->mapped, Unit::nanoseconds);
    facts.derived("managed", costs->managed, Unit::nanoseconds);
    facts.derived("prefetched", costs->prefetched, Unit::nanoseconds);
  }
}

void even_facts(const HostDevice& lab, FactWriter& facts) {
  std::vector<ComparedSize> sizes = lab.compared();
  facts.derived("even", even_text(lab, break_even(sizes)));
  for (ComparedSize& one : sizes) one.copies = 0;
  facts.derived("without_copies", even_text(lab, break_even(sizes)));
}

void complete_host_device(HostDevice& lab, const Narration::Values& values, Stage& stage) {
  stage.controls = lab.take_controls();
  if (!lab.recorded()) return;
  FactWriter facts(lab.input, values, stage);
  for (const std::string_view key : {"gpu", "cpu", "driver", "cuda"})
    if (const std::string_view text = lab.record.note(key); !text.empty())
      facts.fact(fmt::format("machine_{}", key), Figure::recorded(std::string(text), Origin::measured));
}

std::optional<MissingData> no_host_device_record(const HostDevice& lab) {
  return lab.recorded() ? std::nullopt : std::optional(MissingData{"record"});
}

ControlNames size_control(const HostDevice&) { return {"size"}; }

std::optional<Ask> gain_question(const HostDevice& lab) {
  Ask gain{"gain", bytes_text(lab.bytes), range_options(lab.input.narration, pinned_gain(lab), {2, 4, 8, 16}, ""), {}};
  gain.hide = [](Panels& panels) {  // copies from pageable memory stay, those from pinned memory go
    auto* const rates = picture_at<ScatterPicture>(panels, 0, 0);
    if (rates == nullptr) return;
    hide_group(*rates, 0);
    hide_group(*rates, 2);
  };
  return gain;
}

constexpr Frame<HostDevice> host_device_frame = {.subject = [](const Here& here) { return HostDevice(here.input); },
                                                 .stop = "memory",
                                                 .values = values_of,
                                                 .complete = complete_host_device};

constexpr BeatOf<HostDevice> host_device_beats[] = {
    {.key = "calls",
     .missing = no_host_device_record,
     .facts = calls_facts,
     .panels = [](const HostDevice& lab) -> PanelRows {
       return {{1.2, {calls_panel(lab, lab.progress())}}, {1, {ways_table(lab)}, true}};
     },
     .controls = [](const HostDevice&) -> ControlNames {
       return {"size", "way"};
     }},
    {.key = "copies",
     .missing = no_host_device_record,
     .facts = copies_facts,
     .panels = [](const HostDevice& lab) -> PanelRows {
       return {{1, {pieces_panel(lab, false, lab.progress()), pieces_panel(lab, true, lab.progress())}},
               {1.3, {copies_table(lab)}, true}};
     },
     .controls = size_control},
    {.key = "bandwidth",
     .missing = no_host_device_record,
     .facts = bandwidth_facts,
     .panels = [](const HostDevice& lab) -> PanelRows {
       return {{1, {bandwidth_panel(lab)}}};
     },
     .controls = size_control,
     .question = gain_question},
    {.key = "managed",
     .missing = no_host_device_record,
     .facts = managed_facts,
     .panels = [](const HostDevice& lab) -> PanelRows {
       return {{1, {pages_panel(lab, lab.progress())}}, {1, {steps_table(lab)}, true}};
     },
     .controls = [](const HostDevice&) -> ControlNames {
       return {"size", "advice"};
     }},
    {.key = "uses",
     .missing = no_host_device_record,
     .facts = uses_facts,
     .panels = [](const HostDevice& lab) -> PanelRows {
       return {{1, {uses_panel(lab)}}};
     },
     .controls = [](const HostDevice&) -> ControlNames {
       return {"size", "uses"};
     }},
    {.key = "even",
     .missing = no_host_device_record,
     .facts = even_facts,
     .panels = [](const HostDevice& lab) -> PanelRows {
       return {{1, {even_panel(lab)}}};
     },
     .controls = [](const HostDevice&) -> ControlNames {
       return {"adds", "pinned"};
     }},
    {.key = "kinds",
     .missing = no_host_device_record,
     .panels = [](const HostDevice& lab) -> PanelRows {
       return {{1.3, {kinds_panel(lab)}, true}, {1, {platform_panel(lab)}, true}};
     },
     .controls = size_control},
    {.key = "mistakes",
     .missing = no_host_device_record,
     .panels = [](const HostDevice& lab) -> PanelRows {
       return {{1, {mistake_code(lab), mistake_reason(lab)}}, {1.6, {mistakes_table(lab)}, true}};
     },
     .controls = [](const HostDevice&) { return ControlNames{}; }},
    {.key = "tasks",
     .missing = no_host_device_record,
     .panels = [](const HostDevice& lab) -> PanelRows {
       return {{1, {tasks_panel(lab.input, HostDevice::name, tasks_of(lab))}, true},
               {1, {ways_table(lab)}, true, true}};
     },
     .controls = [](const HostDevice&) -> ControlNames {
       return {"size", "way", "uses", "adds", "pinned"};
     }}};

}  // namespace

const Contents& host_device_lab() {
  static const BeatTable table(HostDevice::name, host_device_frame, host_device_beats);
  return table;
}

}  // namespace warpwalk::story
