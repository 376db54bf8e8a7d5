#pragma once

// This folder reads the data of Python pickles. What a format keeps of it is in the folder of the format:
// core/trace/snapshot, core/trace/flight.

#include <cstdint>
#include <span>
#include <string_view>

#include "core/trace/string_pool.h"

namespace warpwalk::trace::pickle {

/// A value of a pickle. Containers are numbered by the Builder that made them.
struct Value {
  enum class Kind : std::uint8_t { none, boolean, integer, real, text, list, dictionary, other };
  Kind kind = Kind::none;
  std::uint64_t bits = 0;  ///< the number, the StringId, or the number of the container

  static Value integer(std::int64_t value) { return {Kind::integer, static_cast<std::uint64_t>(value)}; }
  bool is(Kind other_kind) const { return kind == other_kind; }
  /// The number, or `otherwise` if this is none.
  std::int64_t number(std::int64_t otherwise = 0) const {
    return kind == Kind::integer || kind == Kind::boolean ? static_cast<std::int64_t>(bits) : otherwise;
  }
};

/// Takes the values of a pickle as they are read.
class Builder {
 public:
  virtual ~Builder() = default;
  virtual Value new_list() = 0;
  virtual Value new_dictionary() = 0;
  virtual Value new_text(std::string_view text) = 0;
  /// Appends to a list. Anything that does not belong there may be left out.
  virtual void append(Value list, std::span<const Value> items) = 0;
  /// Sets items of a dictionary: key, value, key, value ... `whole`: the file is not cut off inside it.
  virtual void set(Value dictionary, std::span<const Value> items, bool whole) = 0;
};

}  // namespace warpwalk::trace::pickle
