/** Makes the plan of reading the bytes of one schema as values of another (docs/pck-evolution.md). */
import { schemaError } from "../model/errors.js";
import type { Member, Model, Struct } from "../model/model.js";
import { converted, type PairOf } from "./conversions.js";
import { absentFill, defaultFill, Filler } from "./filler.js";
import { FindingTexts, RESOLVED, type Sides } from "./messages.js";
import type { FieldPlan, Fill, FilledMember, Finding, Plan, StructPlan, Target } from "./plan.js";

/**
 * Makes the plan of two schemas, also of two that do not fit: `findings` lists the problems, in texts that name the
 * schemas by `sides`. Each pair of structs is planned once, in the order of the reader's fields.
 */
export function planOf(writer: Pick<Model, "root">, reader: Pick<Model, "root">, sides: Sides = RESOLVED): Plan {
  const planner = new Planner(sides);
  const root = planner.pair(writer.root, reader.root);
  const { structs, findings } = planner;
  for (let i = 0; i < structs.length; i++) planner.fill(structs[i]!);
  return { root, structs, findings };
}

/** Makes the plan of two schemas that fit. Throws `ERR_SCHEMA`, with a text that names both sides, for two that do not. */
export function fittingPlan(writer: Pick<Model, "root">, reader: Pick<Model, "root">): Plan {
  const plan = planOf(writer, reader);
  const broken = plan.findings.find((finding) => finding.verdict === "no");
  if (broken !== undefined) throw schemaError("", broken.text);
  return plan;
}

/**
 * Limits of pairs of structs and of their fields: schemas with reference cycles of p and q structs have p * q pairs.
 */
const MAX_PAIRS = 262_144;
const MAX_PAIRED_FIELDS = 4_000_000;

/** A plan of a pair of structs, while it is made. */
type OpenPlan = { -readonly [K in keyof StructPlan]: StructPlan[K] };

class Planner {
  readonly structs: OpenPlan[] = [];
  readonly findings: Finding[] = [];
  readonly #pairs = new Map<Struct, Map<Struct, OpenPlan>>();
  #paired = 0;
  readonly #filler = new Filler();
  readonly #texts: FindingTexts;

  constructor(sides: Sides) {
    this.#texts = new FindingTexts(sides);
  }

  /** Returns the plan of a pair of structs. A new plan is empty until {@link fill} is called. */
  readonly pair: PairOf = (from, to) => {
    const known = this.#pairs.get(from)?.get(to);
    if (known !== undefined) return known;
    this.#paired += from.members.length + to.members.length;
    if (this.structs.length === MAX_PAIRS || this.#paired > MAX_PAIRED_FIELDS)
      throw schemaError("", "the schemas have too many pairs of structs to read one as the other");
    const plan: OpenPlan = { from, to, fields: [], added: [] };
    const pairs = this.#pairs.get(from);
    if (pairs === undefined) this.#pairs.set(from, new Map([[to, plan]]));
    else pairs.set(to, plan);
    this.structs.push(plan);
    return plan;
  };

  fill(plan: OpenPlan): void {
    const { from, to } = plan;
    const sources = sourcesOf(from, to);
    const targets = new Map<Member, Target>();
    const added: FilledMember[] = [];
    for (const member of to.members) {
      const source = sources.get(member);
      if (source === undefined) {
        const fill = this.#filler.fill(to, member);
        if (typeof fill !== "string") added.push({ member, fill });
        else this.#note(plan, member, "no", this.#texts.lacking(plan, member, fill));
        continue;
      }
      const target = this.#target(plan, source, member);
      if (target !== undefined) targets.set(source, target);
    }
    plan.fields = from.ordered.map((member): FieldPlan => ({ from: member, target: targets.get(member) }));
    plan.added = added;
  }

  #target(plan: StructPlan, from: Member, member: Member): Target | undefined {
    const missing: string[] = [];
    const conversion = converted(from.type, member.type, this.pair, missing);
    if (conversion.kind === "misfit") {
      this.#note(plan, member, "no", this.#texts.misfit(plan, from, member, conversion));
      return undefined;
    }
    const ifAbsent = absentOf(from, member);
    if (ifAbsent === "nothing") {
      this.#note(plan, member, "no", this.#texts.maybeNull(plan, from, member));
      return undefined;
    }
    // A default replaces unknown names only where the field's own type is the enumeration or union.
    const isOwn = conversion.kind === "enumeration" || conversion.kind === "union";
    const ifUnknown = isOwn && member.hasDefault && missing.length > 0 ? defaultFill(member) : undefined;
    if (missing.length > 0 && ifUnknown === undefined) {
      this.#note(plan, member, "depends", this.#texts.unknown(plan, from, member, missing, isOwn));
    }
    return { member, conversion, ifAbsent, ifUnknown };
  }

  #note(plan: StructPlan, member: Member, verdict: Finding["verdict"], text: string): void {
    this.findings.push({ plan, member, verdict, text });
  }
}

/**
 * Returns the field of `from` for each field of `to`: the one of the same name, else of the first old name that exists.
 */
export function sourcesOf(from: Struct, to: Struct): ReadonlyMap<Member, Member> {
  const byName = new Map(from.members.map((member) => [member.name, member]));
  const sources = new Map<Member, Member>();
  for (const member of to.members) {
    const name = [member.name, ...member.renamed].find((candidate) => byName.has(candidate));
    if (name !== undefined) sources.set(member, byName.get(name)!);
  }
  return sources;
}

/**
 * Returns the value of a field in messages without the writer's field: undefined if that field is required, "nothing" if
 * it has no such value.
 */
function absentOf(from: Member, member: Member): Fill | "nothing" | undefined {
  if (!from.isOptional) return undefined;
  if (from.omit.has("null")) {
    if (member.omit.has("null")) return { kind: "null" };
    if (member.hasDefault) return defaultFill(member);
    return member.isOptional ? absentFill(member) : "nothing";
  }
  const kind = from.omit.has("zero") ? "zero" : "empty";
  return member.omit.has(kind) ? absentFill(member) : { kind, type: member.type };
}
