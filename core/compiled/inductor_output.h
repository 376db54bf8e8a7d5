#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/compiled/compiled.h"

namespace warpwalk::compiled {

/// The line of a function's `def` in Python's source, from 1; 1 if it is not there.
int line_of_function(std::string_view source, std::string_view name);

/// A kernel or a call of a library in the code that Inductor writes, as its comments describe it.
struct InductorKernel {
  std::string name;
  bool is_library_call = false;
  bool is_triton = false;                 ///< otherwise its source is C++
  std::string path;                       ///< of the kernel's own file; empty: not said
  std::vector<std::string> source_nodes;  ///< of the graph that Inductor was given: "x_1"
  std::vector<std::string> nodes;         ///< of the graph that it compiled: "relu"
  std::vector<std::string> ops;           ///< "aten.relu"
  std::string source;                     ///< empty for a call of a library
  int line = 0;                           ///< in the output file of the source's first line, from 1

  /// Where the Triton function begins: in the kernel's own file, which has the lines of the source, otherwise in the
  /// output file, whose path is given.
  PythonLine place(const std::string& output_file) const;
};

/// Whether such code is of a backward pass: "# AOT ID: ['0_backward']".
bool is_backward(std::string_view text);

/// Whether a text is code that Inductor has written.
bool is_inductor_output(std::string_view text);

/// Reads such code (torch._inductor, output_code): the kernels in their order, then the calls of libraries. Accepts any
/// text.
std::vector<InductorKernel> read_inductor_output(std::string_view text);

}  // namespace warpwalk::compiled
