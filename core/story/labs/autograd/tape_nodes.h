#pragma once

// Functions that describe the ops and nodes of a session for its tape.
#include <memory>
#include <string>
#include <vector>

#include "core/story/labs/autograd/tape.h"
#include "core/story/labs/autograd/tape_session.h"

namespace warpwalk::story {

/// The call as Python has it, with the names of the tensors: "mm(a, b)".
std::string call_text(const TapeOp& op, const TapeSession& session);

/// The tensors that the op's node saved, each with the argument of the op that it is, or "result".
std::vector<TapeSaved> saved_of(const TapeOp& op, const TapeSession& session);

/// The nodes that can be reached from the root: ops by sequence, then leaves in the order of the expression.
std::vector<std::shared_ptr<ops::Node>> reachable(const std::shared_ptr<ops::Node>& root,
                                                  const std::vector<ops::Tensor>& leaves);

/// Sets the column of each node: the longest way from a leaf. A leaf stands left of the first node that it feeds.
void set_columns(std::vector<TapeNode>& nodes);

}  // namespace warpwalk::story
