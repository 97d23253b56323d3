/** Warnings about requests that carry no id although they might. Each code warns once in a process. */

const warned = /* @__PURE__ */ new Set<string>();

/** Emits a process warning, if none of this code was. */
export function warnOnce(code: string, text: string): void {
  if (warned.has(code)) return;
  warned.add(code);
  process.emitWarning(text, "Warning", code); // as an object of options it would inherit `type` of Object.prototype
}
