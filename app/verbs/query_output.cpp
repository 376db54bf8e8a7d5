#include "app/verbs/query_output.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include "app/verbs/common/terminal.h"
#include "core/analysis/names/short_names.h"
#include "core/ops/expression/utf8.h"

namespace warpwalk::verbs {
namespace {

using Kind = query::Value::Kind;

/// Prints bytes as they are; on a terminal without control characters. Returns false once stdout fails: main() says so.
bool put(std::string_view text, bool terminal) {
  const std::string clean = terminal ? terminal_text(text) : std::string();
  const std::string_view bytes = terminal ? std::string_view(clean) : text;
  return std::fwrite(bytes.data(), 1, bytes.size(), stdout) == bytes.size();
}

std::string hex_text(std::string_view bytes) {
  std::string out;
  for (const char c : bytes) out += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return out;
}

std::string quoted_json(std::string_view text) {
  std::string valid;  // bytes that are not UTF-8 cannot be in JSON
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t bytes = ops::character_bytes(text, at);
    valid += bytes == 0 ? std::string_view("\xef\xbf\xbd") : text.substr(at, bytes);  // U+FFFD
    at += std::max<std::size_t>(bytes, 1);
  }
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
  writer.String(valid.data(), static_cast<rapidjson::SizeType>(valid.size()));
  return {buffer.GetString(), buffer.GetSize()};
}

/// Characters of a text, each of which takes one column of a terminal.
std::size_t text_width(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

/// Aligns columns by the first thousand rows; later ones follow as they come, so that a long result needs no memory.
class TableOutput : public QueryOutput {
 public:
  explicit TableOutput(bool terminal) : terminal_(terminal) {}

  void columns(const std::vector<std::string>& names) override {
    for (const std::string& name : names) names_.push_back(terminal_line(name));
    numeric_.assign(names.size(), true);
  }
  bool row(const std::vector<query::Value>& values) override {
    std::vector<std::string> cells;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const Kind kind = values[i].kind;
      if (!aligned_ && kind != Kind::null) numeric_[i] = numeric_[i] && kind != Kind::text && kind != Kind::blob;
      cells.push_back(table_cell(values[i], terminal_));
    }
    constexpr std::size_t held_rows = 1000;
    if (aligned_) return put(line_of(cells), terminal_);
    held_.push_back(std::move(cells));
    return held_.size() < held_rows || print_held();
  }
  void finish() override { print_held(); }
  void abandon() override {
    if (aligned_ || !held_.empty()) print_held();
  }

 private:
  bool print_held() {
    if (aligned_) return true;
    aligned_ = true;
    for (const std::string& name : names_) widths_.push_back(text_width(name));
    for (const auto& cells : held_)
      for (std::size_t i = 0; i < cells.size(); ++i) widths_[i] = std::max(widths_[i], text_width(cells[i]));
    bool good = put(line_of(names_), terminal_);
    for (const auto& cells : held_) good = good && put(line_of(cells), terminal_);
    held_.clear();
    return good;
  }
  std::string line_of(const std::vector<std::string>& cells) const {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::size_t width = text_width(cells[i]);
      const std::string space(widths_[i] > width ? widths_[i] - width : 0, ' ');
      if (i > 0) line += "  ";
      if (numeric_[i]) line += space;
      line += cells[i];
      if (!numeric_[i] && i + 1 < cells.size()) line += space;
    }
    return line + "\n";
  }

  bool terminal_;
  bool aligned_ = false;
  std::vector<std::string> names_;
  std::vector<bool> numeric_;
  std::vector<std::size_t> widths_;
  std::vector<std::vector<std::string>> held_;
};

class CsvOutput : public QueryOutput {
 public:
  explicit CsvOutput(bool terminal) : terminal_(terminal) {}
  void columns(const std::vector<std::string>& names) override {
    std::vector<query::Value> values;
    for (const std::string& name : names) values.push_back({.kind = Kind::text, .bytes = name});
    row(values);
  }
  bool row(const std::vector<query::Value>& values) override {
    std::string line;
    for (std::size_t i = 0; i < values.size(); ++i) line += (i == 0 ? "" : ",") + csv_cell(values[i]);
    return put(line + "\n", terminal_);
  }
  void finish() override {}

 private:
  bool terminal_;
};

class JsonOutput : public QueryOutput {
 public:
  explicit JsonOutput(bool terminal) : terminal_(terminal) {}
  void columns(const std::vector<std::string>& names) override {
    for (const std::string& name : distinct_names(names)) names_.push_back(quoted_json(name));
    put("[", terminal_);
  }
  bool row(const std::vector<query::Value>& values) override {
    std::string line = any_ ? ",\n{" : "\n{";
    any_ = true;
    for (std::size_t i = 0; i < values.size(); ++i)
      line += fmt::format("{}{}: {}", i == 0 ? "" : ", ", names_[i], json_value(values[i]));
    return put(line + "}", terminal_);
  }
  void finish() override { put(any_ ? "\n]\n" : "]\n", terminal_); }

 private:
  bool terminal_;
  bool any_ = false;
  std::vector<std::string> names_;
};

}  // namespace

std::string table_cell(const query::Value& value, bool shortened) {
  constexpr std::size_t longest_shown = 60;
  switch (value.kind) {
    case Kind::null: return "";
    case Kind::integer: return std::to_string(value.integer);
    case Kind::real: {
      const double size = std::abs(value.real);
      if (size != 0 && (size < 0.001 || size >= 1e15 || !std::isfinite(size))) return fmt::format("{:.6g}", value.real);
      return fmt::format("{:.3f}", value.real);
    }
    case Kind::blob: return fmt::format("x'{}'", hex_text(value.bytes));
    case Kind::text: break;
  }
  std::string text = terminal_text(value.bytes);
  std::ranges::replace_if(
      text, [](char c) { return c == '\n' || c == '\t'; }, ' ');
  return shortened ? analysis::shortened(text, longest_shown) : text;
}

std::string csv_cell(const query::Value& value) {
  switch (value.kind) {
    case Kind::null: return "";
    case Kind::integer: return std::to_string(value.integer);
    case Kind::real: return fmt::format("{}", value.real);
    case Kind::blob: return hex_text(value.bytes);
    case Kind::text: break;
  }
  if (value.bytes.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(value.bytes);
  std::string quoted = "\"";
  for (const char c : value.bytes) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + "\"";
}

std::string json_value(const query::Value& value) {
  switch (value.kind) {
    case Kind::null: return "null";
    case Kind::integer: return std::to_string(value.integer);
    case Kind::real: return std::isfinite(value.real) ? fmt::format("{}", value.real) : "null";
    case Kind::blob: return quoted_json(hex_text(value.bytes));
    case Kind::text: return quoted_json(value.bytes);
  }
  return "null";
}

std::vector<std::string> distinct_names(std::vector<std::string> names) {
  std::set<std::string> used(names.begin(), names.end()), seen;
  for (std::string& name : names) {
    if (seen.insert(name).second) continue;
    std::string fresh;
    for (int n = 2; !used.insert(fresh = fmt::format("{}_{}", name, n)).second;) ++n;
    name = fresh;
  }
  return names;
}

std::unique_ptr<QueryOutput> make_query_output(QueryFormat format, bool terminal) {
  switch (format) {
    case QueryFormat::table: return std::make_unique<TableOutput>(terminal);
    case QueryFormat::csv: return std::make_unique<CsvOutput>(terminal);
    case QueryFormat::json: return std::make_unique<JsonOutput>(terminal);
  }
  return nullptr;
}

}  // namespace warpwalk::verbs
