/** The two codecs of a schema: one of generated code, one of closures. */

import { fault } from "@moonpack/harness/caught.ts";
import { none } from "@moonpack/harness/each.ts";
import { toHex } from "@moonpack/harness/hex.ts";
import { differ } from "@moonpack/harness/same.ts";
import { type Codec, type CodecOptions, codec, type Schema, type SchemaDocument } from "@moonpack/pck";
import { generate, generatorOf } from "./generators.ts";

type Any = Codec<unknown, unknown>;
type Input = SchemaDocument | Schema<unknown, never>;

/** Fails where the codec would fall back to closures. */
const generated = generatorOf((model, settings) => {
  const engine = generate(model, settings);
  if (engine === null) throw new Error("no code was generated");
  return engine;
});

/** Returns both codecs. */
export function both(input: Input, options: CodecOptions = {}): readonly [generated: Any, closures: Any] {
  return [
    codec(input, { ...options, codeGeneration: generated }) as Any,
    codec(input, { ...options, codeGeneration: false }) as Any,
  ];
}

/** Returns the result of a call, or its error. */
function outcome(act: () => unknown): unknown {
  let result: unknown;
  try {
    result = act();
  } catch {
    return fault(act);
  }
  return result instanceof Uint8Array ? toHex(result) : { result };
}

/** Fails unless two calls have the same result or error. */
export function same(a: () => unknown, b: () => unknown, what: string): void {
  none(differ(outcome(a), outcome(b)), what);
}
