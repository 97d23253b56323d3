/**
 * The complete reader and writer. Servers and edge workers use them by default. In pages they are a separate import, so that they
 * are only in the bundles that need `strict`, `canonical`, `fidelity: "json"`, deep values, or the guards of servers.
 *
 * @module
 */
import { Engine } from "../engine.js";
import { createReader, createWriter } from "./on.js";

export type { Engine };

/**
 * The engine of servers, for the option `engine` in pages.
 *
 * @example
 * import { complete } from "moonpack/msgpack/features";
 * encode({ b: 1, a: 2 }, { canonical: true, engine: complete });
 */
export const complete: Engine = /* @__PURE__ */ new Engine(createReader, createWriter);
