/** Warnings about requests that carry no id although they might. Each code warns once in a process. */

const warned = /* @__PURE__ */ new Set<string>();

/** Emits a process warning, if none of this code was. */
export function warnOnce(code: string, text: string): void {
  if (warned.has(code)) return;
  warned.add(code);
  // Without a prototype: from a polluted one the options would inherit a type that Node refuses, with an error.
  process.emitWarning(text, Object.assign(Object.create(null) as object, { code }));
}
