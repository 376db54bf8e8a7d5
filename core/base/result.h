#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

namespace warpwalk::base {

/// Why something failed, in one line: the problem, its place and, where there is one, the remedy.
struct Error {
  std::string line;
};

/// Whether a From is a value for a Result<T>.
template <class From, class T>
concept ValueOf = std::convertible_to<From, T> && !std::same_as<std::remove_cvref_t<From>, Error>;

/// What a function returns that can fail: a value or an Error. A function reads
///   base::Result<Text> read = read_text_file(file);
///   if (!read) return base::Error{read.error()};
///   use(read->text);
/// It is for failures that a user can cause. Access to what is not held throws std::bad_variant_access.
template <class T>
class [[nodiscard]] Result {
  static_assert(!std::same_as<T, Error> && !std::is_reference_v<T>);

 public:
  /// Also from what converts to a T, such as a std::shared_ptr<X> if T is a std::shared_ptr<const X>.
  template <ValueOf<T> U = T>
  Result(U&& value) : held_(std::in_place_index<0>, std::forward<U>(value)) {}
  Result(Error error) : held_(std::in_place_index<1>, std::move(error)) {}

  /// Whether there is a value.
  explicit operator bool() const { return held_.index() == 0; }

  T& operator*() & { return std::get<0>(held_); }
  const T& operator*() const& { return std::get<0>(held_); }
  T&& operator*() && { return std::get<0>(std::move(held_)); }
  T* operator->() { return &std::get<0>(held_); }
  const T* operator->() const { return &std::get<0>(held_); }

  /// The line of the error.
  const std::string& error() const { return std::get<1>(held_).line; }

 private:
  std::variant<T, Error> held_;
};

/// Nothing, or why it failed. `return {};` is success.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}

  /// Whether it succeeded.
  explicit operator bool() const { return !error_; }

  /// The line of the error. Throws std::bad_optional_access if it succeeded.
  const std::string& error() const { return error_.value().line; }

 private:
  std::optional<Error> error_;
};

}  // namespace warpwalk::base
