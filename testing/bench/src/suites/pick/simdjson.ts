/**
 * simdjson, which finds a value in JSON without creating the others. It is native code that a C++ compiler builds, so the repository
 * does not install it: its column is there after `npm install --no-save simdjson`.
 */
import { createRequire } from "node:module";

interface Lazy {
  valueForKeyPath(path: string): unknown;
}

interface Simdjson {
  lazyParse(text: string): Lazy;
}

/** The library; null if it is not installed. */
export function findSimdjson(): Simdjson | null {
  try {
    return createRequire(import.meta.url)("simdjson") as Simdjson;
  } catch {
    return null;
  }
}

/** A JSON Pointer without `*` in simdjson's notation: `/0/title` is `[0].title`. */
export function keyPath(pointer: string): string {
  return pointer
    .slice(1)
    .split("/")
    .map((step, i) => (/^\d+$/.test(step) ? `[${step}]` : i === 0 ? step : `.${step}`))
    .join("");
}
