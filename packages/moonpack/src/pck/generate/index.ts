/**
 * Code generation for PCK's codecs in runtimes that do not have it by default.
 *
 * @module
 */
import type { EngineGenerator } from "../codec/engine.js";
import { isOwnOnly } from "../codec/holders.js";
import { namesOf } from "../document.js";
import type { Struct } from "../model/model.js";
import { blame } from "./blame.js";
import { Facts } from "./facts.js";
import { functionsOf } from "./functions.js";
import { Module } from "./module.js";
import { Names } from "./names.js";
import * as runtime from "./runtime.js";

/** Beyond so many characters closures are as good: V8 optimises no functions of such size. */
const MAX_SOURCE = 500_000;
/** Structs and fields of a schema that is worth looking at. */
const MAX_STRUCTS = 1000;
const MAX_FIELDS = 2000;

const RUNTIME: ReadonlyMap<string, unknown> = /* @__PURE__ */ new Map(Object.entries(runtime));

/**
 * Compiles a codec with `new Function`; null, so that closures do it, where that is forbidden and for very large schemas.
 * For `codec`'s option `codeGeneration`; servers have it by default.
 *
 * @example
 * import { codeGeneration } from "moonpack/pck/codegen";
 * const players = codec(Player, { codeGeneration });
 */
export const codeGeneration: EngineGenerator = (model, settings) => {
  const facts = new Facts([model.root], settings.maxDepth);
  const { structs } = facts;
  if (structs.length > MAX_STRUCTS || structs.some((struct) => struct.members.length > MAX_FIELDS)) return null;
  const prototypes: object[] = [];
  const target = {
    ...settings,
    isTyped: false,
    isOwnOnly,
    classOf: () => null,
    prototypeOf(struct: Struct): string | null {
      const prototype = settings.classes.get(struct.schema);
      if (prototype === undefined) return null;
      const known = prototypes.indexOf(prototype);
      return `prototypes[${known >= 0 ? known : prototypes.push(prototype) - 1}]`;
    },
  };
  const names = new Names([...RUNTIME.keys(), "prototypes", "blame"]);
  const module = new Module(target, facts, namesOf(model), names);
  const functions = functionsOf(module, [model.root], MAX_SOURCE);
  if (functions === null) return null;
  const uses = [...module.uses];
  const depth = facts.isDeep(model.root) ? ", 1" : "";
  const [write, read] = [module.structFunction("write", model.root), module.structFunction("read", model.root)];
  const source = `"use strict";
${module.constants.join("\n")}
${functions.map(({ text }) => text).join("\n")}
return { write: (w, value) => ${write}(w, value${depth}), read: (r) => ${read}(r${depth}) };`;
  try {
    const make = new Function("prototypes", "blame", ...uses, source);
    return make(prototypes, blame, ...uses.map((name) => RUNTIME.get(name)));
  } catch {
    return null; // forbidden by policy: closures are the quiet fallback
  }
};
