/**
 * fast-check with a share of the runs of each property. vitest gives it to the tests in the place of fast-check when they
 * try a share (vitest.config.ts). Bundles for other runtimes have the same (tools/src/portable/bundle.mjs).
 */
import fc from "fast-check";
import { share } from "./effort.ts";

/** The number of runs of fast-check without `numRuns`. */
const RUNS = 100;

function assert<Ts>(property: fc.IAsyncProperty<Ts> | fc.IProperty<Ts>, parameters: fc.Parameters<Ts> = {}) {
  return fc.assert(property as fc.IAsyncProperty<Ts>, { ...parameters, numRuns: share(parameters.numRuns ?? RUNS) });
}

export * from "fast-check";
export default { ...fc, assert };
