/** Random schemas and what becomes of them: `resolve` and `compare` against the reference model. */
import { codec, compare, resolve } from "moonpack/pck";
import { expect, test } from "vitest";
import { fault } from "../harness/caught.ts";
import { each, equal, none } from "../harness/each.ts";
import { bytesDiffer } from "../harness/hex.ts";
import { decodeReference } from "../harness/pck/decode.ts";
import { encodeReference } from "../harness/pck/encode.ts";
import { Evolution, UnknownName } from "../harness/pck/evolution.ts";
import { evolvedPairs } from "../harness/pck/evolved-pairs.ts";
import { Layout } from "../harness/pck/layout.ts";
import type { Json } from "../harness/pck/shape.ts";
import { valueOfJson } from "../harness/pck/values.ts";
import { differ } from "../harness/same.ts";

/** The reader's value; undefined where it meets a name that it does not know. */
function valueFor(evolution: Evolution, json: Json): Json | undefined {
  try {
    return evolution.value(json);
  } catch (error) {
    if (error instanceof UnknownName) return undefined;
    throw error;
  }
}

test("resolve and compare do as the reference model", () => {
  const seen = { refused: 0, unreadable: 0, unknown: 0, values: 0, reads: 0, depends: 0 };
  each([...evolvedPairs(20261122, 150)], ({ writer, reader, messages }) => {
    const evolution = new Evolution(writer, reader);
    const verdicts = new Set(compare(writer, reader).map((change) => change.newReadsOld));
    const backwards = new Set(compare(reader, writer).map((change) => change.oldReadsNew));
    equal(backwards.has("no"), verdicts.has("no"), "compare the other way round");
    equal(backwards.has("depends"), verdicts.has("depends"), "compare the other way round");
    equal(verdicts.has("no"), !evolution.isReadable(), "compare");
    if (!evolution.isReadable()) {
      seen.unreadable++;
      equal(
        fault(() => resolve(writer, reader)),
        { code: "ERR_SCHEMA" },
      );
      return;
    }
    seen.reads++;
    if (verdicts.has("depends")) seen.depends++;
    const decoder = resolve<unknown, unknown>(writer, reader);
    const from = new Layout(writer);
    const to = new Layout(reader);
    const readers = codec<unknown, unknown>(reader, { codeGeneration: false });
    for (const message of messages) {
      const bytes = Uint8Array.from(message);
      const decoded = decodeReference(from, message);
      const json = "error" in decoded ? undefined : valueFor(evolution, decoded.value);
      if (json !== undefined) {
        const value = decoder.decode(bytes);
        none(differ(value, valueOfJson(reader, json)), "value");
        none(bytesDiffer(readers.encode(value), Uint8Array.from(encodeReference(to, json))), "encoded by the reader");
        seen.values++;
        continue;
      }
      const { code, offset, needMore } = fault(() => decoder.decode(bytes));
      const error = "error" in decoded ? decoded.error : { code: "ERR_UNKNOWN_INDEX", offset: message.length };
      // What is unknown comes first where it lies before what is wrong.
      const isUnknown = code === "ERR_UNKNOWN_INDEX" && verdicts.has("depends") && Number(offset) < error.offset;
      if (isUnknown) seen.unknown++;
      else {
        seen.refused++;
        equal({ code, offset, needMore }, { code: error.code, offset: error.offset, needMore: error.needMore ?? 0 });
      }
    }
  });
  for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(20);
});
