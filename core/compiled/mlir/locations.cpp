#include <algorithm>
#include <charconv>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/compiled/mlir/mlir.h"
#include "core/compiled/mlir/parts.h"
#include "core/compiled/mlir/scan.h"

namespace warpwalk::compiled {
namespace {

constexpr int max_nesting = 64;          // of brackets in one location
constexpr std::size_t max_frames = 64;   // of one location: inlined calls in each other
constexpr std::size_t max_steps = 1024;  // through locations, for the frames of one

class LocationReader {
 public:
  LocationReader(MlirModule& module, std::string_view text, std::size_t at) : module_(module), text_(text), at_(at) {}

  std::size_t at() const { return at_; }

  /// Reads the content of loc(...).
  std::int32_t read(int nesting) {
    skip_blanks();
    if (nesting > max_nesting || at_ >= text_.size()) return -1;
    if (text_[at_] == '"') return quoted(nesting);
    if (text_[at_] == '#') return alias();
    if (word("callsite(")) return call(nesting);
    if (word("fused")) return fused(nesting);
    if (word("unknown")) return -1;
    return -1;
  }

  bool word(std::string_view expected) {
    skip_blanks();
    if (!text_.substr(at_).starts_with(expected)) return false;
    at_ += expected.size();
    return true;
  }

 private:
  void skip_blanks() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }

  std::int32_t add(MlirLocation location) {
    module_.locations.push_back(std::move(location));
    return static_cast<std::int32_t>(module_.locations.size() - 1);
  }

  int number() {
    int value = 0;
    const char* const end = text_.data() + text_.size();
    const auto [after, error] = std::from_chars(text_.data() + at_, end, value);
    at_ = static_cast<std::size_t>(after - text_.data());
    return error == std::errc() ? std::max(value, 0) : 0;
  }

  /// "a.py":3:8, or "x"(location). A range "a.py":3:8 to :9 is its begin.
  std::int32_t quoted(int nesting) {
    MlirLocation location;
    const std::size_t end = mlir_quote_end(text_, at_);
    location.text = text_.substr(at_ + 1, end - at_ - (end - at_ >= 2 ? 2 : 1));
    at_ = end;
    if (word(":")) {
      location.kind = MlirLocation::Kind::file;
      location.line = number();
      if (word(":")) location.column = number();
      while (word("to") || word(":")) number();
    } else {
      location.kind = MlirLocation::Kind::named;
      if (word("(")) {
        location.of = read(nesting + 1);
        word(")");
      }
    }
    return add(std::move(location));
  }

  std::int32_t alias() {
    MlirLocation location;
    location.kind = MlirLocation::Kind::alias;
    const std::size_t end = mlir_name_end(text_, at_ + 1);
    location.text = text_.substr(at_, end - at_);
    at_ = end;
    return add(std::move(location));
  }

  std::int32_t call(int nesting) {
    MlirLocation location;
    location.kind = MlirLocation::Kind::call;
    location.of = read(nesting + 1);
    if (word("at")) location.caller = read(nesting + 1);
    word(")");
    return add(std::move(location));
  }

  /// fused[a, b], with metadata between: fused<...>[a, b]
  std::int32_t fused(int nesting) {
    MlirLocation location;
    location.kind = MlirLocation::Kind::fused;
    if (at_ < text_.size() && text_[at_] == '<') at_ = mlir_bracket_end(text_, at_);
    if (!word("[")) return -1;
    location.of = read(nesting + 1);
    while (word(",")) location.others.push_back(read(nesting + 1));
    word("]");
    return add(std::move(location));
  }

  MlirModule& module_;
  std::string_view text_;
  std::size_t at_;
};

}  // namespace

std::int32_t read_mlir_location(MlirModule& module, std::string_view text, std::size_t& at) {
  LocationReader reader(module, text, at);
  if (!reader.word("loc(")) return -1;
  const std::int32_t location = reader.read(0);
  reader.word(")");
  at = reader.at();
  return location;
}

void resolve_mlir_locations(MlirModule& module, const std::vector<std::int32_t>& definitions) {
  std::unordered_map<std::string_view, std::int32_t> by_name;
  for (const std::int32_t at : definitions) {
    const MlirLocation& location = module.locations[static_cast<std::size_t>(at)];
    by_name[location.text] = location.of;
  }
  for (MlirLocation& location : module.locations)
    if (const auto found = by_name.find(location.text);
        location.kind == MlirLocation::Kind::alias && found != by_name.end())
      location.of = found->second;
}

std::string_view MlirModule::name(std::int32_t location) const {
  for (int hop = 0; hop < max_nesting && location >= 0; ++hop) {
    const MlirLocation& at = locations[static_cast<std::size_t>(location)];
    if (at.kind == MlirLocation::Kind::named) return at.text;
    if (at.kind != MlirLocation::Kind::alias) break;
    location = at.of;
  }
  return {};
}

std::vector<MlirFrame> MlirModule::frames(std::int32_t location) const {
  std::vector<MlirFrame> chain;
  // Callers are read after what they call. Locations can refer to themselves in a damaged text: hence the limits.
  struct Next {
    std::int32_t location;
    std::string_view name;
  };
  std::vector<Next> next{{location, {}}};
  for (std::size_t steps = 0; !next.empty() && steps < max_steps && chain.size() < max_frames; ++steps) {
    const Next here = next.back();
    next.pop_back();
    if (here.location < 0 || static_cast<std::size_t>(here.location) >= locations.size()) continue;
    const MlirLocation& at = locations[static_cast<std::size_t>(here.location)];
    switch (at.kind) {
      case MlirLocation::Kind::unknown: break;
      case MlirLocation::Kind::file:
        if (at.line > 0) chain.push_back({at.text, at.line, at.column, here.name});
        break;
      case MlirLocation::Kind::named: next.push_back({at.of, at.text}); break;
      case MlirLocation::Kind::alias: next.push_back({at.of, here.name}); break;
      case MlirLocation::Kind::call:
        next.push_back({at.caller, {}});
        next.push_back({at.of, here.name});
        break;
      case MlirLocation::Kind::fused: {
        // The first part that leads to a position: parts without one are passed over.
        std::int32_t part = at.of;
        for (std::size_t other = 0; other < at.others.size() && steps < max_steps; ++other, ++steps) {
          std::int32_t to = part;
          for (int hop = 0; hop < max_nesting && to >= 0; ++hop) {
            const MlirLocation::Kind kind = locations[static_cast<std::size_t>(to)].kind;
            if (kind != MlirLocation::Kind::alias && kind != MlirLocation::Kind::named) break;
            to = locations[static_cast<std::size_t>(to)].of;
          }
          if (to >= 0) break;
          part = at.others[other];
        }
        next.push_back({part, here.name});
        break;
      }
    }
  }
  return chain;
}

}  // namespace warpwalk::compiled
