#include "core/trace/flight/json_document.h"

#include <bit>
#include <span>
#include <vector>

#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

namespace warpwalk::trace::flight {
namespace {

using pickle::Document;
using pickle::Value;

/// Takes the events of rapidjson's reader. It does not recurse.
class JsonEvents {
 public:
  explicit JsonEvents(Document& document) : document_(document) {}

  bool Null() { return push({}); }
  bool Bool(bool value) { return push({Value::Kind::boolean, value ? 1u : 0u}); }
  bool Int(int value) { return push(Value::integer(value)); }
  bool Uint(unsigned value) { return push(Value::integer(value)); }
  bool Int64(std::int64_t value) { return push(Value::integer(value)); }
  bool Uint64(std::uint64_t value) { return push({Value::Kind::integer, value}); }
  bool Double(double value) { return push({Value::Kind::real, std::bit_cast<std::uint64_t>(value)}); }
  bool RawNumber(const char*, rapidjson::SizeType, bool) { return push({Value::Kind::other, 0}); }
  bool String(const char* text, rapidjson::SizeType length, bool) { return push(document_.new_text({text, length})); }
  bool Key(const char* text, rapidjson::SizeType length, bool copy) { return String(text, length, copy); }
  bool StartObject() { return open(document_.new_dictionary()); }
  bool EndObject(rapidjson::SizeType) { return close(); }
  bool StartArray() { return open(document_.new_list()); }
  bool EndArray(rapidjson::SizeType) { return close(); }

  /// Puts what is open into what it belongs to, and returns the outermost value.
  Value finish() {
    while (!open_.empty()) close();
    return values_.empty() ? Value{} : values_.front();
  }

 private:
  bool push(Value value) {
    values_.push_back(value);
    return true;
  }
  bool open(Value container) {
    push(container);
    open_.push_back(values_.size());
    return true;
  }
  bool close() {
    const std::size_t from = open_.back();
    open_.pop_back();
    const Value container = values_[from - 1];
    const std::span<const Value> items = std::span(values_).subspan(from);
    if (container.is(Value::Kind::list))
      document_.append(container, items);
    else
      document_.set(container, items.first(items.size() / 2 * 2), true);
    values_.resize(from);
    return true;
  }

  Document& document_;
  std::vector<Value> values_;
  std::vector<std::size_t> open_;  // the indices of the first values inside
};

}  // namespace

JsonDocument read_json(std::string_view text, pickle::Document& document) {
  JsonEvents events(document);
  rapidjson::Reader reader;
  rapidjson::MemoryStream stream(text.data(), text.size());
  const rapidjson::ParseResult done = reader.Parse<rapidjson::kParseIterativeFlag>(stream, events);
  JsonDocument result;
  result.top = events.finish();
  if (done.IsError()) result.damaged_at = done.Offset();
  return result;
}

}  // namespace warpwalk::trace::flight
