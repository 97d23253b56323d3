// Typed arrays: where V8 keeps them, what they hold and cost by size, and what it costs that a result is nobody else's.
import { Buffer } from "node:buffer";
import { Encoder } from "moonpack";
import { bytesEach, firstWhere, race } from "./measure.mjs";
import { isSmoke } from "./size.mjs";

const SLAB = "packages/moonpack/src/bytes/slab.ts";
const SCRATCH = "packages/moonpack/src/protobuf/scratch.ts";
const SLAB_BYTES = 8192;

/** Is memory of this kind outside of V8's heap? What is inside is no ArrayBuffer's until somebody asks for it. */
function isOutside(make) {
  // What is freed meanwhile may hide what was made, so a no is asked again.
  for (let attempt = 0; attempt < 3; attempt++) {
    globalThis.gc();
    const before = process.memoryUsage().arrayBuffers;
    const kept = Array.from({ length: 200 }, make);
    if (process.memoryUsage().arrayBuffers - before >= kept.length) return true;
  }
  return false;
}

/** A binary of so many bytes, which is two bytes of MessagePack more, or three or five. */
const message = (size) => new Uint8Array(size - (size < 258 ? 2 : size < 65_539 ? 3 : 5));

function places() {
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

async function bytes() {
  const count = isSmoke ? 20_000 : 40_000;
  const own = (size) => () => new Uint8Array(size);
  const figures = {};
  for (const size of isSmoke ? [64] : [16, 64, 65, 256, 1024])
    figures[`held.${size}`] = await bytesEach(count, own(size));
  const encoder = new Encoder();
  const hundred = message(100);
  const small = message(40);
  // One of a slab's 78 results is kept: it keeps the slab.
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

const SIZES = [16, 64, 65, 256, 1024, 2048, 16_384, 1_048_576];

function allocation() {
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

function ownership() {
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

const sizeText = (size) => `${size.toLocaleString("en-US")} bytes`;

export const study = {
  name: "buffers",
  parts: [
    { id: "places", kind: "counted", run: places },
    { id: "bytes", kind: "counted", run: bytes },
    { id: "allocation", kind: "timed", run: allocation },
    { id: "ownership", kind: "timed", run: ownership },
  ],
  groups: [
    {
      title: "Where",
      text: "From what `process.memoryUsage().arrayBuffers` says; and the buffers behind results of the encoder.",
      kind: "counted",
      rows: [
        ["heap.most", "the longest Uint8Array on V8's heap", "bytes"],
        ["heap.words", "the longest Int32Array there, in elements", "count"],
        ["heap.array-buffer", "is an ArrayBuffer of 8 bytes there?"],
        ["encode.own", "`encode`: the longest result with a buffer of its own, from 3 bytes on", "bytes"],
        ["encode.cut", "`encode`: the longest that is cut from a slab", "bytes"],
      ],
    },
    {
      title: "Bytes that one holds",
      text: "Each of many that are kept. Pinned: 79 results of 100 bytes are made for each that is kept.",
      kind: "counted",
      rows: [
        ...[16, 64, 65, 256, 1024].map((size) => [`held.${size}`, `\`new Uint8Array(${size})\``, "bytes"]),
        ["held.asked", "`new Uint8Array(64)`, asked for its buffer", "bytes"],
        ["held.cut", "`encode`, 100 bytes", "bytes"],
        ["held.owned", "`encodeOwned`, 100 bytes", "bytes"],
        ["pinned.cut", "pinned: `encode`, 100 bytes", "bytes"],
        ["pinned.owned", "pinned: `encodeOwned`, 100 bytes", "bytes"],
        ["pinned.small", "pinned: `encode`, 40 bytes", "bytes"],
        ["pinned.buffer", "pinned: `Buffer.allocUnsafe(100)`", "bytes"],
      ],
    },
    {
      title: "Allocating",
      text: "Speed of `new Uint8Array(n)` as a multiple of that of 64 bytes.",
      kind: "timed",
      rows: [
        ["new.64.time", "64 bytes, time", "time"],
        ...SIZES.filter((size) => size !== 64).map((size) => [`new.${size}`, sizeText(size), "ratio"]),
      ],
    },
    {
      title: "Room for 256 bytes",
      text: "Speed as a multiple of that of memory of its own.",
      kind: "timed",
      rows: [
        ["view.own.time", "`new Uint8Array(256)`, time", "time"],
        ["view.cut", "`new Uint8Array(slab, ..)`", "ratio"],
        ["view.data", "`new DataView(slab, ..)`", "ratio"],
        ["view.buffer", "`Buffer.allocUnsafe`, cut from Node's slab", "ratio"],
        ["view.unzeroed", "`Buffer.allocUnsafeSlow`, its own", "ratio"],
      ],
    },
    {
      title: "Results of the encoder",
      text: "A binary in a message of so many bytes. Speed as a multiple of `encodeOwned`, which never shares memory.",
      kind: "timed",
      rows: [40, 100, 1000, 10_000].flatMap((size) => [
        [`encode-${size}.owned.time`, `${sizeText(size)}: \`encodeOwned\`, time`, "time"],
        [`encode-${size}.cut`, `${sizeText(size)}: \`encode\``, "ratio"],
        [`encode-${size}.shared`, `${sizeText(size)}: \`encodeShared\``, "ratio"],
      ]),
    },
  ],
  claims: [
    {
      text: "V8 keeps typed arrays of up to 64 bytes on its heap",
      file: SLAB,
      code: "ON_HEAP_BYTES = 64",
      figure: "heap.most",
      is: 64,
    },
    { text: "Of 32-bit integers 16", file: SCRATCH, code: "NESTED = 16", figure: "heap.words", is: 16 },
    { text: "Results of up to 64 bytes have memory of their own", file: SLAB, figure: "encode.own", is: 64 },
    {
      text: "Those of up to 2 KB are cut from a slab",
      file: SLAB,
      code: "CUT_BYTES = 2048",
      figure: "encode.cut",
      is: 2048,
    },
    {
      text: "An array of its own needs about 200 bytes, and 1 a byte",
      file: "packages/bench/src/suites/memory.ts",
      figure: "held.64",
      about: 264,
      within: 0.15,
    },
    {
      text: "A kept cut can pin its slab, as a Buffer of Node's can",
      file: SLAB,
      code: "SLAB_BYTES = 8192",
      figure: "pinned.cut",
      atLeast: 4000,
    },
    { text: "What is owned pins nothing", file: SLAB, figure: "pinned.owned", atMost: 1500 },
    { text: "Nor does a result of up to 64 bytes", file: SLAB, figure: "pinned.small", atMost: 1500 },
    { text: "An array of 65 bytes takes 3 times as long as one of 64", file: SLAB, figure: "new.65", atMost: 0.33 },
    { text: "A cut takes half the time of memory of its own", file: SLAB, figure: "view.cut", atLeast: 2 },
    { text: "A cut result is faster than an owned one", file: SLAB, figure: "encode-100.cut", atLeast: 1.2 },
    { text: "Also at 1,000 bytes", file: SLAB, figure: "encode-1000.cut", atLeast: 1.1 },
  ],
};
