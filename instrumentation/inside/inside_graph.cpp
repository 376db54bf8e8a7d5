// The part of InsideRecorder about kernels in CUDA graphs. A kernel finds its memory only while the graph runs, so what
// comes before it in the graph is run first, then the kernel alone, and then the memory is put back as it was.
#include <algorithm>
#include <set>
#include <utility>

#include "instrumentation/inside/inside_recorder.h"
#include "instrumentation/recording_file.h"

namespace warpwalk::instrumentation {
namespace {

std::vector<void*> nodes_of(const CudaDriver& driver, void* graph) {
  std::size_t count = 0;
  if (driver.graph_nodes(graph, nullptr, &count) != 0) return {};
  std::vector<void*> nodes(count);
  if (count > 0 && driver.graph_nodes(graph, nodes.data(), &count) != 0) return {};
  return nodes;
}

std::vector<void*> before(const CudaDriver& driver, void* node) {
  std::size_t count = 0;
  if (driver.node_dependencies(node, nullptr, &count) != 0) return {};
  std::vector<void*> nodes(count);
  if (count > 0 && driver.node_dependencies(node, nodes.data(), &count) != 0) return {};
  return nodes;
}

/// The nodes that a node waits for, directly or not.
std::set<void*> ancestors(const CudaDriver& driver, void* node) {
  std::set<void*> found;
  std::vector<void*> open = {node};
  while (!open.empty()) {
    void* const one = open.back();
    open.pop_back();
    for (void* const earlier : before(driver, one))
      if (found.insert(earlier).second) open.push_back(earlier);
  }
  return found;
}

/// Runs only these nodes of a graph, and waits for them. Returns a CUresult.
int run_nodes(const CudaDriver& driver, void* graph, const std::set<void*>& kept, void* stream) {
  if (kept.empty()) return 0;
  void* clone = nullptr;
  if (const int failed = driver.graph_clone(&clone, graph); failed != 0) return failed;
  int result = 0;
  for (void* const node : nodes_of(driver, graph)) {
    void* copy = nullptr;
    if (kept.contains(node) || result != 0) continue;
    result = driver.node_in_clone(&copy, node, clone);
    if (result == 0) result = driver.node_destroy(copy);
  }
  void* exec = nullptr;
  if (result == 0) result = driver.graph_instantiate(&exec, clone, 0);
  if (result == 0) result = driver.graph_launch(exec, stream);
  if (result == 0) result = driver.synchronize();
  if (exec != nullptr) driver.exec_destroy(exec);
  driver.graph_destroy(clone);
  return result;
}

/// True while this thread is in one of the recorder's own calls, which CUPTI reports too.
bool& busy() {
  thread_local bool is_busy = false;
  return is_busy;
}

}  // namespace

std::vector<InsideRecorder::GraphKernel> InsideRecorder::kernels_of(void* graph) const {
  std::vector<GraphKernel> kernels;
  std::map<std::string, std::uint32_t> numbers;
  for (void* const node : nodes_of(driver_, graph)) {
    int type = -1;
    KernelNodeParameters parameters{};
    const char* name = nullptr;
    if (driver_.node_type(node, &type) != 0 || type != kernel_node_type || driver_.kernel_node(node, &parameters) != 0)
      continue;
    const bool named = parameters.function != nullptr ? driver_.function_name(&name, parameters.function) == 0
                                                      : driver_.kernel_name(&name, parameters.kernel) == 0;
    if (named && name != nullptr) kernels.push_back({node, name, ++numbers[name]});
  }
  return kernels;
}

void InsideRecorder::exit_instantiate(const cupti::CallbackData& call) {
  if (busy() || call.result == nullptr || *static_cast<const int*>(call.result) != 0) return;
  // Each of the functions has the new CUgraphExec first, then the CUgraph.
  const auto* const parameters = static_cast<void* const*>(call.parameters);
  void* const exec = *static_cast<void**>(parameters[0]);
  const std::lock_guard lock(mutex_);
  if (!std::exchange(loaded_, true)) usable_ = driver_.load();
  void* clone = nullptr;
  if (usable_ && driver_.has_graphs() && driver_.graph_clone(&clone, parameters[1]) == 0) graphs_[exec] = clone;
}

void InsideRecorder::enter_graph_destroy(const cupti::CallbackData& call) {
  if (busy()) return;
  const std::lock_guard lock(mutex_);
  const auto found = graphs_.find(*static_cast<void* const*>(call.parameters));
  if (found == graphs_.end()) return;
  driver_.graph_destroy(found->second);
  graphs_.erase(found);
}

void InsideRecorder::enter_graph_launch(const cupti::CallbackData& call) {
  if (busy() || done_) return;
  const auto* const parameters = static_cast<void* const*>(call.parameters);
  void* graph = nullptr;
  {
    const std::lock_guard lock(mutex_);
    const auto found = graphs_.find(parameters[0]);
    if (found == graphs_.end()) {
      if (host_.late && !std::exchange(unknown_graph_, true))
        to_.add(
            ErrorRow{0, 0, "no launch in graphs that were instantiated before the recording began is recorded inside"});
      return;
    }
    graph = found->second;
  }
  busy() = true;
  for (const GraphKernel& kernel : kernels_of(graph)) {
    if (!choose(kernel.symbol.c_str())) continue;
    Chosen chosen;
    {
      const std::lock_guard lock(mutex_);
      if (finished_) break;
      chosen.number = ++last_number_;
      ++open_;
    }
    chosen.thread = thread_id();
    chosen.correlation = call.correlation;
    to_.add(InsideWork{host_.now(), chosen.thread});
    if (const std::string why = record_graph_kernel(chosen, graph, kernel, parameters[1]); !why.empty())
      to_.add(ErrorRow{0, 0, "a launch of " + kernel.symbol + " in a graph is not recorded inside: " + why});
    to_.add(InsideWorkEnd{host_.now(), chosen.thread});
    --open_;
  }
  busy() = false;
}

/// Returns why the kernel cannot be recorded; empty if it was.
std::string InsideRecorder::record_graph_kernel(Chosen& chosen, void* graph, const GraphKernel& kernel, void* stream) {
  const std::set<void*> earlier = ancestors(driver_, kernel.node);
  KernelNodeParameters parameters{};
  if (driver_.kernel_node(kernel.node, &parameters) != 0) return "the parameters of its node cannot be read";
  const auto function_of = [](const KernelNodeParameters& of) {
    return of.function != nullptr ? of.function : of.kernel;
  };
  if (!record_parameters(chosen, function_of(parameters), parameters.parameters, parameters.extra))
    return "the driver does not tell the sizes of its parameters";
  std::vector<std::uint8_t> words = chosen.parameters;
  for (void* const node : earlier) {
    int type = -1;
    if (driver_.node_type(node, &type) != 0) return "the type of a node before it cannot be read";
    if (type == memcpy_node_type || type == memset_node_type || type == empty_node_type) continue;
    KernelNodeParameters other{};
    Chosen unused;
    if (type != kernel_node_type || driver_.kernel_node(node, &other) != 0 ||
        !record_parameters(unused, function_of(other), other.parameters, other.extra))
      return "a node before it is neither a kernel nor a copy";
    words.resize((words.size() + 7) / 8 * 8);
    words.insert(words.end(), unused.parameters.begin(), unused.parameters.end());
  }
  if (driver_.synchronize() != 0) return "the work before it failed";
  const std::vector<Variable> variables = variables_of(function_of(parameters), kernel.symbol);
  read_memory(chosen, words, variables);
  if (chosen.incomplete) return "the memory of the graph up to it cannot be saved; raise --inside-limit";
  std::vector<Chosen::Range> saved = chosen.ranges;
  int result = run_nodes(driver_, graph, earlier, stream);
  for (Chosen::Range& range : chosen.ranges)
    if (result == 0) result = read_range(range.address, range.before);
  InsideLaunch row;
  row.number = chosen.number;
  row.correlation = chosen.correlation;
  row.graph_kernel = kernel.number;
  std::copy_n(parameters.grid, 3, row.grid.begin());
  std::copy_n(parameters.block, 3, row.block.begin());
  row.dynamic_shared = parameters.shared_bytes;
  row.entry = kernel.symbol;
  to_.add(row);
  add_parts(chosen, InsidePart::parameters, 0, 0,
            {reinterpret_cast<const char*>(chosen.parameters.data()), chosen.parameters.size()});
  record_variables(chosen, variables);
  write_before(chosen);
  if (result == 0) result = run_nodes(driver_, graph, {kernel.node}, stream);
  if (result == 0) result = write_after(chosen);
  for (const Chosen::Range& range : saved)
    if (result == 0) result = driver_.copy_to_device(range.address, range.before.data(), range.before.size());
  to_.add(InsideEnd{chosen.number, static_cast<std::uint32_t>(result), 0, 0});
  return result == 0 ? std::string() : "CUDA error " + std::to_string(result);
}

}  // namespace warpwalk::instrumentation
