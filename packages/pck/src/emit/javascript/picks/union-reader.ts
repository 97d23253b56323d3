/** The functions that read wanted places in unions. */
import { entryOf, quoted } from "../../../generate/code.js";
import { camel } from "../../../generate/names.js";
import type { Struct, UnionNode } from "../../../model/model.js";
import type { PathTree } from "../../../pick/tree.js";
import type { Key } from "../../../runtime/take.js";
import { outputsOf } from "../../picks/outputs.js";
import type { PickFunctions } from "./functions.js";
import { structSkip } from "./skip-reader.js";

/** The expressions of values that were read. Places that a value lacks have none. */
export type Values = Map<Key, string>;

/** Returns the body of a function that reads the wanted fields of a struct. `entries` returns the entries of its result. */
export type PickText = (struct: Struct, tree: PathTree, entries: (values: Values) => readonly string[]) => string;

/** Returns the name of the function that reads wanted places in a union, whose result has these properties. */
export function unionReader(
  functions: PickFunctions,
  union: UnionNode,
  tree: PathTree,
  owner: string,
  properties: ReadonlyMap<Key, string>,
  pickText: PickText,
): string {
  const { module } = functions;
  const arms = union.arms.map(({ name, struct }) => [name, struct.index]);
  const number = functions.numberOf(tree);
  const stem = camel("read", owner, "Part");
  return functions.nameOf(`union ${number} ${JSON.stringify([union.discriminator, arms])}`, stem, (name) => {
    const type = outputsOf(tree).map(({ key, path }) => `${properties.get(key)}: ${functions.typeAt(union, path)}`);
    const result = `{ ${type.join("; ")} }`;
    const text = functions.armsText(union, (i) => {
      const arm = union.arms[i]!;
      const depth = module.traits.isDeep(arm.struct) ? ", depth" : "";
      return [`return ${armReader(functions, union, i, tree, properties, result, stem, pickText)}(r${depth});`];
    });
    return functions.functionText(name, functions.isDeep(union), result, text);
  });
}

function armReader(
  functions: PickFunctions,
  union: UnionNode,
  i: number,
  tree: PathTree,
  properties: ReadonlyMap<Key, string>,
  result: string,
  stem: string,
  pickText: PickText,
): string {
  const { name: arm, struct } = union.arms[i]!;
  const kind = tree.fields.get(union.discriminator);
  const key = `arm ${functions.numberOf(tree)} ${JSON.stringify([union.discriminator, kind === undefined ? "" : arm, struct.index, result])}`;
  return functions.nameOf(key, camel(stem, arm), (name) => {
    const entries = (values: Values) => {
      for (const output of kind === undefined ? [] : outputsOf(kind))
        if (output.path.length === 0) values.set(output.key, quoted(arm));
      return [...properties].map(([output, property]) => entryOf(property, values.get(output) ?? "undefined"));
    };
    const isWanted = struct.members.some((member) => tree.fields.has(member.name));
    const text = isWanted
      ? pickText(struct, tree, entries)
      : `${structSkip(functions, struct, 0)}\nreturn { ${entries(new Map()).join(", ")} };`.trimStart();
    return functions.functionText(name, functions.module.traits.isDeep(struct), result, text);
  });
}
