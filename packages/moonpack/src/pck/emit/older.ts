/** Older schemas, whose bytes emitted code reads as values of the new ones. */
import { invalidArgument } from "../../bytes/errors.js";
import type { StructPlan } from "../evolve/plan.js";
import { fittingPlan } from "../evolve/planner.js";
import type { Model, Struct } from "../model/model.js";
import type { Bundle } from "../schemas.js";
import { isOneSchema, type SchemaInput } from "../to-model.js";
import { inputOf, rootsOf } from "./input.js";

/**
 * Older schemas by the names that emitted code gives them: `{ V1: PlayerV1 }` makes `decodePlayerFromV1`. One alone is `Old`.
 * Of bundles, those schemas are read that have the same name in both.
 */
export type OlderSchemas = SchemaInput | { readonly [version: string]: SchemaInput | Bundle };

/** An older schema, or several of one time. */
export interface Version {
  /** What names of functions end in: `V1`. */
  readonly name: string;
  readonly model: Model;
  /** The structs that its messages are of. */
  readonly roots: readonly Struct[];
  /** How messages of them are read, by the structs that they are read as. */
  readonly plans: ReadonlyMap<Struct, StructPlan>;
}

/**
 * The versions of an option; `now`: the structs that messages are of, and their names. `ERR_SCHEMA` where an older schema cannot
 * be read as the new one, with the reason that `resolve` gives; `ERR_INVALID_ARGUMENT` for what makes no sense.
 */
export function versionsOf(from: unknown, now: ReadonlyMap<Struct, string>): readonly Version[] {
  if (from === undefined) return [];
  if (typeof from !== "object" || from === null) throw invalidArgument("from must be a schema, or schemas by names");
  const given = from as OlderSchemas;
  if (isOneSchema(given)) return [versionOf("Old", given, now)];
  return Object.entries(given).map(([name, schemas]) => {
    if (!/^\w+$/.test(name)) throw invalidArgument(`from: ${JSON.stringify(name)} is no name: letters, digits and _`);
    if (typeof schemas !== "object" || schemas === null) throw invalidArgument(`from: ${name} is no schema`);
    return versionOf(name, schemas, now);
  });
}

function versionOf(name: string, schemas: SchemaInput | Bundle, now: ReadonlyMap<Struct, string>): Version {
  const input = inputOf(schemas);
  const old = rootsOf(input);
  const plans = new Map<Struct, StructPlan>();
  const byName = new Map([...old].map(([struct, oldName]) => [oldName, struct]));
  for (const [struct, newName] of now) {
    // Two that are alone belong together, whatever their names are.
    const from = old.size === 1 && now.size === 1 ? [...old.keys()][0] : byName.get(newName);
    if (from !== undefined) plans.set(struct, fittingPlan({ root: from }, { root: struct }).root);
  }
  if (plans.size === 0) throw invalidArgument(`from: ${name} has no schema of a name that is emitted`);
  return { name, model: input.model, roots: [...plans.values()].map((plan) => plan.from), plans };
}
