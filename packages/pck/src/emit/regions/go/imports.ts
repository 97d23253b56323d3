/** The imports of a Go file with regions: those in its own declarations, and those that emitted code needs. */
import { invalidArgument } from "moonpack/bytes";
import type { GoSettings } from "../../go/options.js";

/** Returns the name of a file's package. `own`: the file without the content of its regions. */
export function packageOf(own: string): string {
  const name = /^\s*package\s+([\p{L}\p{Nd}_]+)/u.exec(withoutComments(own))?.[1];
  if (name === undefined) throw invalidArgument("the file must begin with a package clause");
  return name;
}

/** Go source without comments. Text in strings that looks like a comment stays. */
function withoutComments(text: string): string {
  const strings = /"(?:\\.|[^"\\\n])*"|`[^`]*`|'(?:\\.|[^'\\\n])*'/.source;
  return text.replace(new RegExp(`${strings}|//.*|/\\*[\\s\\S]*?\\*/`, "g"), (token) =>
    token.startsWith("/") ? " " : token,
  );
}

/** Returns the paths that a file imports itself, under the same names as emitted code uses. */
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

/** Returns the paths whose package appears in the code. */
export function usedIn(code: string, paths: Iterable<string>, nameOf: (path: string) => string): readonly string[] {
  const statements = code.replace(/^[ \t]*\/\/.*$/gm, "");
  return [...paths].filter((path) => new RegExp(`(?<![\\w.])${nameOf(path)}\\.`).test(statements)).sort();
}

/**
 * A function that returns a package's name in emitted code. `types`: the names of packages that the caller's types
 * come from.
 */
export function packageNames(settings: GoSettings, types: ReadonlyMap<string, string>): (path: string) => string {
  return (path) => {
    if (path === settings.runtime) return "pck";
    return types.get(path) ?? path.slice(path.lastIndexOf("/") + 1);
  };
}
