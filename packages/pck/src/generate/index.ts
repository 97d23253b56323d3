/**
 * Code generation for PCK's codecs in runtimes that do not have it by default.
 *
 * @module
 */

import { isOwnOnly } from "../closures/value-access.js";
import { namesOf } from "../document/document.js";
import type { Struct } from "../model/model.js";
import * as runtime from "../runtime/functions.js";
import type { EngineGenerator } from "../settings.js";
import { functionsOf } from "./functions.js";
import { locateError } from "./locate-error.js";
import { Module } from "./module.js";
import { Names } from "./names.js";
import { StructTraits } from "./struct-traits.js";

/** V8 does not optimise functions of a larger source, so closures are as fast. */
const MAX_SOURCE = 500_000;
/** A schema with more structs, or more fields in one struct, is not compiled. */
const MAX_STRUCTS = 1000;
const MAX_FIELDS = 2000;

const RUNTIME: ReadonlyMap<string, unknown> = /* @__PURE__ */ new Map(/* @__PURE__ */ Object.entries(runtime));

/**
 * Compiles a codec with `new Function`. Returns null, so that the codec uses closures, where `new Function` is
 * forbidden and for very large schemas. It is a value for `codec`'s option `codeGeneration`; servers use it by
 * default.
 *
 * @example
 * import { codeGeneration } from "@moonpack/pck/codegen";
 * const players = codec(Player, { codeGeneration });
 */
export const codeGeneration: EngineGenerator = (model, settings) => {
  const traits = new StructTraits([model.root], settings.maxDepth);
  const { structs } = traits;
  if (structs.length > MAX_STRUCTS || structs.some((struct) => struct.members.length > MAX_FIELDS)) return null;
  const prototypes: object[] = [];
  const target = {
    ...settings,
    isTyped: false,
    checksInPlace: true,
    isOwnOnly,
    classOf: () => null,
    prototypeOf(struct: Struct): string | null {
      const prototype = settings.classes.get(struct.schema);
      if (prototype === undefined) return null;
      const known = prototypes.indexOf(prototype);
      return `prototypes[${known >= 0 ? known : prototypes.push(prototype) - 1}]`;
    },
  };
  const names = new Names([...RUNTIME.keys(), "prototypes", "locateError"]);
  const module = new Module(target, traits, namesOf(model), names);
  const functions = functionsOf(module, [model.root], MAX_SOURCE);
  if (functions === null) return null;
  const uses = [...module.uses];
  const depth = traits.isDeep(model.root) ? ", 1" : "";
  const [write, read] = [module.structFunction("write", model.root), module.structFunction("read", model.root)];
  const source = `"use strict";
${module.constants.join("\n")}
${functions.map(({ text }) => text).join("\n")}
return { write: (w, value) => ${write}(w, value${depth}), read: (r) => ${read}(r${depth}) };`;
  try {
    const make = new Function("prototypes", "locateError", ...uses, source);
    return make(prototypes, locateError, ...uses.map((name) => RUNTIME.get(name)));
  } catch {
    return null; // a security policy forbids it: closures are the silent fallback
  }
};
