#include "app/answers/answer_log.h"

#include <cerrno>
#include <cstring>
#include <ctime>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/platform/read_file.h"

namespace warpwalk::answers {
namespace {

std::string utc(const char* format) {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[40] = "";
  std::strftime(text, sizeof text, format, &parts);
  return text;
}

// Closes the file at the end of its scope.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  int get() const { return number_; }

 private:
  int number_;
};

// The error number; 0: everything was written.
int write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    if (written == 0) return ENOSPC;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

}  // namespace

AnswerLog::AnswerLog(std::filesystem::path file, std::string student, bool rehearsal)
    : file_(std::move(file)),
      student_(std::move(student)),
      session_(fmt::format("{}-{}", utc("%Y%m%dT%H%M%SZ"), getpid())),
      rehearsal_(rehearsal) {}

base::Result<void> AnswerLog::add(Answer answer) const {
  const auto failed = [&](std::string_view why) {
    return base::Error{
        fmt::format("{}: answers cannot be kept: {}; --answers FILE chooses another file", file_.string(), why)};
  };
  if (file_.empty())
    return base::Error{
        "answers cannot be kept: neither XDG_CONFIG_HOME nor HOME is set; --answers FILE chooses a file"};
  answer.time = utc("%Y-%m-%dT%H:%M:%SZ");
  answer.session = session_;
  answer.student = student_;
  answer.rehearsal = rehearsal_;
  std::error_code error;
  if (file_.has_parent_path()) std::filesystem::create_directories(file_.parent_path(), error);
  if (error) return failed(error.message());
  // A pipe would block the window.
  if (std::filesystem::exists(file_, error))
    if (!platform::check_regular_file(file_)) return failed("it is not a regular file");
  const Descriptor file(open(file_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_NONBLOCK | O_CLOEXEC, 0600));
  if (file.get() < 0) return failed(std::strerror(errno));
  struct stat before {};
  if (fstat(file.get(), &before) != 0) return failed(std::strerror(errno));
  // A line that another program left unfinished stays a line of its own.
  char last = '\n';
  if (before.st_size > 0 && pread(file.get(), &last, 1, before.st_size - 1) != 1) last = '\n';
  const std::string line = (last == '\n' ? "" : "\n") + json_line(answer) + "\n";
  if (const int code = write_all(file.get(), line); code != 0) {
    // Half a line is of no use.
    const std::string why = std::strerror(code);
    if (ftruncate(file.get(), before.st_size) != 0) return failed(why + ", and its last line is incomplete");
    return failed(why);
  }
  return {};
}

}  // namespace warpwalk::answers
