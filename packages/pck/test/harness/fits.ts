/** Whether samples fit a schema that was inferred from them. */
import { codec, fromDocument, type SchemaDocument } from "@moonpack/pck";
import { expect } from "vitest";

/** The schema takes every sample, as a value and as JSON, whatever it leaves out. */
export function fits(samples: readonly unknown[], document: SchemaDocument): void {
  const messages = codec(fromDocument(document), { maps: "object" });
  for (const sample of samples) {
    const decoded = messages.decode(messages.encode(sample as never));
    expect(messages.check(sample)).toEqual(decoded);
    expect(messages.fromJSON(sample, { int64: "any" })).toEqual(decoded);
  }
}
