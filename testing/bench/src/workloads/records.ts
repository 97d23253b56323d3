import type { Workload } from "../types.js";
import { Random, times } from "./random.js";

function numericRecords(): unknown[] {
  const random = new Random(11);
  return times(10_000, (index) => ({
    id: index,
    x: random.next() * 2000 - 1000,
    y: random.next() * 2000 - 1000,
    price: random.integer(0, 1_000_000) / 100,
    quantity: random.integer(0, 300),
    delta: random.integer(-70_000, 70_000),
    flags: random.integer(0, 127),
    time: 1_700_000_000 + random.integer(0, 90_000_000),
  }));
}

const NOUNS = (
  "user account order item price amount currency status type name title label color width height weight size depth " +
  "origin target source parent owner creator editor version revision region city country street zip phone email role " +
  "group team project task step phase state mode level rank score rating count total limit offset page index key token"
).split(" ");
const SUFFIXES = ["", "Id", "At", "Code", "Ref"];

/** Lists of 3 to 12 keys. All lists differ, but share many keys, like the objects of one code base. */
function keyLists(random: Random, count: number): string[][] {
  const vocabulary = NOUNS.flatMap((noun) => SUFFIXES.map((suffix) => noun + suffix));
  const lists = new Map<string, string[]>();
  while (lists.size < count) {
    const keys = new Set(times(random.integer(3, 12), () => random.pick(vocabulary)));
    if (keys.size >= 3) lists.set([...keys].join(), [...keys]);
  }
  return [...lists.values()];
}

function fieldValue(random: Random): unknown {
  switch (random.integer(0, 7)) {
    case 0:
    case 1:
      return random.integer(0, 127);
    case 2:
      return random.integer(-40_000, 2_000_000_000);
    case 3:
    case 4:
      return random.characters("abcdefghijklmnopqrstuvwxyz -", random.integer(3, 24));
    case 5:
      return random.chance(0.5);
    case 6:
      return random.next() * 100;
    default:
      return null;
  }
}

function manyShapes(): unknown[] {
  const random = new Random(13);
  const lists = keyLists(random, 200);
  const objects = times(2000, (index) =>
    Object.fromEntries(lists[index % lists.length]!.map((key) => [key, fieldValue(random)])),
  );
  return random.shuffle(objects);
}

/** Arrays of objects: of one shape, and of too many shapes for a decoder to compile a reader for each. */
export const records: Workload[] = [
  { id: "numeric", title: "10,000 numeric records", values: () => [numericRecords()] },
  { id: "shapes", title: "2,000 objects of 200 shapes", values: () => [manyShapes()] },
];
