import { readFileSync, realpathSync } from "node:fs";
import * as nodeModule from "node:module";
import { setImmediate as nextTurn } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";

type Load = (this: unknown, id: string, ...rest: readonly unknown[]) => unknown;
type Resolved = { readonly url: string; readonly shortCircuit?: boolean };
type Resolve = (id: string, context: object, next: (id: string, context: object) => Resolved) => Resolved;

// Added in Node 22.15.
const { registerHooks } = nodeModule as {
  registerHooks?: (hooks: { readonly resolve: Resolve }) => { readonly deregister: () => void };
};

/** The packages whose modules a schema's module gets. */
const PACKAGES = ["moonpack", "@moonpack/pck"];

/** Every entry of these packages with its file. The schema's module gets the modules of the CLI, wherever the schema is. */
export function ownModules(): Record<string, string> {
  // The real path: Node 20's hook stays, and modules that are loaded later must be the same files as without it.
  const fileOf = (id: string) => realpathSync(fileURLToPath(import.meta.resolve(id)));
  const entriesOf = (name: string) => {
    const { exports } = JSON.parse(readFileSync(fileOf(`${name}/package.json`), "utf8")) as {
      readonly exports: object;
    };
    return Object.keys(exports).map((path) => `${name}${path.slice(1)}`);
  };
  return Object.fromEntries(PACKAGES.flatMap(entriesOf).map((id) => [id, fileOf(id)]));
}

/**
 * Resolves `files` by their names for everything that Node itself loads in the meantime: .mjs, .cjs, and .js in packages with
 * "type": "module", which jiti leaves to Node. Otherwise such a module would find another copy of moonpack, or none.
 */
export async function withModules<T>(files: Readonly<Record<string, string>>, load: () => Promise<T>): Promise<T> {
  const endImports = hookImports(files);
  const endRequires = registerHooks === undefined ? hookRequires(files) : undefined;
  process.on("unhandledRejection", ignore);
  try {
    return await load();
  } finally {
    // Node reports an unhandled rejection only after all other callbacks.
    await nextTurn();
    process.off("unhandledRejection", ignore);
    endRequires?.();
    endImports();
  }
}

/**
 * When an ES module imports a CommonJS module that fails, Node 20 rejects a second promise besides the one that is awaited. It
 * would end the process with a stack trace, although jiti may still load the module.
 */
function ignore(): void {}

/** Hooks require() where Node has no documented way: before 22.15. Returns a function that restores the loader. */
function hookRequires(files: Readonly<Record<string, string>>): () => void {
  const loader = nodeModule.default as unknown as { _load: Load };
  const { _load: original } = loader;
  loader._load = function (id, ...rest) {
    return original.call(this, Object.hasOwn(files, id) ? files[id]! : id, ...rest);
  };
  return () => {
    loader._load = original;
  };
}

let isRegistered = false;

function hookImports(files: Readonly<Record<string, string>>): () => void {
  const urls = Object.fromEntries(Object.entries(files).map(([id, file]) => [id, pathToFileURL(file).href]));
  if (registerHooks !== undefined) {
    const hooks = registerHooks({
      resolve: (id, context, next) =>
        Object.hasOwn(urls, id) ? { url: urls[id]!, shortCircuit: true } : next(id, context),
    });
    return () => hooks.deregister();
  }
  // A hook that runs in another thread stays registered.
  if (!isRegistered) nodeModule.register(`data:text/javascript,${encodeURIComponent(hookOf(urls))}`);
  isRegistered = true;
  return () => {};
}

/** Source of the module with the hook, for that thread. */
function hookOf(urls: Readonly<Record<string, string>>): string {
  return `const urls = ${JSON.stringify(urls)};
export const resolve = (id, context, next) =>
  Object.hasOwn(urls, id) ? { url: urls[id], shortCircuit: true } : next(id, context);`;
}
