/** Encodes every vector with every function. The bytes are the same, and later calls do not change earlier results. */

import { fault } from "@moonpack/harness/caught.ts";
import { each, equal, none } from "@moonpack/harness/each.ts";
import { bytesDiffer } from "@moonpack/harness/hex.ts";
import { differ } from "@moonpack/harness/same.ts";
import { transferAway } from "@moonpack/harness/transfer.ts";
import { smallVectors, vectors, vectorsAgain } from "@moonpack/harness/vectors.ts";
import { Decoder, decode, Encoder, encode, encodeInto, encodeOwned, encodeShared } from "moonpack";
import { complete } from "moonpack/msgpack/features";
import { describe, test } from "vitest";

const KEEP = { unknownExtensions: "keep" } as const;

describe("encode the vectors", () => {
  const shortest = vectors.filter((v) => v.shortest);
  const encoder = new Encoder();

  test("encode, encodeOwned, encodeShared and encodeInto write the same bytes", () => {
    const own = [encoder.encode, encoder.encodeOwned, encoder.encodeShared].map((way) => way.bind(encoder));
    each(shortest, ({ bytes, value: made }) => {
      const value = made();
      // Large vectors are slow.
      for (const way of bytes.length < 4096 ? [encode, encodeOwned, encodeShared, ...own] : own) {
        none(bytesDiffer(way(value), bytes), way.name);
      }
      for (const into of [encodeInto, encoder.encodeInto.bind(encoder)]) {
        const target = new Uint8Array(bytes.length + 7).fill(0xee);
        equal(into(value, target, 4), 4 + bytes.length, "end");
        none(bytesDiffer(target.subarray(4, 4 + bytes.length), bytes), "encodeInto");
        const outside = [...target.subarray(0, 4), ...target.subarray(4 + bytes.length)];
        if (!outside.every((byte) => byte === 0xee)) throw new Error("wrote outside");
      }
    });
  });

  test("encode writes the same bytes again when every key and shape is known", () => {
    const some = smallVectors.filter((v) => v.shortest);
    for (let round = 0; round < 3; round++)
      each(some, ({ bytes, value }) => none(bytesDiffer(encoder.encode(value()), bytes)));
  });

  test("encodeInto: a target one byte too small is ERR_BUFFER_TOO_SMALL", () => {
    each(
      smallVectors.filter((v) => v.shortest),
      ({ bytes, value }) => {
        const target = new Uint8Array(bytes.length + 2);
        equal(fault(() => encodeInto(value(), target, 3)).code, "ERR_BUFFER_TOO_SMALL");
        equal(fault(() => encodeInto(value(), target.subarray(0, bytes.length - 1), 0)).code, "ERR_BUFFER_TOO_SMALL");
        equal(encodeInto(value(), target, 2), bytes.length + 2);
      },
    );
  });

  test("results of encodeOwned share no buffer", () => {
    each(
      smallVectors.filter((v) => v.shortest),
      ({ bytes, value }) => {
        const owned = encodeOwned(value());
        equal([owned.byteOffset, owned.buffer.byteLength], [0, bytes.length]);
      },
    );
  });

  test("later calls, and changes to other results, do not change a result", () => {
    const kept = smallVectors
      .filter((v) => v.shortest)
      .map((v) => ({ name: v.name, want: v.bytes, got: encoder.encode(v.value()) }));
    for (const { value } of smallVectors) encoder.encode(value()).fill(0xee);
    for (const { value } of smallVectors) encoder.encodeShared(value()).fill(0xdd);
    each(kept, ({ want, got }) => none(bytesDiffer(got, want)));
  });

  test("mutated or transferred results do not affect later ones", () => {
    each(
      smallVectors.filter((v) => v.shortest),
      ({ bytes, value }) => {
        const first = encode(value());
        first.fill(0x41);
        const second = encodeOwned(value());
        transferAway(second);
        const shared = encodeShared(value());
        transferAway(shared);
        const third = encode(value());
        none(bytesDiffer(third, bytes));
        transferAway(third);
        none(bytesDiffer(encode(value()), bytes));
      },
    );
  });

  test("a bigint in the safe range is written as a number of that value", () => {
    each(
      vectors.filter((v) => v.group === "integers" && v.shortest),
      ({ bytes, value }) => none(bytesDiffer(encode(BigInt(value() as number | bigint)), bytes)),
    );
  });

  test("values decoded from longer forms are written in the shortest form", () => {
    each(
      vectors.filter((v) => !v.shortest),
      ({ group, bytes, value }) => {
        const again = encode(value());
        // An integer above 32 bits is longer than a float32 of the same value. It is still written as an integer.
        if (again.length > bytes.length && group !== "floats") throw new Error(`${again.length} bytes`);
        none(differ(decode(again, { ...KEEP, strict: true, engine: complete }), value()), "strict");
      },
    );
  });

  test("canonical bytes are valid in strict mode, and decode to the value", () => {
    const canonical = new Encoder({ canonical: true, engine: complete });
    const strict = new Decoder({ ...KEEP, strict: true, engine: complete });
    each(
      vectorsAgain.filter((v) => v.shortest),
      ({ group, bytes, value }) => {
        const out = canonical.encode(value());
        equal(out.length, bytes.length);
        const back = strict.decode(out);
        none(bytesDiffer(canonical.encode(back), out), "again");
        if (group !== "maps") none(differ(back, value()));
      },
    );
  });
});
