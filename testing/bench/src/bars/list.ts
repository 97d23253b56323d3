import { rows } from "../suites/browsers/rows.js";
import { BEST_RIVAL } from "../suites/browsers/tables.js";
import type { Bar, FloorBar, LimitBar, SpeedBar } from "./bar.js";
import { hazelcastBars } from "./hazelcast.js";
import { runnerBars } from "./runner.js";
import { schemasBars } from "./schemas.js";
import { seriesBars } from "./series.js";
import { serviceBars } from "./service.js";
import { traceBars } from "./trace.js";

function decode(workloads: SpeedBar["workloads"], against: SpeedBar["against"], atLeast: number): SpeedBar {
  return { kind: "speed", suite: "msgpack", candidate: "moonpack", operation: "decode", workloads, against, atLeast };
}

function encodeMean(candidate: string, against: SpeedBar["against"], atLeast: number): SpeedBar {
  const race = { kind: "speed", suite: "msgpack", operation: "encode", workloads: "all", geometricMean: true } as const;
  return { ...race, candidate, against, atLeast };
}

function keptResults(nodeMajor: number, atMost: number): LimitBar {
  return { kind: "limit", suite: "memory", table: "nodes", row: `node-${nodeMajor}`, column: "all", atMost };
}

function streamLimit(table: string, rows: readonly string[], column: string, atMost: number): LimitBar[] {
  return rows.map((row) => ({ kind: "limit", suite: "stream", table, row, column, atMost }));
}

function streamFloor(table: string, rows: readonly string[], column: string, atLeast: number): FloorBar[] {
  return rows.map((row) => ({ kind: "floor", suite: "stream", table, row, column, atLeast }));
}

const CHUNK_READERS = ["stream-decoder", "decode-async"];
const COOPERATIVE = ["decode", "encode"].flatMap((operation) =>
  ["hn", "dictionary", "numeric"].map((input) => `${operation}-${input}`),
);

const streamBars: readonly Bar[] = [
  ...streamLimit("chunked", CHUNK_READERS, "whole", 1.1),
  ...streamLimit("chunked", CHUNK_READERS, "1k", 1.6),
  ...streamFloor("chunked-rivals", ["stream-decoder/msgpack-javascript", "decode-async/msgpack-javascript"], "1k", 2),
  ...streamFloor("chunked-rivals", ["stream-decoder/msgpackr", "decode-async/msgpackr"], "1k", 100),
  ...streamFloor(
    "many-decode-pairs",
    [
      "decode-stream/msgpackr-iter",
      "decode-stream/msgpackr-iteration",
      "node-data/msgpackr-data",
      "node-iteration/msgpackr-iteration",
    ],
    "speed",
    1,
  ),
  ...streamFloor(
    "many-encode-pairs",
    [
      "encode-stream-later/msgpackr-iter",
      "encode-stream/msgpackr-iteration",
      "node-data/msgpackr-data",
      "node-iteration/msgpackr-iteration",
    ],
    "speed",
    1,
  ),
  ...streamLimit(
    "memory",
    ["decodeStream", "decodeArrayStream", "DecodeStream", "encodeStream", "EncodeStream"],
    "peak",
    120,
  ),
  ...streamFloor("echo", ["3"], "throughput", 6),
  ...streamFloor("echo", ["1k"], "throughput", 3),
  ...streamFloor("echo", ["100k", "alone"], "throughput", 0.97),
  ...streamLimit("cooperative", COOPERATIVE, "p99", 12),
  ...streamLimit("cooperative", COOPERATIVE, "total", 1.3),
];

function protobufFloor(table: string, column: string, row: string, atLeast: number): FloorBar {
  return { kind: "floor", suite: "protobuf", table, row, column, atLeast };
}

function protobufMemory(column: string, sizes: readonly number[], atMost: number): LimitBar[] {
  return sizes.map((megabytes) => {
    const row = `moonpack-8-${megabytes}`;
    return { kind: "limit", suite: "protobuf", table: "memory", row, column, atMost };
  });
}

/** moonpack in the generated code of protobuf.js 8 and 7, compared with the Writer and Reader of that version. */
const protobufBars: readonly Bar[] = [
  protobufFloor("encode-small", "speed", "moonpack-8", 1.2),
  protobufFloor("encode-small", "speed", "moonpack-7", 1.7),
  protobufFloor("encode-large", "speed", "moonpack-8", 1.8),
  protobufFloor("encode-large", "speed", "moonpack-7", 5),
  ...["decode-small", "decode-large"].flatMap((table) =>
    ["moonpack-8", "moonpack-7"].flatMap((row) => [
      protobufFloor(table, "speed", row, 1.1),
      protobufFloor(table, "low", row, 1),
    ]),
  ),
  ...protobufMemory("heap", [30], 1),
  ...protobufMemory("buffers", [18, 30, 36], 1.25),
  ...protobufMemory("peak", [18, 30, 36], 2.1),
];

function pckFloor(table: string, row: string, column: string, atLeast: number): FloorBar {
  return { kind: "floor", suite: "pck", table, row, column, atLeast };
}

const PCK_TEXTS = ["ascii", "latin", "cjk"].flatMap((script) =>
  ["8", "50", "3k", "90k"].map((size) => `${script}-${size}`),
);

