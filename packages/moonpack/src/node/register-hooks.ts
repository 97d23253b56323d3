/** The hook itself, in a file of its own: Node 20 loads it into a thread of its own. */

/** What is asked for, and what is given for it. */
const ASKED = "@bufbuild/protobuf/wire";
const GIVEN = new URL("../protobuf/wire/index.js", import.meta.url).href;

/** A resolve hook of Node, https://nodejs.org/api/module.html#resolvespecifier-context-nextresolve */
export function resolve<Context, Result>(
  specifier: string,
  context: Context,
  next: (specifier: string, context: Context) => Result,
): Result | { url: string; format: "module"; shortCircuit: true } {
  return specifier === ASKED ? { url: GIVEN, format: "module", shortCircuit: true } : next(specifier, context);
}
