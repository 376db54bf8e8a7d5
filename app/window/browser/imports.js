// The functions that the program imports from the page (cmake/browser/Page.cmake gives this file to emscripten). What
// they do is in page.js, which sets Module.page. The three without a body suspend the caller; fibers.js replaces them.
mergeInto(LibraryManager.library, {
  // Threads (core/platform/browser/fibers.cpp).
  warpwalk_suspend: function() { return 0; },
  warpwalk_pause: function() { return 0; },
  warpwalk_resume: function(ticket) { return Module.fibers.resume(ticket); },
  warpwalk_start: function(fiber) { return Module.fibers.start(fiber); },

  // CUDA C++ (app/window/browser/compiler.cpp): a question gets a number, and its answer once.
  warpwalk_compile: function(source, name) { return Module.compiler.ask(UTF8ToString(source), UTF8ToString(name)); },
  warpwalk_compiled: function(number) {
    var answer = Module.compiler.answer(number);
    return answer ? Module.newText(answer) : 0;
  },
  warpwalk_forget: function(number) { Module.compiler.forget(number); },

  // The window (app/window/browser/window.cpp).
  warpwalk_wait: function() { return 0; },
  warpwalk_event: function(record) { return Module.page.event(record); },
  warpwalk_size: function(record) { return Module.page.size(record); },
  warpwalk_texture: function(alpha, width, height) { return Module.page.texture(alpha, width, height); },
  warpwalk_photo: function(number, rgba, width, height) { return Module.page.photo(number, rgba, width, height); },
  warpwalk_draws_pixels: function() { return Module.page.drawsPixels() ? 1 : 0; },
  warpwalk_draw: function() { return Module.page.draw.apply(null, arguments); },
  warpwalk_pixels: function(rgba, width, height) { return Module.page.pixels(rgba, width, height); },
  warpwalk_title: function(text) { return Module.page.title(UTF8ToString(text)); },
  warpwalk_copy: function(text) { return Module.page.copy(UTF8ToString(text)); },
  warpwalk_address: function() { return Module.newText(Module.page.address()); },
  warpwalk_choose: function() { return Module.page.choose(); },
  warpwalk_full_screen: function(fill) { return Module.page.fullScreen(fill !== 0); },
  warpwalk_fills_screen: function() { return Module.page.fillsScreen() ? 1 : 0; },
  warpwalk_lecturer: function(open, title) { return Module.page.lecturer(open !== 0, UTF8ToString(title)); },
  warpwalk_lecturer_size: function(record) { return Module.page.lecturerSize(record); },
  warpwalk_lecturer_pixels: function(rgba, width, height) { return Module.page.lecturerPixels(rgba, width, height); },
});