/** moonpack compared with other codecs that use schemas; without generated code, with each way of using moonpack. */
const pckBars: readonly Bar[] = [
  { kind: "limit", suite: "pck", table: "bundle", row: "player", column: "gzip", atMost: 2.5 * 1024 },
  pckFloor("encode-others", "player", "avsc", 2),
  pckFloor("encode-others", "player", "json", 10),
  pckFloor("decode-others", "player", "seqproto", 1.5),
  pckFloor("decode-others", "player", "json", 19),
  pckFloor("encode-others", "hn", "seqproto", 1),
  pckFloor("encode-others", "hn", "json", 3),
  pckFloor("decode-others", "hn", "seqproto", 1),
  pckFloor("decode-others", "hn", "json", 4),
  ...["encode", "decode"].flatMap((operation) => [
    ...["mixed", "integers", "varints", "floats", ...PCK_TEXTS].map((row) =>
      pckFloor(`${operation}-others`, row, "all", 1),
    ),
    pckFloor(`${operation}-ours`, "worst", "closures", 0.25),
    pckFloor(`${operation}-ours`, "worst", "json", 1),
  ]),
];

/** How many times faster than encoding/json the emitted Go code is. It must also be faster than all others. */
const goBars: readonly Bar[] = Object.entries({
  "player-encode": 40,
  "player-decode": 100,
  "hn-encode": 9,
  "hn-decode": 10,
}).flatMap(([table, json]) =>
  Object.entries({ json, msgp: 1, protobuf: 1 }).map(
    ([row, atLeast]): FloorBar => ({ kind: "floor", suite: "go", table, row, column: "speed", atLeast }),
  ),
);

const DOCUMENTS = ["small-mixed", "clinical", "hn"];
const ASCII = ["ascii-1k", "ascii-100k"];
const TEXTS = [...ASCII, "french-10k", "cjk-1k", "cjk-100k"];

function loadFloor(table: string, column: string, row: string, atLeast: number): FloorBar {
  return { kind: "floor", suite: "load", table, row, column, atLeast };
}

const loadBars: readonly Bar[] = [
  loadFloor("made-node", "speed", "moonpack", 1.15),
  loadFloor("made-deno", "speed", "moonpack", 0.95),
  loadFloor("made-bun", "speed", "moonpack", 0.95),
  loadFloor("made-node", "speed", "pck", 1.3),
  ...["msgpack-javascript", "msgpackr", "json-pack"].flatMap((rival) =>
    ["node", "deno", "bun"].map((runtime) => loadFloor("rivals-made", runtime, rival, 1)),
  ),
  ...["moonpack", "pck"].flatMap((row) =>
    ["node", "deno", "bun"].map(
      (runtime): LimitBar => ({
        kind: "limit",
        suite: "load",
        table: `made-${runtime}`,
        row,
        column: "peakOfJson",
        atMost: 1,
      }),
    ),
  ),
];

/** moonpack must be the fastest binary codec in each row, in both browsers. */
const browserBars: readonly Bar[] = ["chromium", "firefox"].flatMap((browser) => [
  ...rows.map(
    ({ group, operation, message }): FloorBar => ({
      kind: "floor",
      suite: "browsers",
      table: `${browser}-${group}-${operation}`,
      row: message,
      column: BEST_RIVAL,
      atLeast: 1,
    }),
  ),
  ...["small", "large"].map(
    (row): FloorBar => ({
      kind: "floor",
      suite: "browsers",
      table: `${browser}-protobuf-encode`,
      row,
      column: "protobufjs-8",
      atLeast: 1.2,
    }),
  ),
]);

/** All promises of the project, measured on Node 20. Ratios are taken within one run. */
export const bars: readonly Bar[] = [
  decode(DOCUMENTS, "msgpackr", 1.8),
  decode(DOCUMENTS, "json-pack", 1.3),
  decode(["numeric"], "msgpackr", 2.8),
  decode(["tiny"], "msgpackr", 1.8),
  decode(["shapes"], "msgpackr", 1.5),
  decode(["numeric", "tiny"], "best rival", 1),
  decode(["shapes"], "json-pack", 1.2),
  decode(ASCII, "msgpackr", 1.4),
  decode(["french-10k"], "msgpackr", 2.3),
  decode(["cjk-1k"], "msgpackr", 3),
  decode(["cjk-100k"], "msgpackr", 8),
  decode(TEXTS, "best rival", 1),
  decode(["dictionary"], "msgpackr", 1.05),
  decode(["dictionary"], "best rival", 1),
  encodeMean("moonpack-shared", "msgpackr", 1.45),
  encodeMean("moonpack-shared", "json-pack", 1.1),
  encodeMean("moonpack", "msgpackr", 1.3),
  encodeMean("moonpack", "json-pack", 1),
  { ...decode("all", "msgpackr", 0.95), candidate: "moonpack-interpreted" },
  { ...decode("all", "msgpackr", 0.95), candidate: "moonpack-shared", operation: "encode" },
  keptResults(20, 240),
  keptResults(22, 240),
  // Node 24's V8 has larger typed array objects.
  keptResults(24, 256),
  { kind: "limit", suite: "memory", table: "strings", row: "moonpack", column: "all", atMost: 1.1 },
  // 1 KB is 1,024 bytes.
  { kind: "limit", suite: "size", table: "bundles", row: "moonpack-decode", column: "gzip", atMost: 5.5 * 1024 },
  { kind: "limit", suite: "size", table: "bundles", row: "moonpack-all", column: "gzip", atMost: 12 * 1024 },
  ...streamBars,
  ...protobufBars,
  ...pckBars,
  ...goBars,
  ...browserBars,
  ...loadBars,
  ...serviceBars,
  ...schemasBars,
  ...seriesBars,
  ...hazelcastBars,
  ...traceBars,
  ...runnerBars,
];
