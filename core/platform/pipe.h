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
  int reads() const { return ends_[0]; }
  int writes() const { return ends_[1]; }
  void close_reads() { shut(0); }
  void close_writes() { shut(1); }

 private:
  void shut(std::size_t end);

  std::array<int, 2> ends_ = {-1, -1};
};

}  // namespace warpwalk::platform
