// Setup of test files that share a process: a file fails if it leaves changes for the next one.
import { afterAll } from "vitest";

const OBJECTS = {
  globalThis,
  "Object.prototype": Object.prototype,
  "Function.prototype": Function.prototype,
  "Array.prototype": Array.prototype,
  "Uint8Array.prototype": Uint8Array.prototype,
  "Map.prototype": Map.prototype,
  "Set.prototype": Set.prototype,
  "Promise.prototype": Promise.prototype,
  Object,
  Array,
  Math,
  Date,
  JSON,
  "process.stdout": process.stdout,
  "process.stderr": process.stderr,
};
const EVENTS = ["uncaughtException", "unhandledRejection", "warning", "SIGINT", "SIGTERM"];

/** True for properties that vitest changes between files, and for Node's count of listeners, which an ending worker thread changes. */
const isFree = (key) => /vitest|jest|expect|^_eventsCount$/i.test(String(key));

/** The state that files must restore, by name. A getter of Node may become a value at the first read. */
function state() {
  const seen = new Map([["process.cwd()", process.cwd()]]);
  for (const [name, value] of Object.entries(process.env)) seen.set(`process.env.${name}`, value);
  for (const event of EVENTS) seen.set(`listeners of ${event}`, process.listenerCount(event));
  for (const [name, object] of Object.entries(OBJECTS))
    for (const key of Reflect.ownKeys(object)) {
      if (isFree(key)) continue;
      const { get, value } = Reflect.getOwnPropertyDescriptor(object, key);
      seen.set(`${name}.${String(key)}`, get === undefined ? value : LAZY);
    }
  return seen;
}

const TSLIB =
  /^globalThis\.__(?:extends|assign|rest|decorate|param|esDecorate|runInitializers|propKey|setFunctionName|metadata|awaiter|generator|exportStar|createBinding|values|read|spread|spreadArrays?|await|asyncGenerator|asyncDelegator|asyncValues|makeTemplateObject|importStar|importDefault|classPrivateField\w+|addDisposableResource|disposeResources|rewriteRelativeImportExtension)$/;
const LAZY = Symbol("a getter");
// Node sets its dispatcher of fetch when the first of its classes is used.
void globalThis.Request;
const before = state();

afterAll(() => {
  const after = state();
  const isOther = (name) => {
    const [was, is] = [before.get(name), after.get(name)];
    if (was === LAZY && after.has(name)) return false;
    // Libraries may leave new globals: only they read them. Each copy of tslib writes its own again: __extends ..
    if (name.startsWith("globalThis.") && (!before.has(name) || TSLIB.test(name))) return false;
    return !Object.is(was, is) || before.has(name) !== after.has(name);
  };
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(isOther);
  if (changed.length === 0) return;
  throw new Error(
    `This file leaves these changed for the files after it in the same process: ${changed.join(", ")}. ` +
      "Restore them, or list the file in vitest.config.ts as one that needs its own process (ALONE).",
  );
});
