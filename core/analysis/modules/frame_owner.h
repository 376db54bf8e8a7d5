#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/trace/trace.h"

namespace warpwalk::analysis {

/// A Python frame's name in parts: "train.py(12): step". torch.profiler writes the first line of the function, or, for
/// a function that already ran when the profiler began, the line at which it stood.
struct FrameName {
  std::string_view file;  ///< without a prefix that is in sys.path
  std::int64_t line = 0;
  std::string_view function;
};
/// The parts; none for names without a line, such as "<built-in function len>" and "nn.Module: Linear_0".
std::optional<FrameName> parse_frame_name(std::string_view name);

/// Whose code a Python frame is.
enum class FrameOwner : std::uint8_t {
  none,     ///< not a Python frame
  module,   ///< the call of an nn.Module, "nn.Module: Linear_0"
  user,     ///< the program's own code
  package,  ///< an installed package, such as transformers
  runtime,  ///< Python, its standard library, PyTorch and what both are made of
};

/// "Linear_0" of "nn.Module: Linear_0"; other names stay.
std::string_view module_name(std::string_view frame);

/// Tells the program's own frames from those of libraries by their files. torch.profiler strips the folders of
/// sys.path, so that "transformers/trainer.py" and the program's own "models/net.py" look alike. The rules, in order:
/// - __torch_function__ and __torch_dispatch__, which PyTorch calls around ops: PyTorch.
/// - A file whose <module> frame is the outermost one of its thread is the program's, unless it is a script in a folder
///   "bin".
/// - site-packages, dist-packages, lib/python3.N and torchinductor_ in the path: a library.
/// - "<frozen os>", "<built-in ...>" and other names in < >: Python. "<stdin>", "<ipython-input-...>" and
///   "<expression>" are the program's.
/// - A relative path that begins with a module of the standard library, with a well-known package, or with a package
///   that the trace has below site-packages: a library.
/// - All else is the program's own.
class FrameOwners {
 public:
  explicit FrameOwners(const trace::Trace& trace);

  FrameOwner of(trace::StringId name) const { return owners_[name]; }
  /// Of a name that is not a frame of the trace, such as a line of a recorded call stack.
  FrameOwner of_text(std::string_view name) const;
  bool any(FrameOwner owner) const { return found_[static_cast<std::size_t>(owner)]; }

 private:
  void find_evidence(const trace::Trace& trace);

  std::set<std::string, std::less<>> packages_;  // first folders below site-packages in the trace
  std::set<std::string, std::less<>> scripts_;   // files of outermost <module> frames
  std::vector<FrameOwner> owners_;               // by StringId
  bool found_[5] = {};                           // by FrameOwner
};

}  // namespace warpwalk::analysis
