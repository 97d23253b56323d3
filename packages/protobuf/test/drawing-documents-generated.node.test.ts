/** Drawing documents with the code that protobuf.js generates, on our Writer and Reader and on its own. */

import { none } from "@moonpack/harness/each.ts";
import { bytesDiffer } from "@moonpack/harness/hex.ts";
import { randomSource } from "@moonpack/harness/random.ts";
import { Reader, Writer } from "@moonpack/protobuf";
import { expect, test } from "vitest";
import { layerBytes, randomLayer, writeLayer } from "./drawing-documents.ts";
import { messageDifference } from "./message-difference.ts";
import { everyWay, protobuf8 } from "./protobufjs.ts";
import { withOriginals } from "./with-originals.ts";

withOriginals();

test("100 random documents", () => {
  const random = randomSource(103);
  const ways = everyWay("drawing", "sketch.Layer");
  for (let i = 0; i < 100; i++) {
    const layer = randomLayer(random, i % 6);
    const want = layerBytes(layer);
    none(bytesDiffer(writeLayer(new protobuf8.Writer(), layer).finish(), want), `document ${i}, by hand`);
    for (const { name, original, message } of ways) {
      none(bytesDiffer(message.encode(layer).finish(), want), `document ${i}, ${name}, theirs`);
      none(bytesDiffer(message.encode(layer, new Writer()).finish(), want), `document ${i}, ${name}`);
      none(
        messageDifference(message.decode(new Reader(want)), message.decode(new original.Reader(want))),
        `document ${i}, ${name}, read`,
      );
    }
  }
  expect(ways.length).toBe(4);
});
