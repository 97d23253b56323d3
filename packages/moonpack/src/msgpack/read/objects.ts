/**
 * Builds objects so that V8 keeps them fast, and gives all objects of one shape the same hidden class from the first one on.
 *
 * Objects of more than four keys start as `new Sized(false)`, where Sized comes from {@link sizedConstructor}: an empty object
 * like any other, with room for its properties. Growing from `{}` would allocate again at every third key past the fourth
 * (measured for 9 keys: 14 % more time, and 24 bytes more each), and would give a dictionary past 16 keys (V8's
 * kFastPropertiesSoftLimit, which applies to properties stored outside of the object).
 *
 * In V8, null is assigned before a number: a field that starts as a small integer would change the hidden class when it gets a
 * fraction. Other first values do not change the class (V8's Representation::CanBeInPlaceChangedTo).
 *
 * Keys that also exist on Object.prototype are defined, not assigned: assigning `__proto__` sets the prototype, an inherited
 * setter would receive the value, and a frozen prototype would refuse it. A message with such a key sets `hasInheritedKey`.
 */
import { collidingKeys, FLOOD_KEYS, GrowingKeyFlood } from "../../bytes/key-flood.js";
import { areSparse, makeSparse, setOwn } from "../../bytes/sparse.js";

/** The fields of a reader that building a map uses: counters, and facts about the keys. */
interface MapCounter {
  readonly work: { maps: number; dictionaries: number; plain: number };
  readonly pos: number;
  readonly stack: { readonly hasInheritedKey: boolean };
  readonly settings: { readonly keepsClasses: boolean };
  readonly reuse: { expects(keys: readonly unknown[], first: number, n: number): boolean };
}

/** Properties that V8 can store inside an object. */
const MAX_INSIDE = 252;
/**
 * Largest fast object: V8 turns it into a dictionary when 255 properties are stored outside and another one is assigned. (With
 * defined keys it stays fast up to 1,020, if no field of such an object was ever written twice. Here numbers are written after
 * null, and defining takes up to twice the time.)
 */
export const MAX_FAST_KEYS = MAX_INSIDE + 255;
/** `{}` has room for this many keys. */
export const MAX_LITERAL_KEYS = 4;
/** An object of up to this many keys is always fast; a larger one only if its keys should recur ({@link ReusePolicy}). */
export const MAX_ALWAYS_FAST_KEYS = 16;

/** Creates empty objects with room inside for a number of properties. */
export type Sized = new (fill: boolean) => Record<string, unknown>;

/** Constructors by number of properties, created on demand. They depend only on that number, and hold no data. */
const sizedConstructors: (Sized | undefined)[] = [];

/** The constructor for objects of `n` properties. */
export function sizedConstructor(n: number): Sized {
  const inside = n < MAX_INSIDE ? n : MAX_INSIDE;
  return (sizedConstructors[inside] ??= makeSized(inside));
}

/**
 * V8 sizes a function's objects by the assignments to `this` in it and in the functions that it inherits from, plus eight. Later
 * it removes the room that the first eight objects did not use. In other engines the result is a plain empty object.
 */
function makeSized(inside: number): Sized {
  const sized = assigner();
  for (let last = sized, size = ASSIGNED + 8; size < inside; size += ASSIGNED) {
    const next = assigner();
    Object.setPrototypeOf(last, next);
    last = next;
  }
  sized.prototype = Object.prototype;
  // The largest of the eight objects decides.
  const sample = new sized(false);
  for (let j = 0; j < inside; j++) setOwn(sample, `$${j}`, null);
  for (let i = 1; i < 8; i++) new sized(false);
  return sized;
}

const ASSIGNED = 16;

/** A new function with sixteen assignments. Its name is `Object`, since inspectors show that name for its objects. */
export function assigner(): Sized {
  const named = {
    Object: function (this: Record<string, null>, fill: boolean): void {
      if (fill) {
        this.a = this.b = this.c = this.d = this.e = this.f = this.g = this.h = null;
        this.i = this.j = this.k = this.l = this.m = this.n = this.o = this.p = null;
      }
    },
  };
  return named.Object as unknown as Sized;
}

/** True if the name also exists on Object.prototype, so that assigning to it might not create a property. */
export function isInherited(key: string): boolean {
  return key in Object.prototype;
}

/**
 * Removes a complete map of `n` pairs from the stacks, from `base` on, and returns the object or Map. `isObject`: all keys are
 * strings and the options allow an object.
 */
export function finishMap(
  r: MapCounter,
  keys: readonly unknown[],
  values: unknown[],
  base: number,
  n: number,
  isObject: boolean,
): unknown {
  if (!isObject) {
    r.work.maps++;
    return buildMap(keys, values, base, n, r.pos);
  }
  // A map becomes a dictionary if it has too many keys for a fast object (as in MessageReader.readMap), or keys that are not
  // expected to recur.
  if (n > MAX_FAST_KEYS || (n > MAX_ALWAYS_FAST_KEYS && !r.reuse.expects(keys, base, n))) {
    r.work.dictionaries++;
    return buildDictionary(keys, values, base, n);
  }
  r.work.plain++;
  return buildObject(r, keys, values, base, n);
}

/** An empty object with room for `n` keys, which are not too many for a fast object. */
export function emptyObject(n: number): Record<string, unknown> {
  return n <= MAX_LITERAL_KEYS ? {} : new (sizedConstructor(n))(false);
}

/** Returns the object of `n` pairs on stacks, from `base` on, and clears these values. */
function buildObject(r: MapCounter, keys: readonly unknown[], values: unknown[], base: number, n: number): object {
  const object = emptyObject(n);
  if (areSparse(keys, base, n)) makeSparse(object);
  // A key may also exist on Object.prototype.
  const careful = r.stack.hasInheritedKey;
  const { keepsClasses } = r.settings;
  for (let i = base; i < base + n; i++) {
    const key = keys[i] as string;
    const value = values[i];
    if (careful) setOwn(object, key, value);
    else {
      if (typeof value === "number" && keepsClasses) object[key] = null;
      object[key] = value;
    }
    values[i] = undefined; // the stack must not keep the value alive
  }
  return object;
}

/** Returns the object in V8's dictionary mode. It has no prototype while it is filled, so that no key is inherited. */
export function buildDictionary(keys: readonly unknown[], values: unknown[], base: number, n: number): object {
  const object = Object.create(null) as Record<string, unknown>;
  for (let i = base; i < base + n; i++) {
    object[keys[i] as string] = values[i];
    values[i] = undefined;
  }
  return Object.setPrototypeOf(object, Object.prototype) as object;
}

/** Returns the Map. `end`: the offset of its end, for the error of keys that were chosen to collide. */
export function buildMap(
  keys: readonly unknown[],
  values: unknown[],
  base: number,
  n: number,
  end: number,
): Map<unknown, unknown> {
  const map = new Map<unknown, unknown>();
  // The same guard as in LargeMap, so that a message in parts is refused for the same keys.
  const flood = n > FLOOD_KEYS ? new GrowingKeyFlood() : null;
  for (let i = base; i < base + n; i++) {
    const key = keys[i];
    if (flood !== null && typeof key !== "string" && flood.isFull(key, map)) throw collidingKeys(end);
    map.set(key, values[i]);
    values[i] = undefined;
  }
  return map;
}
