#pragma once

#include <array>
#include <cstddef>

namespace warpwalk::platform {

/// A pipe. The destructor closes both ends. Started programs do not inherit them (O_CLOEXEC) unless they are passed
/// explicitly.
class Pipe {
 public:
  /// If it is not good(), errno gives the reason.
  Pipe();
  ~Pipe();
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  bool good() const { return ends_[0] >= 0; }
  int read_end() const { return ends_[0]; }
  int write_end() const { return ends_[1]; }
  void close_read_end() { close_end(0); }
  void close_write_end() { close_end(1); }

 private:
  void close_end(std::size_t end);

  std::array<int, 2> ends_ = {-1, -1};
};

}  // namespace warpwalk::platform
