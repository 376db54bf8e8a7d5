// The picture of lanes and schedulers beside the editor: `warpwalk render --moments` draws the moment of each stop.
"use strict";
const vscode = require("vscode");
const { spawn } = require("child_process");
const { randomBytes } = require("crypto");

// The process that draws the moments of one launch. It has one request at a time; of those that come meanwhile, the last
// one is kept.
class Drawer {
  constructor(program, words, show) {
    this.key = words.join("\0");
    this.show = show;
    this.busy = true; // until it has simulated the launch
    this.next = undefined;
    this.said = "";
    this.text = "";
    this.child = spawn(program, words, { stdio: "pipe" });
    this.child.stdout.setEncoding("utf8").on("data", (text) => this.read(text));
    this.child.stderr.setEncoding("utf8").on("data", (text) => (this.said += text));
    this.child.stdin.on("error", () => {});
    this.child.on("error", (error) => this.end(error.message));
    this.child.on("close", () => this.end(this.said.trim().split("\n").pop() || "the pictures have ended"));
  }

  ask(moment) {
    if (this.ended) return this.show({ line: this.ended });
    this.next = moment;
    if (!this.busy) this.send();
  }

  send() {
    this.busy = this.next !== undefined;
    if (!this.busy) return;
    this.child.stdin.write(JSON.stringify(this.next) + "\n");
    this.next = undefined;
  }

  read(text) {
    this.text += text;
    const lines = this.text.split("\n");
    this.text = lines.pop();
    for (const line of lines) {
      const answer = JSON.parse(line);
      if (answer.error) this.show({ line: answer.error });
      else if (answer.pictures) this.show({ pictures: answer.pictures });
      this.send();
    }
  }

  end(line) {
    if (!this.ended && !this.closed) this.show({ line });
    this.ended = line;
  }

  close() {
    this.closed = true;
    this.child.kill();
  }
}

class PicturePanel {
  constructor(program) {
    this.program = program;
    this.panel = vscode.window.createWebviewPanel("warpwalk.picture", "Lanes and Schedulers",
      { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true }, { enableScripts: true });
    this.panel.webview.html = page(randomBytes(16).toString("hex"));
    this.panel.webview.onDidReceiveMessage(() => this.shown && this.panel.webview.postMessage(this.shown));
    this.panel.onDidDispose(() => this.close());
    this.closed = false;
  }

  show(message) {
    this.shown = message;
    if (!this.closed) this.panel.webview.postMessage(message);
  }

  // Draws where a session stands, for the thread that is chosen.
  async follow(session, threadId) {
    let moment;
    try {
      moment = await session.customRequest("warpwalk/moment", { threadId });
    } catch (error) {
      moment = { none: error.message };
    }
    if (moment.none) return this.show({ line: `There is no picture: ${moment.none}.` });
    const kind = vscode.window.activeColorTheme.kind;
    const light = kind === vscode.ColorThemeKind.Light || kind === vscode.ColorThemeKind.HighContrastLight;
    const at = moment.pictures.indexOf("--");
    const words = [...moment.pictures.slice(0, at), "--theme", light ? "light" : "dark", "--size", "1280x860",
      "--scale", "2", ...moment.pictures.slice(at)];
    if (!this.drawer || this.drawer.key !== words.join("\0")) {
      if (this.drawer) this.drawer.close();
      this.show({ line: "The launch is simulated for its pictures." });
      this.drawer = new Drawer(this.program(), words, (message) => this.show(message));
    }
    const { cycle, block, warp, lane } = moment;
    this.drawer.ask({ cycle, block, warp, lane });
  }

  close() {
    this.closed = true;
    if (this.drawer) this.drawer.close();
    this.drawer = undefined;
  }
}

const page = (nonce) => `<!DOCTYPE html><html><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; img-src data:; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'">
<style nonce="${nonce}">body { padding: 8px 12px } h2 { font-size: 1.1em; margin: 12px 0 2px } p { margin: 2px 0 8px }
img { width: 100%; max-width: 1280px }</style></head><body><main aria-live="polite"></main><script nonce="${nonce}">
const main = document.querySelector("main");
const element = (name, text) => Object.assign(document.createElement(name), { textContent: text });
addEventListener("message", ({ data }) => {
  const shown = (data.pictures || []).flatMap(({ title, text, png }) => [element("h2", title), element("p", text),
    Object.assign(document.createElement("img"), { src: "data:image/png;base64," + png, alt: title + " " + text })]);
  main.replaceChildren(...(data.line ? [element("p", data.line)] : shown));
});
acquireVsCodeApi().postMessage("ready");
</script></body></html>`;

// Registers the command and what follows the stops. `program` returns the path of warpwalk.
exports.register = (context, program) => {
  let panel;
  const follow = (session, threadId) => {
    if (panel && !panel.closed && session && session.type === "warpwalk") panel.follow(session, threadId);
  };
  context.subscriptions.push(
    vscode.commands.registerCommand("warpwalk.picture", () => {
      if (!panel || panel.closed) panel = new PicturePanel(program);
      else panel.panel.reveal(undefined, true);
      const session = vscode.debug.activeDebugSession;
      if (session && session.type === "warpwalk") follow(session);
      else panel.show({ line: "Nothing is debugged with warpwalk." });
    }),
    vscode.debug.registerDebugAdapterTrackerFactory("warpwalk", {
      createDebugAdapterTracker: (session) => ({
        onDidSendMessage: (message) => {
          if (message.type === "event" && message.event === "stopped") follow(session, message.body.threadId);
        },
      }),
    }),
    // Since VS Code 1.90: another thread is chosen in the call stack.
    ...(vscode.debug.onDidChangeActiveStackItem
      ? [vscode.debug.onDidChangeActiveStackItem((item) => item && follow(item.session, item.threadId))]
      : []),
    vscode.window.onDidChangeActiveColorTheme(() => follow(vscode.debug.activeDebugSession)),
    { dispose: () => panel && panel.close() }
  );
};
