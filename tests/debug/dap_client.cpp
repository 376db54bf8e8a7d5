#include "tests/debug/dap_client.h"

#include <stdexcept>

#include <fmt/format.h>

namespace warpwalk::debug::testing {

DapClient::DapClient() {
  verbs::DebugLoader loader(
      [](const auto&, const auto&) -> base::Result<void> { return base::Error{"no program is compiled here"}; });
  verbs::DebugTarget target;
  target.gpu = WARPWALK_SOURCE_DIR "/assets/devices/h200.json";
  adapter_ = std::make_unique<verbs::DebugAdapter>(std::move(loader), std::move(target), [this](std::string_view m) {
    auto message = std::make_unique<rapidjson::Document>();
    message->Parse(m.data(), m.size());
    if (message->HasParseError()) throw std::runtime_error("a message that is not JSON: " + std::string(m));
    received_.push_back(std::move(message));
  });
}

const rapidjson::Document* DapClient::event(std::string_view name) const {
  const rapidjson::Document* found = nullptr;
  for (const auto& message : received_)
    if (message->HasMember("event") && (*message)["event"].GetString() == name) found = message.get();
  return found;
}

const rapidjson::Document& DapClient::request(const std::string& command, const std::string& arguments) {
  received_.clear();
  ++requests_;
  adapter_->handle(fmt::format(R"({{"seq": {}, "type": "request", "command": "{}", "arguments": {}}})", ++sequence_,
                               command, arguments));
  if (const rapidjson::Document* const stopped = event("stopped")) thread_ = (*stopped)["body"]["threadId"].GetInt64();
  for (const auto& message : received_)
    if (message->HasMember("request_seq") && (*message)["request_seq"].GetInt() == sequence_) return *message;
  throw std::runtime_error("no response to " + command);
}

void DapClient::launch(const std::string& program, const std::string& code) {
  request("initialize", R"({"adapterID": "warpwalk"})");
  const auto& launched =
      request("launch", fmt::format(R"({{"program": "{}", "code": "{}", "stopOnEntry": true}})", program, code));
  if (!launched["success"].GetBool()) throw std::runtime_error(launched["message"].GetString());
  request("configurationDone");
  requests_ = 0;
}

int DapClient::line() {
  const auto& stack = request("stackTrace", fmt::format(R"({{"threadId": {}}})", thread_));
  const auto& frames = stack["body"]["stackFrames"];
  return frames.Empty() ? 0 : frames[0]["line"].GetInt();
}

}  // namespace warpwalk::debug::testing
