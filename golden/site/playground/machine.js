// SPDX-License-Identifier: Apache-2.0
// The golden model: TL_MODEL (model.js) is its WebAssembly in base 64, golden/web/src/lib.rs its functions.
const Machine = (() => {
  const module = Uint8Array.from(atob(TL_MODEL), c => c.charCodeAt(0));
  const ready = WebAssembly.instantiate(module).then(({ instance }) => instance.exports);

  function answer(model, length) {
    return JSON.parse(new TextDecoder().decode(new Uint8Array(model.memory.buffer, model.tl_answer(), length)));
  }

  return {
    // Gives { mistakes } or { state }.
    async open(request) {
      const model = await ready;
      const bytes = new TextEncoder().encode(JSON.stringify(request));
      const address = model.tl_input(bytes.length);
      new Uint8Array(model.memory.buffer, address, bytes.length).set(bytes);
      return answer(model, model.tl_open());
    },
    // At most `count` instructions. Gives { state }.
    async step(count) {
      const model = await ready;
      return answer(model, model.tl_step(count));
    },
  };
})();
