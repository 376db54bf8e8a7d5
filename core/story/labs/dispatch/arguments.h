#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpwalk::story {

// How a Python call is matched with the signatures of a function, as PyTorch's PythonArgParser does it
// (torch/csrc/utils/python_arg_parser.cpp), for the types that the lab's calls use.

/// One parameter of a signature: "Tensor other", "*, Number alpha=1".
struct SignatureParameter {
  std::string type, name;
  bool keyword_only = false;
  bool optional = false;  ///< it has a default
};

struct CallSignature {
  std::string name;
  bool deprecated = false;  ///< accepted, but not offered in messages
  std::vector<SignatureParameter> parameters;
};
/// Reads "add(Tensor input, Tensor other, *, Number alpha=1)", perhaps with " | deprecated" at the end.
CallSignature parse_signature(std::string_view text);

/// One argument of a call: its text, its Python type, and its keyword.
struct PythonValue {
  std::string text, type, keyword;
};
/// A call such as "torch.add(a, other=2)". Names denote tensors.
struct PythonCall {
  std::string function;  ///< "torch.add"
  std::vector<PythonValue> values;
};
PythonCall parse_python_call(std::string_view text);

/// Whether a call fits one signature; if not, PyTorch's message.
struct SignatureVerdict {
  bool fits = false;
  std::string problem;
};
SignatureVerdict match(const CallSignature& signature, const PythonCall& call);

/// All signatures, in order; the first that fits is taken.
struct Parsed {
  std::vector<SignatureVerdict> verdicts;
  std::optional<std::size_t> taken;
  std::string error;  ///< the first line of the TypeError, if none fits
};
Parsed parse_arguments(const std::vector<CallSignature>& signatures, const PythonCall& call);

}  // namespace warpwalk::story
