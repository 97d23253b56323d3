/** The option `picks` of emitters: functions that decode only some fields. */
import { invalidArgument, ownOption, refuseUnknown, suggestion } from "moonpack/bytes";
import type { Struct } from "../../model/model.js";
import { type Path, stepsOf } from "../../pick/paths.js";
import { PathTree } from "../../pick/tree.js";
import { outputsOf } from "./outputs.js";

/**
 * Functions that decode only some fields, by the names of their results: `{ OrderRoute: { of: "Order", paths: { id: "id", tenant:
 * "header.tenant" } } }` adds `decodeOrderRoute`. The same rules as for `pick` hold.
 */
export interface EmittedPicks {
  readonly [name: string]: {
    /** The schema whose messages are decoded. It may be left out if only one is emitted. */
    readonly of?: string;
    /** The path of each field of the result. */
    readonly paths: { readonly [field: string]: Path };
  };
}

/** One pick. */
export interface EmittedPick {
  readonly name: string;
  /** The root struct of its messages. */
  readonly struct: Struct;
  /** The fields of the result, in their order. */
  readonly fields: readonly string[];
  /** The wanted places. Their keys are the indices of the fields. */
  readonly tree: PathTree;
}

/**
 * Returns the picks of the option `picks`. `roots`: the structs of messages, and their names. Throws `ERR_INVALID_ARGUMENT` for an
 * unknown schema or path, and for an invalid option.
 */
export function picksOf(picks: unknown, roots: ReadonlyMap<Struct, string>): readonly EmittedPick[] {
  if (picks === undefined) return [];
  if (!isObject(picks)) throw invalidArgument("picks must be an object of picks by their names");
  return Object.entries(picks).map(([name, pick]) => {
    if (!isObject(pick)) throw invalidArgument(`picks: ${name} must be an object of the form { of, paths }`);
    refuseUnknown(pick, ["of", "paths"]);
    const struct = rootOf(name, ownOption(pick, "of"), roots);
    const paths = ownOption(pick, "paths");
    const entries = isObject(paths) ? Object.entries(paths) : [];
    if (entries.length === 0) throw invalidArgument(`picks: ${name} needs an object of paths`);
    const tree = new PathTree();
    for (const [i, [, path]] of entries.entries()) tree.add(stepsOf(struct, path), i);
    return { name, struct, fields: entries.map(([field]) => field), tree };
  });
}

/** True if a path of a pick has a `*`. */
export function makesLists({ tree }: EmittedPick): boolean {
  return outputsOf(tree).some(({ path }) => path.includes(null));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function rootOf(pick: string, of: unknown, roots: ReadonlyMap<Struct, string>): Struct {
  const names = [...roots.values()];
  if (of === undefined && roots.size === 1) return [...roots.keys()][0]!;
  const found = [...roots].find(([, name]) => name === of);
  if (found !== undefined) return found[0];
  if (typeof of !== "string") throw invalidArgument(`picks: ${pick} needs the name of a schema in "of"`);
  throw invalidArgument(`picks: ${pick} is of ${JSON.stringify(of)}, which is not emitted${suggestion(of, names)}`);
}
