// The backward pass, as torch/csrc/autograd/engine.cpp does it on one thread.
#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "core/ops/dispatch/autograd.h"

namespace warpwalk::ops {
namespace {

class Region {
 public:
  Region(Observer* observer, std::string_view name, std::int64_t sequence) : observer_(observer) {
    if (observer_ != nullptr) observer_->region_begins(name, sequence);
  }
  ~Region() {
    if (observer_ != nullptr) observer_->region_ends();
  }
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;

 private:
  Observer* observer_;
};

class Engine {
 public:
  Engine(Dispatcher& dispatcher, const Tensor& given) : dispatcher_(dispatcher), given_(given) {}

  void run(const std::shared_ptr<Node>& root, Tensor gradient) {
    count_inputs(root);
    pending_[root.get()] = std::move(gradient);
    make_ready(root);
    while (!ready_.empty()) {
      const std::shared_ptr<Node> node = std::move(ready_.begin()->second);
      ready_.erase(ready_.begin());
      evaluate(*node);
    }
  }

 private:
  // Counts how many gradients each reachable node receives.
  void count_inputs(const std::shared_ptr<Node>& root) {
    std::vector<const Node*> open = {root.get()};
    waiting_[root.get()] = 0;
    while (!open.empty()) {
      const Node* const node = open.back();
      open.pop_back();
      for (const Edge& edge : node->next) {
        if (edge.node == nullptr) continue;
        const auto [at, added] = waiting_.try_emplace(edge.node.get(), 0);
        ++at->second;
        if (added) open.push_back(edge.node.get());
      }
    }
  }

  // Leaves accumulate at once; then the node whose op ran last in the forward pass.
  void make_ready(const std::shared_ptr<Node>& node) {
    const std::int64_t order = node->leaf.defined() ? 0 : 1;
    ready_.emplace(Turn{order, -node->sequence, turns_++}, node);
  }

  // No other tensor, and no other reference to this one, reads these elements.
  bool only_ours(const Tensor& gradient) const {
    const auto shares = [&](const Tensor& other) { return other.defined() && other.storage() == gradient.storage(); };
    if (gradient.storage().use_count() > 1 || shares(given_) || std::ranges::any_of(outgoing_, shares)) return false;
    return std::ranges::none_of(pending_, [&](const auto& entry) { return shares(entry.second); });
  }

  void accumulate(const Node& node, const Tensor& gradient) {
    AutogradMeta& meta = *node.leaf.autograd();
    if (meta.grad.defined())
      dispatcher_.call("aten::add_.Tensor", {meta.grad, gradient});
    else if (gradient.geometry().contiguous() && only_ours(gradient))
      meta.grad = dispatcher_.call("aten::detach", {gradient});
    else
      meta.grad = dispatcher_.call("aten::clone", {gradient});
  }

  void evaluate(Node& node) {
    const Region around(dispatcher_.observer(), fmt::format("autograd::engine::evaluate_function: {}", node.name),
                        node.sequence);
    if (node.done)
      throw OpError(
          fmt::format("{} has already run and freed its saved tensors: backward can run only once per result; compute "
                      "the result again",
                      node.name));
    {
      const Region inside(dispatcher_.observer(), node.name, node.sequence);
      const Tensor gradient = std::move(pending_[&node]);
      pending_.erase(&node);
      if (node.leaf.defined()) return gradient.defined() ? accumulate(node, gradient) : void();
      // If no path gave a gradient, there is none to pass on.
      outgoing_.assign(node.next.size(), {});
      if (gradient.defined()) outgoing_ = node.apply(dispatcher_, node, gradient);
    }
    node.saved.clear();
    node.apply = nullptr;
    node.done = true;
    for (std::size_t i = 0; i < node.next.size(); ++i)
      if (const std::shared_ptr<Node>& to = node.next[i].node; to != nullptr)
        hand_on(to, fitted(std::exchange(outgoing_[i], {}), *to));
  }

  Tensor fitted(Tensor gradient, const Node& to) {
    if (!gradient.defined()) return gradient;
    gradient = summed_to(dispatcher_, gradient, to.sizes);
    if (gradient.dtype() != to.dtype) gradient = dispatcher_.call("aten::to.dtype", {gradient, to.dtype});
    // Nothing is written through views during backward. Forget the base, which the view would keep alive.
    return gradient.autograd() == nullptr ? gradient : gradient.with(gradient.geometry());
  }

  void hand_on(const std::shared_ptr<Node>& to, Tensor gradient) {
    if (gradient.defined()) {
      Tensor sum = std::move(pending_[to.get()]);
      pending_.erase(to.get());
      if (sum.defined() && only_ours(sum) && sum.storage() != gradient.storage() && sum.geometry().contiguous())
        dispatcher_.call("aten::add_.Tensor", {sum, gradient});
      else
        sum = sum.defined() ? dispatcher_.call("aten::add.Tensor", {sum, gradient}) : std::move(gradient);
      pending_[to.get()] = std::move(sum);
    }
    if (--waiting_[to.get()] == 0) make_ready(to);
  }

  struct Turn {
    std::int64_t order, later, arrived;
    auto operator<=>(const Turn&) const = default;
  };

  Dispatcher& dispatcher_;
  Tensor given_;
  std::map<const Node*, int> waiting_;
  std::map<const Node*, Tensor> pending_;  // sums of the gradients received so far
  std::vector<Tensor> outgoing_;           // of the current node, not yet passed on
  std::map<Turn, std::shared_ptr<Node>> ready_;
  std::int64_t turns_ = 0;
};

}  // namespace

void backward(Dispatcher& dispatcher, const Tensor& root, const Tensor& gradient) {
  const Edge edge = edge_of(root);
  if (edge.node == nullptr)
    throw OpError(
        "backward has nothing to compute: no input of this result requires a gradient, or it was computed while "
        "gradients were off");
  if (!gradient.defined() && root.count() != 1)
    throw OpError(fmt::format(
        "the result is {}: only a result with a single element needs no initial gradient; give one, or take the sum",
        shape_text(root.sizes())));
  if (gradient.defined() && gradient.sizes() != root.sizes())
    throw OpError(fmt::format("the result is {} and the initial gradient is {}: they must have the same sizes",
                              shape_text(root.sizes()), shape_text(gradient.sizes())));
  const NoGrad off(dispatcher);
  Tensor start = gradient.defined() ? gradient : dispatcher.call("aten::ones_like", {root});
  if (start.dtype() != root.dtype()) start = dispatcher.call("aten::to.dtype", {start, root.dtype()});
  Engine(dispatcher, gradient).run(edge.node, std::move(start));
}

}  // namespace warpwalk::ops
