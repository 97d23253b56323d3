// Arrays: the kinds that V8 has, how they grow, and the cost of filling and reading them.
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

/** Flags that switch the compilers off. */
const JITLESS = ["--jitless"];
const READ = "packages/moonpack/src/msgpack/read/message.ts";
const LISTS = "packages/pck/src/runtime/read-lists.ts";
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
      title: "Kinds of arrays",
      text: "As V8 reports them.",
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
      text: "Capacity in elements, computed from the bytes that many such arrays hold.",
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
      text: "Lists decoded from bytes. Speed as a multiple of push.",
      kind: "timed",
      rows: ["10k", "1m", "10m"].flatMap((name) => [
        [`fill-${name}.push.time`, `${name.toUpperCase()}: push, time`, "time"],
        ...WAYS.slice(1).map(([id, title]) => [`fill-${name}.${id}`, `${name.toUpperCase()}: ${title}`, "ratio"]),
      ]),
    },
    {
      title: "Pushing 1,000 and popping them",
      text: "Speed as a multiple of an array in dictionary mode.",
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
    { text: "`new Array(n)` stays holey when it is full", file: READ, figure: "kind.new", is: "holey integers" },
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
      text: "The first push allocates 17 elements, so lists of up to four are literals",
      file: READ,
      code: "return [first, second, third];",
      figure: "slots.push-1",
      is: 17,
    },
    { text: "The capacity of a literal is its length", file: READ, figure: "slots.literal", is: 1 },
    { text: "Capacity grows by half plus 16: 18 + 9 + 16", file: READ, figure: "slots.push-18", is: 43 },
    {
      text: "Popping frees nothing in hot code, so large stacks are replaced",
      file: READ,
      code: "this.values = emptyStack();",
      figure: "slots.optimized-pop-50",
      atLeast: 200,
    },
    {
      text: "Trusting a forged header of 5 bytes would cost 268 MB",
      file: READ,
      figure: "bytes.largest",
      about: LARGEST * SLOT_BYTES,
      within: 0.01,
    },
    { text: "Longer arrays are dictionaries", file: READ, figure: "kind.larger", is: "dictionary" },
    {
      text: "Reading holey arrays is at most a twentieth faster than reading packed ones",
      file: READ,
      figure: "sum.holey",
      atMost: 1.05,
    },
    {
      text: "Reading dictionaries is at least 50 times slower",
      file: READ,
      figure: "sum.dictionary",
      atMost: 0.02,
    },
    {
      text: "A list that is copied and filled is faster than push",
      file: LISTS,
      figure: "fill-10k.copy",
      atLeast: 1.3,
    },
    { text: "It is for a million", file: LISTS, figure: "fill-1m.copy", atLeast: 1.2 },
    { text: "It is for 10 million", file: LISTS, figure: "fill-10m.copy", atLeast: 1.2 },
    {
      text: "`new Array(n)` is faster than push for 10 million as well, but is holey",
      file: LISTS,
      figure: "fill-10m.new",
      atLeast: 1.2,
    },
    {
      text: "Push and pop on a dictionary take at least 50 times as long, in each version",
      file: READ,
      figure: "pushpop.packed",
      atLeast: 50,
    },
    { text: "Without a compiler, at least 5 times as long", file: READ, figure: "jitless.packed", atLeast: 5 },
  ],
};
