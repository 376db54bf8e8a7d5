#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "core/records/hardware.h"
#include "core/story/elements/walk.h"
#include "core/story/facts/launch/launch_plan.h"
#include "core/story/facts/launch/stream_queue.h"
#include "core/story/facts/words/gpu_words.h"
#include "core/story/facts/words/rows.h"
#include "core/story/scenes/map/map.h"
#include "core/story/scenes/sm/sm.h"

namespace warpwalk::story {
namespace {

/// Makes cards with the words of [map.card.NAME].
struct Cards {
  const SceneInput& input;
  const Narration::Values& values;

  Card card(std::string_view name, CardLink link, const std::string& variant = {}) const {
    const std::string section = fmt::format("map.card.{}", name);
    const Narration& n = input.narration;
    Card card;
    card.heading = n.text(section, "heading", values);
    card.text = n.text(section, variant.empty() ? "text" : "text." + variant, values);
    card.foot =
        link.key.empty() ? n.text("map.card", "scene", {{"scene", scene_name(link.scene)}}) : n.text(section, "key");
    card.link = std::move(link);
    return card;
  }

 private:
  std::string scene_name(std::string_view scene) const {
    return input.narration.text(scene, input.naming == Naming::hardware ? "hardware" : "company");
  }
};

// How the launch call relates to the work, in words that are true for this trace.
std::string launch_variant(const std::optional<Receipt>& receipt) {
  if (!receipt || receipt->skewed()) return "untimed";
  return receipt->kernel_end > receipt->launch_end ? "" : "late";
}

std::string stream_variant(const StreamQueue& queue) {
  if (queue.how == StreamQueue::How::behind) return queue.ahead.count > 1 ? "many" : "behind";
  return queue.how == StreamQueue::How::alone ? "" : "untimed";
}

// Three things that this walk showed, with their figures; fewer if the trace lacks them.
std::vector<Card> learned(const SceneInput& input, Narration::Values values, Stage& stage) {
  const Trace& trace = input.trace;
  const Walk& walk = input.walk;
  const auto put_time = [&](std::string_view key, std::int64_t ns) {
    values[std::string(key)] = time_text(static_cast<double>(ns));
  };
  const Cards make{input, values};
  FactWriter facts(input, values, stage);
  std::vector<Card> cards;
  if (walk.kernel == no_slice) {
    cards.push_back(make.card("quiet", {"boardroom", "nothing", {}, {}}));
    return cards;
  }
  const std::optional<Receipt> receipt = receipt_of(trace, walk);
  if (receipt) {
    put_time("ahead", receipt->kernel_end - receipt->launch_end);
    put_time("late", receipt->launch_end - receipt->kernel_end);
    const std::int64_t ahead = receipt->kernel_end - receipt->launch_end;
    if (!receipt->skewed()) facts.difference(ahead > 0 ? "ahead" : "late", std::abs(ahead));
  }
  if (walk.launch != no_slice)
    cards.push_back(make.card("launch", {"boardroom", "return", {}, {}}, launch_variant(receipt)));
  if (const auto plan = launch_plan(input, Placed::none)) {
    values["blocks"] = counted_words(input.narration, "blocks", plan->launched_blocks);
    values["threads"] = counted(input, "thread", plan->launched_threads);
    facts.derived("blocks", static_cast<double>(plan->launched_blocks), Unit::count);
    if (plan->counted() && plan->device) {
      values["slots"] = with_thousands(static_cast<std::int64_t>(plan->slots()));
      facts.derived("room", static_cast<double>(plan->slots()), Unit::count);
      values["sms"] = counted_words(input.narration, "sms", static_cast<std::uint64_t>(*plan->device->sm_count));
    }
    cards.push_back(make.card("block", {"launch", "grid", {}, {}},
                              plan->counted() && plan->device && !plan->what_if ? "" : "uncounted"));
  } else if (kernel_detail(trace, walk) == nullptr) {
    cards.push_back(make.card("transfer", {"launch", "engine", {}, {}}));
  }
  const StreamQueue queue = stream_queue_of(trace, walk);
  put_time("queue", queue.queue());
  if (queue.how == StreamQueue::How::behind) facts.difference("waited", queue.queue());
  add_work_ahead(trace, queue.ahead, values);
  values["waiting"] = with_thousands(static_cast<std::int64_t>(queue.ahead.count));
  if (walk.launch != no_slice) cards.push_back(make.card("stream", {"launch", "queue", {}, {}}, stream_variant(queue)));
  return cards;
}

std::vector<Card> tries(const SceneInput& input, Narration::Values values) {
  const trace::KernelDetail* const kernel = kernel_detail(input.trace, input.walk);
  const Cards make{input, values};
  std::vector<Card> cards;
  const auto plan = launch_plan(input, Placed::none);
  if (kernel != nullptr && plan && plan->counted()) {
    // Half of the registers, in the steps of eight in which they are handed out.
    if (const std::int64_t half = kernel->registers / 2 / 8 * 8; half >= 16) {
      values["registers"] = std::to_string(kernel->registers);
      values["half"] = std::to_string(half);
      cards.push_back(make.card("registers", {"sm", "limit", {fmt::format("sm.registers={}", half)}, {}}));
    }
    cards.push_back(make.card("gpu", {"launch", "tail", {"launch.gpu=2"}, {}}));
  }
  const bool nvidia = gpu_words(input.trace, input.walk).nvidia();
  if (kernel != nullptr && nvidia && !one_warp_per_scheduler(input.trace, input.walk))
    cards.push_back(make.card("alone", {"schedulers", "alone", {}, {}}));
  if (cards.size() < 3) cards.push_back(make.card("longest", {{}, {}, {}, "longest_kernel"}));
  if (cards.size() < 3) cards.push_back(make.card("search", {{}, {}, {}, "search"}));
  if (cards.size() < 3) cards.push_back(make.card("names", {{}, {}, {}, "names"}));
  return cards;
}

}  // namespace

void closing_picture(const MapSubject& s, Stage& stage) {
  const SceneInput& input = s.input;
  const Narration::Values& values = s.values;
  const auto word = [&](std::string_view key) { return input.narration.text("map.closing", key); };
  const double phase = input.moment.phase;
  CardPicture picture;
  picture.columns.push_back({word("learned"), Tone::work, learned(input, values, stage), eased(part(phase, 0, 0.3))});
  picture.columns.push_back({word("try"), Tone::followed, tries(input, values), eased(part(phase, 0.33, 0.63))});
  const Cards make{input, values};
  picture.columns.push_back({word("next"),
                             Tone::memory,
                             {make.card("walks", {{}, {}, {}, "start"}), make.card("run", {{}, {}, {}, "run"}),
                              make.card("kernel_lab", {{}, {}, {}, "kernel_lab"})},
                             eased(part(phase, 0.66, 0.96))});
  stage.picture = only(std::move(picture));
}

}  // namespace warpwalk::story
