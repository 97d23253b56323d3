/** The functions of a module: the functions of the roots, and all functions that these call. */
import type { Struct } from "../model/model.js";
import type { Module, PendingFunction } from "./module.js";
import { armReader, structReader, unionReader } from "./read-struct.js";
import { inType, structType } from "./types.js";
import { structWriter, unionWriter } from "./write-struct.js";

/** The text of one function, and whether it writes or reads. */
export interface FunctionText {
  readonly name: string;
  readonly verb: "write" | "read";
  readonly wanted: PendingFunction;
  readonly text: string;
}

/** Returns the text of every function that writes or reads the roots, or null if the text is longer than `limit` characters. */
export function functionsOf(module: Module, roots: readonly Struct[], limit = Infinity): FunctionText[] | null {
  const texts: FunctionText[] = [];
  let size = 0;
  for (const verb of ["write", "read"] as const) {
    for (const root of roots) module.structFunction(verb, root);
    for (let wanted = module.next(); wanted !== undefined; wanted = module.next()) {
      const text = functionText(module, verb, wanted);
      texts.push({ name: wanted.name, verb, wanted, text });
      size += text.length;
      if (size > limit) return null;
    }
  }
  return texts;
}

/** Returns the text of one function. */
export function functionText(module: Module, verb: "write" | "read", wanted: PendingFunction): string {
  return verb === "write" ? writerText(module, wanted) : readerText(module, wanted);
}

function writerText(module: Module, wanted: PendingFunction): string {
  if (wanted.kind === "union") {
    return unionWriter(module, wanted.name, wanted.union, module.typed(inType(module, wanted.union, "in")));
  }
  const { struct } = wanted as PendingFunction & { readonly kind: "struct" };
  return structWriter(module, wanted.name, struct, module.typed(structType(module, struct, "in")));
}

function readerText(module: Module, wanted: PendingFunction): string {
  switch (wanted.kind) {
    case "struct":
      return structReader(module, wanted.name, wanted.struct);
    case "union":
      return unionReader(module, wanted.name, wanted.union, module.typed(inType(module, wanted.union, "out")));
    case "arm":
      return armReader(module, wanted.name, wanted.union, wanted.arm);
  }
}
