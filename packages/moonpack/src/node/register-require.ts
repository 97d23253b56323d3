/**
 * What `require` finds by the hook. Node 20 has no hook for require() that is documented, and that of later ones gives it no
 * module that is made up of two; `Module._load` is what all of them call, and what tools for tracing hook into too.
 */
import nodeModule from "node:module";
import { BinaryReader, BinaryWriter } from "../protobuf/wire/index.js";
import { ASKED, isMissing } from "./register-hooks.js";

type Load = (this: unknown, request: string, ...rest: readonly unknown[]) => unknown;

/** Gives the original's exports with our Writer and Reader to who requires it. */
export function hookRequire(): void {
  const loader = nodeModule as unknown as { _load: Load };
  const { _load: load } = loader;
  const known = new WeakMap<object, object>();
  loader._load = function (request, ...rest) {
    if (request !== ASKED) return load.call(this, request, ...rest);
    const original = loadOriginal(() => load.call(this, request, ...rest));
    let given = known.get(original);
    if (given === undefined) known.set(original, (given = both(original)));
    return given;
  };
}

/** Stands for the original where it is not installed: generated code needs nothing else of it. */
const NOTHING = {};

function loadOriginal(load: () => unknown): object {
  try {
    return load() as object;
  } catch (error) {
    if (!isMissing(error)) throw error;
    return NOTHING;
  }
}

function both(original: object): object {
  const ours = Object.getOwnPropertyDescriptors({ BinaryReader, BinaryWriter });
  return Object.defineProperties({}, { ...Object.getOwnPropertyDescriptors(original), ...ours });
}
