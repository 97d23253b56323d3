// The targets. Each has a check: a function of an input that throws when it finds a fault, and otherwise returns the
// kind of
// the outcome. Inputs with a new kind are mutated further.

/** The module with the check. Only the worker loads it, so that listing the names needs no build. */
const MODULES = {
  decode: "./messages.mjs",
  "decode-strict": "./messages.mjs",
  "encode-roundtrip": "./messages.mjs",
  diagnose: "./messages.mjs",
  pick: "./pick.mjs",
  msgpackr: "./msgpackr.mjs",
  stream: "./stream.mjs",
  frames: "./bytes.mjs",
  utf8: "./bytes.mjs",
  container: "./container.mjs",
  pck: "./pck.mjs",
  "pck-framed": "./pck.mjs",
  "pck-document": "./pck.mjs",
  "pck-resolve": "./pck.mjs",
  "pck-pick": "./pck-pick.mjs",
  "pck-json": "./json.mjs",
  "http-json": "./json.mjs",
  "trace-carrier": "./trace.mjs",
  "trace-headers": "./trace.mjs",
  "series-page": "./series.mjs",
  "series-log": "./series.mjs",
  "series-block": "./series-files.mjs",
  "series-line": "./point-lines.mjs",
  "series-prometheus": "./point-lines.mjs",
  "series-dump": "./point-lines.mjs",
  "series-victoriametrics": "./point-lines.mjs",
  "prometheus-write": "./prometheus.mjs",
  "prometheus-text": "./prometheus.mjs",
};

/** The names of all targets. */
export const TARGETS = Object.keys(MODULES);

/** A new check for a target. It may keep decoders, which learn from what they read. */
export async function createCheck(target) {
  const { checks } = await import(MODULES[target]);
  return await checks[target]();
}
