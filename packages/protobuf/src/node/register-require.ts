/**
 * The hook for `require()`. Node 20 has no documented hook for it, and the hook of later versions cannot return a module that is
 * combined from two. All versions call `Module._load`, which tracing tools replace too.
 */
import nodeModule from "node:module";
import { BinaryReader, BinaryWriter } from "../wire/index.js";
import { isMissing, REPLACED_MODULE } from "./register-hooks.js";

type Load = (this: unknown, request: string, ...rest: readonly unknown[]) => unknown;

/** Makes `require` return the original's exports with our Writer and Reader. */
export function hookRequire(): void {
  const loader = nodeModule as unknown as { _load: Load };
  const { _load: load } = loader;
  const combinedModules = new WeakMap<object, object>();
  loader._load = function (request, ...rest) {
    if (request !== REPLACED_MODULE) return load.call(this, request, ...rest);
    const original = loadOriginal(() => load.call(this, request, ...rest));
    let combined = combinedModules.get(original);
    if (combined === undefined) combinedModules.set(original, (combined = withOurClasses(original)));
    return combined;
  };
}

/** Takes the place of the original if it is not installed. Generated code uses only the two classes. */
const NO_EXPORTS = {};

function loadOriginal(load: () => unknown): object {
  try {
    return load() as object;
  } catch (error) {
    if (!isMissing(error)) throw error;
    return NO_EXPORTS;
  }
}

function withOurClasses(original: object): object {
  const ours = Object.getOwnPropertyDescriptors({ BinaryReader, BinaryWriter });
  return Object.defineProperties({}, { ...Object.getOwnPropertyDescriptors(original), ...ours });
}
