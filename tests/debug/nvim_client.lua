-- The sessions of sessions.json with Neovim's nvim-dap, which is not among the tests of CTest:
--   NVIM_DAP=FOLDER WARPWALK=PROGRAM nvim --headless --clean -u nvim_client.lua
-- FOLDER has nvim-dap; it was seen to work with version 0.6.0 and Neovim 0.7.2.
vim.opt.runtimepath:append(os.getenv("NVIM_DAP"))
local dap = require("dap")
local here = vim.fn.fnamemodify(debug.getinfo(1, "S").source:sub(2), ":p:h")
local described = vim.fn.json_decode(vim.fn.readfile(here .. "/sessions.json"))
local kernels = here .. "/" .. described.kernels

-- As docs/debug.md says.
dap.adapters.warpwalk = { type = "executable", command = os.getenv("WARPWALK"), args = { "debug" } }

local stops = {}
dap.listeners.after.event_stopped.sessions = function(_, body) table.insert(stops, body) end

local function wait_for(what, done)
  assert(vim.wait(20000, done, 5), "no " .. what)
end

local function line_of(kernel, text)
  for number, line in ipairs(vim.fn.readfile(kernels .. "/" .. kernel .. "/kernel.cu")) do
    if line:find(text, 1, true) then return number end
  end
  error("no line with " .. text)
end

-- Whether there is such a value at a path; * is any element of an array.
local function has(value, path, expected)
  if #path == 0 then
    if type(expected) == "string" then return tostring(value):find(expected, 1, true) ~= nil end
    return value == expected
  end
  if type(value) ~= "table" then return false end
  local rest = vim.list_slice(path, 2)
  if path[1] ~= "*" then return has(value[path[1]], rest, expected) end
  for _, element in ipairs(value) do
    if has(element, rest, expected) then return true end
  end
  return false
end

local function run(session)
  local source = vim.fn.fnamemodify(kernels .. "/" .. session.kernel .. "/kernel.cu", ":p")
  local answer, thread = {}, 1
  local function meaning(given)
    if type(given) == "table" then return vim.tbl_map(meaning, given) end
    if type(given) ~= "string" or given:sub(1, 1) ~= "$" then return given end
    local word, text = given:match("^(%S+) ?(.*)$")
    if word == "$line" then return line_of(session.kernel, text) end
    return ({ ["$thread"] = thread, ["$source"] = source, ["$read"] = #(answer.reads or {}) - 1, ["$data"] = answer.dataId })[word]
  end
  -- The frame that nvim-dap jumps to after a stop.
  local function next_stop()
    wait_for("stop", function() return #stops > 0 end)
    local stop = table.remove(stops, 1)
    wait_for("frame", function() return dap.session().current_frame ~= nil end)
    thread = stop.threadId
    return stop, dap.session().current_frame
  end

  stops = {}
  dap.run({ type = "warpwalk", request = "launch", name = session.name, code = described.code,
            program = kernels .. "/" .. session.kernel .. "/launch.json" })
  next_stop()
  assert(#session.steps <= 6, session.name)
  for _, step in ipairs(session.steps) do
    local failed, done
    if step.stop then
      dap.session().current_frame = nil
      dap.session().stopped_thread_id = nil -- else nvim-dap continues when another thread stops
    end
    dap.session():request(step.request, meaning(step.arguments or vim.empty_dict()), function(err, body)
      failed, answer, done = err, body or {}, true
    end)
    wait_for("answer", function() return done end)
    assert(not failed, vim.inspect(failed))
    for path, expected in pairs(step.answer or {}) do
      assert(has(answer, vim.split(path, ".", { plain = true }), meaning(expected)), session.name .. ": " .. path)
    end
    if step.stop then
      local stop, frame = next_stop()
      assert((stop.description or ""):find(step.stop.text or "", 1, true), session.name)
      if step.stop.line then
        assert(frame.line == meaning(step.stop.line), session.name .. ": line " .. frame.line)
        assert(frame.source.path == source, frame.source.path)
        assert(vim.fn.expand("%:p") == source and vim.fn.line(".") == frame.line, "the cursor is not there")
      end
    end
  end
  local ended = false
  dap.disconnect({ terminateDebuggee = true }, function() ended = true end)
  wait_for("end", function() return ended and dap.session() == nil end)
  print(session.kernel .. ": " .. session.name .. ": " .. #session.steps .. " requests")
end

local good, message = pcall(function()
  for _, session in ipairs(described.sessions) do run(session) end
end)
print(good and #described.sessions .. " sessions\n" or message .. "\n")
vim.cmd(good and "qall!" or "cquit")
