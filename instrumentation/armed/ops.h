#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "instrumentation/armed/ring.h"

namespace warpwalk::armed {

/// The operators of PyTorch in which kernels are launched, read from the stack of the thread: PyTorch's library shows
/// the functions at::_ops::NAME::call() of its operators, and apply() of the nodes of the backward pass. On x86-64.
class Ops {
 public:
  /// Finds these functions. `names`: of PyTorch's operators, "aten::sum.dim_IntList", one in each line. Does nothing
  /// the second time.
  void start(std::string_view names);
  /// A launch on the calling thread: by which one, of which kernel (any number of it), and whether a node of the
  /// backward pass may be looked for, which is further up the stack than the operator.
  struct Launch {
    std::uint32_t thread = 0, kernel = 0;
    bool with_node = false;
    bool operator==(const Launch&) const = default;
  };
  /// Text of the ring: "aten::mm", or "aten::mm in AddmmBackward0"; 0: none is known. The stack is unwound once for
  /// each thread, kernel and chain of callers.
  std::uint32_t op_of(Ring& ring, const Launch& launch);

 private:
  /// A function of PyTorch's library.
  struct Function {
    std::uintptr_t begin = 0, end = 0;
    std::string name;      ///< of the operator, or of the node
    bool is_node = false;  ///< of the backward pass
  };
  /// A return address and its place on the stack.
  struct Return {
    std::uintptr_t place = 0, to = 0;
  };
  struct Known {
    std::vector<Return> returns;
    std::uint32_t op = 0;
  };
  struct Key {
    std::uintptr_t stack = 0;  ///< where the thread's stack is at present
    Launch launch;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const {
      constexpr std::size_t odd = 0x9e3779b97f4a7c15;
      return ((key.stack ^ key.launch.thread) * odd ^ key.launch.kernel) * odd;
    }
  };

  void add_functions(std::uintptr_t base, const void* dynamic_section);
  const Function* function_at(std::uintptr_t address) const;

  std::atomic<bool> started_ = false;
  std::vector<Function> functions_;  ///< by address
  std::mutex mutex_;
  std::unordered_map<Key, std::vector<Known>, Hash> known_;
};

}  // namespace warpwalk::armed
