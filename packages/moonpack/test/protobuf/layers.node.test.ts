/** The same documents by what protobuf.js generates, on our Writer and Reader and on its own. */
import { configure, Reader, Writer } from "moonpack/protobuf";
import { afterAll, beforeAll, expect, test } from "vitest";
import { none } from "../harness/each.ts";
import { bytesDiffer } from "../harness/hex.ts";
import { randomSource } from "../harness/random.ts";
import { layerBytes, randomLayer, writeLayer } from "./layers.ts";
import { acceptOurs, everyWay, Long, protobuf8 } from "./originals.ts";
import { sameMessage } from "./same-message.ts";

let restore: () => void;
beforeAll(() => {
  restore = acceptOurs();
  configure({ Long });
});
afterAll(() => {
  configure({ Long: null });
  restore();
});

test("100 trees of layers", () => {
  const random = randomSource(103);
  const ways = everyWay("layer", "sketch.Layer");
  for (let i = 0; i < 100; i++) {
    const layer = randomLayer(random, i % 6);
    const want = layerBytes(layer);
    none(bytesDiffer(writeLayer(new protobuf8.Writer(), layer).finish(), want), `document ${i}, by hand`);
    for (const { name, original, message } of ways) {
      none(bytesDiffer(message.encode(layer).finish(), want), `document ${i}, ${name}, theirs`);
      none(bytesDiffer(message.encode(layer, new Writer()).finish(), want), `document ${i}, ${name}`);
      none(
        sameMessage(message.decode(new Reader(want)), message.decode(new original.Reader(want))),
        `document ${i}, ${name}, read`,
      );
    }
  }
  expect(ways.length).toBe(4);
});
