// Strings: what a part keeps of the whole, what appending makes, and what it takes to build one.
import { Buffer } from "node:buffer";
import { Decoder, encode } from "moonpack";
import { readShortAscii, SHORT_STRING } from "../../moonpack/dist/bytes/utf8/common.js";
import { bytesEach, firstWhere, race } from "./measure.mjs";
import { isSmoke } from "./size.mjs";

const COMMON = "packages/moonpack/src/bytes/utf8/common.ts";
const NODE = "packages/moonpack/src/bytes/utf8/node.ts";
const NOTES = "docs/performance-notes.md";
const LARGE = 65_536;
/** What keeps a large text is measured by so many, what does not by more: the heap's own figure is 150 KB off at times. */
const FEW = isSmoke ? 40 : 100;
const MANY = isSmoke ? 300 : 3000;

const letters = (n) => Uint8Array.from({ length: n }, (_, i) => 97 + ((i * 7) % 26));
const large = Buffer.from(letters(LARGE));
/** A text as a decoder gives it: flat, and nobody else's. */
const decoded = () => large.toString("latin1");

const PINNING = {
  "substring-13": () => decoded().substring(100, 113),
  "slice-200": () => decoded().slice(100, 300),
  split: () => `${decoded().slice(0, 100)},${decoded()}`.split(",")[0],
  match: () => /.{200}/.exec(decoded())[0],
};
const FREE = {
  "substring-12": () => decoded().substring(100, 112),
  copied: () => Buffer.from(decoded().slice(100, 300), "latin1").toString("latin1"),
  json: () => JSON.parse(`["${decoded()}","${decoded().slice(0, 200)}"]`)[1],
};

async function retention() {
  const figures = {};
  for (const [way, make] of Object.entries(PINNING)) figures[`kept.${way}`] = Math.round(await bytesEach(FEW, make));
  for (const [way, make] of Object.entries(FREE)) figures[`kept.${way}`] = Math.round(await bytesEach(MANY, make));
  const decoder = new Decoder();
  const message = { before: decoded(), text: decoded().slice(0, 200), after: decoded() };
  const bytes = encode(message);
  figures["kept.ours"] = Math.round(await bytesEach(MANY, () => decoder.decode(bytes).text));
  if (isSmoke) return figures;
  // Lengths are tried one by one, each by what it keeps.
  const kept = [];
  for (let length = 10; length <= 15; length++)
    kept.push(await bytesEach(FEW, () => decoded().substring(1, 1 + length)));
  return { ...figures, "pins.from": firstWhere(10, 15, (length) => kept[length - 10] > LARGE / 2) };
}

const appended = (codes) => {
  let text = "";
  for (const code of codes) text += String.fromCharCode(code);
  return text;
};

async function ropes() {
  const count = isSmoke ? 10_000 : 30_000;
  const codes = (n, i) => Array.from({ length: n }, (_, j) => 97 + ((i + j * 7) % 26));
  const of = async (make) => Math.round(await bytesEach(count, make));
  const searched = (text) => {
    if (text.includes("~")) throw new Error("there is none"); // a rope is made flat before it is searched
    return text;
  };
  const figures = { "held.appended": await of((i) => appended(codes(SHORT_STRING, i))) };
  if (isSmoke) return figures;
  return {
    ...figures,
    "held.call": await of((i) => String.fromCharCode(...codes(SHORT_STRING, i))),
    "held.searched": await of((i) => searched(appended(codes(SHORT_STRING, i)))),
    "held.joined": await of((i) =>
      codes(SHORT_STRING, i)
        .map((code) => String.fromCharCode(code))
        .join(""),
    ),
    "held.template": await of(
      (i) => `${appended(codes(6, i))}${appended(codes(6, i + 1))}${appended(codes(12, i + 2))}`,
    ),
  };
}

function short() {
  const figures = {};
  for (const n of [8, 16, SHORT_STRING, 100]) {
    const sources = Array.from({ length: 64 }, (_, i) => Buffer.from(letters(n).map((code) => 97 + ((code + i) % 26))));
    let turn = 0;
    const input = () => sources[turn++ & 63];
    const own = (body) => new Function("f", `/* ${n} */ return (bytes) => ${body};`);
    const ways = [
      { id: `short-${n}.slice`, call: own("f(bytes)")((bytes) => bytes.latin1Slice(0, n)) },
      { id: `short-${n}.append`, call: own("f(bytes)")((bytes) => appended(bytes)) },
    ];
    if (n <= SHORT_STRING) {
      ways.push({ id: `short-${n}.call`, call: own("f(bytes)")((bytes) => readShortAscii(bytes, 0, n)) });
    }
    Object.assign(
      figures,
      race(
        `short-${n}.slice`,
        ways.map((way) => ({ ...way, input, bytes: 4 * n + 40 })),
      ),
    );
  }
  return figures;
}

function long() {
  const pieces = Array.from({ length: 100_000 }, (_, i) => `piece ${i} `);
  const used = (text) => Buffer.byteLength(text) + text.charCodeAt(text.length >> 1);
  return race(
    "long.append",
    [
      {
        id: "long.append",
        call: () => {
          let text = "";
          for (const piece of pieces) text += piece;
          return used(text);
        },
        bytes: 6_000_000,
      },
      { id: "long.join", call: () => used(pieces.join("")), bytes: 3_000_000 },
    ],
    { rounds: 11, warmUpRounds: 3 },
  );
}

