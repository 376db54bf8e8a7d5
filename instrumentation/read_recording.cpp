#include "instrumentation/read_recording.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string_view>

#include <fmt/format.h>

#include "instrumentation/row_codec.h"

namespace warpwalk::instrumentation {
namespace {

std::uint32_t u32_at(const char* bytes) {
  std::uint32_t value = 0;
  for (int i = 3; i >= 0; --i) value = (value << 8) | static_cast<std::uint8_t>(bytes[i]);
  return value;
}

void read_frame(std::string_view payload, TraceBuilder& maker, RecordingSummary& account,
                std::uint64_t memory_cap_bytes) {
  FrameDecoder decoder(payload);
  const bool full = maker.bytes() > memory_cap_bytes;
  while (const auto row = decoder.next()) {
    ++account.rows;
    // Rows that say how the recording ended and what it lacks are always kept.
    const bool is_summary_row = std::holds_alternative<End>(*row) || std::holds_alternative<LossRow>(*row) ||
                                std::holds_alternative<ErrorRow>(*row);
    if (full && !is_summary_row)
      ++account.left_out;
    else
      maker.add(*row);
  }
  if (decoder.damaged()) account.damaged_bytes += decoder.remaining_bytes();
}

}  // namespace

RecordingResult read_recording(const std::filesystem::path& partial, const trace::Trace* profile,
                               std::uint64_t memory_cap_bytes) {
  RecordingResult out;
  std::ifstream file(partial, std::ios::binary);
  if (!file) {
    out.error = fmt::format("{}: cannot be read: {}", partial.string(), std::strerror(errno));
    return out;
  }
  TraceBuilder maker;
  std::string payload;
  char head[frame_header_bytes];
  while (file.read(head, sizeof head)) {
    const std::uint32_t bytes = u32_at(head + 4);
    if (u32_at(head) != frame_mark || bytes > max_frame_bytes) {
      if (out.account.rows == 0)
        out.error = fmt::format("{}: not a recording of this version of warpwalk; remove it", partial.string());
      out.account.damaged_bytes += sizeof head;
      break;
    }
    payload.resize(bytes);
    file.read(payload.data(), static_cast<std::streamsize>(bytes));
    payload.resize(static_cast<std::size_t>(file.gcount()));
    if (payload.size() < bytes) {
      out.account.damaged_bytes += sizeof head + payload.size();
      break;
    }
    read_frame(payload, maker, out.account, memory_cap_bytes);
  }
  if (out.error) return out;
  if (profile != nullptr) maker.add_profile(*profile);
  out.trace = maker.finish(out.account);
  out.code = maker.release_code();
  return out;
}

}  // namespace warpwalk::instrumentation
