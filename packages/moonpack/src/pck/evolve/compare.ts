/** What changed from one schema to another, and who reads whose bytes then. */
import { whereIs } from "../model/build.js";
import type { Member, Struct } from "../model/model.js";
import { type SchemaInput, toModel } from "../to-model.js";
import { isReordered, memberDifferences, memberText } from "./differences.js";
import type { Finding, Plan, StructPlan } from "./plan.js";
import { planOf, sourcesOf } from "./planner.js";

/**
 * Can it be read? `"no"`: `resolve` answers `ERR_SCHEMA`. `"depends"`: on the data, which may have a name of an enumeration or
 * an arm of a union that the reader has not and no default stands for.
 */
export type Readable = "yes" | "no" | "depends";

/** One difference of two schemas. */
export interface SchemaChange {
  /** `"order"`: the fields of a struct are declared in another one. */
  readonly kind: "added" | "removed" | "renamed" | "changed" | "order";
  /** The struct, and the field in it: of the new schema; of the old one where that was removed. */
  readonly path: string;
  /** What it is. */
  readonly text: string;
  /** Does the new schema read what was written by the old one? */
  readonly newReadsOld: Readable;
  /** Does the old schema read what is written by the new one? */
  readonly oldReadsNew: Readable;
  /** Why not, or on what it depends; "" where both can be read. */
  readonly why: string;
}

/**
 * The changes from an old schema to a new one, none for two that are the same. What changes neither bytes nor values is not
 * among them: names of structs, docs. `ERR_SCHEMA` for a schema that is not valid.
 *
 * @example
 * const breaks = compare(PlayerV1, Player).some((change) => change.newReadsOld === "no");
 */
export function compare(old: SchemaInput, now: SchemaInput): readonly SchemaChange[] {
  const oldModel = toModel(old);
  const newModel = toModel(now);
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

/** Finds what stands against reading a field. */
function findingsOf({ findings }: Plan): (plan?: StructPlan, member?: Member) => Finding | undefined {
  const byPlan = new Map<StructPlan, Map<Member, Finding>>();
  for (const finding of findings) {
    const byMember = byPlan.get(finding.plan);
    if (byMember === undefined) byPlan.set(finding.plan, new Map([[finding.member, finding]]));
    else byMember.set(finding.member, finding);
  }
  return (plan, member) => (plan === undefined || member === undefined ? undefined : byPlan.get(plan)?.get(member));
}

/** Two structs of which one is read as the other, in one direction or in both. */
interface Pair {
  readonly old: Struct;
  readonly now: Struct;
  forward: StructPlan | undefined;
  backward: StructPlan | undefined;
}

/** Those of both directions; the order is that of the first visit. */
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

/** What is to be said of a field; `was` is the old one, `is` the new one. */
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
    // Old names on both sides may tell different stories of one field: then there are two.
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
