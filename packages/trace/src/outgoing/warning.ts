/** Process warnings. Each code warns once. */
import { shared } from "../shared.js";

const warned = /* @__PURE__ */ shared("warnings", () => new Set<string>());

/** Emits a process warning, unless one with this code was emitted before. */
export function warnOnce(code: string, text: string): void {
  if (warned.has(code)) return;
  warned.add(code);
  // Without a prototype: from a polluted one the options would inherit a type, and Node throws for an invalid one.
  process.emitWarning(text, Object.assign(Object.create(null) as object, { code }));
}
