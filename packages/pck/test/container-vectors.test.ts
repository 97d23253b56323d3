/** The vectors of containers: whole, and cut into chunks at every position. */

import { cutAt, cutEvery } from "@moonpack/harness/cuts.ts";
import { each, equal } from "@moonpack/harness/each.ts";
import { stride } from "@moonpack/harness/effort.ts";
import { ContainerReader, decodeContainer, diagnoseContainer, encodeContainer, toDocument } from "@moonpack/pck";
import { readContainer } from "@moonpack/pck/stream";
import { expect, test } from "vitest";
import { casesOf, failureOf, outcomeOf } from "./container-cases.ts";

const cases = casesOf("container");

test("there are cases of both kinds", () => {
  expect(cases.filter(({ expected }) => "values" in expected).length).toBe(15);
  expect(cases.filter(({ expected }) => "code" in expected).length).toBe(40);
});

test("whole", () => {
  each(cases, ({ doc, bytes, expected }) => {
    equal(
      outcomeOf(doc, () => decodeContainer(bytes).values),
      expected,
    );
  });
});

/** Reads the values of the chunks. Each chunk is overwritten as soon as it has been read. */
function inParts(parts: readonly Uint8Array[]): unknown[] {
  const reader = new ContainerReader();
  const values: unknown[] = [];
  for (const part of parts) {
    const own = part.slice();
    values.push(...reader.push(own));
    own.fill(0xff);
  }
  reader.end();
  return values;
}

/** The positions to cut at: all of them, but only some within a long document, which is one item. */
function* cuts({ length }: Uint8Array): Generator<number> {
  for (let i = 0; i <= length; i += i > 150 && i < length - 150 ? 11 : stride(1)) yield i;
}

test("two chunks, cut at each byte; chunks of one byte and of three", () => {
  each(cases, ({ doc, bytes, expected }) => {
    const ways = [cutEvery(bytes, 1), cutEvery(bytes, 3)];
    for (const i of cuts(bytes)) ways.push(cutAt(bytes, [i]));
    for (const parts of ways) {
      equal(
        outcomeOf(doc, () => inParts(parts)),
        expected,
      );
    }
  });
});

test("as a stream: the values before an error arrive before it", async () => {
  for (const { doc, bytes, expected } of cases) {
    const values: unknown[] = [];
    const whole: unknown[] = [];
    const reader = new ContainerReader();
    let failure: unknown = null;
    try {
      for await (const value of readContainer(cutEvery(bytes, 7))) values.push(value);
    } catch (error) {
      failure = failureOf(error);
    }
    try {
      for (const value of reader.push(bytes)) whole.push(value);
    } catch {}
    expect(values).toEqual(whole);
    expect(failure ?? outcomeOf(doc, () => values)).toEqual(expected);
  }
});

test("a dump ends with the same error, and has every byte before it once", () => {
  each(cases, ({ bytes, expected }) => {
    let at = 0;
    let failure: unknown = null;
    for (const { offset, end, error } of diagnoseContainer(bytes)) {
      if (error !== undefined) failure = failureOf(error);
      else if (end > offset) {
        equal(offset, at);
        at = end;
      }
    }
    if ("values" in expected) equal(at, bytes.length);
    else equal(failure, expected.code === "ERR_SCHEMA" ? { ...expected, offset: 4 } : expected);
  });
});

test("a written container is read back with its schema", () => {
  each(cases, ({ bytes, expected }) => {
    if (!("values" in expected)) return;
    const { document, schema, values } = decodeContainer(bytes);
    const again = encodeContainer(document, values as never[]);
    const second = decodeContainer(again);
    equal(second.document, toDocument(schema));
    equal(
      outcomeOf(document, () => second.values),
      expected,
    );
  });
});
