#include "app/verbs/common/standard_input.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include "core/base/quantity_text.h"

namespace warpwalk::verbs {
namespace {

struct CloseCopy {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

}  // namespace

base::Result<void> StandardInput::copy(std::uint64_t limit, const std::function<bool()>& stop) const {
  if (file().empty())
    return base::Error{
        "stdin: no temporary folder can be created to keep it in; set TMPDIR to a folder with free space"};
  if (isatty(STDIN_FILENO) != 0)
    return base::Error{"-: stdin is a terminal; pipe a trace into warpwalk, e.g. zcat walk.json.gz | warpwalk info -"};
  std::unique_ptr<std::FILE, CloseCopy> copy(std::fopen(file().c_str(), "wb"));
  if (!copy) return base::Error{fmt::format("stdin cannot be kept in {}: {}", file().string(), std::strerror(errno))};
  std::vector<char> block(std::size_t{1} << 18);
  std::uint64_t bytes = 0;
  for (;;) {
    // Waits in steps, so that a signal that is held back is noticed.
    pollfd input{STDIN_FILENO, POLLIN, 0};
    constexpr int milliseconds = 50;
    const int ready = poll(&input, 1, milliseconds);
    if (stop()) return base::Error{"stdin: stopped before its end"};
    if (ready == 0) continue;
    const ssize_t n = read(STDIN_FILENO, block.data(), block.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return base::Error{fmt::format("stdin cannot be read: {}", std::strerror(errno))};
    if (n == 0) break;
    bytes += static_cast<std::uint64_t>(n);
    if (bytes > limit)
      return base::Error{fmt::format("stdin has more than {}; save it to a file and open that",
                                     base::bytes_text(static_cast<double>(limit)))};
    if (std::fwrite(block.data(), 1, static_cast<std::size_t>(n), copy.get()) != static_cast<std::size_t>(n))
      return base::Error{fmt::format("stdin cannot be kept in {}: {}", file().string(), std::strerror(errno))};
  }
  if (std::fclose(copy.release()) != 0)
    return base::Error{fmt::format("stdin cannot be kept in {}: {}", file().string(), std::strerror(errno))};
  return {};
}

}  // namespace warpwalk::verbs
