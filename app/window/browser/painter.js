// Draws Dear ImGui's triangles with WebGL 2: the atlas of the fonts, pictures of a lesson, one blend.
function makePainter(gl, module) {
  const vertexShader = `#version 300 es
    uniform vec2 size;
    layout(location = 0) in vec2 place;
    layout(location = 1) in vec2 at;
    layout(location = 2) in vec4 colour;
    out vec2 texel;
    out vec4 tint;
    void main() {
      texel = at;
      tint = colour;
      gl_Position = vec4(place.x / size.x * 2.0 - 1.0, 1.0 - place.y / size.y * 2.0, 0.0, 1.0);
    }`;
  const fragmentShader = `#version 300 es
    precision mediump float;
    uniform sampler2D atlas;
    uniform bool photo;
    in vec2 texel;
    in vec4 tint;
    out vec4 result;
    void main() {
      vec4 sampled = texture(atlas, texel);
      result = photo ? tint * sampled : vec4(tint.rgb, tint.a * sampled.r);
    }`;
  let program, vertices, indices, texture, size, photo, lastTexture = null;
  const photos = new Map();  // by number: pixels, size and texture

  function compiled(kind, source) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    return shader;
  }
  function prepare() {
    program = gl.createProgram();
    gl.attachShader(program, compiled(gl.VERTEX_SHADER, vertexShader));
    gl.attachShader(program, compiled(gl.FRAGMENT_SHADER, fragmentShader));
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost())
      throw new Error(`WebGL: ${gl.getProgramInfoLog(program)}`);
    size = gl.getUniformLocation(program, 'size');
    photo = gl.getUniformLocation(program, 'photo');
    vertices = gl.createBuffer();
    indices = gl.createBuffer();
    texture = gl.createTexture();
  }
  function upload({alpha, width, height}) {
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    for (const side of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, side, gl.LINEAR);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.R8, width, height, 0, gl.RED, gl.UNSIGNED_BYTE, alpha);
  }
  function uploadPhoto(one) {
    one.texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, one.texture);
    for (const side of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, side, gl.LINEAR);
    for (const side of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T])
      gl.texParameteri(gl.TEXTURE_2D, side, gl.CLAMP_TO_EDGE);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, one.width, one.height, 0, gl.RGBA, gl.UNSIGNED_BYTE, one.pixels);
  }
  prepare();
  gl.canvas.addEventListener('webglcontextlost', (event) => event.preventDefault());
  gl.canvas.addEventListener('webglcontextrestored', () => {
    prepare();
    if (lastTexture) upload(lastTexture);
    for (const one of photos.values()) uploadPhoto(one);
    module.page.happened();
  });

  return {
    texture(alpha, width, height) {
      lastTexture = {alpha: new Uint8Array(module.memory().buffer, alpha >>> 0, width * height).slice(), width, height};
      upload(lastTexture);
    },
    photo(number, pixelsAt, width, height) {
      if (!pixelsAt) {
        gl.deleteTexture(photos.get(number)?.texture ?? null);
        photos.delete(number);
        return;
      }
      const bytes = new Uint8Array(module.memory().buffer, pixelsAt >>> 0, width * height * 4);
      const one = {pixels: bytes.slice(), width, height, texture: null};
      photos.set(number, one);
      uploadPhoto(one);
    },
    draw(vertexAt, vertexCount, indexAt, indexCount, commandAt, commandCount, ground) {
      const memory = module.memory().buffer, {width, height} = gl.canvas;
      gl.viewport(0, 0, width, height);
      gl.disable(gl.SCISSOR_TEST);
      gl.clearColor((ground & 255) / 255, ((ground >>> 8) & 255) / 255, ((ground >>> 16) & 255) / 255, 1);
      gl.clear(gl.COLOR_BUFFER_BIT);
      gl.enable(gl.SCISSOR_TEST);
      gl.enable(gl.BLEND);
      gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
      gl.useProgram(program);
      gl.uniform2f(size, width, height);
      gl.bindBuffer(gl.ARRAY_BUFFER, vertices);
      gl.bufferData(gl.ARRAY_BUFFER, new Uint8Array(memory, vertexAt >>> 0, vertexCount * 20), gl.STREAM_DRAW);
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, indices);
      gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, new Uint8Array(memory, indexAt >>> 0, indexCount * 2), gl.STREAM_DRAW);
      for (let i = 0; i < 3; ++i) gl.enableVertexAttribArray(i);
      const commands = new Int32Array(memory, commandAt >>> 0, commandCount * 8);
      for (let i = 0; i < commands.length; i += 8) {
        const [left, top, right, bottom, count, firstIndex, firstVertex, number] = commands.subarray(i, i + 8);
        const x = Math.max(left, 0), wide = Math.min(right, width) - x, y = Math.max(top, 0);
        const high = Math.min(bottom, height) - y;
        if (wide <= 0 || high <= 0) continue;
        gl.bindTexture(gl.TEXTURE_2D, photos.get(number)?.texture ?? texture);
        gl.uniform1i(photo, photos.has(number) ? 1 : 0);
        gl.scissor(x, height - y - high, wide, high);
        gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 20, firstVertex * 20);
        gl.vertexAttribPointer(1, 2, gl.FLOAT, false, 20, firstVertex * 20 + 8);
        gl.vertexAttribPointer(2, 4, gl.UNSIGNED_BYTE, true, 20, firstVertex * 20 + 16);
        gl.drawElements(gl.TRIANGLES, count, gl.UNSIGNED_SHORT, firstIndex * 2);
      }
    },
  };
}
