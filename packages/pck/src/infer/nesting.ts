/** How deeply samples are nested. */
import { DEFAULT_MAX_DEPTH, MoonpackError } from "moonpack/bytes";
import { kindOf, LIST, MAP, OBJECT } from "./kinds.js";

/**
 * Throws `ERR_LIMIT_DEPTH` for samples that a codec refuses: nested deeper than 512 levels, or within themselves. It works
 * level by level, so that no depth exhausts the call stack. A shared object counts once a level.
 */
export function checkNesting(samples: readonly object[]): void {
  let level = new Set<object>(samples);
  for (let depth = 1; level.size > 0; depth++) {
    if (depth > DEFAULT_MAX_DEPTH)
      throw new MoonpackError("ERR_LIMIT_DEPTH", `samples are nested deeper than ${DEFAULT_MAX_DEPTH} levels`);
    const next = new Set<object>();
    for (const container of level)
      for (const value of valuesIn(container)) if ((kindOf(value) & CONTAINERS) !== 0) next.add(value as object);
    level = next;
  }
}

const CONTAINERS = LIST | MAP | OBJECT;

function valuesIn(container: object): Iterable<unknown> {
  if (container instanceof Map) return container.values();
  if (Array.isArray(container)) return container;
  return ArrayBuffer.isView(container) ? [] : Object.values(container);
}
