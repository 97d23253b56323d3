// Arrays: what kinds V8 keeps, how they grow, and what filling and reading them costs.
import { Decoder, encode } from "moonpack";
import { readU8s } from "../../moonpack/dist/bytes/pack-read-lists.js";
import { PackReader } from "../../moonpack/dist/bytes/pack-reader.js";
import { bytesEach, bytesOf, firstWhere, race } from "./measure.mjs";
import { elementsKind } from "./natives.mjs";
import { isSmoke } from "./size.mjs";

/** Without a compiler. */
const JITLESS = ["--jitless"];
const READ = "packages/moonpack/src/msgpack/read.ts";
const LISTS = "packages/moonpack/src/bytes/pack-read-lists.ts";
/** Elements of an array that V8 keeps as one block at most: the article's 32 x 2^20. */
const LARGEST = 32 * 2 ** 20;
const SLOT_BYTES = 8;
/** An array itself, and the header of what holds its elements. */
const FIXED_BYTES = 32 + 16;

const byPush = (bytes) => {
  const list = [];
  for (let i = 0; i < bytes.length; i++) list.push(bytes[i]);
  return list;
};
const byNewArray = (bytes) => {
  const list = new Array(bytes.length);
  for (let i = 0; i < bytes.length; i++) list[i] = bytes[i];
  return list;
};
const byCopy = (bytes) => readU8s(new PackReader(bytes, 0, 512), bytes.length);

const numbers = (n) => new Uint8Array(n).map((_, i) => i % 100);

/** As a program gets one: by an index far behind everything else. */
function dictionaryOf(n) {
  const list = [];
  list[LARGEST * 2] = 0;
  for (let i = 0; i < n; i++) list[i] = i % 100;
  list.length = n;
  if (elementsKind(list) !== "dictionary") throw new Error(`this one is ${elementsKind(list)}`);
  return list;
}

function kinds() {
  const decoder = new Decoder();
  const decoded = (value) => elementsKind(decoder.decode(encode(value)));
  const jumped = [1, 2, 3];
  jumped[5] = 6;
  return {
    "kind.push": elementsKind(byPush(numbers(1000))),
    "kind.new": elementsKind(byNewArray(numbers(1000))),
    "kind.jump": elementsKind(jumped),
    "kind.decode": decoded(Array.from({ length: 1000 }, (_, i) => i)),
    "kind.decode-floats": decoded(Array.from({ length: 1000 }, (_, i) => i + 0.5)),
    "kind.decode-texts": decoded(Array.from({ length: 1000 }, (_, i) => `text ${i}`)),
    "kind.copy": elementsKind(byCopy(numbers(100_000))),
    "gap.dictionary": firstWhere(1, 5000, (gap) => {
      const list = [];
      list[gap] = 1;
      return elementsKind(list) === "dictionary";
    }),
  };
}

const pushed = (n) => () => {
  const list = [];
  for (let i = 0; i < n; i++) list.push(i);
  return list;
};
const popped = () => {
  const list = pushed(200)();
  while (list.length > 50) list.pop();
  return list;
};

/** Slots that arrays of `make` have. The heap's own figure is some 150 KB off at times: so of many. */
async function slots(count, make) {
  return Math.round(((await bytesEach(count, make)) - FIXED_BYTES) / SLOT_BYTES);
}

async function growth() {
  const figures = {
    "slots.literal": await slots(100_000, (i) => [i]),
    "slots.push-1": await slots(60_000, pushed(1)),
  };
  if (isSmoke) return figures;
  const cut = () => {
    const list = pushed(200)();
    list.length = 50;
    return list;
  };
  return {
    ...figures,
    "slots.push-18": await slots(60_000, pushed(18)),
    "slots.push-44": await slots(40_000, pushed(44)),
    "slots.pop-50": await slots(10_000, popped),
    "slots.length-50": await slots(10_000, cut),
  };
}

async function optimizedPop() {
  return { "slots.optimized-pop-50": await slots(20_000, popped) };
}

/** What five bytes that claim so many elements would cost a decoder that believed them. */
async function limits() {
  const kind = (n) => elementsKind(new Array(n));
  return {
    "kind.largest": kind(LARGEST),
    "kind.larger": kind(LARGEST + 1),
    "bytes.largest": await bytesOf(() => new Array(LARGEST)),
  };
}

function iterate() {
  const n = 100_000;
  const sum = (list) => {
    let total = 0;
    for (let i = 0; i < list.length; i++) total += list[i];
    return total;
  };
  const lists = { packed: byPush(numbers(n)), holey: byNewArray(numbers(n)), dictionary: dictionaryOf(n) };
  return race(
    "sum.packed",
    // A function of its own for each, of its own text: V8 shares what it learns of equal ones.
    Object.entries(lists).map(([name, list]) => {
      const own = new Function("list", `/* ${name} */ return (${sum})(list);`);
      return { id: `sum.${name}`, call: () => own(list), bytes: 100_000 };
    }),
  );
}

function filling() {
  const figures = {};
  for (const [name, n, pace] of [
    ["10k", 10_000, {}],
    ["1m", 1_000_000, { rounds: 11, warmUpRounds: 3 }],
    ["10m", 10_000_000, { rounds: 5, warmUpRounds: 1 }],
  ]) {
    const bytes = numbers(n);
    const contestants = Object.entries({ push: byPush, new: byNewArray, copy: byCopy }).map(([way, fill]) => ({
      id: `fill-${name}.${way}`,
      call: () => fill(bytes),
      bytes: n * SLOT_BYTES,
    }));
    Object.assign(figures, race(`fill-${name}.push`, contestants, pace));
  }
  return figures;
}

function pushAndPop(prefix) {
  const through = (list) => () => {
    for (let i = 0; i < 1000; i++) list.push(i);
    for (let i = 0; i < 1000; i++) list.pop();
    return list.length;
  };
  const far = [];
  far[LARGEST * 2] = 0;
  return race(
    `${prefix}.dictionary`,
    [
      { id: `${prefix}.packed`, call: through([1, 2, 3]), bytes: 20_000 },
      { id: `${prefix}.dictionary`, call: through(far), bytes: 300_000 },
    ],
    { rounds: 11 },
  );
}

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
    { text: "Holey arrays are read no faster than packed ones", file: READ, figure: "sum.holey", atMost: 1.25 },
    {
      text: "Dictionaries are read at a tenth of the speed or less",
      file: READ,
      figure: "sum.dictionary",
      atMost: 0.1,
    },
    { text: "A list copied and filled beats push", file: LISTS, figure: "fill-10k.copy", atLeast: 1.3 },
    { text: "So it does for a million", file: LISTS, figure: "fill-1m.copy", atLeast: 1.2 },
    {
      text: "Push and pop on a dictionary take 50 times as long at least",
      file: READ,
      figure: "pushpop.packed",
      atLeast: 50,
    },
    { text: "Without a compiler still 5 times", file: READ, figure: "jitless.packed", atLeast: 5 },
  ],
};
