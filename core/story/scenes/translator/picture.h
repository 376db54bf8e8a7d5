#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/story/facts/dispatch_keys.h"
#include "core/story/pictures/code.h"
#include "core/trace/origin.h"

namespace warpwalk::story {

/// A stop of the way at the top of the picture: op, keys, door, kernel, machine code.
struct TranslatorStation {
  std::string name;
  std::string value;   ///< in this trace; empty where it does not say
  std::string second;  ///< the other door, under the one that is taken; empty for all but the doors
  bool second_taken = false;
  bool undecided = false;  ///< the trace does not say which of the two
  double reached = 0;      ///< 0 not yet, 1 passed or here

  template <class V>
  void visit(V& v) const {
    v.data(name, value, second, second_taken, undecided, reached);
    if (reached >= 1 && !value.empty())
      v.line("way: ", name, ": ", undecided ? value + " / " + second : second_taken ? second : value);
  }
};

/// Ops one inside the other, and what they order.
struct OpsPane {
  struct Row {
    std::string name;
    std::string inputs;
    std::string number;  ///< sequence number, as recorded; empty where none
    std::string says;    ///< what it decides
    char role = 'o';     ///< o op, l launch, g GPU work
    std::size_t depth = 0;
    double shown = 1;

    template <class V>
    void visit(V& v) const {
      v.data(name, inputs, number, says, role, depth, shown);
      if (shown > 0) v.line("step ", depth + 1, ": ", name, inputs.empty() ? "" : ", ", inputs, ": ", says);
    }
  };
  std::string head_op, head_inputs, head_number, head_says;
  std::vector<Row> rows;

  template <class V>
  void visit(V& v) const {
    v.data(head_op, head_inputs, head_number, head_says);
    v.each(rows);
  }
};

/// The keys of one call, highest first, and what is registered for each.
struct KeysPane {
  struct Row {
    KeyRow key;
    std::string does;   ///< the effect in words
    double passed = 0;  ///< 1: its function has been called and the key is masked off

    template <class V>
    void visit(V& v) const {
      v.data(key.key, key.tensors, key.adds, key.removes, key.set, key.turn, key.function, passed, does);
    }
  };
  struct Door {
    std::string name;
    std::string says;
    bool taken = false;
    double open = 0;  ///< 1: the way through is free; less where the trace does not say which door it was

    template <class V>
    void visit(V& v) const {
      v.data(name, says, taken, open);
    }
  };
  std::string head_key, head_tensors, head_adds, head_removes, head_set, head_does, head_function;
  std::vector<Row> rows;
  bool sources = true;       ///< tensors, adds and removes are known apart; else only the set is
  double tensors_shown = 1;  ///< how far each column is filled
  double thread_shown = 1;
  double set_shown = 1;
  double functions_shown = 0;  ///< the column of functions and, beside the table, the doors
  double cursor = -1;          ///< the row that the yellow frame is on; -1: none
  std::vector<Door> doors;
  std::string head_instances;
  std::vector<std::pair<std::string, bool>> instances;  ///< dtype, chosen
  std::string instances_note;
  std::string note;                                         ///< about the whole table
  std::string what_if;                                      ///< where the trace's own call ended
  bool set_by_person = false;                               ///< then what_if stands in the note's place
  std::vector<std::pair<std::string, std::string>> legend;  ///< what the columns are, in words

  template <class V>
  void visit(V& v) const {
    v.data(head_key, head_tensors, head_adds, head_removes, head_set, head_does, head_function, head_instances);
    v.data(instances, instances_note, note, what_if, set_by_person, legend, sources, tensors_shown, thread_shown,
           set_shown, functions_shown, cursor);
    for (const Row& row : rows) {
      v.part(row);
      if (row.key.set != Bit::off) v.line(row_text(row));
    }
    v.each(doors);
    if (set_by_person) v.line(what_if);
    if (functions_shown <= 0) return;
    for (const Door& door : doors)
      if (door.taken) v.line("door: ", door.name, ": ", door.says);
    for (const auto& [dtype, chosen] : instances)
      if (chosen) v.line("instance: ", dtype);
  }

 private:
  std::string row_text(const Row& row) const;
};

/// A kernel's name, taken apart.
struct NamePane {
  struct Part {
    std::string text;
    std::string says;  ///< empty: punctuation
    bool decoded = false;

    template <class V>
    void visit(V& v) const {
      v.data(text, says, decoded);
      if (!says.empty()) v.line("part: ", text, ": ", says);
    }
  };
  std::string head_part, head_says;
  std::vector<Part> parts;          ///< together the name
  double told = 1;                  ///< how many of the parts that say something have been told, as a share
  std::vector<std::string> checks;  ///< what the name says against what the launch records

  template <class V>
  void visit(V& v) const {
    v.data(head_part, head_says, told, checks);
    v.each(parts);
    for (const std::string& check : checks) v.line("check: ", check);
  }
};

/// What the launch hands to the driver, and what the driver does with it.
struct OrderPane {
  struct Card {
    std::string name;
    std::string value;  ///< empty where `missing` says why, or where there is none to give
    std::string says;
    std::string missing;  ///< "not recorded"
    trace::Origin origin = trace::Origin::measured;

    template <class V>
    void visit(V& v) const {
      v.data(name, value, says, missing, origin);
      v.line(name, ": ", value.empty() ? missing : value, value.empty() && missing.empty() ? "" : ": ", says);
    }
  };
  std::string command;  ///< kernel<<<...>>>(...)
  std::vector<Card> cards;
  std::string head_driver;
  std::vector<Card> driver;
  double told = 1;

  template <class V>
  void visit(V& v) const {
    v.data(command, head_driver, told);
    v.line("order: ", command);
    v.each(cards);
    v.each(driver);
  }
};

struct TranslatorPicture {
  std::vector<TranslatorStation> stations;
  double packet = 0;  ///< where the packet is on the way, in stations
  std::optional<OpsPane> ops;
  std::optional<KeysPane> keys;
  std::optional<NamePane> name;
  std::optional<OrderPane> order;
  std::optional<CodePicture> code;
  double ops_shown = 0, keys_shown = 0, name_shown = 0, order_shown = 0, code_shown = 0;

  template <class V>
  void visit(V& v) const {
    v.data(packet);
    v.each(stations);
    if (v.on_screen(ops_shown)) v.part(ops);
    if (v.on_screen(keys_shown)) v.part(keys);
    if (v.on_screen(name_shown)) v.part(name);
    if (v.on_screen(order_shown)) v.part(order);
    if (v.on_screen(code_shown)) v.part(code);
  }
};

}  // namespace warpwalk::story
