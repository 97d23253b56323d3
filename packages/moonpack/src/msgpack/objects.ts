/**
 * Building objects so that V8 keeps them fast, and those of one shape in one hidden class from the first one on:
 *
 * - up to 16 keys grow from `{}`, key by key; generated code does the same, so both end in the same class;
 * - 17 to 127 keys begin as JSON.parse builds them, which is also the class of an object literal. (Keyed stores past 16
 *   keys would turn the object into a dictionary, V8's kFastPropertiesSoftLimit.)
 * - up to 254 keys go on from 127 such keys, in an object of that size as many again may be stored by key (JSON.parse
 *   itself makes dictionaries from 128 keys on, kMapCacheSize);
 * - larger ones V8 makes dictionaries, but for literals in hot code.
 *
 * Keys that Object.prototype has are defined, not assigned: `__proto__` would set the prototype, a setter that somebody
 * put there would take the value, and a frozen prototype would refuse it. Such keys make a message `careful`.
 */

/** Most keys of an object that grows by keyed stores without becoming a dictionary. */
export const MAX_STORED_KEYS = 16;
/** Most keys of an object that JSON.parse keeps out of dictionary mode. */
const MAX_PARSED_KEYS = 127;
/** Most keys of an object that is kept out of dictionary mode here. */
export const MAX_FAST_KEYS = 2 * MAX_PARSED_KEYS;

/** Sets an own property whatever its name, and whatever Object.prototype has under it. */
export function setOwn(object: Record<string, unknown>, key: string, value: unknown): void {
  if (isInherited(key))
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  else object[key] = value;
}

/** Does Object.prototype have the key, so that assigning to it may do something else than making a property? */
export function isInherited(key: string): boolean {
  return key in Object.prototype;
}

/**
 * The object of `n` keys from `keys[first]` on and as many values from `values[base]` on, which are taken off their
 * stack. `template` is what {@link templateOf} made for these keys, if somebody kept it; `careful`: a key may be one that
 * Object.prototype has.
 */
export function buildObject(
  keys: readonly unknown[],
  first: number,
  values: unknown[],
  base: number,
  n: number,
  template: string | null,
  careful: boolean,
): object {
  const object: Record<string, unknown> =
    n > MAX_STORED_KEYS && n <= MAX_FAST_KEYS ? JSON.parse(template ?? templateOf(keys, first, n)) : {};
  // Null first, as the template has it: a field that began as a small integer would change its class with a fraction.
  if (n <= MAX_FAST_KEYS) for (let i = MAX_PARSED_KEYS; i < n; i++) setOwn(object, keys[first + i] as string, null);
  for (let i = 0; i < n; i++) {
    const key = keys[first + i] as string;
    if (careful) setOwn(object, key, values[base + i]);
    else object[key] = values[base + i];
    values[base + i] = undefined; // the stack must not keep what the caller lets go
  }
  return object;
}

/** JSON text of an object with these keys, or with as many as JSON.parse keeps fast. */
export function templateOf(keys: readonly unknown[], first: number, n: number): string {
  let text = "";
  for (let i = first; i < first + Math.min(n, MAX_PARSED_KEYS); i++) text += `,${JSON.stringify(keys[i])}:null`;
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
