/** Takes measured results, so that the compiler cannot remove the work. */
export interface Sink {
  value: unknown;
}

/** Calls `call` with each of the first `count` inputs. */
export type Loop = (call: (input: unknown) => unknown, inputs: readonly unknown[], count: number, sink: Sink) => void;

let compiled = 0;

/**
 * Creates a separate loop for one contestant.
 *
 * V8 keeps type feedback per function source. In one shared loop the call site would see a dozen codecs, and V8 would call all
 * of them through the slow path, which hides up to a third of a tiny message's time. In an application a call site has one
 * codec; so has each of these loops. The comment makes the sources differ: equal sources would share feedback.
 */
export function compileLoop(): Loop {
  compiled++;
  return new Function(
    "call",
    "inputs",
    "count",
    "sink",
    `/* ${compiled} */ for (let i = 0; i < count; i++) sink.value = call(inputs[i]);`,
  ) as Loop;
}
