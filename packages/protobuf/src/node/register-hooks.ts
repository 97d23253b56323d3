/**
 * The hook for `import`. It is a separate file, since Node 20 loads it into another thread.
 *
 * https://nodejs.org/api/module.html#resolvespecifier-context-nextresolve
 */

/** The module that the hook replaces. */
export const REPLACED_MODULE = "@bufbuild/protobuf/wire";

/** Returns the URL of our module, which is beside this one in dist. */
function ourUrl(): string {
  return new URL("./wire.js", import.meta.url).href;
}

interface Context {
  readonly conditions?: readonly string[];
}

interface Resolved {
  readonly url: string;
  readonly format?: string | null | undefined;
  readonly shortCircuit?: boolean | undefined;
}

type Next<Result> = (specifier: string, context: Context) => Result;

/** For `registerHooks`, which is called for `require()` too. Those calls pass through, to register-require.ts. */
export function resolveNow(specifier: string, context: Context, next: Next<Resolved>): Resolved {
  if (!isImport(specifier, context)) return next(specifier, context);
  try {
    return withOurClasses(next(specifier, context).url);
  } catch (error) {
    return ourModule(error);
  }
}

/** For `register`. */
export async function resolve(specifier: string, context: Context, next: Next<Promise<Resolved>>): Promise<Resolved> {
  if (!isImport(specifier, context)) return next(specifier, context);
  try {
    return withOurClasses((await next(specifier, context)).url);
  } catch (error) {
    return ourModule(error);
  }
}

function isImport(specifier: string, { conditions }: Context): boolean {
  return specifier === REPLACED_MODULE && conditions?.includes("require") !== true;
}

/** Returns the original with our Writer and Reader. An export by name takes precedence over `export *`. */
function withOurClasses(original: string): Resolved {
  const from = (url: string) => JSON.stringify(url);
  const source = `export * from ${from(original)};export { BinaryReader, BinaryWriter } from ${from(ourUrl())};`;
  return { url: `data:text/javascript,${encodeURIComponent(source)}`, format: "module", shortCircuit: true };
}

/** Our module alone, if the original is not installed. Generated code uses only the two classes. */
function ourModule(error: unknown): Resolved {
  if (!isMissing(error)) throw error;
  return { url: ourUrl(), format: "module", shortCircuit: true };
}

/** True for Node's error for a module that is not installed. */
export function isMissing(error: unknown): boolean {
  const code = error instanceof Error ? (error as { code?: unknown }).code : undefined;
  return code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND";
}
