// Arrays: what kinds V8 keeps, how they grow, and what filling and reading them costs.
import {
  filling,
  growth,
  iterate,
  kinds,
  LARGEST,
  limits,
  optimizedPop,
  pushAndPop,
  SLOT_BYTES,
} from "./arrays-measure.mjs";

/** Without a compiler. */
const JITLESS = ["--jitless"];
const READ = "packages/moonpack/src/msgpack/read.ts";
const LISTS = "packages/moonpack/src/bytes/pack-read-lists.ts";
const WAYS = [
  ["push", "`[]` and push"],
  ["new", "`new Array(n)`, filled"],
  ["copy", "a packed list copied, then filled (`readU8s`)"],
];

export const study = {
  name: "arrays",
  parts: [
    { id: "kinds", kind: "counted", run: kinds },
    { id: "growth", kind: "counted", flags: JITLESS, run: growth },
    { id: "optimized-pop", kind: "counted", run: optimizedPop, isLong: true },
    { id: "limits", kind: "counted", run: limits, isLong: true },
    { id: "iterate", kind: "timed", run: iterate },
    { id: "filling", kind: "timed", run: filling },
    { id: "push-and-pop", kind: "timed", run: () => pushAndPop("pushpop") },
    { id: "jitless", kind: "timed", flags: JITLESS, run: () => pushAndPop("jitless") },
  ],
  groups: [
    {
      title: "What kind of array it is",
      text: "As V8 says itself.",
      kind: "counted",
      rows: [
        ["kind.push", "`[]`, 1,000 pushed"],
        ["kind.new", "`new Array(1000)`, all filled"],
        ["kind.jump", "a literal of 3, then `[5] =`"],
        ["kind.decode", "`decode`, 1,000 integers"],
        ["kind.decode-floats", "`decode`, 1,000 fractions"],
        ["kind.decode-texts", "`decode`, 1,000 strings"],
        ["kind.copy", "PCK's `readU8s`, 100,000"],
        ["gap.dictionary", "first index that makes an empty array a dictionary", "count"],
        ["kind.largest", "`new Array(33_554_432)`"],
        ["kind.larger", "`new Array(33_554_433)`"],
        ["bytes.largest", "bytes that `new Array(33_554_432)` holds", "bytes"],
      ],
    },
    {
      title: "Slots",
      text: "How many elements there is room for, from the bytes that many such arrays hold.",
      kind: "counted",
      rows: [
        ["slots.literal", "`[x]`", "count"],
        ["slots.push-1", "1 pushed", "count"],
        ["slots.push-18", "18 pushed", "count"],
        ["slots.push-44", "44 pushed", "count"],
        ["slots.pop-50", "200 pushed (which makes 227), 150 popped", "count"],
        ["slots.optimized-pop-50", "the same in optimized code", "count"],
        ["slots.length-50", "200 pushed, `length = 50`", "count"],
      ],
    },
    {
      title: "Summing 100,000 integers",
      text: "Speed as a multiple of the packed array's, with quartiles.",
      kind: "timed",
      rows: [
        ["sum.packed.time", "packed, time", "time"],
        ["sum.holey", "holey", "ratio"],
        ["sum.dictionary", "dictionary", "ratio"],
      ],
    },
    {
      title: "Filling",
      text: "From bytes. Speed as a multiple of push's.",
      kind: "timed",
      rows: ["10k", "1m", "10m"].flatMap((name) => [
        [`fill-${name}.push.time`, `${name.toUpperCase()}: push, time`, "time"],
        ...WAYS.slice(1).map(([id, title]) => [`fill-${name}.${id}`, `${name.toUpperCase()}: ${title}`, "ratio"]),
      ]),
    },
    {
      title: "Pushing 1,000 and popping them",
      text: "Speed as a multiple of an array's in dictionary mode.",
      kind: "timed",
      rows: [
        ["pushpop.dictionary.time", "dictionary, time", "time"],
        ["pushpop.packed", "packed", "ratio"],
        ["jitless.dictionary.time", "`--jitless`: dictionary, time", "time"],
        ["jitless.packed", "`--jitless`: packed", "ratio"],
      ],
    },
  ],
  claims: [
    {
      text: "Arrays that grow by `push` from `[]` are packed",
      file: READ,
      code: "array.push(token)",
      figure: "kind.push",
      is: "packed integers",
    },
    { text: "`new Array(n)` stays holey when all is filled", file: READ, figure: "kind.new", is: "holey integers" },
    { text: "Decoded integers are packed", file: READ, figure: "kind.decode", is: "packed integers" },
    { text: "Decoded fractions are unboxed", file: READ, figure: "kind.decode-floats", is: "packed doubles" },
    {
      text: "A packed list, copied and filled, stays packed",
      file: LISTS,
      code: "template.slice(0, count & 1023)",
      figure: "kind.copy",
      is: "packed integers",
    },
    {
      text: "The first push makes room for 17, so lists of up to four are literals",
      file: READ,
      code: "return [first, second, third];",
      figure: "slots.push-1",
      is: 17,
    },
    { text: "A literal has room for what it holds", file: READ, figure: "slots.literal", is: 1 },
    { text: "Room grows by a half and 16: 18 + 9 + 16", file: READ, figure: "slots.push-18", is: 43 },
    {
      text: "Popping gives nothing back in hot code, so large stacks are replaced",
      file: READ,
      code: "this.values = emptyStack();",
      figure: "slots.optimized-pop-50",
      atLeast: 200,
    },
    {
      text: "Believing a forged header of 5 bytes would cost 268 MB",
      file: READ,
      figure: "bytes.largest",
      about: LARGEST * SLOT_BYTES,
      within: 0.01,
    },
    { text: "Longer arrays are dictionaries", file: READ, figure: "kind.larger", is: "dictionary" },
    {
      text: "Holey arrays are read no faster than packed ones, but for a twentieth",
      file: READ,
      figure: "sum.holey",
      atMost: 1.05,
    },
    {
      text: "Dictionaries are read at a fiftieth of the speed or less",
      file: READ,
      figure: "sum.dictionary",
      atMost: 0.02,
    },
    { text: "A list copied and filled beats push", file: LISTS, figure: "fill-10k.copy", atLeast: 1.3 },
    { text: "So it does for a million", file: LISTS, figure: "fill-1m.copy", atLeast: 1.2 },
    { text: "And for 10 million", file: LISTS, figure: "fill-10m.copy", atLeast: 1.2 },
    {
      text: "`new Array(n)` beats push for 10 million as well, but is holey",
      file: LISTS,
      figure: "fill-10m.new",
      atLeast: 1.2,
    },
    {
      text: "Push and pop on a dictionary take 50 times as long at least, in each version",
      file: READ,
      figure: "pushpop.packed",
      atLeast: 50,
    },
    { text: "Without a compiler still 5 times as long at least", file: READ, figure: "jitless.packed", atLeast: 5 },
  ],
};