/** A hundred texts out of one message: one decoded text and parts of it, or each by itself. */
function window() {
  const bytes = large.subarray(0, 4096);
  const each = (cut) => {
    let units = 0;
    for (let i = 0; i < 100; i++) units += cut(i * 40, i * 40 + 30).length;
    return units;
  };
  return race("window.own", [
    { id: "window.own", call: () => each((start, end) => bytes.latin1Slice(start, end)), bytes: 10_000 },
    {
      id: "window.parts",
      call: () => {
        const whole = bytes.latin1Slice(0, 4096);
        return each((start, end) => whole.substring(start, end));
      },
      bytes: 10_000,
    },
  ]);
}

export const study = {
  name: "strings",
  parts: [
    { id: "retention", kind: "counted", run: retention },
    { id: "ropes", kind: "counted", run: ropes },
    { id: "short", kind: "timed", run: short },
    { id: "long", kind: "timed", run: long },
    { id: "window", kind: "timed", run: window },
  ],
  groups: [
    {
      title: "What a kept part holds",
      text: "A part of a decoded text of 65,536 characters; nothing else of that is kept.",
      kind: "counted",
      rows: [
        ["kept.substring-12", "`substring`, 12 characters", "bytes"],
        ["kept.substring-13", "`substring`, 13 characters", "bytes"],
        ["kept.slice-200", "`slice`, 200 characters", "bytes"],
        ["kept.split", "`split`, 100 characters", "bytes"],
        ["kept.match", "a match of a regular expression, 200 characters", "bytes"],
        ["kept.copied", "`slice`, then through a Buffer, 200 characters", "bytes"],
        ["kept.json", "`JSON.parse`, 200 characters of 65,738", "bytes"],
        ["kept.ours", "`decode`, 200 characters of a message of 131,300 bytes", "bytes"],
        ["pins.from", "the shortest `substring` that keeps the whole", "count"],
      ],
    },
    {
      title: "What 24 characters hold",
      text: "By the way in which they came together.",
      kind: "counted",
      rows: [
        ["held.call", "one call of `String.fromCharCode`", "bytes"],
        ["held.joined", "`join` of an array", "bytes"],
        ["held.appended", "appended one by one", "bytes"],
        ["held.searched", "the same, then searched", "bytes"],
        ["held.template", "a template of three such texts", "bytes"],
      ],
    },
    {
      title: "Short texts from bytes",
      text: "Speed as a multiple of Buffer's `latin1Slice`. By a call: `String.fromCharCode` with an argument for each character, as the library does it.",
      kind: "timed",
      rows: [8, 16, SHORT_STRING, 100]
        .flatMap((n) => [
          [`short-${n}.slice.time`, `${n} characters: \`latin1Slice\`, time`, "time"],
          [`short-${n}.call`, `${n} characters: by a call`, "ratio"],
          [`short-${n}.append`, `${n} characters: appended`, "ratio"],
        ])
        .filter(([id]) => id !== "short-100.call"),
    },
    {
      title: "A long text of 100,000 pieces",
      text: "Until a character of it was read. Speed as a multiple of the other way's.",
      kind: "timed",
      rows: [
        ["long.append.time", "appended, time", "time"],
        ["long.join", "`join` of an array", "ratio"],
      ],
    },
    {
      title: "A hundred texts out of 4 KB",
      text: "30 characters each. Speed as a multiple of a `latin1Slice` for each.",
      kind: "timed",
      rows: [
        ["window.own.time", "each by itself, time", "time"],
        ["window.parts", "parts of one decoded text", "ratio"],
      ],
    },
  ],
  claims: [
    {
      text: "A part of 13 characters is a pointer into the whole",
      file: NOTES,
      code: "a substring of 13 or more characters",
      figure: "kept.substring-13",
      atLeast: 60_000,
    },
    { text: "12 are copied", file: NOTES, figure: "kept.substring-12", atMost: 1000 },
    { text: "13 is where it begins", file: NOTES, figure: "pins.from", is: 13 },
    {
      text: "Texts that the decoder gives hold nothing but themselves",
      file: NODE,
      code: "latin1Slice.call(bytes, start, end)",
      figure: "kept.ours",
      atMost: 1200,
    },
    {
      text: "Appending leaves a rope that holds its pieces: three times the bytes at least",
      file: COMMON,
      code: "fromCharCode",
      figure: "held.appended",
      atLeast: 120,
    },
    {
      text: "One call for all characters leaves a flat text",
      file: COMMON,
      code: "SHORT_STRING = 24",
      figure: "held.call",
      about: 40,
      within: 0.25,
    },
    {
      text: "Up to 24 characters that call is faster than Buffer's",
      file: COMMON,
      figure: "short-16.call",
      atLeast: 1.1,
    },
    { text: "It is no slower at 24", file: COMMON, figure: `short-${SHORT_STRING}.call`, atLeast: 0.9 },
    { text: "Appending is slower than that", file: COMMON, figure: `short-${SHORT_STRING}.append`, atMost: 1 },
    {
      text: "Parts of one text would be faster, which is why libraries make them",
      file: NOTES,
      figure: "window.parts",
      atLeast: 1.2,
    },
  ],
};
