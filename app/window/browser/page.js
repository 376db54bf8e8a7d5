// The page around the program: the canvas, input, files and settings. Everything stays in this browser.
function makePage(module, options) {
  const canvas = options.canvas;
  const queue = [];
  let wakeUp = null;
  let drawn = () => {};

  function happened(event) {
    queue.push(event || {kind: REFRESH});
    if (wakeUp) wakeUp();
  }
  // The kinds of events, as in events.cpp.
  const REFRESH = 0, KEY = 1, MOVE = 2, PRESS = 3, RELEASE = 4, WHEEL = 5, DROP = 6, LINK = 7;

  // ---- input

  const density = () => window.devicePixelRatio || 1;
  // Those that the browser needs, or that mean something to the reader of any page.
  function browserKey(event) {
    if (event.metaKey || event.altKey) return true;
    if (/^F\d+$/.test(event.key) && event.key !== 'F11') return true;
    const control = event.ctrlKey;
    return control && (/^[rwtn+\-=0]$/i.test(event.key) || (event.shiftKey && /^[ijc]$/i.test(event.key)));
  }
  const character = (key) => ([...key].length === 1 && key !== ' ' ? key.codePointAt(0) : 0);

  function listen(target) {
    target.addEventListener('keydown', (event) => {
      // Characters of AltGr come with Ctrl and Alt.
      const altGr = event.getModifierState && event.getModifierState('AltGraph');
      if (event.isComposing || (!altGr && browserKey(event))) return;
      const control = event.ctrlKey && !altGr;
      if (control && event.key.toLowerCase() === 'v') return;  // the event "paste" follows
      if (event.key.length > 1 && !NAMED.has(event.key)) return;
      event.preventDefault();
      happened({kind: KEY, text: event.key, character: character(event.key), control, shift: event.shiftKey});
    });
    target.addEventListener('paste', (event) => {
      event.preventDefault();
      const pasted = event.clipboardData.getData('text/plain');
      happened({kind: KEY, text: 'v', character: 'v'.codePointAt(0), control: true, shift: false, pasted});
    });
  }
  const NAMED = new Set(['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End', 'PageUp', 'PageDown',
    'Enter', 'Escape', 'Tab', 'Backspace', 'Delete', 'F11']);
  listen(document);

  const place = (event) => {
    const box = canvas.getBoundingClientRect();
    return {x: (event.clientX - box.left) * density(), y: (event.clientY - box.top) * density()};
  };
  canvas.addEventListener('pointermove', (event) => happened({kind: MOVE, ...place(event)}));
  canvas.addEventListener('pointerdown', (event) => {
    happened({kind: MOVE, ...place(event)});
    if (event.button !== 0) return;
    canvas.setPointerCapture(event.pointerId);
    happened({kind: PRESS, ...place(event)});
  });
  canvas.addEventListener('pointerup', (event) => {
    if (event.button === 0) happened({kind: RELEASE, ...place(event)});
  });
  canvas.addEventListener('wheel', (event) => {
    if (event.ctrlKey) return;  // zooms the page
    event.preventDefault();
    const notch = event.deltaMode === 0 ? 100 : 3;  // pixels or lines
    happened({kind: WHEEL, x: 0, y: -event.deltaY / notch});
  }, {passive: false});
  new ResizeObserver(() => happened()).observe(canvas);
  document.addEventListener('visibilitychange', () => happened());
  document.addEventListener('fullscreenchange', () => happened());

  // ---- files

  async function take(files) {
    const folder = files.length > 1 ? `${HOME}/ranks-${Date.now()}` : HOME;
    module.FS.mkdirTree(folder);
    const paths = [];
    for (const file of files) {
      const path = `${folder}/${file.name.replace(/\//g, '_')}`;
      const bytes = new Uint8Array(await file.arrayBuffer());
      module.FS.writeFile(path, bytes, {canOwn: true});
      paths.push(path);
    }
    for (const path of paths) happened({kind: DROP, text: path});
  }
  // A folder counts as the files in it: the traces of ranks.
  async function filesOf(entry) {
    if (entry.isFile) return [await new Promise((resolve, reject) => entry.file(resolve, reject))];
    const reader = entry.createReader(), files = [];
    while (true) {
      const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
      if (some.length === 0) return files;
      for (const one of some) if (one.isFile) files.push(...(await filesOf(one)));
    }
  }
  const cannotRead = (error) => options.note(`The file cannot be read: ${error.message}`);
  document.addEventListener('dragover', (event) => event.preventDefault());
  document.addEventListener('drop', (event) => {
    event.preventDefault();
    // Chrome does not read files through their entries in a page from disk.
    const read = (item) => {
      const entry = item.webkitGetAsEntry();
      return entry && entry.isDirectory ? filesOf(entry) : [item.getAsFile()].filter(Boolean);
    };
    Promise.all([...event.dataTransfer.items].map(read)).then((files) => take(files.flat())).catch(cannotRead);
  });

  const chooser = document.createElement('input');
  chooser.type = 'file';
  chooser.multiple = true;
  chooser.addEventListener('change', () => {
    take([...chooser.files]).catch(cannotRead);
    chooser.value = '';
  });

  // Files that the program writes into its folder, such as pictures and walks, are downloaded.
  const offered = new Map();
  function offerFiles() {
    for (const name of module.FS.readdir(DOWNLOADS)) {
      const path = `${DOWNLOADS}/${name}`;
      const status = name === '.' || name === '..' ? null : module.FS.stat(path);
      if (!status || !module.FS.isFile(status.mode) || name.endsWith('.partial')) continue;
      const stamp = `${status.mtime.getTime()} ${status.size}`;
      if (offered.get(name) === stamp) continue;
      offered.set(name, stamp);
      const link = document.createElement('a');
      link.href = URL.createObjectURL(new Blob([module.FS.readFile(path)]));
      link.download = name;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 60000);
    }
  }

  // Settings, answers and work on exercises stay in the browser: files of the home folder that are kept from one visit
  // to the next.
  const KEPT = `${HOME}/.config/warpwalk`, PREFIX = 'warpwalk:';
  const store = {
    load() {
      module.FS.mkdirTree(KEPT);
      try {
        for (let i = 0; i < localStorage.length; ++i) {
          const key = localStorage.key(i);
          if (!key.startsWith(PREFIX)) continue;
          const path = `${KEPT}/${key.slice(PREFIX.length)}`;
          module.FS.mkdirTree(path.slice(0, path.lastIndexOf('/')));
          module.FS.writeFile(path, localStorage.getItem(key));
        }
      } catch (error) {
        console.warn(`warpwalk: settings are not kept: ${error.message}`);
      }
    },
    answers() {
      const file = `${KEPT}/answers.jsonl`;
      return module.FS.analyzePath(file).exists ? module.FS.readFile(file, {encoding: 'utf8'}) : '';
    },
    seen: new Map(),
    save(folder = '') {
      for (const entry of module.FS.readdir(`${KEPT}/${folder}`)) {
        if (entry.startsWith('.') || entry.endsWith('.partial')) continue;
        const name = folder + entry, status = module.FS.stat(`${KEPT}/${name}`);
        if (module.FS.isDir(status.mode)) {
          this.save(`${name}/`);
          continue;
        }
        const stamp = `${status.mtime.getTime()} ${status.size}`;
        if (this.seen.get(name) === stamp) continue;
        this.seen.set(name, stamp);
        try {
          localStorage.setItem(PREFIX + name, module.FS.readFile(`${KEPT}/${name}`, {encoding: 'utf8'}));
        } catch (error) {
          console.warn(`warpwalk: ${name} is not kept: ${error.message}`);
        }
      }
    },
  };

  // ---- drawing

  const gl = options.pixels ? null : canvas.getContext('webgl2', {antialias: false, alpha: false});
  const painter = gl ? makePainter(gl, module) : null;
  const flat = gl ? null : canvas.getContext('2d', {alpha: false});
  const heap = (pointer, bytes) => new Uint8ClampedArray(module.memory().buffer, pointer >>> 0, bytes);
  function showPixels(context, rgba, width, height) {
    const copy = new Uint8ClampedArray(heap(rgba, width * height * 4));
    context.putImageData(new ImageData(copy, width, height), 0, 0);
  }
  function fit(target, record, box, ratio) {
    const width = Math.round(box.width * ratio), height = Math.round(box.height * ratio);
    if (target.width !== width || target.height !== height) {
      target.width = width;
      target.height = height;
    }
    const view = new DataView(module.memory().buffer);
    view.setInt32(record, width, true);
    view.setInt32(record + 4, height, true);
    view.setFloat32(record + 8, ratio, true);
  }

  // The lecturer's page, for a second screen.
  let lecturer = null;
  function openLecturer(title) {
    const other = window.open('', 'warpwalk-lecturer', 'popup,width=1040,height=680');
    if (!other) return null;
    other.document.title = title;
    other.document.body.style = 'margin:0;background:#000;overflow:hidden';
    other.document.body.innerHTML = '<canvas style="width:100vw;height:100vh;display:block"></canvas>';
    listen(other.document);
    const target = other.document.querySelector('canvas');
    return {other, target, context: target.getContext('2d', {alpha: false})};
  }

  return {
    wait(milliseconds) {
      store.save();
      offerFiles();
      drawn();
      return new Promise((resolve) => {
        let timer = null;
        const frame = () => {
          wakeUp = null;
          clearTimeout(timer);
          requestAnimationFrame(() => resolve());
        };
        if (milliseconds === 0 || queue.length !== 0) return frame();
        wakeUp = frame;
        if (milliseconds > 0) timer = setTimeout(frame, milliseconds);
      });
    },
    event(record) {
      const event = queue.shift();
      if (!event) return 0;
      const text = event.text ? module.newText(event.text) : 0;
      const pasted = event.pasted ? module.newText(event.pasted) : 0;
      const view = new DataView(module.memory().buffer);
      const whole = [event.kind, event.character || 0, event.control ? 1 : 0, event.shift ? 1 : 0];
      whole.forEach((value, i) => view.setInt32(record + 4 * i, value, true));
      view.setFloat32(record + 16, event.x || 0, true);
      view.setFloat32(record + 20, event.y || 0, true);
      view.setUint32(record + 24, text, true);
      view.setUint32(record + 28, pasted, true);
      return 1;
    },
    size: (record) => fit(canvas, record, canvas.getBoundingClientRect(), density()),
    texture: (alpha, width, height) => painter && painter.texture(alpha, width, height),
    photo: (...list) => painter && painter.photo(...list),
    drawsPixels: () => !gl,
    draw: (...list) => painter.draw(...list),
    pixels: (rgba, width, height) => showPixels(flat, rgba, width, height),
    title(text) {
      document.title = text;
    },
    copy(text) {
      const otherwise = () => {
        const field = document.createElement('textarea');
        field.value = text;
        document.body.append(field);
        field.select();
        document.execCommand('copy');
        field.remove();
        canvas.focus();
      };
      if (navigator.clipboard) navigator.clipboard.writeText(text).catch(otherwise);
      else otherwise();
    },
    fullScreen(fill) {
      const done = fill ? document.documentElement.requestFullscreen()
        : document.fullscreenElement && document.exitFullscreen();
      if (done) done.catch(() => happened());
      // In full screen, Chrome leaves all keys to the page, such as Ctrl+T.
      if (fill && navigator.keyboard && navigator.keyboard.lock) navigator.keyboard.lock().catch(() => {});
    },
    choose: () => chooser.click(),
    address: () => options.address(),
    fillsScreen: () => document.fullscreenElement !== null,
    lecturer(open, title) {
      if (!open) {
        if (lecturer) lecturer.other.close();
        lecturer = null;
        return 0;
      }
      if (!lecturer) lecturer = openLecturer(title);
      else if (lecturer.other.closed) lecturer = null;
      return lecturer ? 1 : 0;
    },
    lecturerSize(record) {
      const {other, target} = lecturer;
      fit(target, record, {width: other.innerWidth, height: other.innerHeight}, other.devicePixelRatio || 1);
    },
    lecturerPixels: (rgba, width, height) => showPixels(lecturer.context, rgba, width, height),
    take,
    store,
    happened,
    /// Calls `then` after each frame.
    onDrawn(then) {
      drawn = then;
    },
    open(link) {
      happened({kind: LINK, text: link});
    },
    key(text, modifiers = {}) {
      happened({kind: KEY, text, character: character(text), control: !!modifiers.control, shift: !!modifiers.shift});
    },
  };
}
