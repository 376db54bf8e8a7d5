#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/story/pictures/tone.h"
#include "core/story/pictures/visit.h"

namespace warpwalk::story {

/// One member of the company: a part of the machine, with its task.
struct CastMember {
  enum class Kind : std::uint8_t { room, person, tray, crew, store };
  Kind kind = Kind::person;
  std::string name;   ///< the company's, or the hardware's if only those are shown
  std::string other;  ///< the hardware's name beside the company's; may be empty
  std::string task;
  Tone tone = Tone::plain;
  double shown = 1;

  template <class V>
  void visit(V& v) const {
    v.data(kind, name, other, task, tone, shown);
    if (v.on_screen(shown)) v.line(name, other.empty() ? "" : " = ", other, ": ", task);
  }
};

/// The members of one house, in the order in which work reaches them.
struct CastHouse {
  std::string name;
  std::vector<CastMember> members;

  template <class V>
  void visit(V& v) const {
    v.data(name);
    v.line("[", name, "]");
    v.each(members);
  }
};

/// The parts of the machine that work on an op, as a company, one house below the other.
struct CastPicture {
  std::vector<CastHouse> houses;
  std::string link;  ///< the way from a house to the next one: "PCIe"

  template <class V>
  void visit(V& v) const {
    v.data(link);
    v.each(houses);
  }
};

}  // namespace warpwalk::story
