#include "core/run/exercise/exercise_work.h"

#include <algorithm>
#include <chrono>
#include <ctime>

#include <fmt/format.h>
#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include "core/run/launch/json_fields.h"

namespace warpwalk::run {
namespace {

using Writer = rapidjson::Writer<rapidjson::StringBuffer>;

void write_text_member(Writer& json, const char* name, const std::string& text) {
  json.Key(name);
  json.String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
}

std::string text_member(const Json& object, std::string_view name) {
  const Json* const value = member(object, name);
  return value != nullptr && value->IsString() ? std::string(view(*value)) : std::string();
}

std::size_t count_member(const Json& object, std::string_view name) {
  const Json* const value = member(object, name);
  return value != nullptr && value->IsUint() ? value->GetUint() : 0;
}

PastAttempt read_attempt_row(const Json& row) {
  PastAttempt attempt;
  attempt.time = text_member(row, "time");
  attempt.source = text_member(row, "source");
  const Json* const passed = member(row, "passed");
  attempt.passed = passed != nullptr && passed->IsTrue();
  attempt.criteria_passed = count_member(row, "criteria_passed");
  attempt.criteria = count_member(row, "criteria");
  const Json* const cycles = member(row, "cycles");
  if (cycles != nullptr && cycles->IsNumber()) attempt.cycles = cycles->GetDouble();
  return attempt;
}

}  // namespace

void ExerciseWork::add(PastAttempt attempt) {
  attempts.push_back(std::move(attempt));
  if (attempts.size() > max_past_attempts) attempts.erase(attempts.begin());
}

bool ExerciseWork::solved() const { return std::ranges::any_of(attempts, &PastAttempt::passed); }

std::optional<double> ExerciseWork::best_cycles() const {
  std::optional<double> best;
  for (const PastAttempt& attempt : attempts)
    if (attempt.passed && attempt.cycles && (!best || *attempt.cycles < *best)) best = attempt.cycles;
  return best;
}

std::string text_of(const ExerciseWork& work) {
  rapidjson::StringBuffer buffer;
  Writer json(buffer);
  json.StartObject();
  json.Key("warpwalk_exercise_work");
  json.Int(1);
  write_text_member(json, "source", work.source);
  json.Key("hints");
  json.Uint64(work.hints);
  json.Key("attempts");
  json.StartArray();
  for (const PastAttempt& attempt : work.attempts) {
    json.StartObject();
    write_text_member(json, "time", attempt.time);
    json.Key("passed");
    json.Bool(attempt.passed);
    json.Key("criteria_passed");
    json.Uint64(attempt.criteria_passed);
    json.Key("criteria");
    json.Uint64(attempt.criteria);
    if (attempt.cycles) {
      json.Key("cycles");
      json.Double(*attempt.cycles);
    }
    write_text_member(json, "source", attempt.source);
    json.EndObject();
  }
  json.EndArray();
  json.EndObject();
  return {buffer.GetString(), buffer.GetSize()};
}

base::Result<ExerciseWork> parse_exercise_work(std::string_view text) {
  rapidjson::Document root;
  if (auto done = parse_json(text, root); !done) return base::Error{done.error()};
  if (!root.IsObject() || !root.HasMember("warpwalk_exercise_work"))
    return base::Error{"is no work on an exercise: it has no \"warpwalk_exercise_work\""};
  ExerciseWork work;
  work.source = text_member(root, "source");
  work.hints = count_member(root, "hints");
  const Json* const attempts = member(root, "attempts");
  if (attempts != nullptr && attempts->IsArray())
    for (const Json& row : attempts->GetArray())
      if (row.IsObject()) work.add(read_attempt_row(row));
  return work;
}

std::string time_now() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm utc{};
  gmtime_r(&now, &utc);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday,
                     utc.tm_hour, utc.tm_min, utc.tm_sec);
}

}  // namespace warpwalk::run
