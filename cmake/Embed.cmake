# warpwalk_embed(room function header asset) compiles a text file into a room: `function`, which `header` declares in
# warpwalk::story, returns its contents. The header stays the only place that code reads; the text has one copy, the asset.
function(warpwalk_embed room function header asset)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${asset})
  file(READ ${asset} text)
  set(source ${PROJECT_BINARY_DIR}/embedded/${function}.cpp)
  file(CONFIGURE OUTPUT ${source} @ONLY CONTENT
"#include \"${header}\"

namespace warpwalk::story {
std::string_view ${function}() { return R\"text(${text})text\"; }
}  // namespace warpwalk::story
")
  target_sources(${room} PRIVATE ${source})
endfunction()
