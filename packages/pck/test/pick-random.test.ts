/** Random schemas, values and paths: picked values are those of `decode`, and skipped parts are checked for structure. */

import { fault } from "@moonpack/harness/caught.ts";
import { each, equal, none } from "@moonpack/harness/each.ts";
import { share } from "@moonpack/harness/effort.ts";
import { randomSource } from "@moonpack/harness/random.ts";
import { differ } from "@moonpack/harness/same.ts";
import { type Codec, type CodecOptions, codec, type Resolver, resolve } from "@moonpack/pck";
import { codeGeneration } from "@moonpack/pck/codegen";
import { pick } from "@moonpack/pck/pick";
import { expect, test } from "vitest";
import { encodeReference } from "./harness/encode.ts";
import { evolvedPairs } from "./harness/evolved-pairs.ts";
import { Layout } from "./harness/layout.ts";
import { mutate, zeroed } from "./harness/mutate.ts";
import { type RandomPath, randomPaths, walked } from "./harness/random-paths.ts";
import { pick as oneOf, type Random, randomSchema } from "./harness/random-schemas.ts";
import { randomValue } from "./harness/random-values.ts";
import type { SchemaDocument } from "./harness/shape.ts";

type Input = Codec<unknown, never> | Resolver<unknown>;
type Fault = { readonly code: string; readonly offset: number };

const RESULT_NAMES = ["a", "__proto__", "constructor", "1023", "0", "toString"];

function randomOptions(random: Random): CodecOptions {
  return {
    int64: oneOf(random, ["bigint", "number"]),
    maps: oneOf(random, ["map", "object"]),
    typedArrays: random(3) === 0,
    binary: oneOf(random, ["copy", "view"]),
    absent: oneOf(random, ["own", "shared"]),
  };
}

/** Returns a picker of the paths in a random form, whose `decode` returns a list. */
function pickerOf(random: Random, input: Input, paths: readonly RandomPath[], rest: "check" | "ignore") {
  const [first] = paths;
  if (paths.length === 1 && typeof first === "string") {
    const one = pick(input, first, { rest });
    return { decode: (bytes: Uint8Array) => [one.decode(bytes)] };
  }
  if (random(2) === 0) return pick(input, paths, { rest }) as { decode(bytes: Uint8Array): unknown[] };
  const names = RESULT_NAMES.slice(0, paths.length);
  const named = pick(input, Object.fromEntries(paths.map((path, i) => [names[i]!, path] as const)), { rest });
  return {
    decode(bytes: Uint8Array) {
      const result = named.decode(bytes);
      equal(Object.keys(result).length, names.length);
      return names.map((name) => Object.getOwnPropertyDescriptor(result, name)!.value as unknown);
    },
  };
}

interface Outcome {
  readonly values?: readonly unknown[];
  readonly fault?: Fault;
}

function outcome(decode: () => readonly unknown[]): Outcome {
  try {
    return { values: decode() };
  } catch {
    return { fault: fault(decode) as Fault };
  }
}

/** Fails unless the values of pickers are those of `decode`, or else they throw where `decode` throws. */
function checkPicked(
  random: Random,
  input: Input,
  doc: SchemaDocument,
  paths: readonly RandomPath[],
  messages: readonly Uint8Array[],
): number {
  const picker = pickerOf(random, input, paths, "check");
  const hasty = pickerOf(random, input, paths, "ignore");
  let values = 0;
  for (const bytes of messages) {
    const what = `${JSON.stringify(paths)} of ${bytes.join(" ")}`;
    const whole = outcome(() => paths.map((path) => walked(doc, input.decode(bytes), path)));
    const picked = outcome(() => picker.decode(bytes));
    const early = outcome(() => hasty.decode(bytes));
    if (whole.values !== undefined) {
      values++;
      none(differ(picked.values, whole.values), what);
    } else if (picked.fault !== undefined) {
      if (whole.fault!.offset > picked.fault.offset) equal(picked.fault, whole.fault, what);
    }
    if (picked.values !== undefined) none(differ(early.values, picked.values), `${what}, ignored`);
    else if (early.fault !== undefined) equal(early.fault, picked.fault, `${what}, ignored`);
  }
  return values;
}

/** A schema and messages: valid ones, then damaged ones. */
function randomMessages(random: Random, doc: SchemaDocument) {
  const layout = new Layout(doc);
  const valid = Array.from({ length: 3 }, (_, n) => encodeReference(layout, randomValue(random, layout, 25 * n * n)));
  const damaged = valid.flatMap((bytes) => [zeroed(random, bytes), mutate(random, bytes), mutate(random, bytes)]);
  return {
    valid: valid.map((bytes) => Uint8Array.from(bytes)),
    damaged: damaged.map((bytes) => Uint8Array.from(bytes)),
  };
}

