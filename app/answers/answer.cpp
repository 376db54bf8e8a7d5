#include "app/answers/answer.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <rapidjson/document.h>
#include <rapidjson/error/en.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include "core/base/result.h"

namespace warpwalk::answers {
namespace {

constexpr std::size_t max_line_bytes = 1u << 16;
constexpr std::size_t max_options = 64;

using Value = rapidjson::Value;

std::string text_of(const Value& value) { return {value.GetString(), value.GetStringLength()}; }

// The members of a line; remembers the first one that is missing or wrong.
class Members {
 public:
  explicit Members(const Value& object) : object_(object) {}

  std::string text(const char* key, bool required) {
    const Value* const value = find(key, required);
    if (value == nullptr) return {};
    if (!value->IsString()) return wrong(key, "a string"), std::string();
    return text_of(*value);
  }
  double number(const char* key, double least, double limit, double fallback) {
    const Value* const value = find(key, false);
    if (value == nullptr) return fallback;
    if (!value->IsNumber() || !(value->GetDouble() >= least && value->GetDouble() <= limit))
      return wrong(key, fmt::format("a number from {:g} to {:g}", least, limit)), fallback;
    return value->GetDouble();
  }
  std::vector<std::string> texts(const char* key) {
    std::vector<std::string> all;
    const Value* const value = find(key, true);
    if (value == nullptr) return all;
    if (!value->IsArray() || value->Size() < 2 || value->Size() > max_options)
      return wrong(key, fmt::format("a list of 2 to {} strings", max_options)), all;
    for (const Value& one : value->GetArray()) {
      if (!one.IsString()) return wrong(key, "a list of strings"), all;
      all.push_back(text_of(one));
    }
    return all;
  }
  /// The option of this text; empty if it is null.
  std::optional<std::size_t> option(const char* key, const std::vector<std::string>& options, bool may_be_null) {
    const Value* const value = find(key, true);
    if (value == nullptr || (may_be_null && value->IsNull())) return {};
    const auto at = value->IsString() ? std::ranges::find(options, text_of(*value)) : options.end();
    if (at == options.end()) return wrong(key, "one of \"options\""), std::optional<std::size_t>();
    return static_cast<std::size_t>(at - options.begin());
  }
  bool flag(const char* key) {
    const Value* const value = find(key, false);
    if (value == nullptr) return false;
    if (!value->IsBool()) return wrong(key, "true or false"), false;
    return value->GetBool();
  }
  const std::string& problem() const { return problem_; }

 private:
  const Value* find(const char* key, bool required) {
    const auto at = object_.FindMember(key);
    if (at != object_.MemberEnd()) return &at->value;
    if (required && problem_.empty()) problem_ = fmt::format("\"{}\" is missing", key);
    return nullptr;
  }
  void wrong(const char* key, std::string_view wanted) {
    if (problem_.empty()) problem_ = fmt::format("\"{}\" is not {}", key, wanted);
  }

  const Value& object_;
  std::string problem_;
};

// Whether all strings are UTF-8. An escape such as \uDDDD, half of a character, makes one that is not.
bool has_valid_text(const Value& value) {
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer, rapidjson::UTF8<>, rapidjson::UTF8<>, rapidjson::CrtAllocator,
                    rapidjson::kWriteValidateEncodingFlag>
      writer(buffer);
  return value.Accept(writer);
}

// The answer in a line.
base::Result<Answer> parse_line(std::string_view line) {
  if (line.size() > max_line_bytes) return base::Error{fmt::format("longer than {} bytes", max_line_bytes)};
  rapidjson::Document document;
  // Iterative, so that deep nesting cannot overflow the stack.
  document.Parse<rapidjson::kParseIterativeFlag | rapidjson::kParseValidateEncodingFlag>(line.data(), line.size());
  if (document.HasParseError())
    return base::Error{
        fmt::format("byte {}: {}", document.GetErrorOffset(), rapidjson::GetParseError_En(document.GetParseError()))};
  if (!document.IsObject()) return base::Error{"not a JSON object"};
  const auto mark = document.FindMember("warpwalk_answer");
  if (mark == document.MemberEnd()) return base::Error{"not an answer: \"warpwalk_answer\" is missing"};
  if (!mark->value.IsInt() || mark->value.GetInt() != 1) return base::Error{"\"warpwalk_answer\" is not 1"};
  if (!has_valid_text(document)) return base::Error{"an escape \\uXXXX is not a character"};
  Members members(document);
  Answer answer;
  answer.time = members.text("time", false);
  answer.session = members.text("session", false);
  answer.student = members.text("student", false);
  answer.walk = members.text("walk", false);
  answer.follow = members.text("follow", false);
  answer.scene = members.text("scene", false);
  answer.beat = static_cast<int>(members.number("beat", 1, 1e6, 1));
  answer.key = members.text("key", true);
  answer.about = members.text("about", false);
  answer.question = members.text("question", true);
  answer.options = members.texts("options");
  answer.chosen = members.option("answer", answer.options, true);
  answer.right = members.option("right", answer.options, false).value_or(0);
  answer.seconds = members.number("seconds", 0, 1e9, 0);
  answer.attempt = static_cast<int>(members.number("attempt", 1, 1e6, 1));
  answer.rehearsal = members.flag("rehearsal");
  if (!members.problem().empty()) return base::Error{members.problem()};
  return answer;
}

}  // namespace

std::string json_line(const Answer& answer) {
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
  const auto string = [&](std::string_view value) {
    writer.String(value.data(), static_cast<rapidjson::SizeType>(value.size()));
  };
  const auto text = [&](const char* key, std::string_view value) {
    writer.Key(key);
    string(value);
  };
  writer.StartObject();
  writer.Key("warpwalk_answer");
  writer.Int(1);
  text("time", answer.time);
  text("session", answer.session);
  if (!answer.student.empty()) text("student", answer.student);
  text("walk", answer.walk);
  if (!answer.follow.empty()) text("follow", answer.follow);
  text("scene", answer.scene);
  writer.Key("beat");
  writer.Int(answer.beat);
  text("key", answer.key);
  text("about", answer.about);
  text("question", answer.question);
  writer.Key("options");
  writer.StartArray();
  for (const std::string& option : answer.options) string(option);
  writer.EndArray();
  writer.Key("answer");
  if (answer.chosen)
    string(answer.options[*answer.chosen]);
  else
    writer.Null();
  text("right", answer.options[answer.right]);
  writer.Key("correct");
  writer.Bool(answer.correct());
  writer.Key("seconds");
  writer.Double(std::round(answer.seconds * 10) / 10);
  writer.Key("attempt");
  writer.Int(answer.attempt);
  if (answer.rehearsal) {
    writer.Key("rehearsal");
    writer.Bool(true);
  }
  writer.EndObject();
  return {buffer.GetString(), buffer.GetSize()};
}

ReadAnswers parse_answers(std::string_view text, std::string_view file_name) {
  ReadAnswers read;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.find_first_not_of(" \t") == std::string_view::npos) continue;
    auto parsed = parse_line(line);
    if (parsed)
      read.answers.push_back(*std::move(parsed));
    else
      read.problems.push_back(fmt::format("{}: line {}: {}", file_name, number, parsed.error()));
  }
  return read;
}

}  // namespace warpwalk::answers
