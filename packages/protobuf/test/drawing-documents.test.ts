/** Random documents of a drawing program, with code written by hand. */

import { none } from "@moonpack/harness/each.ts";
import { bytesDiffer } from "@moonpack/harness/hex.ts";
import { randomSource } from "@moonpack/harness/random.ts";
import { differ } from "@moonpack/harness/same.ts";
import { Reader, Writer } from "@moonpack/protobuf";
import { expect, test } from "vitest";
import { layerBytes, randomLayer, readLayer, writeLayer } from "./drawing-documents.ts";

test("100 random documents: the bytes of the model, also with strict, and they are read back", () => {
  const random = randomSource(101);
  const reused = new Writer();
  let size = 0;
  for (let i = 0; i < 100; i++) {
    const layer = randomLayer(random, i % 7);
    const want = layerBytes(layer);
    none(bytesDiffer(writeLayer(new Writer(), layer).finish(), want), `document ${i}`);
    none(bytesDiffer(writeLayer(new Writer({ strict: true }), layer).finish(), want), `document ${i}, strict`);
    none(bytesDiffer(writeLayer(reused.reset(), layer).finish(true), want), `document ${i}, one Writer`);
    none(differ(readLayer(new Reader(want, { int64: "number" }), want.length), layer), `document ${i}, read`);
    none(
      differ(readLayer(new Reader(want, { strict: true, int64: "bigint" }), want.length), layer),
      `document ${i}, read strictly`,
    );
    size += want.length;
  }
  expect(size).toBeGreaterThan(300_000);
});

test("a document whose layers are nested 300 deep", () => {
  const random = randomSource(102);
  let layer = randomLayer(random, 0);
  for (let i = 0; i < 300; i++)
    layer = { ...randomLayer(random, 0), layers: i % 10 === 0 ? [layer, randomLayer(random, 0)] : [layer] };
  const want = layerBytes(layer);
  none(bytesDiffer(writeLayer(new Writer(), layer).finish(), want));
  none(differ(readLayer(new Reader(want), want.length), layer));
});
