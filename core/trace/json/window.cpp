#include "core/trace/json/window.h"

#include <algorithm>
#include <cstring>

namespace warpwalk::trace {

bool Window::more() {
  if (complete_) return false;
  const std::size_t held = to_ - from_;
  if (held >= cap_) return false;
  if (held > buffer_.size() / 2) {
    std::vector<char> larger(std::min<std::uint64_t>(buffer_.size() * 2, cap_ + size_));
    std::memcpy(larger.data(), buffer_.data() + from_, held);
    buffer_ = std::move(larger);
  } else {
    std::memmove(buffer_.data(), buffer_.data() + from_, held);
  }
  from_ = 0;
  to_ = held;
  // Fill the buffer completely. An item that did not fit is parsed again from its start, so a pipe's small reads would
  // otherwise cause many retries.
  while (to_ != buffer_.size() && !complete_) {
    const std::size_t n = source_.read(buffer_.data() + to_, buffer_.size() - to_);
    to_ += n;
    complete_ = n == 0;
  }
  return to_ != held;
}

}  // namespace warpwalk::trace
