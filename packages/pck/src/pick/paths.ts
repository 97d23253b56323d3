/** Paths into the values of a schema: names joined by dots, or lists of names. */
import { invalidArgument, suggestion } from "moonpack/bytes";
import type { Node, Struct } from "../model/model.js";

/**
 * A place in the values of a schema: the names of fields, joined by dots; `*` is every element of a list. A list of names is for
 * names that contain a dot.
 *
 * @example
 * const path: Path = "header.tenant"; // or every price: "items.*.price"; or ["header", "tenant"]
 */
export type Path = string | readonly string[];

/** A checked step of a path. */
export interface Step {
  /** The name of a field, or of a union's discriminator. */
  readonly name: string;
  /** True for `*` at a list. */
  readonly isEach: boolean;
}

/** Steps of one path. Deeper messages exist, but a path of this length is a mistake. */
const MAX_STEPS = 256;

/** Returns the steps of a path into values of a struct. Throws `ERR_INVALID_ARGUMENT` for a path that has no value. */
export function stepsOf(root: Struct, path: unknown): readonly Step[] {
  const names = typeof path === "string" ? path.split(".") : Array.isArray(path) ? [...path] : [];
  if (names.length === 0 || names.some((name) => typeof name !== "string"))
    throw invalidArgument('a path must be the names of fields, such as "header.tenant", or a list of names');
  if (names.length > MAX_STEPS) throw invalidArgument(`a path has at most ${MAX_STEPS} steps, not ${names.length}`);
  const steps: Step[] = [];
  /** All types that the value there may have: a path into a union may continue in several of its arms. */
  let types: ReadonlySet<Node> = new Set<Node>([{ kind: "ref", struct: root }]);
  for (const name of names) {
    const inner = [...types].map(present);
    const isEach = name === "*" && inner.some(({ kind }) => kind === "array");
    const next = inner.flatMap((type) => (isEach ? elementOf(type) : membersOf(type, name)));
    if (next.length === 0) throw invalidArgument(`the path ${JSON.stringify(path)} ${problemOf(inner, name)}`);
    steps.push({ name, isEach });
    types = new Set(next);
  }
  return steps;
}

function present(type: Node): Node {
  return type.kind === "nullable" ? type.value : type;
}

function elementOf(type: Node): readonly Node[] {
  return type.kind === "array" ? [type.element] : [];
}

function membersOf(type: Node, name: string): readonly Node[] {
  const members = structsOf(type).flatMap(({ members }) => members.filter((member) => member.name === name));
  const types = members.map((member) => member.type);
  return type.kind === "union" && type.discriminator === name ? [{ kind: "utf8" }] : types;
}

function structsOf(type: Node): readonly Struct[] {
  if (type.kind === "ref") return [type.struct];
  return type.kind === "union" ? type.arms.map(({ struct }) => struct) : [];
}

/** Describes why there is no value. */
function problemOf(types: readonly Node[], name: string): string {
  const structs = types.flatMap(structsOf);
  const step = JSON.stringify(name);
  if (structs.length === 0) {
    const { kind } = types[0]!;
    if (kind === "array") return `has ${step} at a list: "*" is every element`;
    return `has ${step} in a value of type ${kind}, which has no fields`;
  }
  const unions = types.flatMap((type) => (type.kind === "union" ? [type.discriminator] : []));
  const names = structs.flatMap(({ members }) => members.map((member) => member.name));
  return `has ${step}, which is not a field${suggestion(name, [...names, ...unions])}`;
}
