#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/trace/column.h"
#include "core/trace/json/window.h"
#include "core/trace/pickle/value.h"

namespace warpwalk::trace::pickle {

/// Whether bytes may begin a pickle of protocol 2 to 5.
bool begins_a_pickle(std::string_view bytes);

/// Reads the data of a Python pickle (protocols 2 to 5). It knows only the opcodes that make plain data: anything that
/// would import or call something ends the reading. It neither recurses nor builds Python objects.
class Unpickler {
 public:
  /// `cap`: bytes that remembered values may take.
  Unpickler(Window& window, Builder& store, std::uint64_t cap) : window_(window), store_(store), cap_(cap) {}

  enum class End : std::uint8_t {
    complete,  ///< STOP was reached
    cut_off,   ///< the bytes end before
    code,      ///< the pickle would call Python code; what() says which opcode
    damaged,   ///< an opcode that cannot be there
    stopped,   ///< `go_on` returned false
  };
  /// `go_on` is called about once per window of bytes.
  End run(const std::function<bool()>& go_on);

  /// The value of the pickle; after anything but `complete`, the part that was read.
  Value top() const { return stack_.empty() ? Value{} : stack_.front(); }
  const std::string& what() const { return what_; }
  std::uint64_t bytes() const { return stack_.capacity() * sizeof(Value) + memo_.bytes(); }
  void forget() { memo_.clear(); }  ///< frees what is not needed after run()

 private:
  enum class Step : std::uint8_t { next, stop, cut_off, code, damaged };
  Step step();
  void references();
  bool need(std::size_t bytes) { return bytes_.size() >= bytes || refill(bytes); }
  bool refill(std::size_t bytes);
  Step text(std::size_t header, std::uint64_t length, bool keep);
  Step long_integer(std::size_t header, std::uint64_t length);
  Step get(std::uint64_t at);
  Step put(std::uint64_t at);
  void push(Value value) { stack_.push_back(value); }
  std::uint64_t position() const { return window_.offset() + window_.text().size() - bytes_.size(); }
  Step append(bool one);
  Step tuple(std::size_t from);
  void close_open_containers();
  Step refuse(const char* opcode);
  Step wrong(const char* why);
  /// Index of the first value after the last mark.
  std::size_t floor() const { return marks_.empty() ? 0 : marks_.back(); }
  bool has(std::size_t values) const { return stack_.size() >= floor() + values; }
  /// Removes the last mark and returns the index of the first value after it. `container`: the value before it, if any.
  std::size_t take_mark(std::optional<Value>& container);

  Window& window_;
  Builder& store_;
  std::uint64_t cap_;
  std::vector<Value> stack_;
  std::vector<std::size_t> marks_;  // places on the stack
  Column<Value> memo_;
  const std::function<bool()>* go_on_ = nullptr;
  std::string_view bytes_;  // of the window, from the next opcode on
  bool stopped_ = false;
  std::string what_;
};

}  // namespace warpwalk::trace::pickle
