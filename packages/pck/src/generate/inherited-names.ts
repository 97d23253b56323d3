/**
 * The names of the properties on Object.prototype. The list is constant, so that emitted code is the same in every
 * runtime.
 */
const NAMES: ReadonlySet<string> = /* @__PURE__ */ new Set([
  ...["__proto__", "__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__", "constructor"],
  ...["hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString", "toString", "valueOf"],
]);

/** True for a name that also exists on Object.prototype. */
export function isInheritedName(name: string): boolean {
  return NAMES.has(name);
}
