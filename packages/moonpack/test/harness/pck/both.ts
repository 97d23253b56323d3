/** A schema's two codecs: what generated code does, and what closures do. */
import { type Codec, type CodecOptions, codec, type Schema, type SchemaDocument } from "moonpack/pck";
import { codeGeneration } from "moonpack/pck/codegen";
import { fault } from "../caught.ts";
import { none } from "../each.ts";
import { toHex } from "../hex.ts";
import { differ } from "../same.ts";

/** What makes engines of generated code. */
export type Generator = Exclude<CodecOptions["codeGeneration"], boolean | undefined>;
type Any = Codec<unknown, unknown>;
type Input = SchemaDocument | Schema<unknown, never>;

/** Fails where closures would do it instead. */
const generated: Generator = (model, settings) => {
  const engine = codeGeneration(model, settings);
  if (engine === null) throw new Error("no code was generated");
  return engine;
};

/** Both of them. */
export function both(input: Input, options: CodecOptions = {}): readonly [generated: Any, closures: Any] {
  return [
    codec(input, { ...options, codeGeneration: generated }) as Any,
    codec(input, { ...options, codeGeneration: false }) as Any,
  ];
}

/** What a call does: its answer, or how it fails. */
function outcome(act: () => unknown): unknown {
  let answer: unknown;
  try {
    answer = act();
  } catch {
    return fault(act);
  }
  return answer instanceof Uint8Array ? toHex(answer) : { answer };
}

/** Fails where two calls do not end in the same way. */
export function same(a: () => unknown, b: () => unknown, what: string): void {
  none(differ(outcome(a), outcome(b)), what);
}
