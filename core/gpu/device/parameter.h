#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpwalk::gpu {

/// The origin of a parameter's value.
enum class Status : std::uint8_t {
  spec,      ///< published by the vendor, or reported by its driver
  measured,  ///< measured on a real GPU
  fitted,    ///< chosen so that a rule of the model reproduces measurements
  assumed,   ///< neither; an estimate whose source gives the reason
};

/// The name in device files and on screen, e.g. "measured".
std::string_view name_of(Status status);

/// One value (number, list or word) of a device description, with its origin. Its unit and meaning are the same for
/// every device: parameters.h, assets/narration/en/parameters.txt.
template <class T>
struct Parameter {
  std::optional<T> value;  ///< nullopt: not given in this description
  Status status = Status::assumed;
  std::string source;  ///< text: the document, measurement or reasoning behind the value

  explicit operator bool() const { return value.has_value(); }
  /// The value; must exist. All required parameters (parameters.h) have one after load_device() succeeded.
  const T& operator*() const { return *value; }
};

using IntParameter = Parameter<std::int64_t>;
using RealParameter = Parameter<double>;
using TextParameter = Parameter<std::string>;
using ListParameter = Parameter<std::vector<std::int64_t>>;
using NestedListParameter = Parameter<std::vector<std::vector<std::int64_t>>>;

}  // namespace warpwalk::gpu
