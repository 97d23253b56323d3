/** Random schemas and later versions of them, with messages of both. */
import { randomSource } from "@moonpack/harness/random.ts";
import { encodeReference } from "./encode.ts";
import { Layout } from "./layout.ts";
import { mutate } from "./mutate.ts";
import { evolved } from "./random-evolution.ts";
import { randomSchema } from "./random-schemas.ts";
import { randomValue } from "./random-values.ts";
import type { SchemaDocument } from "./shape.ts";

/** A writer's schema, a reader's schema, and bytes of the writer, some of them damaged. */
export interface EvolvedPair {
  readonly name: string;
  readonly writer: SchemaDocument;
  readonly reader: SchemaDocument;
  readonly messages: readonly (readonly number[])[];
}

/** Each pair in both directions. */
export function* evolvedPairs(seed: number, count: number): Generator<EvolvedPair> {
  const random = randomSource(seed);
  for (let i = 0; i < count; i++) {
    const old = randomSchema(random, "any");
    const now = evolved(random, old);
    for (const [writer, reader] of [[old, now] as const, [now, old] as const]) {
      const layout = new Layout(writer);
      const messages = Array.from({ length: 3 }, (_, n) =>
        encodeReference(layout, randomValue(random, layout, 20 * n)),
      );
      const damaged = messages.flatMap((bytes) => [
        mutate(random, bytes),
        mutate(random, bytes),
        mutate(random, bytes),
      ]);
      const name = `${JSON.stringify(writer)} read as ${JSON.stringify(reader)}`;
      yield { name, writer, reader, messages: [...messages, ...damaged] };
    }
  }
}