/** Random schemas with messages and paths. */
function* cases(seed: number, count: number) {
  const random = randomSource(seed);
  for (let i = 0; i < share(count); i++) {
    const doc = randomSchema(random, "any");
    const paths = randomPaths(random, doc, 1 + random(4));
    if (paths.length === 0) continue;
    yield { name: `${JSON.stringify(doc)}`, random, doc, paths, ...randomMessages(random, doc) };
  }
}

test("picked values are those of decode, with every option and engine", () => {
  let values = 0;
  each([...cases(20261129, 250)], ({ random, doc, paths, valid, damaged }) => {
    for (const generator of [false, codeGeneration]) {
      const input = codec<unknown, never>(doc, { ...randomOptions(random), codeGeneration: generator });
      values += checkPicked(random, input, doc, paths, [...valid, ...damaged]);
    }
  });
  expect(values).toBeGreaterThan(share(100));
});

test("every truncation of a valid message is the error of decode", () => {
  each([...cases(20261130, 100)], ({ random, doc, paths, valid }) => {
    const input = codec<unknown, never>(doc);
    const picker = pickerOf(random, input, paths, "check");
    for (const bytes of valid.filter(({ length }) => length < 2000)) {
      for (let end = 0; end < bytes.length; end++) {
        const cut = bytes.slice(0, end);
        const theirs = fault(() => input.decode(cut));
        equal(
          fault(() => picker.decode(cut)),
          theirs,
          `${JSON.stringify(paths)} of ${cut.join(" ")}`,
        );
      }
    }
  });
});

test("the limit of depth is that of decode, in skipped parts too", () => {
  let deep = 0;
  each([...cases(20261201, 200)], ({ random, doc, paths, valid }) => {
    const input = codec<unknown, never>(doc, { maxDepth: 1 + random(5) });
    const picker = pickerOf(random, input, paths, "check");
    for (const bytes of valid) {
      const theirs = outcome(() => [input.decode(bytes)]);
      const mine = outcome(() => picker.decode(bytes));
      equal(mine.fault, theirs.fault, `${JSON.stringify(paths)} of ${bytes.join(" ")}`);
      if (mine.fault !== undefined) deep++;
    }
  });
  expect(deep).toBeGreaterThanOrEqual(share(40));
});

test("a picker of one path with at most one * counts at most the elements that decode counts", () => {
  each([...cases(20261202, 200)], ({ random, doc, paths, valid }) => {
    const input = codec<unknown, never>(doc, { maxElements: 1 + random(30) });
    const one = paths.slice(0, 1).filter((path) => path.indexOf("*") === path.lastIndexOf("*"));
    const picker = pickerOf(random, input, one, "check");
    for (const bytes of valid) {
      const mine = outcome(() => picker.decode(bytes));
      if (mine.fault !== undefined) equal(mine.fault.code, (fault(() => input.decode(bytes)) as Fault).code);
    }
  });
});

test("every list of a * and its items are counted", () => {
  let lists = 0;
  each([...cases(20261204, 300)], ({ random, doc, paths, valid }) => {
    const maxElements = 1 + random(30);
    const options = { ...randomOptions(random), codeGeneration: random(2) === 0 ? false : codeGeneration } as const;
    const picker = pickerOf(random, codec<unknown, never>(doc, { ...options, maxElements }), paths, "check");
    for (const bytes of valid) {
      if (outcome(() => picker.decode(bytes)).fault !== undefined) continue;
      const value = codec<unknown, never>(doc).decode(bytes);
      let elements = 1; // the result
      for (const path of paths) {
        walked(doc, value, path, (items) => {
          elements += 1 + items;
          lists++;
        });
      }
      equal(elements <= maxElements, true, `${JSON.stringify(paths)}: ${elements} above ${maxElements}`);
    }
  });
  expect(lists).toBeGreaterThan(share(50));
});

test("bytes of an older or later schema, picked through resolve", () => {
  let values = 0;
  const random = randomSource(20261203);
  each([...evolvedPairs(20261203, share(100))], ({ writer, reader, messages }) => {
    const paths = randomPaths(random, reader, 1 + random(4));
    let resolver: Resolver<unknown>;
    try {
      resolver = resolve<unknown, unknown>(writer, reader, randomOptions(random) as never);
    } catch {
      return; // the schemas do not fit
    }
    if (paths.length === 0) return;
    values += checkPicked(
      random,
      resolver,
      reader,
      paths,
      messages.map((bytes) => Uint8Array.from(bytes)),
    );
  });
  expect(values).toBeGreaterThan(share(100));
});
