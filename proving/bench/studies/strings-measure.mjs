// The measurements of strings.mjs.
import { Buffer } from "node:buffer";
import { Decoder, encode } from "moonpack";
import { readShortAscii, SHORT_STRING } from "../../../packages/moonpack/build/bytes/utf8/short-ascii.js";
import { bytesEach, firstWhere, ownCopy, race } from "./measure.mjs";
import { isSmoke } from "./size.mjs";

const LARGE = 65_536;
/**
 * Parts that keep a large text are measured in small numbers, others in larger ones: the heap's figure is off by up to
 * 150 KB.
 */
const FEW = isSmoke ? 40 : 100;
const MANY = isSmoke ? 300 : 3000;

const letters = (n) => Uint8Array.from({ length: n }, (_, i) => 97 + ((i * 7) % 26));
const large = Buffer.from(letters(LARGE));
/** A text as a decoder returns it: flat, and separate from others. */
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

export async function retention() {
  const figures = {};
  for (const [way, make] of Object.entries(PINNING)) figures[`kept.${way}`] = Math.round(await bytesEach(FEW, make));
  for (const [way, make] of Object.entries(FREE)) figures[`kept.${way}`] = Math.round(await bytesEach(MANY, make));
  const decoder = new Decoder();
  const message = { before: decoded(), text: decoded().slice(0, 200), after: decoded() };
  const bytes = encode(message);
  figures["kept.ours"] = Math.round(await bytesEach(MANY, () => decoder.decode(bytes).text));
  if (isSmoke) return figures;
  // Lengths are tried one by one; each is measured by the memory that it keeps.
  const kept = [];
  for (let length = 10; length <= 15; length++)
    kept.push(await bytesEach(FEW, () => decoded().substring(1, 1 + length)));
  return { ...figures, "pins.from": firstWhere(10, 15, (length) => kept[length - 10] > LARGE / 2) };
}

/** Number of characters to join. */
const JOINED = 24;

const appended = (codes) => {
  let text = "";
  for (const code of codes) text += String.fromCharCode(code);
  return text;
};

export async function ropes() {
  const count = isSmoke ? 10_000 : 30_000;
  const codes = (n, i) => Array.from({ length: n }, (_, j) => 97 + ((i + j * 7) % 26));
  const of = async (make) => Math.round(await bytesEach(count, make));
  const searched = (text) => {
    if (text.includes("~")) throw new Error("unexpected ~"); // searching flattens a rope
    return text;
  };
  const figures = { "held.appended": await of((i) => appended(codes(JOINED, i))) };
  if (isSmoke) return figures;
  return {
    ...figures,
    "held.call": await of((i) => String.fromCharCode(...codes(JOINED, i))),
    "held.searched": await of((i) => searched(appended(codes(JOINED, i)))),
    "held.joined": await of((i) =>
      codes(JOINED, i)
        .map((code) => String.fromCharCode(code))
        .join(""),
    ),
    "held.template": await of(
      (i) => `${appended(codes(6, i))}${appended(codes(6, i + 1))}${appended(codes(12, i + 2))}`,
    ),
  };
}

export function short() {
  const figures = {};
  for (const n of [8, 16, SHORT_STRING, 100]) {
    const sources = Array.from({ length: 64 }, (_, i) => Buffer.from(letters(n).map((code) => 97 + ((code + i) % 26))));
    let turn = 0;
    const input = () => sources[turn++ & 63];
    const [slice, append, call] = ["slice", "append", "call"].map((way) => `short-${n}.${way}`);
    const ways = [
      { id: slice, call: ownCopy(slice, (n) => (bytes) => bytes.latin1Slice(0, n))(n) },
      { id: append, call: ownCopy(append, appended) },
    ];
    if (n <= SHORT_STRING) {
      ways.push({ id: call, call: ownCopy(call, (read, n) => (bytes) => read(bytes, 0, n))(readShortAscii, n) });
    }
    Object.assign(
      figures,
      race(
        slice,
        ways.map((way) => ({ ...way, input, bytes: 4 * n + 40 })),
      ),
    );
  }
  return figures;
}

export function long() {
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

/** A hundred texts from one message: parts of one decoded text, or each decoded separately. */
export function window() {
  const bytes = large.subarray(0, 4096);
  return race("window.own", [
    {
      id: "window.own",
      call: () => {
        let units = 0;
        for (let i = 0; i < 100; i++) units += bytes.latin1Slice(i * 40, i * 40 + 30).length;
        return units;
      },
      bytes: 10_000,
    },
    {
      id: "window.parts",
      call: () => {
        const whole = bytes.latin1Slice(0, 4096);
        let units = 0;
        for (let i = 0; i < 100; i++) units += whole.substring(i * 40, i * 40 + 30).length;
        return units;
      },
      bytes: 10_000,
    },
  ]);
}
