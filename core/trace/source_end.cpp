#include "core/trace/source_end.h"

#include <fmt/format.h>

namespace warpwalk::trace {

std::string kept_before(std::uint64_t events) {
  if (events == 0) return "there is no event before it";
  return events == 1 ? "the event before it is kept" : fmt::format("the {} events before it are kept", events);
}

void note_source_end(const platform::ByteSource& source, const Window& window, std::uint64_t events,
                     Problems& problems) {
  const std::uint64_t end = window.offset() + window.text().size();
  const auto kept = [&] { return kept_before(events); };
  if (source.end() == platform::ByteSource::End::gzip_truncated)
    problems.add(ProblemKind::gzip_truncated, end,
                 fmt::format("the gzip file is cut off after {} bytes (byte {} of the text); {}", source.consumed(),
                             end, kept()));
  else if (source.end() == platform::ByteSource::End::gzip_corrupt)
    problems.add(
        ProblemKind::gzip_corrupt, end,
        fmt::format("the gzip data is damaged near byte {} (byte {} of the text); {}", source.consumed(), end, kept()));
  else if (source.end() == platform::ByteSource::End::read_error)
    problems.add(ProblemKind::truncated, end, fmt::format("the file cannot be read beyond byte {}; {}", end, kept()));
  else if (source.end() == platform::ByteSource::End::gzip_trailing)
    problems.add(
        ProblemKind::trailing_text, end,
        fmt::format("the gzip file continues with other data after the trace's end at byte {} of the file (byte "
                    "{} of the text); the rest is ignored",
                    source.consumed(), end));
}

std::uint64_t bytes_of(const platform::ByteSource& source) {
  return source.total() != 0 ? source.total() : source.consumed();
}

}  // namespace warpwalk::trace
