/** Messages of which a program needs only a part, and the parts. */
import { workloads } from "../../workloads/index.js";
import { Random } from "../../workloads/random.js";

/** One race: every candidate returns `expected` for the message. */
export interface PickCase {
  readonly id: string;
  readonly title: string;
  readonly value: unknown;
  /** JSON Pointers, which may have `*`. */
  readonly paths: readonly string[];
}

const TEXT = "The quick brown fox jumps over the lazy dog, and the dog sleeps on. ";

/** A message of a broker: 2.3 KB, of which a router reads one field. */
export function envelope(): Record<string, unknown> {
  const items = Array.from({ length: 20 }, (_, i) => ({
    sku: `SKU-${1000 + i}`,
    quantity: i,
    price: 19.5 + i,
    name: TEXT.slice(0, 40 + i),
  }));
  return {
    route: "orders.eu.created",
    hop: 1,
    trace: "4bf92f3577b34da6a3ce929d0e0e4736",
    payload: { items, note: TEXT },
  };
}

/** A dictionary of about 16 MB. */
export function dictionary(): Record<string, unknown> {
  const random = new Random(3);
  return Object.fromEntries(
    Array.from({ length: 100_000 }, (_, i) => [
      `user:${i}`,
      { id: i, name: `User ${i}`, mail: `user${i}@example.org`, scores: [random.integer(0, 100), 2.5, 3], note: TEXT },
    ]),
  );
}

/** One line of a log with 40 fields. */
function logLine(): Record<string, unknown> {
  const more = Object.fromEntries(
    Array.from({ length: 34 }, (_, i) => [`attribute_${i}`, i % 3 === 0 ? `value ${i}` : i * 37]),
  );
  return { time: 1_700_000_000_123, level: "info", host: "web-1.eu", status: 200, ms: 12.5, message: TEXT, ...more };
}

/** Every race. Made when a process runs one: the dictionary takes a second. */
export const cases: readonly (Omit<PickCase, "value"> & { readonly make: () => unknown })[] = [
  { id: "envelope", title: "1 field of an envelope, 2.3 KB", make: envelope, paths: ["/route"] },
  { id: "log", title: "2 of 40 fields of a log line", make: logLine, paths: ["/level", "/status"] },
  {
    id: "hn",
    title: "3 fields of 500 stories",
    make: () => fileOf("hn"),
    paths: ["/0/title", "/250/score", "/499/url"],
  },
  { id: "hn-all", title: "a field of each of 500 stories", make: () => fileOf("hn"), paths: ["/*/score"] },
  { id: "clinical", title: "1 field of a clinical record", make: () => fileOf("clinical"), paths: ["/resourceType"] },
  { id: "dictionary", title: "1 key of a dictionary, 16 MB", make: dictionary, paths: ["/user:50000/mail"] },
];

function fileOf(id: string): unknown {
  return workloads.find((workload) => workload.id === id)!.values(false)[0];
}
