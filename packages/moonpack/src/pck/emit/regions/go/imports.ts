/** What a Go file with regions imports: in its own declarations, and for what is emitted into it. */
import { invalidArgument } from "../../../../bytes/errors.js";
import type { GoSettings } from "../../go/options.js";

/** The package of a file. `own`: the file without what its regions hold. */
export function packageOf(own: string): string {
  const name = /^\s*package\s+([\p{L}\p{Nd}_]+)/u.exec(withoutComments(own))?.[1];
  if (name === undefined) throw invalidArgument("a Go file begins with its package");
  return name;
}

/** Go without its comments; what looks like one in a text stays. */
function withoutComments(text: string): string {
  const strings = /"(?:\\.|[^"\\\n])*"|`[^`]*`|'(?:\\.|[^'\\\n])*'/.source;
  return text.replace(new RegExp(`${strings}|//.*|/\\*[\\s\\S]*?\\*/`, "g"), (token) =>
    token.startsWith("/") ? " " : token,
  );
}

/** The paths that a file imports by itself, under the names that emitted code has for them. */
export function importedIn(own: string, nameOf: (path: string) => string): ReadonlySet<string> {
  const paths = new Set<string>();
  const code = withoutComments(own);
  const blocks = [...code.matchAll(/^import[ \t]*\(([^)]*)\)/gm)].map(([, block]) => block!);
  const single = [...code.matchAll(/^import[ \t]+([^(\n]+)$/gm)].map(([, line]) => line!);
  for (const [, alias, path] of [...blocks, ...single].join("\n").matchAll(/^[ \t]*([\w.]+[ \t]+)?"([^"]+)"/gm)) {
    if (alias === undefined || alias.trim() === nameOf(path!)) paths.add(path!);
  }
  return paths;
}

/** Those of `paths` whose package the emitted code names. */
export function usedIn(code: string, paths: Iterable<string>, nameOf: (path: string) => string): readonly string[] {
  const statements = code.replace(/^[ \t]*\/\/.*$/gm, "");
  return [...paths].filter((path) => new RegExp(`(?<![\\w.])${nameOf(path)}\\.`).test(statements)).sort();
}

/** The name that a package has in emitted code. `types`: of packages that fields have types of. */
export function packageNames(settings: GoSettings, types: ReadonlyMap<string, string>): (path: string) => string {
  return (path) => {
    if (path === settings.runtime) return "pck";
    return types.get(path) ?? path.slice(path.lastIndexOf("/") + 1);
  };
}
