/**
 * The state that all copies of this package in a process share: `import` and `require` load a copy each, and so do packages that have
 * their own in node_modules. Without it a request would have a context for each copy, outgoing requests would be patched twice, and an
 * error of one copy would not be recognised by the other.
 *
 * It is one object, in a property of the global object that only this file uses, without a prototype. The copy that first needs a part
 * makes it. A copy reads its parts once, when it is loaded. What copies may have twice, such as a pool of random bytes, stays in
 * modules.
 */

/**
 * The name of the state. Copies of other versions share it if it has the same number, so all that is reached from a part belongs to
 * it: members of classes too. A change of these needs a new number; copies with another one then do not see each other.
 */
export const STATE = "@moonpack/trace.1";

/** The parts, and why they are shared. */
type Part =
  /** The AsyncLocalStorage: a request has one context. */
  | "storage"
  /** Classes: `instanceof` and MessagePack's extension accept instances that another copy made. */
  | "Context"
  | "TraceCarrier"
  | "TraceArgumentError"
  | "TraceFactoryError"
  /** The bridge to OpenTelemetry, which all copies follow. */
  | "spanSource"
  /** The active propagations: `http` and the global dispatchers are patched once. */
  | "propagations"
  /** The proxies of global dispatchers: none is put in front of another one. */
  | "dispatchers"
  /** The codes of warnings, which are emitted once in a process. */
  | "warnings"
  /** The last UUID of version 7: each one of a process sorts after the one before. */
  | "uuidv7";

const state = /* @__PURE__ */ findState();

/** Returns a part of the shared state. Calls `make` if no copy has made it. */
export function shared<T>(part: Part, make: () => T): T {
  return (state[part] ??= make()) as T;
}

function findState(): Record<string, unknown> {
  const key = Symbol.for(STATE);
  const found = Object.getOwnPropertyDescriptor(globalThis, key);
  if (found !== undefined && isState(found)) return found.value as Record<string, unknown>;
  const made = Object.create(null) as Record<string, unknown>;
  // Fails for a foreign value and for a frozen global object: this copy then has its own state. From a polluted prototype the
  // descriptor would inherit a getter.
  Reflect.defineProperty(globalThis, key, Object.assign(Object.create(null) as object, { value: made }));
  return made;
}

/** True for a property that this file has defined: other code cannot replace it. */
function isState(found: PropertyDescriptor): boolean {
  if (!Object.hasOwn(found, "value") || found.writable || found.configurable) return false;
  return typeof found.value === "object" && found.value !== null && Object.getPrototypeOf(found.value) === null;
}
