/** The imports of a JavaScript or TypeScript file: its own, and those that its regions need. */

/** A name that a file imports. */
export interface ImportedName {
  readonly name: string;
  readonly isType: boolean;
}

/**
 * Returns the names that a file imports, or requires, from `source` without renaming them. `own`: the file without the
 * content of its regions.
 */
export function importedIn(own: string, source: string): readonly ImportedName[] {
  const names: ImportedName[] = [];
  const lists =
    /^[ \t]*(?:import\s+(type\s+)?\{([^}]*)\}\s*from\s*|const\s*\{([^}]*)\}\s*=\s*require\(\s*)["']([^"']+)["']/gm;
  for (const [, type, imported, required, from] of own.matchAll(lists)) {
    if (from !== source) continue;
    for (const item of (imported ?? required ?? "").split(",")) {
      const [, own, name] = /^\s*(type\s+)?([\w$]+)\s*$/.exec(item) ?? [];
      if (name !== undefined) names.push({ name, isType: type !== undefined || own !== undefined });
    }
  }
  return names;
}

/** Returns the import statement for the names that the file does not import yet; "" for none. */
export function importText(
  needed: readonly ImportedName[],
  known: readonly ImportedName[],
  source: string,
  isCommonJs: boolean,
): string {
  const isKnown = ({ name, isType }: ImportedName) => known.some((one) => one.name === name && (isType || !one.isType));
  const names = needed.filter((one) => !isKnown(one)).sort((a, b) => (a.name < b.name ? -1 : 1));
  if (names.length === 0) return "";
  const lines = names.map(({ name, isType }) => `  ${isType ? "type " : ""}${name},\n`).join("");
  return isCommonJs ? `const {\n${lines}} = require("${source}");\n` : `import {\n${lines}} from "${source}";\n`;
}
