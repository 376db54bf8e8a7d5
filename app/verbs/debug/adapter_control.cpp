// What ends and reports long work: messages are looked at when they arrive, while an earlier one is being worked on.
#include <algorithm>
#include <array>

#include "app/verbs/debug/adapter.h"
#include "core/base/exact_json.h"

namespace warpwalk::verbs {
namespace {

/// Work that takes less is not reported.
constexpr std::chrono::milliseconds reported_after{500};
constexpr const char* progress_id = "work";

constexpr std::array moving_commands = {std::string_view("continue"), std::string_view("reverseContinue"),
                                        std::string_view("restart"), std::string_view("configurationDone")};

bool moves(std::string_view command) { return std::ranges::find(moving_commands, command) != moving_commands.end(); }
bool ends_session(std::string_view command) { return command == "disconnect" || command == "terminate"; }

const char* title_of(std::string_view command) {
  if (command == "reverseContinue") return "Searching backwards";
  if (moves(command)) return "Searching the next stop";
  if (command == "launch" || command == "attach") return "Simulating the launch";
  if (command == "setVariable" || command == "setExpression" || command == "writeMemory")
    return "Simulating the launch again";
  if (command == "warpwalk/whoWrote") return "Searching who wrote it";
  return "Working";
}

}  // namespace

void DebugAdapter::arrives(std::optional<std::string_view> message) {
  if (!message) {
    gone_ = interrupt_ = true;
    return;
  }
  rapidjson::Document document;
  const bool parsed = !base::parse_exact(*message, document).IsError();
  const JsonReader request(parsed ? &document : nullptr);
  const std::string command = request.text("command");
  const std::lock_guard lock(arrivals_mutex_);
  if (command == "cancel") {
    const JsonReader arguments = request.object("arguments");
    const auto of = arguments.number("requestId");
    const auto waits = [&](const Arrival& arrival) { return arrival.request == of; };
    if (working_ != 0 && (of == working_ || (percent_ && arguments.text("progressId") == progress_id)))
      interrupt_ = true;
    else if (of && std::ranges::any_of(arrivals_, waits))
      cancelled_.insert(*of);
  }
  if (command == "pause" && moves(working_on_)) interrupt_ = true;
  // Of messages that were sent together, the ones before the end are worked on.
  if (ends_session(command) && working_ != 0 && arrivals_.empty()) interrupt_ = true;
  arrivals_.push_back({request.number("seq").value_or(0), command});
}

bool DebugAdapter::begin_work() {
  const std::lock_guard lock(arrivals_mutex_);
  if (!arrivals_.empty()) arrivals_.pop_front();
  if (cancelled_.erase(request_) != 0) return false;
  working_ = request_;
  working_on_ = command_;
  work_began_ = std::chrono::steady_clock::now();
  const bool paused = std::ranges::find(arrivals_, "pause", &Arrival::command) != arrivals_.end();
  interrupt_ = gone_ || (moves(command_) && paused);
  percent_.reset();
  return true;
}

void DebugAdapter::end_work() {
  bool reported = false;
  {
    const std::lock_guard lock(arrivals_mutex_);
    working_ = 0;
    working_on_.clear();
    reported = percent_.has_value();
    percent_.reset();
  }
  if (reported) event("progressEnd", [](MessageJson& json) { json.member("progressId", progress_id); });
}

void DebugAdapter::progressed(std::uint64_t done, std::uint64_t all) {
  if (!progress_ || std::chrono::steady_clock::now() < work_began_ + reported_after) return;
  const std::uint64_t percent = all == 0 ? 0 : std::min<std::uint64_t>(100, 100 * done / all);
  bool first = false;
  {
    const std::lock_guard lock(arrivals_mutex_);
    if (working_ == 0 || (percent_ && percent <= *percent_)) return;
    first = !percent_;
    percent_ = percent;
  }
  event(first ? "progressStart" : "progressUpdate", [&](MessageJson& json) {
    json.member("progressId", progress_id);
    json.member("percentage", percent);
    if (!first) return;
    json.member("title", title_of(command_));
    json.member("requestId", request_);
    json.member("cancellable", true);
  });
}

debug::RecordOptions DebugAdapter::control() {
  debug::RecordOptions how;
  how.cancel = &interrupt_;
  how.progress = [this](std::uint64_t done, std::uint64_t all) { progressed(done, all); };
  return how;
}

/// What it cancels has been ended by arrives().
void DebugAdapter::cancel(const JsonReader&) {}

void DebugAdapter::pause(const JsonReader&) {
  // It stands whenever a request is handled; what was under way has reported its stop.
  respond();
  if (session().stop().reason != debug::StopReason::interrupted) report_stop();
}

void DebugAdapter::disconnect(const JsonReader&) {
  respond();
  if (run_ != nullptr || dump_ != nullptr) {
    event("terminated");
    event("exited", [](MessageJson& json) { json.member("exitCode", 0); });
  }
  done_ = true;
}

}  // namespace warpwalk::verbs
