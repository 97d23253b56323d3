/** Pages and entries of metrics against the vectors of the slow implementation: the same bytes, and what is damaged is refused. */
import type { PendingMetric } from "@moonpack/series/driver";
import { nameValue, PagePoints } from "@moonpack/series/driver";
import { hexOf, placed, slotOf } from "@moonpack/series/test/harness/points.ts";
import {
  bytesOf,
  type Damage,
  fromJson,
  type JsonMetric,
  type JsonValues,
  vectorsOf,
} from "@moonpack/series/test/harness/vectors.ts";
import { sealPage } from "@moonpack/series/test/reference/crafted.ts";
import type { Slot } from "@moonpack/series/test/reference/page.ts";
import { DecodeError } from "moonpack/bytes";
import { describe, expect, test } from "vitest";
import { PageReader, PageWriter, type Span } from "../src/page/page.ts";
import { groupOfKey, minuteOfKey, pageKey } from "../src/page/page-key.ts";
import { formKey, idKey, idValue } from "../src/store/metric-entries.ts";

type JsonPage = {
  minute: number;
  group: number;
  span: Span;
  slots: ({ slot: number; times: number[] } & JsonValues)[];
  key: string;
  bytes: string;
};

function readPage(key: Uint8Array, bytes: Uint8Array): Slot[] {
  const slots: Slot[] = [];
  new PageReader().read(key, bytes, 0xffff, new PagePoints(), (slot, points) => slots.push(slotOf(slot, points)));
  return slots;
}

describe("pages", () => {
  test.each(vectorsOf<JsonPage>("pages"))("$name", ({ minute, group, span, slots: json, key, bytes }) => {
    const slots = json.map(({ slot, times, ...values }): Slot => ({ slot, times, ...fromJson(values) }));
    const keyBytes = pageKey(minute, group);
    expect(hexOf(keyBytes)).toBe(key);
    expect(minuteOfKey(keyBytes)).toBe(minute);
    expect(groupOfKey(keyBytes)).toBe(group);
    const written = new PageWriter().write(keyBytes, span, placed(slots));
    expect(hexOf(written)).toBe(bytes);
    expect(readPage(keyBytes, written)).toEqual(slots);

    // Of each prefix the checksum is wrong. With a right one bytes are missing.
    const body = written.subarray(0, -4);
    for (let i = 0; i < written.length; i++) expect(() => readPage(keyBytes, written.subarray(0, i))).toThrow();
    for (let i = 0; i < body.length; i++) {
      const cut = Uint8Array.from(sealPage([...keyBytes], [...body.subarray(0, i)]));
      expect(() => readPage(keyBytes, cut)).toThrow(expect.objectContaining({ code: "ERR_TRUNCATED" }));
    }
    const longer = Uint8Array.from(sealPage([...keyBytes], [...body, 0]));
    expect(() => readPage(keyBytes, longer)).toThrow(expect.objectContaining({ code: "ERR_TRAILING_BYTES" }));
    expect(() => readPage(keyBytes, Uint8Array.of(...written, 0))).toThrow(DecodeError);
  });
});

test.each(vectorsOf<Damage>("damaged").filter(({ kind }) => kind === "page"))("a damaged page: $name", ({
  key,
  bytes,
  cause,
}) => {
  expect(() => readPage(bytesOf(key), bytesOf(bytes))).toThrow(expect.objectContaining({ code: cause }));
});

test.each(
  vectorsOf<JsonMetric>("metrics").filter(({ code }) => code === undefined),
)("the entries of a metric: $name", ({ canonical, id, type, entries }) => {
  const form = bytesOf(canonical);
  const pending = { form, metric: { id, type } } as PendingMetric;
  const found = [
    [formKey(form), nameValue({ id, type })],
    [idKey(id), idValue(pending)],
  ];
  expect(found.map((entry) => entry.map(hexOf))).toEqual(entries);
});
