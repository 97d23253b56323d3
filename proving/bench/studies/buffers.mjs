// Typed arrays: where V8 keeps them, their memory and cost by size, and the cost of results with their own memory.
import { allocation, bytes, ownership, places, SIZES } from "./buffers-measure.mjs";

const SLAB = "packages/moonpack/src/bytes/slab.ts";
const LENGTH_TABLE = "packages/protobuf/src/writer/length-table.ts";
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
      text: "From `process.memoryUsage().arrayBuffers`, and from the buffers behind results of the encoder.",
      kind: "counted",
      rows: [
        ["heap.most", "the longest Uint8Array on V8's heap", "bytes"],
        ["heap.words", "the longest Int32Array there, in elements", "count"],
        ["heap.array-buffer", "is an ArrayBuffer of 8 bytes there?"],
        ["encode.own", "`encode`: the longest result with its own buffer, from 3 bytes on", "bytes"],
        ["encode.cut", "`encode`: the longest result cut from a slab", "bytes"],
      ],
    },
    {
      title: "Bytes held by one typed array",
      text: "Mean of many kept arrays. Pinned: 79 results of 100 bytes are created for each one that is kept.",
      kind: "counted",
      rows: [
        ...[16, 64, 65, 256, 1024].map((size) => [`held.${size}`, `\`new Uint8Array(${size})\``, "bytes"]),
        ["held.asked", "`new Uint8Array(64)` after `.buffer` was read", "bytes"],
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
      title: "Memory for 256 bytes",
      text: "Speed as a multiple of `new Uint8Array(256)`.",
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
      text: "A message of this size that holds a binary. Speed as a multiple of `encodeOwned`, which never shares memory.",
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
    {
      text: "That is 16 integers of 32 bits",
      file: LENGTH_TABLE,
      code: "INITIAL_CAPACITY = 16",
      figure: "heap.words",
      is: 16,
    },
    { text: "Results of up to 64 bytes have their own memory", file: SLAB, figure: "encode.own", is: 64 },
    {
      text: "Results of up to 2 KB are cut from a slab",
      file: SLAB,
      code: "CUT_BYTES = 2048",
      figure: "encode.cut",
      is: 2048,
    },
    {
      text: "A separate array needs about 200 bytes plus its length",
      file: "proving/bench/src/suites/memory.ts",
      figure: "held.64",
      about: 264,
      within: 0.15,
    },
    {
      text: "A kept result can pin its slab, as a Node Buffer can",
      file: SLAB,
      code: "SLAB_BYTES = 8192",
      figure: "pinned.cut",
      atLeast: 4000,
    },
    { text: "`encodeOwned` pins nothing", file: SLAB, figure: "pinned.owned", atMost: 1500 },
    { text: "A result of up to 64 bytes pins nothing", file: SLAB, figure: "pinned.small", atMost: 1500 },
    { text: "An array of 65 bytes takes 3 times as long as one of 64", file: SLAB, figure: "new.65", atMost: 0.33 },
    { text: "A view of a slab takes half the time of separate memory", file: SLAB, figure: "view.cut", atLeast: 2 },
    {
      text: "A result cut from a slab is faster than an owned one",
      file: SLAB,
      figure: "encode-100.cut",
      atLeast: 1.2,
    },
    { text: "Also at 1,000 bytes", file: SLAB, figure: "encode-1000.cut", atLeast: 1.1 },
  ],
};
