// The moment of a stop, for clients that show a picture of it.
#include <fmt/format.h>

#include "app/verbs/debug/adapter.h"

namespace warpwalk::verbs {

void DebugAdapter::moment(const JsonReader& arguments) {
  const auto thread = arguments.number("threadId");
  const debug::Focus focus = thread ? focus_of_thread(*thread) : session().focus();
  const DebugTarget& target = run_->target();
  respond([&](MessageJson& json) {
    json.member("cycle", session().cycle());
    json.member("block", focus.block);
    json.member("warp", focus.warp);
    json.member("lane", focus.lane);
    json.member("sm", session().recording().sm_of(focus.block).value_or(0));
    json.member("thread", session().thread_text(focus));
    // What `warpwalk` is given to draw moments of this launch (render --moments).
    json.array("pictures", [&] {
      for (const char* const word : {"render", "--moments"}) json.element(word);
      const auto option = [&](std::string_view name, std::string_view value) {
        json.element(name);
        json.element(value);
      };
      if (target.launch) option("--launch", fmt::format("{}", *target.launch));
      option("--gpu", target.gpu);
      option("--code", target.code);
      if (target.device_debug) json.element("--device-debug");
      json.element("--");
      json.element(std::filesystem::absolute(target.file).string());
    });
  });
}

}  // namespace warpwalk::verbs
