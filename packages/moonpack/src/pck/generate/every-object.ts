/** The names of what every object has. Written down, not asked for: emitted code is the same wherever it is made. */
const NAMES: ReadonlySet<string> = /* @__PURE__ */ new Set([
  ...["__proto__", "__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__", "constructor"],
  ...["hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString", "toString", "valueOf"],
]);

/** Has every object a property of this name? */
export function isEveryObjects(name: string): boolean {
  return NAMES.has(name);
}
