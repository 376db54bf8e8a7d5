#include "core/trace/chrome/key_predictor.h"

#include <algorithm>

namespace warpwalk::trace {

void KeyPredictor::learn(std::string_view text, Member member, ArgKey arg, std::string_view name) {
  const bool in_args = member == Member::arg;
  Gap* const before = std::exchange(last_, in_args ? &unknown_in_args_ : &unknown_);
  if (text.empty() || text.size() > Gap::longest) return;
  Gap gap;
  std::memcpy(gap.text.data(), text.data(), text.size());
  gap.last_word = static_cast<std::uint8_t>((text.size() - 1) / 8);
  std::memset(&gap.last_mask, 0xff, text.size() - 8 * std::size_t{gap.last_word});
  gap.size = static_cast<std::uint8_t>(text.size());
  gap.member = member;
  gap.arg = arg;
  if (!name.empty()) gap.name_at = static_cast<std::uint8_t>(name.data() - text.data());
  gap.name_size = static_cast<std::uint8_t>(name.size());
  Gap* const kept = keep(gap);
  if (kept == nullptr) return;
  last_ = kept;
  auto place = std::ranges::find(before->followers, nullptr);
  if (place == before->followers.end()) --place;
  *place = kept;
}

Gap* KeyPredictor::keep(const Gap& gap) {
  for (Gap& known : gaps_)
    if (known.size == gap.size && known.text == gap.text && known.member == gap.member) return &known;
  if (gaps_.size() == most_gaps) return nullptr;
  return &gaps_.emplace_back(gap);
}

}  // namespace warpwalk::trace
