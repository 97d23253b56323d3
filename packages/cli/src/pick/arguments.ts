/** The paths of `moonpack pick`, as the command line gives them: `/user/name`, or `name=/user/name`. */
import { MoonpackError } from "moonpack/bytes";
import { Picker } from "moonpack/pick";
import { UsageError } from "../shared/failure.js";

/** A path of the command line. */
export interface NamedPath {
  /** The key of its value in an object: the path itself if no name is given. */
  readonly name: string;
  readonly path: string;
  /** The number of `*` in the path: its value is a list of that many levels. */
  readonly lists: number;
}

/** The values to print of each message. */
export interface Wanted {
  readonly paths: readonly NamedPath[];
  /** True for one path without a name: its value is printed alone. Otherwise an object is printed. */
  readonly isBare: boolean;
  /** Returns the list of the values. */
  readonly picker: Picker<readonly string[], boolean>;
}

/** Maps keep the order of keys, and keys that are not strings. */
const EXACT = { maps: "map", timestamps: "timestamp", unknownExtensions: "keep", maxBufferedBytes: Infinity } as const;

/** Reads the paths. Throws a `UsageError` for a wrong one, and for a name or a path that is there twice. */
export function wantedBy(args: readonly string[], isRaw: boolean): Wanted {
  const paths = args.map(namedPath);
  const names = new Set<string>();
  for (const { name } of paths) {
    if (names.has(name)) throw new UsageError(`${JSON.stringify(name)} is there twice: give each path another name`);
    names.add(name);
  }
  try {
    const picker = new Picker<readonly string[], boolean>(
      paths.map(({ path }) => path),
      { ...EXACT, raw: isRaw },
    );
    return { paths, isBare: args.length === 1 && args[0] === paths[0]!.path, picker };
  } catch (error) {
    throw error instanceof MoonpackError ? new UsageError(error.message) : error;
  }
}

function namedPath(argument: string): NamedPath {
  const at = argument.startsWith("/") ? -1 : argument.indexOf("=");
  const path = argument.slice(at + 1);
  if (path !== "" && !path.startsWith("/"))
    throw new UsageError(`${JSON.stringify(argument)} must be a path such as /user/name, or name=/user/name`);
  const lists = path.split("/").filter((step) => step === "*").length;
  return { name: at < 0 ? path : argument.slice(0, at), path, lists };
}
