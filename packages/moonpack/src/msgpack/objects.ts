/**
 * Building objects so that V8 keeps them fast, and those of one shape in one hidden class from the first one on:
 *
 * - up to 16 keys grow from `{}`, key by key; generated code does the same, so both end in the same class;
 * - 17 to 1,020 keys begin as JSON.parse builds them, which is also the class of an object literal. (Keyed stores past
 *   16 keys would turn the object into a dictionary, V8's kFastPropertiesSoftLimit.)
 * - above that V8 has nothing but dictionaries.
 */

/** Most keys of an object that grows by keyed stores without becoming a dictionary. */
export const MAX_STORED_KEYS = 16;
/** Most keys of an object that V8 can keep out of dictionary mode (kMaxNumberOfDescriptors). */
export const MAX_FAST_KEYS = 1020;

/** Sets an own property whatever its name: `__proto__` is a key like any other. */
export function setOwn(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key === "__proto__") Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  else object[key] = value;
}

/**
 * The object of `n` keys from `keys[first]` on and as many values from `values[base]` on, which are taken off their
 * stack. `template` is the text that {@link templateOf} made for these keys, if somebody kept it.
 */
export function buildObject(
  keys: readonly unknown[],
  first: number,
  values: unknown[],
  base: number,
  n: number,
  template: string | null,
): object {
  const object: Record<string, unknown> =
    n > MAX_STORED_KEYS && n <= MAX_FAST_KEYS ? JSON.parse(template ?? templateOf(keys, first, n)) : {};
  for (let i = 0; i < n; i++) {
    const key = keys[first + i] as string;
    if (key === "__proto__") setOwn(object, key, values[base + i]);
    else object[key] = values[base + i];
    values[base + i] = undefined; // the stack must not keep what the caller lets go
  }
  return object;
}

/** JSON text of an object with these keys. */
export function templateOf(keys: readonly unknown[], first: number, n: number): string {
  let text = "";
  for (let i = first; i < first + n; i++) text += `,${JSON.stringify(keys[i])}:null`;
  return `{${text.slice(1)}}`;
}

/** The Map of the same, whatever its keys. */
export function buildMap(keys: readonly unknown[], values: unknown[], base: number, n: number): Map<unknown, unknown> {
  const map = new Map<unknown, unknown>();
  for (let i = base; i < base + n; i++) {
    map.set(keys[i], values[i]);
    values[i] = undefined;
  }
  return map;
}
