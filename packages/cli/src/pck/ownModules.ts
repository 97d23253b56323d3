import { readFileSync } from "node:fs";
import * as nodeModule from "node:module";
import { setImmediate as nextTurn } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";

type Load = (this: unknown, id: string, ...rest: readonly unknown[]) => unknown;
type Resolved = { readonly url: string; readonly shortCircuit?: boolean };
type Resolve = (id: string, context: object, next: (id: string, context: object) => Resolved) => Resolved;

// From Node 22.15 on.
const { registerHooks } = nodeModule as {
  registerHooks?: (hooks: { readonly resolve: Resolve }) => { readonly deregister: () => void };
};

/** Every entry of `moonpack`, and its file: a schema's module gets the very modules that we use, wherever it lies. */
export function ownModules(): Record<string, string> {
  const fileOf = (id: string) => fileURLToPath(import.meta.resolve(id));
  const { exports } = JSON.parse(readFileSync(fileOf("moonpack/package.json"), "utf8")) as { readonly exports: object };
  return Object.fromEntries(
    Object.keys(exports).map((path) => [`moonpack${path.slice(1)}`, fileOf(`moonpack${path.slice(1)}`)]),
  );
}

/**
 * Gives `files` by their names to all that Node itself loads meanwhile, which is what jiti leaves to it: .mjs, .cjs and .js of
 * packages of modules. Such a module would find the copy of moonpack beside it, or none.
 */
export async function withModules<T>(files: Readonly<Record<string, string>>, load: () => Promise<T>): Promise<T> {
  const endImports = hookImports(files);
  const endRequires = hookRequires(files);
  process.on("unhandledRejection", ignore);
  try {
    return await load();
  } finally {
    // Node tells of a promise that nobody waited for once all else has run.
    await nextTurn();
    process.off("unhandledRejection", ignore);
    endRequires();
    endImports();
  }
}

/**
 * Where a CommonJS module that an ES module imports fails, Node 20 rejects a promise of its own besides the one that we wait for,
 * and would end the process with a stack trace, though jiti may load that module yet.
 */
function ignore(): void {}

function hookRequires(files: Readonly<Record<string, string>>): () => void {
  // Node 20 has no hook for require() that is documented; `_load` is what it calls in every version.
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
  // What runs in a thread of its own is there for good: once is enough.
  if (!isRegistered) nodeModule.register(`data:text/javascript,${encodeURIComponent(hookOf(urls))}`);
  isRegistered = true;
  return () => {};
}

/** The source of a module with the hook, for that thread. */
function hookOf(urls: Readonly<Record<string, string>>): string {
  return `const urls = ${JSON.stringify(urls)};
export const resolve = (id, context, next) =>
  Object.hasOwn(urls, id) ? { url: urls[id], shortCircuit: true } : next(id, context);`;
}
