/**
 * On Node 20 and 22, V8 gives an object whose prototype was replaced a hidden class of its own with every property that is added,
 * and no other object shares it. Express replaces the prototype of each request and response, and then adds some ten properties
 * itself: with ours that took 70 us of a request's 200, most of it for collecting the classes. Dictionaries need no classes. From
 * Node 24 on, V8 shares such classes.
 */

/** The first V8 that shares them; Node 22 has 12.4, Node 24 has 13.6. */
const SHARES = 13;

/** Whether this V8 does, once somebody has asked. */
let shares: boolean | undefined;

const FIRST = /* @__PURE__ */ Symbol("moonpack.trace.first");
const SECOND = /* @__PURE__ */ Symbol("moonpack.trace.second");

interface Extended {
  [FIRST]?: undefined;
  [SECOND]?: undefined;
}

/** True if the object's prototype was replaced, and properties are slow to add for that. */
export function isSlowToExtend(object: object): boolean {
  // What Express gives instead inherits the class's `constructor`.
  if (object.constructor?.prototype === Object.getPrototypeOf(object)) return false;
  return !(shares ??= Number.parseInt(process.versions.v8, 10) >= SHARES);
}

/** Makes an object a dictionary. V8 does it where a property is deleted that was not the last one added. */
export function becomeDictionary(object: object): void {
  const extended: Extended = object;
  extended[FIRST] = undefined;
  extended[SECOND] = undefined;
  delete extended[FIRST];
  delete extended[SECOND];
}
