#include "core/platform/pipe.h"

#include <fcntl.h>
#include <unistd.h>

namespace warpwalk::platform {

Pipe::Pipe() {
  if (pipe2(ends_.data(), O_CLOEXEC) != 0) ends_ = {-1, -1};
}

Pipe::~Pipe() {
  close_read_end();
  close_write_end();
}

void Pipe::close_end(std::size_t end) {
  if (ends_[end] >= 0) close(ends_[end]);
  ends_[end] = -1;
}

}  // namespace warpwalk::platform
