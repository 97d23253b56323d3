/**
 * Building objects so that V8 keeps them fast, and those of one shape in one hidden class from the first one on.
 *
 * Those of more than four keys begin as `new Room(false)`: an empty object like any other, with room inside for its keys.
 * Growing from `{}` would allocate anew with every third key past the fourth (measured: a seventh more time for 9 keys, and
 * 24 bytes more each), and past 16 keys make a dictionary (V8's kFastPropertiesSoftLimit, which holds for properties outside
 * the object).
 *
 * Keys that Object.prototype has are defined, not assigned: `__proto__` would set the prototype, a setter that somebody
 * put there would take the value, and a frozen prototype would refuse it. Such keys make a message `careful`.
 */

/** Properties that V8 has room for inside an object. */
const MAX_INSIDE = 252;
/**
 * Most keys of a fast object: assigned by key, V8 makes a dictionary once 255 properties lie outside and there is no room
 * for another. (Defined instead, up to 1,020 stay fast as long as no field of such an object was ever written twice; here
 * fields are null before they have their values, and defining takes up to twice the time.)
 */
export const MAX_FAST_KEYS = MAX_INSIDE + 255;
/** `{}` has room for these. */
export const MAX_LITERAL_KEYS = 4;
/** Where shapes are not looked for, larger objects get their fields first, see {@link buildObject}. */
export const MAX_UNPREPARED_KEYS = 16;

/** Makes empty objects with room inside for a number of properties. */
export type Room = new (fill: boolean) => Record<string, unknown>;

/** By number of properties, made when first wanted. They depend on nothing else, and nobody's data gets into them. */
const rooms: (Room | undefined)[] = [];

/** Where objects of `n` properties begin. */
export function roomFor(n: number): Room {
  const inside = n < MAX_INSIDE ? n : MAX_INSIDE;
  return rooms[inside] ?? (rooms[inside] = makeRoom(inside));
}

/**
 * V8 sizes the objects of a function by the assignments to `this` that it and the functions it inherits from contain, and
 * eight more; then takes back what the first eight objects leave unused. Elsewhere it is an empty object, no more.
 */
function makeRoom(inside: number): Room {
  const room = assigner();
  for (let last = room, size = ASSIGNED + 8; size < inside; size += ASSIGNED) {
    const next = assigner();
    Object.setPrototypeOf(last, next);
    last = next;
  }
  room.prototype = Object.prototype;
  for (let i = 0; i < 8; i++) {
    const sample = new room(false);
    for (let j = 0; j < inside; j++) setOwn(sample, `$${j}`, null);
  }
  return room;
}

const ASSIGNED = 16;

/** A function of its own with sixteen assignments, named as inspectors name the objects that it makes. */
function assigner(): Room {
  const named = {
    Object: function (this: Record<string, null>, fill: boolean): void {
      if (fill) {
        this.a = this.b = this.c = this.d = this.e = this.f = this.g = this.h = null;
        this.i = this.j = this.k = this.l = this.m = this.n = this.o = this.p = null;
      }
    },
  };
  return named.Object as unknown as Room;
}

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
 * stack. `known`: fields of this shape have held values of any type, or nobody minds; `careful`: a key may be one that
 * Object.prototype has.
 */
export function buildObject(
  keys: readonly unknown[],
  first: number,
  values: unknown[],
  base: number,
  n: number,
  known: boolean,
  careful: boolean,
): object {
  const object: Record<string, unknown> = n <= MAX_LITERAL_KEYS ? {} : new (roomFor(n))(false);
  // Null first: a field that began as a small integer would change its class with a fraction.
  if (!known) for (let i = 0; i < n; i++) setOwn(object, keys[first + i] as string, null);
  for (let i = 0; i < n; i++) {
    const key = keys[first + i] as string;
    if (careful) setOwn(object, key, values[base + i]);
    else object[key] = values[base + i];
    values[base + i] = undefined; // the stack must not keep what the caller lets go
  }
  return object;
}

/** The same as a dictionary. While it is filled it has no prototype, so that every key is one like any other. */
export function buildDictionary(keys: readonly unknown[], first: number, values: unknown[], n: number): object {
  const object = Object.create(null) as Record<string, unknown>;
  for (let i = first; i < first + n; i++) {
    object[keys[i] as string] = values[i];
    values[i] = undefined;
  }
  return Object.setPrototypeOf(object, Object.prototype) as object;
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
