/** An entry of a package: the name by which users import it, and its source from the repository's folder. */
export interface PublicEntry {
  readonly name: string;
  readonly source: string;
}

/** The entries of all packages that the root's tsconfig.json builds. */
export function publicEntries(): PublicEntry[];
