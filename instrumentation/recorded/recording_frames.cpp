#include "instrumentation/recorded/recording_frames.h"

#include <cerrno>
#include <cstring>
#include <fstream>

#include <fmt/format.h>

#include "instrumentation/row_codec.h"

namespace warpwalk::instrumentation {
namespace {

std::uint32_t u32_at(const char* bytes) {
  std::uint32_t value = 0;
  for (int i = 3; i >= 0; --i) value = (value << 8) | static_cast<std::uint8_t>(bytes[i]);
  return value;
}

}  // namespace

FramesRead read_frames(const std::filesystem::path& partial, const std::function<void(std::string_view)>& use) {
  FramesRead out;
  std::ifstream file(partial, std::ios::binary);
  if (!file) {
    out.error = fmt::format("{}: cannot be read: {}", partial.string(), std::strerror(errno));
    return out;
  }
  std::string payload;
  bool first = true;
  char head[frame_header_bytes];
  for (; file.read(head, sizeof head); first = false) {
    const std::uint32_t bytes = u32_at(head + 4);
    if (u32_at(head) != frame_mark || bytes > max_frame_bytes) {
      if (first)
        out.error = fmt::format("{}: not a recording of this version of warpwalk; remove it", partial.string());
      out.damaged_bytes += sizeof head;
      break;
    }
    payload.resize(bytes);
    file.read(payload.data(), static_cast<std::streamsize>(bytes));
    payload.resize(static_cast<std::size_t>(file.gcount()));
    if (payload.size() < bytes) {
      out.damaged_bytes += sizeof head + payload.size();
      break;
    }
    use(payload);
  }
  return out;
}

}  // namespace warpwalk::instrumentation
