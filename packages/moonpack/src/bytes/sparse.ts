/**
 * Objects whose keys are array indices. V8 keeps such values in an array that is as long as the largest index, up to some
 * thousand: `{"999": 0}` takes 12 KB. When that array would be mostly empty, the object is turned into a dictionary before it is
 * filled.
 */

/** The largest array index. A value at this index makes V8 use a dictionary, and V8 does not return to an array. */
const LARGEST_INDEX = 0xfffffffe;
/** The acceptable number of empty array slots: for any object, and for each of its keys. */
const EMPTY_PLACES = 16;
const EMPTY_PLACES_EACH = 4;
/** The character code after `9`. */
const AFTER_NINE = 0x3a;

/** True when these keys would make a mostly empty array: `count` strings from `keys[first]` on. */
export function areSparse(keys: readonly unknown[], first: number, count: number): boolean {
  const most = EMPTY_PLACES + EMPTY_PLACES_EACH * count;
  for (let i = first; i < first + count; i++) {
    const key = keys[i] as string;
    // charCodeAt(0) of an empty string is NaN, which is not below anything.
    if (key.charCodeAt(0) < AFTER_NINE && indexOf(key) >= most) return true;
  }
  return false;
}

/** Returns true if this key, one of few, would make a mostly empty array. */
export function isFarIndex(key: string): boolean {
  return key.charCodeAt(0) < AFTER_NINE && indexOf(key) >= EMPTY_PLACES + EMPTY_PLACES_EACH;
}

/** Returns the key as an array index; -1 when it is not one. */
export function indexOf(key: string): number {
  if (key.length > 10) return -1;
  const index = Number(key);
  return index >= 0 && index <= LARGEST_INDEX && String(index) === key ? index : -1;
}

/** Makes an empty object keep its indexed properties in a dictionary, permanently. */
export function makeSparse(object: object): void {
  Object.defineProperty(object, LARGEST_INDEX, { value: null, configurable: true });
  Reflect.deleteProperty(object, LARGEST_INDEX);
}

/**
 * Creates an object of these entries, as `Object.fromEntries` does, for untrusted names: V8 would keep a property such as
 * "1023" in an array of 12 KB. Each name becomes an own property, also `__proto__`.
 */
export function recordOf<V>(entries: Iterable<readonly [string, V]>): { [key: string]: V } {
  const list = [...entries];
  const record: { [key: string]: V } = {};
  const keys = list.map(([key]) => key);
  if (areSparse(keys, 0, keys.length)) makeSparse(record);
  for (const [key, value] of list) setOwn(record, key, value);
  return record;
}

/** Sets an own property of any name, even if Object.prototype has a property of that name. */
export function setOwn(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key in Object.prototype)
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  else object[key] = value;
}
