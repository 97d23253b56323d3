/** The values of a tree of wanted places, and the types that they may have. */
import type { Member, Node, Struct } from "../../model/model.js";
import type { PathTree } from "../../pick/tree.js";
import type { Key } from "../../runtime/take.js";

/** A wanted value of a tree: where it goes, and its path. null in a path is every element of a list. */
export interface Output {
  readonly key: Key;
  readonly path: readonly (string | null)[];
}

/** Returns the values of a tree. */
export function outputsOf(tree: PathTree): readonly Output[] {
  const inner = [...tree.fields].flatMap(([name, child]) => below(name, outputsOf(child)));
  const { each } = tree;
  const listed =
    each === undefined ? [] : outputsOf(each.tree).map(({ key, path }) => ({ key: each.lists[key as number]!, path }));
  return [...tree.keys.map((key) => ({ key, path: [] })), ...inner, ...below(null, listed)];
}

function below(step: string | null, outputs: readonly Output[]): readonly Output[] {
  return outputs.map(({ key, path }) => ({ key, path: [step, ...path] }));
}

/** The contents that a place may have: values of types, the name of a union's arm, null, undefined, or lists. */
export interface Place {
  readonly types: ReadonlySet<Node>;
  readonly arms: ReadonlySet<string>;
  readonly isNull: boolean;
  readonly isMissing: boolean;
  /** The elements of lists that a path makes. */
  readonly list: Place | undefined;
}

function nothing(): Place {
  return { types: new Set(), arms: new Set(), isNull: false, isMissing: false, list: undefined };
}

/**
 * Returns what is at a path into values of these types. `isNull`: whether a value may also be null; `canBeNull`: whether the value of a
 * field may be null.
 */
export function placeAt(
  types: ReadonlySet<Node>,
  isNull: boolean,
  path: readonly (string | null)[],
  canBeNull: (member: Member) => boolean,
): Place {
  const [step, ...rest] = path;
  if (step === undefined) return { ...nothing(), types, isNull };
  const present = [...types].map((type) => (type.kind === "nullable" ? type.value : type));
  const lacks = isNull || [...types].some(({ kind }) => kind === "nullable");
  if (step === null) {
    const elements = present.flatMap((type) => (type.kind === "array" ? [type.element] : []));
    const isMissing = lacks || elements.length < present.length;
    return { ...nothing(), isMissing, list: placeAt(new Set(elements), false, rest, canBeNull) };
  }
  const arms = new Set<string>();
  const next = new Set<Node>();
  let isMissing = lacks;
  let isNextNull = false;
  const enter = ({ members }: Struct) => {
    const member = members.find(({ name }) => name === step);
    if (member === undefined) isMissing = true;
    else {
      next.add(member.type);
      isNextNull ||= canBeNull(member);
    }
  };
  for (const type of present) {
    if (type.kind === "ref") enter(type.struct);
    else if (type.kind !== "union") isMissing = true;
    else if (type.discriminator === step) for (const { name } of type.arms) arms.add(name);
    else for (const { struct } of type.arms) enter(struct);
  }
  // Behind the name of an arm there is nothing.
  if (rest.length > 0 && arms.size > 0) isMissing = true;
  const place = next.size === 0 ? nothing() : placeAt(next, isNextNull, rest, canBeNull);
  return {
    ...place,
    arms: rest.length > 0 ? place.arms : new Set([...arms, ...place.arms]),
    isMissing: isMissing || place.isMissing,
  };
}
