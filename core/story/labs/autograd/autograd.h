#pragma once

// The data that the lab of autograd computes from its controls, and the panels of its beats.
#include "core/story/labs/autograd/tape.h"
#include "core/story/labs/lab_parts.h"

namespace warpwalk::story {

/// What a beat says of the settings.
struct AutogradStart {
  bool writes = false;  ///< to the last tensor, unless the person chooses another one
};

/// The lab's settings, and what follows from them.
struct AutogradLab {
  static constexpr std::string_view name = "lab/autograd";
  static constexpr std::string_view words = "lab/autograd.word";

  const SceneInput& input;
  ControlSet controls{input, name};
  std::string expression;
  std::optional<TapeProgram> program;  ///< none: see fault
  TapeFault fault;
  Tape tape;              ///< recorded and gone back, without a write; as the seed says
  Tape rounds;            ///< as mode, frozen and rounds say
  Tape written;           ///< as write and how say
  std::size_t node = 0;   ///< the chosen one; an op if there is any
  std::size_t edge = 0;   ///< the chosen argument of it
  std::size_t step = 0;   ///< nodes that have run
  std::int64_t size = 0;  ///< rows and columns of the large matrices
  bool one_element = false;
  enum class Mode : std::uint8_t { recorded, no_grad, detached } mode = Mode::recorded;
  int times = 1;
  TapePlan plan;  ///< of `tape`
  TapeWrite write;

  AutogradLab(const SceneInput& in, const AutogradStart& start);
  std::string word(std::string_view key, const Narration::Values& values = {}) const {
    return input.narration.text(words, key, values);
  }
  const TapeNode& chosen() const { return tape.nodes[node]; }
  /// The node that runs at this step; none before the first.
  std::optional<std::size_t> running() const;
  /// The rule of one argument of a node, in PyTorch's words: "G @ mat2.T".
  std::string rule(const TapeNode& of, const TapeEdge& argument) const;
  std::optional<TapeDerivative> derivative(std::size_t of_edge) const;

 private:
  void set_expression();
  void set_node();
};

/// "2 × 3", "scalar".
std::string tape_sizes(const AutogradLab& lab, const ops::Sizes& sizes);
/// The elements of a tensor as cells.
Panel tensor_panel(const AutogradLab& lab, std::string heading, const TapeTensor& tensor, Tone tone, double share = 1);
/// The tape. With `steps`, the nodes that have run so far are marked, else the chosen node.
Panel tape_panel(const AutogradLab& lab, const Tape& tape, bool steps, bool legend = true);
/// The result of the chosen node's op, and what the node saved.
std::vector<Panel> saved_panels(const AutogradLab& lab);
/// The gradients that the node of this step received and sent.
std::vector<Panel> step_panels(const AutogradLab& lab);
/// The chosen node's product for the chosen argument, beside finite differences.
std::vector<Panel> product_panels(const AutogradLab& lab);
/// The rule of each argument, with the largest difference.
Panel rules_panel(const AutogradLab& lab);
/// The Jacobian of the chosen argument, and the product with the incoming gradient.
Panel jacobian_panel(const AutogradLab& lab);
std::vector<Panel> jacobian_product_panels(const AutogradLab& lab);
/// All tensors as Python describes them, and the gradients of the inputs.
Panel variables_panel(const AutogradLab& lab);
std::vector<Panel> gradient_panels(const AutogradLab& lab);
/// The versions of the saved tensors, and what PyTorch says.
Panel versions_panel(const AutogradLab& lab);
Panel refusal_panel(const AutogradLab& lab);
/// The text that cannot be played, with a mark below the place.
Panel fault_panel(const AutogradLab& lab);

/// PyTorch's error message if it refuses the backward pass or the write; else empty.
std::string refusal_text(const Tape& tape, const TapeWrite& write);

}  // namespace warpwalk::story
