// What can be fuzzed. A target is a judge: a function of an input that throws when the bytes show a fault, and else
// answers what kind of outcome they had. Inputs whose kind is new are mutated further.

/** The module that has the judge. Only the worker loads it: to tell the names, nothing has to be built. */
const MODULES = {
  decode: "./messages.mjs",
  "decode-strict": "./messages.mjs",
  "encode-roundtrip": "./messages.mjs",
  diagnose: "./messages.mjs",
  stream: "./stream.mjs",
  frames: "./bytes.mjs",
  utf8: "./bytes.mjs",
  container: "./container.mjs",
  pck: "./pck.mjs",
  "pck-framed": "./pck.mjs",
  "pck-document": "./pck.mjs",
  "pck-resolve": "./pck.mjs",
};

/** The names of all targets. */
export const TARGETS = Object.keys(MODULES);

/** The judge of a target, made anew: it may keep decoders, which learn from what they read. */
export async function judgeOf(target) {
  const { judges } = await import(MODULES[target]);
  return await judges[target]();
}
