#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace warpwalk::compiled {

// What PyTorch's and Triton's compilers write about the kernels that they make.

/// A line of a Python program.
struct PythonLine {
  std::string file;
  int line = 0;  ///< from 1; 0: not known
  std::string function, code;
  bool operator==(const PythonLine&) const = default;
};

/// An op of an FX graph.
struct FxNode {
  std::string name;    ///< "relu"
  std::string target;  ///< "torch.ops.aten.relu.default"; empty: not known
  PythonLine python;   ///< line 0: not known
};

/// A kernel that a compiler made.
struct CompiledKernel {
  std::string name;
  std::vector<PythonLine> python;            ///< the program's lines that it computes, or that launch it
  std::vector<FxNode> fx;                    ///< the ops of the graph that it computes
  std::vector<std::string> ops;              ///< PyTorch's ops that are fused in it: "aten.relu"
  PythonLine triton;                         ///< where its Triton source begins; line 0: not known
  std::string source;                        ///< what Inductor or the user wrote, Triton or C++; empty: not known
  std::map<std::string, std::string> files;  ///< by kind: source, ttir, ttgir, llir, ptx, cubin, json
  std::string compile_id;                    ///< PyTorch's, "0/0"; empty: not known
  int warps = 0, ctas = 0, stages = 0;       ///< of Triton's options; 0: not known
  std::int64_t shared_bytes = -1;            ///< per block; -1: not known
  std::string target;                        ///< "sm_90"; empty: not known
};

/// A function of a library that Inductor calls, since it fuses nothing into it.
struct LibraryCall {
  std::string name;  ///< "extern_kernels.mm"
  std::vector<FxNode> fx;
  std::string compile_id;
};

/// Why a compilation began, or why a graph ended.
struct CompileEvent {
  enum class Kind : std::uint8_t { graph_break, recompilation };
  Kind kind = Kind::recompilation;
  std::string compile_id, reason;
  std::vector<std::string> hints;  ///< PyTorch's, of a graph break
  PythonLine python;               ///< where the graph ends, or the function that is compiled again
};

/// What the files say together.
struct Compiled {
  std::vector<CompiledKernel> kernels;
  std::vector<LibraryCall> library_calls;
  std::vector<CompileEvent> events;
  std::vector<std::string> problems;  ///< one line each: what could not be read
};

}  // namespace warpwalk::compiled
