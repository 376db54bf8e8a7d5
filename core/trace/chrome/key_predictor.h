#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <string_view>
#include <utility>

#include "core/trace/chrome/event.h"

namespace warpwalk::trace {

/// What follows in an event: the value of a member, the value of a member of "args", or the end of one of the two.
enum class Member : std::uint8_t {
  other,
  phase,
  name,
  category,
  pid,
  tid,
  id,
  ts,
  dur,
  scope,
  args,
  end,
  arg,
  end_of_args
};

/// The text between two values of an event: a comma or an opening brace, white space, a key and its colon; or white
/// space and a closing brace.
struct Gap {
  static constexpr std::size_t longest = 56;

  std::array<std::uint64_t, longest / 8> text{};  ///< the rest is 0
  std::uint64_t last_mask = 0;                    ///< the bytes of the last word that belong to the text
  std::uint8_t last_word = 0;
  std::uint8_t size = 0;
  Member member = Member::other;
  ArgKey arg = ArgKey::other;
  std::uint8_t name_at = 0;  ///< where the key is in the text
  std::uint8_t name_size = 0;
  std::array<Gap*, 6> followers{};  ///< those that followed it before; the rest is null

  bool is_at(const char* at) const {
    std::uint64_t word;
    for (std::size_t i = 0; i < last_word; ++i) {
      std::memcpy(&word, at + 8 * i, 8);
      if (word != text[i]) return false;
    }
    std::memcpy(&word, at + 8 * last_word, 8);
    return ((word ^ text[last_word]) & last_mask) == 0;
  }
};

/// Profilers write a million events with the same few gaps in the same few orders. This class remembers which gaps
/// followed each gap, and recognises them by comparing words of eight bytes, in a fraction of the time of reading a
/// key. It changes no result: the same bytes after the same gap mean the same.
class KeyPredictor {
 public:
  KeyPredictor() = default;
  KeyPredictor(const KeyPredictor&) = delete;
  KeyPredictor& operator=(const KeyPredictor&) = delete;

  /// An event begins.
  void restart() { last_ = &beginning_; }
  /// The gap at the beginning of `text` if it is one that has followed the last gap before, else null.
  const Gap* find(std::string_view text) {
    if (text.size() < Gap::longest) return nullptr;
    auto& followers = last_->followers;
    for (std::size_t i = 0; i < followers.size() && followers[i] != nullptr; ++i) {
      Gap* const gap = followers[i];
      if (!gap->is_at(text.data())) continue;
      if (i != 0) std::swap(followers[i], followers[i - 1]);  // frequent ones move to the front
      return last_ = gap;
    }
    return nullptr;
  }
  /// After find() found nothing: `text` is the gap that was read there. `name` is its key, within `text`; null at an
  /// end.
  void learn(std::string_view text, Member member, ArgKey arg, std::string_view name);

 private:
  static constexpr std::size_t most_gaps = 512;  // a file with more has keys that do not repeat

  /// The same gap as before, or a new one; null if there are too many.
  Gap* keep(const Gap& gap);

  std::deque<Gap> gaps_;
  Gap beginning_;  // of an event
  // Stand for gaps that are not kept. Those in args are apart, because a key means something else there.
  Gap unknown_;
  Gap unknown_in_args_;
  Gap* last_ = &beginning_;
};

}  // namespace warpwalk::trace
