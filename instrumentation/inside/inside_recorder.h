#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "instrumentation/cupti_abi.h"
#include "instrumentation/decode_activity.h"
#include "instrumentation/inside/cuda_driver.h"
#include "instrumentation/inside_pattern.h"

namespace warpwalk::instrumentation {

/// What an InsideRecorder needs of the library that it is part of.
struct InsideHost {
  RowSink& to;
  std::uint64_t (*now)();       ///< ns since the epoch
  std::uint64_t session = 0;    ///< the number of the session
  std::uint64_t max_bytes = 0;  ///< of memory, of all launches together
  bool late = false;            ///< graphs may exist already
  /// The names of the ops that are open on the calling thread in a session; null: not known.
  const std::vector<std::string>& (*open_ops)(std::uint64_t session) = nullptr;
  /// Every launch that matches is recorded, and takes the place of the one before: max_bytes are of one launch. Only its
  /// inputs are.
  bool only_last = false;
};

/// Records chosen launches with the memory that they can reach: what their parameters point to, and what that memory
/// points to. It waits for the GPU before and after such a launch, on the thread that launches. Thread-safe.
class InsideRecorder {
 public:
  InsideRecorder(const InsideHost& host, std::vector<InsidePattern> patterns);
  ~InsideRecorder();

  /// False once no further launch can be chosen and none is being recorded.
  bool wants_more() const { return !done_ || open_ > 0; }
  /// Whether a pattern matches a kernel, given by its mangled name.
  bool matches(const char* symbol);
  /// Chooses no further launch, and waits for those that are being recorded on other threads, for up to ten seconds.
  void finish();
  /// A cubin that the program loads. Its variables are recorded with the launches of its kernels.
  void load_module(std::string_view cubin);
  /// Around one of the driver's launch functions, on the thread that calls it: what CUPTI tells its callbacks. enter()
  /// returns whether the launch is being recorded, exit() the CUresult of the launch and of waiting for it.
  bool enter_launch(const cupti::CallbackData& call);
  int exit_launch(const cupti::CallbackData& call);
  /// CUPTI's callbacks after a graph was instantiated, before a graph is launched, and before it is destroyed.
  void exit_instantiate(const cupti::CallbackData& call);
  void enter_graph_launch(const cupti::CallbackData& call);
  void enter_graph_destroy(const cupti::CallbackData& call);

 private:
  /// A launch that is being recorded.
  struct Chosen {
    struct Range {
      std::uint64_t address = 0;
      std::vector<std::uint8_t> before;
    };
    std::uint64_t session = 0;
    std::uint32_t number = 0, thread = 0, correlation = 0;
    std::uint64_t launched = 0;
    std::vector<std::uint8_t> parameters;
    std::vector<Range> ranges;
    bool incomplete = false;  ///< some of its memory is not in `ranges`
  };
  static std::unique_ptr<Chosen>& of_this_thread();
  /// A kernel of a graph, and which of the graph's kernels of that name it is, from 1.
  struct GraphKernel {
    void* node = nullptr;
    std::string symbol;
    std::uint32_t number = 0;
  };
  std::vector<GraphKernel> kernels_of(void* graph) const;
  std::string record_graph_kernel(Chosen& chosen, void* graph, const GraphKernel& kernel, void* stream);
  struct Counted {
    InsidePattern pattern;
    std::uint64_t seen = 0;
    std::set<std::string> kernels;  ///< already recorded, with `each`
  };
  /// Whether the name of a kernel matches each of the patterns.
  using Hits = std::vector<bool>;
  const Hits& hits_of(const char* symbol);

  bool choose(const char* symbol);
  bool record_launch(Chosen& chosen, const cupti::CallbackData& call);
  bool record_parameters(Chosen& chosen, void* function, void** parameters, void** extra);
  /// A variable of the module that a kernel belongs to.
  struct Variable {
    std::string name;
    std::uint64_t address = 0, bytes = 0;
  };
  std::vector<Variable> variables_of(void* function, std::string_view symbol);
  void record_variables(Chosen& chosen, const std::vector<Variable>& variables);
  /// Reads the memory that addresses in the parameters and the variables lead to.
  void read_memory(Chosen& chosen, const std::vector<std::uint8_t>& parameters, const std::vector<Variable>& variables);
  void write_before(Chosen& chosen);
  /// Writes what has changed since write_before(). Returns a CUresult.
  int write_after(const Chosen& chosen);
  int read_range(std::uint64_t address, std::vector<std::uint8_t>& to) const;
  void add_range(Chosen& chosen, std::uint64_t address, std::uint64_t bytes);
  void add_parts(const Chosen& chosen, std::uint32_t kind, std::uint32_t index, std::uint64_t offset,
                 std::string_view bytes);
  void note(const Chosen& chosen, std::string_view what);

  const InsideHost host_;
  RowSink& to_;
  CudaDriver driver_;
  bool loaded_ = false, usable_ = false;
  std::mutex mutex_;
  std::vector<Counted> patterns_;
  std::unordered_map<std::string, Hits> hits_;  ///< by symbol: demangling takes longer than a launch
  std::uint64_t left_bytes_;
  std::uint32_t last_number_ = 0;
  std::map<std::string, std::set<std::string>, std::less<>> variables_;  ///< by kernel: of the modules that hold it
  std::map<void*, void*> graphs_;  ///< by CUgraphExec: a copy of the graph that it was made from
  std::atomic<bool> done_ = false;
  bool finished_ = false;
  bool unknown_graph_ = false;  ///< a graph was launched that was instantiated before the recording began
  std::atomic<int> open_ = 0;   ///< launches between their two callbacks
};

}  // namespace warpwalk::instrumentation
