// The measurements of buffers.mjs.
import { Buffer } from "node:buffer";
import { Encoder } from "moonpack";
import { bytesEach, firstWhere, race } from "./measure.mjs";
import { isSmoke } from "./size.mjs";

const SLAB_BYTES = 8192;

/**
 * True if memory of this kind is outside of V8's heap. A typed array on the heap has no ArrayBuffer until a program
 * asks for it.
 */
function isOutside(make) {
  // Memory that is freed in the meantime may hide the new memory, so a negative result is measured again.
  for (let attempt = 0; attempt < 3; attempt++) {
    globalThis.gc();
    const before = process.memoryUsage().arrayBuffers;
    const kept = Array.from({ length: 200 }, make);
    if (process.memoryUsage().arrayBuffers - before >= kept.length) return true;
  }
  return false;
}

/** A binary whose message has `size` bytes: MessagePack adds two, three or five. */
const message = (size) => new Uint8Array(size - (size < 258 ? 2 : size < 65_539 ? 3 : 5));

export function places() {
  const encoder = new Encoder();
  const isOwn = (size) => encoder.encode(message(size)).buffer.byteLength === size;
  const isShared = (size) => !isOwn(size);
  return {
    "heap.most": firstWhere(56, 1000, (size) => isOutside(() => new Uint8Array(size))) - 1,
    "heap.array-buffer": !isOutside(() => new ArrayBuffer(8)),
    "heap.words": firstWhere(12, 1000, (length) => isOutside(() => new Int32Array(length))) - 1,
    "encode.own": firstWhere(3, 1000, isShared) - 1,
    "encode.cut": firstWhere(firstWhere(3, 1000, isShared), 4000, isOwn) - 1,
  };
}

export async function bytes() {
  const count = isSmoke ? 20_000 : 40_000;
  const own = (size) => () => new Uint8Array(size);
  const figures = {};
  for (const size of isSmoke ? [64] : [16, 64, 65, 256, 1024])
    figures[`held.${size}`] = await bytesEach(count, own(size));
  const encoder = new Encoder();
  const hundred = message(100);
  const small = message(40);
  // One of a slab's 78 results is kept, which keeps the whole slab.
  const among = (neighbours, keep) => () => {
    for (let i = 0; i < neighbours; i++) encoder.encode(hundred);
    return keep();
  };
  const few = isSmoke ? 500 : 1000;
  const aSlab = Math.floor(SLAB_BYTES / 104);
  figures["pinned.cut"] = await bytesEach(
    few,
    among(aSlab, () => encoder.encode(hundred)),
  );
  figures["pinned.owned"] = await bytesEach(
    few,
    among(aSlab, () => encoder.encodeOwned(hundred)),
  );
  figures["pinned.small"] = await bytesEach(
    few,
    among(aSlab, () => encoder.encode(small)),
  );
  if (isSmoke) return figures;
  figures["held.asked"] = await bytesEach(count, () => {
    const array = new Uint8Array(64);
    void array.buffer;
    return array;
  });
  figures["held.cut"] = await bytesEach(count, () => encoder.encode(hundred));
  figures["held.owned"] = await bytesEach(count, () => encoder.encodeOwned(hundred));
  figures["pinned.buffer"] = await bytesEach(few, () => {
    for (let i = 0; i < aSlab; i++) Buffer.allocUnsafe(100);
    return Buffer.allocUnsafe(100);
  });
  return figures;
}

export const SIZES = [16, 64, 65, 256, 1024, 2048, 16_384, 1_048_576];

export function allocation() {
  const figures = {};
  const options = { rounds: 11, sampleMs: 3 };
  const contestants = SIZES.map((size) => ({ id: `new.${size}`, call: () => new Uint8Array(size), bytes: size + 200 }));
  Object.assign(figures, race("new.64", contestants, options));
  const { buffer } = new Uint8Array(SLAB_BYTES);
  const views = [
    { id: "view.own", call: () => new Uint8Array(256), bytes: 456 },
    { id: "view.cut", call: () => new Uint8Array(buffer, 64, 256), bytes: 200 },
    { id: "view.data", call: () => new DataView(buffer, 64, 256), bytes: 200 },
    { id: "view.buffer", call: () => Buffer.allocUnsafe(256), bytes: 456 },
    { id: "view.unzeroed", call: () => Buffer.allocUnsafeSlow(256), bytes: 456 },
  ];
  return { ...figures, ...race("view.own", views, options) };
}

export function ownership() {
  const figures = {};
  for (const size of [40, 100, 1000, 10_000]) {
    const value = message(size);
    const [cut, owned, shared] = [new Encoder(), new Encoder(), new Encoder()];
    Object.assign(
      figures,
      race(`encode-${size}.owned`, [
        { id: `encode-${size}.owned`, call: () => owned.encodeOwned(value), bytes: size + 200 },
        { id: `encode-${size}.cut`, call: () => cut.encode(value), bytes: size + 200 },
        { id: `encode-${size}.shared`, call: () => shared.encodeShared(value), bytes: size + 200 },
      ]),
    );
  }
  return figures;
}
