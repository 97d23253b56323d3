/**
 * What `import` finds by the hook. In a file of its own: Node 20 loads it into a thread of its own.
 *
 * https://nodejs.org/api/module.html#resolvespecifier-context-nextresolve
 */

/** What is asked for. */
export const ASKED = "@bufbuild/protobuf/wire";
const OURS = new URL("../protobuf/wire/index.js", import.meta.url).href;

interface Context {
  readonly conditions?: readonly string[];
}

interface Resolved {
  readonly url: string;
  readonly format?: string | null | undefined;
  readonly shortCircuit?: boolean | undefined;
}

type Next<Result> = (specifier: string, context: Context) => Result;

/** For `registerHooks`, which asks for require() too: that goes on to where register-require.ts is told of it. */
export function resolveNow(specifier: string, context: Context, next: Next<Resolved>): Resolved {
  if (!isImport(specifier, context)) return next(specifier, context);
  try {
    return both(next(specifier, context).url);
  } catch (error) {
    return oursAlone(error);
  }
}

/** For `register`. */
export async function resolve(specifier: string, context: Context, next: Next<Promise<Resolved>>): Promise<Resolved> {
  if (!isImport(specifier, context)) return next(specifier, context);
  try {
    return both((await next(specifier, context)).url);
  } catch (error) {
    return oursAlone(error);
  }
}

function isImport(specifier: string, { conditions }: Context): boolean {
  return specifier === ASKED && conditions?.includes("require") !== true;
}

/** The original with our Writer and Reader: what is exported by name goes before what comes by `*`. */
function both(original: string): Resolved {
  const from = (url: string) => JSON.stringify(url);
  const source = `export * from ${from(original)};export { BinaryReader, BinaryWriter } from ${from(OURS)};`;
  return { url: `data:text/javascript,${encodeURIComponent(source)}`, format: "module", shortCircuit: true };
}

/** Generated code needs nothing else of the original, which may be missing then. */
function oursAlone(error: unknown): Resolved {
  if (!isMissing(error)) throw error;
  return { url: OURS, format: "module", shortCircuit: true };
}

/** Is it Node's error for what is not installed? */
export function isMissing(error: unknown): boolean {
  const code = error instanceof Error ? (error as { code?: unknown }).code : undefined;
  return code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND";
}
