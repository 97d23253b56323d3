/** Lists the changes between two schemas, and whether each schema can still read the other's bytes. */

import { type SchemaInput, toModel } from "../document/to-model.js";
import { whereIs } from "../model/build.js";
import type { Member, Struct } from "../model/model.js";
import { isReordered, memberDifferences, memberText } from "./differences.js";
import type { Finding, Plan, StructPlan } from "./plan.js";
import { planOf, sourcesOf } from "./planner.js";

/**
 * Whether bytes can be read after a change. `"no"`: `resolve` throws `ERR_SCHEMA`. `"depends"`: decoding throws for
 * data with an enumeration's name, or a union's arm, that the reader lacks and that no default replaces.
 */
export type Readable = "yes" | "no" | "depends";

/** One difference between two schemas. */
export interface SchemaChange {
  /** `"order"`: the fields of a struct are declared in another order. */
  readonly kind: "added" | "removed" | "renamed" | "changed" | "order";
  /** The struct and its field, `Player.health`: of the new schema, or of the old one for a removed field. */
  readonly path: string;
  /** Describes the change. */
  readonly text: string;
  /** Whether the new schema reads bytes of the old one. */
  readonly newReadsOld: Readable;
  /** Whether the old schema reads bytes of the new one. */
  readonly oldReadsNew: Readable;
  /** The reason for "no" and "depends"; "" where both read the other's bytes. */
  readonly why: string;
}

/**
 * Returns the changes from an old schema to a new one; none for equal schemas. Names of structs and docs are not
 * compared, since they change neither bytes nor values. Throws `ERR_SCHEMA` for a schema that is not valid.
 *
 * @example
 * const breaks = compare(PlayerV1, Player).some((change) => change.newReadsOld === "no");
 */
export function compare(old: SchemaInput, now: SchemaInput): readonly SchemaChange[] {
  const oldModel = toModel(old, "old");
  const newModel = toModel(now, "now");
  const forward = planOf(oldModel, newModel, { writer: "old", reader: "new" });
  const backward = planOf(newModel, oldModel, { writer: "new", reader: "old" });
  const newReadsOld = findingsOf(forward);
  const oldReadsNew = findingsOf(backward);
  const changes: SchemaChange[] = [];
  for (const pair of pairsOf(forward, backward)) {
    for (const { kind, text, was, is } of differencesOf(pair.old, pair.now)) {
      const ahead = newReadsOld(pair.forward, is);
      const back = oldReadsNew(pair.backward, was);
      changes.push({
        kind,
        path: is === undefined && was !== undefined ? whereIs(pair.old, was) : whereIs(pair.now, is),
        text,
        newReadsOld: ahead?.verdict ?? "yes",
        oldReadsNew: back?.verdict ?? "yes",
        why: [ahead, back].flatMap((finding) => (finding === undefined ? [] : [finding.text])).join("; "),
      });
    }
  }
  return changes;
}

/** Returns a function that finds the problem in reading a field. */
function findingsOf({ findings }: Plan): (plan?: StructPlan, member?: Member) => Finding | undefined {
  const byPlan = new Map<StructPlan, Map<Member, Finding>>();
  for (const finding of findings) {
    const byMember = byPlan.get(finding.plan);
    if (byMember === undefined) byPlan.set(finding.plan, new Map([[finding.member, finding]]));
    else byMember.set(finding.member, finding);
  }
  return (plan, member) => (plan === undefined || member === undefined ? undefined : byPlan.get(plan)?.get(member));
}

/** Two structs one of which is read as the other, in one direction or both. */
interface Pair {
  readonly old: Struct;
  readonly now: Struct;
  forward: StructPlan | undefined;
  backward: StructPlan | undefined;
}

/** Returns the pairs of both directions, in the order of the first visit. */
function pairsOf(forward: Plan, backward: Plan): readonly Pair[] {
  const pairs: Pair[] = [];
  const known = new Map<Struct, Map<Struct, Pair>>();
  const pairOf = (old: Struct, now: Struct): Pair => {
    const others = known.get(old) ?? new Map<Struct, Pair>();
    known.set(old, others);
    let pair = others.get(now);
    if (pair === undefined) {
      pair = { old, now, forward: undefined, backward: undefined };
      others.set(now, pair);
      pairs.push(pair);
    }
    return pair;
  };
  for (const plan of forward.structs) pairOf(plan.from, plan.to).forward = plan;
  for (const plan of backward.structs) pairOf(plan.to, plan.from).backward = plan;
  return pairs;
}

/** A difference between two structs. `was`: the old field; `is`: the new field. */
interface Difference {
  readonly kind: SchemaChange["kind"];
  readonly text: string;
  readonly was: Member | undefined;
  readonly is: Member | undefined;
}

function differencesOf(old: Struct, now: Struct): readonly Difference[] {
  const ahead = sourcesOf(old, now);
  const back = new Map([...sourcesOf(now, old)].map(([was, is]) => [is, was]));
  const kept = new Set<Member>();
  const found: Difference[] = [];
  for (const is of now.members) {
    // The old names of both schemas may contradict each other about a field: then it has two sources.
    const sources = new Set([ahead.get(is), back.get(is)].filter((was) => was !== undefined));
    if (sources.size === 0) found.push({ kind: "added", text: memberText(is), was: undefined, is });
    for (const was of sources) {
      kept.add(was);
      const texts = memberDifferences(was, is);
      if (texts.length === 0) continue;
      found.push({ kind: was.name === is.name ? "changed" : "renamed", text: texts.join(", "), was, is });
    }
  }
  for (const was of old.members) {
    if (!kept.has(was)) found.push({ kind: "removed", text: memberText(was), was, is: undefined });
  }
  if (
    isReordered(
      old.members.filter((member) => kept.has(member)),
      [...kept],
    )
  ) {
    found.push({ kind: "order", text: "fields are declared in another order", was: undefined, is: undefined });
  }
  return found;
}
