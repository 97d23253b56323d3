/**
 * On Node 20 and 22, V8 makes a hidden class for each property that is added to an object whose prototype was replaced, and shares it
 * with no other object. Express replaces the prototype of each request and response, and adds some ten properties. With ours that took
 * 70 us of a request's 200, most of it for collecting the classes. Objects in dictionary mode need no classes. From Node 24 on, V8
 * shares such classes.
 */

/** The first version of V8 that shares them: Node 22 has 12.4, Node 24 has 13.6. */
const SHARES = 13;

/** Whether this V8 shares them; undefined before the first call. */
let shares: boolean | undefined;

const FIRST = /* @__PURE__ */ Symbol("moonpack.trace.first");
const SECOND = /* @__PURE__ */ Symbol("moonpack.trace.second");

interface Extended {
  [FIRST]?: undefined;
  [SECOND]?: undefined;
}

/** True if the object's prototype was replaced, and adding properties is slow for that reason. */
export function isSlowToExtend(object: object): boolean {
  // The prototype that Express sets inherits the class's `constructor`.
  if (object.constructor?.prototype === Object.getPrototypeOf(object)) return false;
  return !(shares ??= Number.parseInt(process.versions.v8, 10) >= SHARES);
}

/** Switches an object to dictionary mode: V8 does so when a property is deleted that was not added last. */
export function becomeDictionary(object: object): void {
  const extended: Extended = object;
  extended[FIRST] = undefined;
  extended[SECOND] = undefined;
  delete extended[FIRST];
  delete extended[SECOND];
}
