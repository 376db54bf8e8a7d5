#include "core/platform/output_file.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <zlib.h>

#include "core/platform/read_file.h"

namespace warpwalk::platform {
namespace {

/// How long to wait for a program that reads a pipe: it may have been started at the same time.
constexpr std::chrono::seconds patience(2);

/// Opens a pipe or a device for writing. Returns null and sets errno if that fails: to ENXIO for a pipe that no program
/// reads, for which fopen() would wait forever.
std::FILE* open_in_time(const std::filesystem::path& file, bool pipe) {
  const auto give_up = std::chrono::steady_clock::now() + patience;
  int descriptor = -1;
  for (;;) {
    descriptor = open(file.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor >= 0) break;
    if (!pipe || errno != ENXIO || std::chrono::steady_clock::now() >= give_up) return nullptr;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  // Once it is open, writing may wait for a slow reader.
  const int flags = fcntl(descriptor, F_GETFL);
  std::FILE* const opened =
      flags >= 0 && fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK) == 0 ? fdopen(descriptor, "wb") : nullptr;
  if (opened == nullptr) {
    const int code = errno;
    close(descriptor);
    errno = code;
  }
  return opened;
}

}  // namespace

struct OutputFile::State {
  std::filesystem::path requested;  // as given, for messages
  std::filesystem::path target;     // `asked` with symbolic links resolved
  std::filesystem::path temporary;  // the temporary file; empty: written directly
  std::FILE* file = nullptr;
  bool gzip = false;
  bool deflating = false;
  z_stream stream{};
  std::vector<unsigned char> compressed;
  base::Result<void> so_far;

  void fail(std::string_view what, int code) {
    if (so_far) so_far = base::Error{fmt::format("{}: {}: {}", requested.string(), what, std::strerror(code))};
  }

  void open() {
    std::error_code ignored;
    const auto status = std::filesystem::status(requested, ignored);
    if (std::filesystem::is_directory(status)) {
      so_far = base::Error{fmt::format("{}: is a folder; give a file name to write to", requested.string())};
      return;
    }
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
      const bool pipe = std::filesystem::is_fifo(status);
      file = open_in_time(requested, pipe);
      if (file == nullptr && errno == ENXIO && pipe)
        so_far =
            base::Error{fmt::format("{}: is a pipe that no program reads; start its reader first", requested.string())};
      else if (file == nullptr)
        fail("cannot be written", errno);
      return;
    }
    target = std::filesystem::exists(status) ? std::filesystem::canonical(requested, ignored) : requested;
    if (target.empty()) target = requested;
    // "x": two concurrent writers of one target must not share a temporary file.
    for (int n = 0; file == nullptr && n < 100; ++n) {
      temporary = target;
      temporary += n == 0 ? std::string(".partial") : fmt::format(".{}.partial", n);
      file = std::fopen(temporary.c_str(), "wbx");
      if (file == nullptr && errno != EEXIST) break;
    }
    if (file == nullptr) {
      fail("cannot be written", errno);
      temporary.clear();
    }
  }

  void put(const void* bytes, std::size_t n) {
    if (so_far && std::fwrite(bytes, 1, n, file) != n) fail("cannot be written completely", errno);
  }

  void deflate_all(std::string_view text, int flush) {
    do {
      constexpr std::size_t limit = std::size_t{1} << 30;  // zlib counts in 32 bits
      const std::string_view part = text.substr(0, limit);
      text.remove_prefix(part.size());
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(part.data()));  // zlib only reads it
      stream.avail_in = static_cast<uInt>(part.size());
      do {
        stream.next_out = compressed.data();
        stream.avail_out = static_cast<uInt>(compressed.size());
        deflate(&stream, text.empty() ? flush : Z_NO_FLUSH);
        put(compressed.data(), compressed.size() - stream.avail_out);
      } while (stream.avail_out == 0 && so_far);
    } while (!text.empty() && so_far);
  }
};

OutputFile::OutputFile(const std::filesystem::path& file, Packing packing) : state_(std::make_unique<State>()) {
  State& s = *state_;
  s.requested = file;
  s.gzip = packing == Packing::gzip || file.extension() == ".gz";
  s.open();
  if (!s.so_far || !s.gzip) return;
  s.compressed.resize(std::size_t{1} << 16);
  constexpr int gzip_window = 15 + 16;  // zlib's encoding of: gzip header, largest window
  constexpr int memory_level = 8;
  s.deflating =
      deflateInit2(&s.stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzip_window, memory_level, Z_DEFAULT_STRATEGY) == Z_OK;
  if (!s.deflating) s.fail("cannot be compressed", ENOMEM);
}

OutputFile::~OutputFile() {
  State& s = *state_;
  if (s.deflating) deflateEnd(&s.stream);
  if (s.file != nullptr) std::fclose(s.file);
  std::error_code ignored;
  if (!s.temporary.empty()) std::filesystem::remove(s.temporary, ignored);
}

void OutputFile::write(std::string_view text) {
  State& s = *state_;
  if (!s.so_far || text.empty()) return;
  if (s.deflating)
    s.deflate_all(text, Z_NO_FLUSH);
  else
    s.put(text.data(), text.size());
}

bool OutputFile::failed() const { return !state_->so_far; }

base::Result<void> OutputFile::finish() {
  State& s = *state_;
  if (s.deflating && s.so_far) s.deflate_all({}, Z_FINISH);
  if (s.file != nullptr && std::fclose(std::exchange(s.file, nullptr)) != 0)
    s.fail("cannot be written completely", errno);
  if (!s.so_far || s.temporary.empty()) return s.so_far;
  std::error_code code;
  std::filesystem::rename(s.temporary, s.target, code);
  if (code)
    s.fail("cannot be renamed to its final name", code.value());
  else
    s.temporary.clear();
  return s.so_far;
}

base::Result<void> write_regular_file(const std::filesystem::path& file, std::string_view text) {
  std::error_code ignored;
  if (std::filesystem::exists(file, ignored))
    if (auto regular = check_regular_file(file); !regular) return regular;
  OutputFile out(file);
  out.write(text);
  return out.finish();
}

}  // namespace warpwalk::platform
