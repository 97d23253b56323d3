// Strings: the memory that a part keeps, the results of appending, and the cost of building a string.
import { SHORT_STRING } from "../../../packages/moonpack/build/bytes/utf8/short-ascii.js";
import { long, retention, ropes, short, window } from "./strings-measure.mjs";

const SHORT = "packages/moonpack/src/bytes/utf8/short-ascii.ts";
const NODE = "packages/moonpack/src/bytes/utf8/node.ts";
const NOTES = "docs/performance-notes.md";

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
      title: "Memory of a kept part",
      text: "A part of a decoded text of 65,536 characters of which nothing else is kept.",
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
      title: "Memory of 24 characters",
      text: "By the way in which they were joined.",
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
      text: "Speed as a multiple of Buffer's `latin1Slice`. By a call: `String.fromCharCode` with an argument for each character, as in the library.",
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
      text: "Including the first read of a character. Speed as a multiple of the first way.",
      kind: "timed",
      rows: [
        ["long.append.time", "appended, time", "time"],
        ["long.join", "`join` of an array", "ratio"],
      ],
    },
    {
      title: "A hundred texts from 4 KB",
      text: "30 characters each. Speed as a multiple of a `latin1Slice` for each.",
      kind: "timed",
      rows: [
        ["window.own.time", "each decoded separately, time", "time"],
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
    { text: "This begins with 13", file: NOTES, figure: "pins.from", is: 13 },
    {
      text: "Texts that the decoder returns hold only themselves",
      file: NODE,
      code: "latin1Slice.call(bytes, start, end)",
      figure: "kept.ours",
      atMost: 1200,
    },
    {
      text: "Appending creates a rope that holds its pieces: at least three times the bytes",
      file: SHORT,
      code: "fromCharCode",
      figure: "held.appended",
      atLeast: 120,
    },
    {
      text: "One call for all characters creates a flat text",
      file: SHORT,
      code: "SHORT_STRING = 32",
      figure: "held.call",
      about: 40,
      within: 0.25,
    },
    {
      text: "At 16 characters that call is faster than Buffer's",
      file: SHORT,
      figure: "short-16.call",
      atLeast: 1.1,
    },
    {
      text: "At 32, its limit, it takes at most a third longer",
      file: SHORT,
      figure: `short-${SHORT_STRING}.call`,
      atLeast: 0.75,
    },
    {
      text: "Appending 32 characters takes twice the time of Buffer's",
      file: SHORT,
      figure: `short-${SHORT_STRING}.append`,
      atMost: 0.5,
    },
    {
      text: "Parts of one text would take at most half of the time, which is why libraries use them",
      file: NOTES,
      figure: "window.parts",
      atLeast: 2,
    },
  ],
};
