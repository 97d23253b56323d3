/** Compares `resolve` and `compare` with the reference model, for one pair of schemas. */

import { fault } from "@moonpack/harness/caught.ts";
import { equal, none } from "@moonpack/harness/each.ts";
import { bytesDiffer } from "@moonpack/harness/hex.ts";
import { differ } from "@moonpack/harness/same.ts";
import { codec, compare, resolve } from "@moonpack/pck";
import { decodeReference } from "./decode.ts";
import { encodeReference } from "./encode.ts";
import { Evolution, UnknownName } from "./evolution.ts";
import { Layout } from "./layout.ts";
import { settled } from "./random-evolution.ts";
import type { Json, SchemaDocument } from "./shape.ts";
import { valueOfJson } from "./values.ts";

/** Counts of outcomes: schemas that fit or do not, and messages. */
export type Seen = "refused" | "unreadable" | "unknown" | "values" | "reads" | "depends";

/** Returns the reader's value; undefined for an unknown name. */
function valueFor(evolution: Evolution, json: Json): Json | undefined {
  try {
    return evolution.value(json);
  } catch (error) {
    if (error instanceof UnknownName) return undefined;
    throw error;
  }
}

/** Fails where they differ. The messages are the writer's, some of them damaged. */
export function checkEvolution(
  writer: SchemaDocument,
  reader: SchemaDocument,
  messages: readonly (readonly number[])[],
): readonly Seen[] {
  const evolution = new Evolution(writer, settled(reader));
  const verdicts = new Set(compare(writer, reader).map((change) => change.newReadsOld));
  const backwards = new Set(compare(reader, writer).map((change) => change.oldReadsNew));
  equal(backwards.has("no"), verdicts.has("no"), "compare the other way round");
  equal(backwards.has("depends"), verdicts.has("depends"), "compare the other way round");
  equal(verdicts.has("no"), !evolution.isReadable(), "compare");
  if (!evolution.isReadable()) {
    equal(
      fault(() => resolve(writer, reader)),
      { code: "ERR_SCHEMA" },
    );
    return ["unreadable"];
  }
  const seen: Seen[] = verdicts.has("depends") ? ["reads", "depends"] : ["reads"];
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
      seen.push("values");
      continue;
    }
    const { code, offset, needMore } = fault(() => decoder.decode(bytes));
    const error = "error" in decoded ? decoded.error : { code: "ERR_UNKNOWN_INDEX", offset: message.length };
    // An unknown name is reported first if it comes before the invalid item.
    const isUnknown = code === "ERR_UNKNOWN_INDEX" && verdicts.has("depends") && Number(offset) < error.offset;
    seen.push(isUnknown ? "unknown" : "refused");
    if (isUnknown) continue;
    equal({ code, offset, needMore }, { code: error.code, offset: error.offset, needMore: error.needMore ?? 0 });
  }
  return seen;
}
