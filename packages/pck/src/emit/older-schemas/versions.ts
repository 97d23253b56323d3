/** Older schemas, whose bytes emitted code reads as values of the new ones. */
import { invalidArgument } from "moonpack/bytes";
import type { Bundle } from "../../document/schemas.js";
import { isOneSchema, type SchemaInput } from "../../document/to-model.js";
import type { StructPlan } from "../../evolve/plan.js";
import { fittingPlan } from "../../evolve/planner.js";
import type { Model, Struct } from "../../model/model.js";
import { inputOf, rootsOf } from "../input.js";

/**
 * Older schemas by the names that emitted code uses: `{ V1: PlayerV1 }` adds `decodePlayerFromV1`. A single schema is
 * named `Old`. In bundles, an older schema belongs to the new one of the same name.
 */
export type OlderSchemas = SchemaInput | { readonly [version: string]: SchemaInput | Bundle };

/** One older version: a schema, or a bundle of schemas. */
export interface Version {
  /** The end of function names: `V1`. */
  readonly name: string;
  readonly model: Model;
  /** The root structs of its messages. */
  readonly roots: readonly Struct[];
  /** How its messages are read, by the new struct. */
  readonly plans: ReadonlyMap<Struct, StructPlan>;
  /** The plans of all structs that these messages contain. */
  readonly structs: readonly StructPlan[];
}

/**
 * Returns the versions of the option `older`. `now`: the root structs of new messages, and their names. Throws `ERR_SCHEMA`
 * for an older schema that cannot be read as the new one, with the same reason as `resolve`; `ERR_INVALID_ARGUMENT`
 * for an invalid option.
 */
export function versionsOf(older: unknown, now: ReadonlyMap<Struct, string>): readonly Version[] {
  if (older === undefined) return [];
  if (typeof older !== "object" || older === null)
    throw invalidArgument("older must be a schema, or an object of schemas");
  const given = older as OlderSchemas;
  if (isOneSchema(given)) return [versionOf("Old", given, now)];
  return Object.entries(given).map(([name, schemas]) => {
    if (!/^\w+$/.test(name))
      throw invalidArgument(`older: ${JSON.stringify(name)} is not a valid name: use letters, digits and _`);
    if (typeof schemas !== "object" || schemas === null) throw invalidArgument(`older: ${name} is not a schema`);
    return versionOf(name, schemas, now);
  });
}

function versionOf(name: string, schemas: SchemaInput | Bundle, now: ReadonlyMap<Struct, string>): Version {
  const input = inputOf(schemas);
  const old = rootsOf(input);
  const plans = new Map<Struct, StructPlan>();
  const structs: StructPlan[] = [];
  const byName = new Map([...old].map(([struct, oldName]) => [oldName, struct]));
  for (const [struct, newName] of now) {
    // A single old schema maps to a single new one, whatever their names.
    const from = old.size === 1 && now.size === 1 ? [...old.keys()][0] : byName.get(newName);
    if (from === undefined) continue;
    const plan = fittingPlan({ root: from }, { root: struct });
    plans.set(struct, plan.root);
    for (const inner of plan.structs) structs.push(inner);
  }
  if (plans.size === 0) throw invalidArgument(`older: ${name} has no schema with the name of an emitted one`);
  return { name, model: input.model, roots: [...plans.values()].map((plan) => plan.from), plans, structs };
}
