/** What is said of two schemas that do not fit, for people who wrote neither. */
import { whereIs } from "../model/build.js";
import type { Member, Node, Struct } from "../model/model.js";
import type { Misfit } from "./conversions.js";
import type { StructPlan } from "./plan.js";
import { namesText, typeText } from "./type-text.js";

/** What the two schemas are called, as in "the writer's Player". */
export interface Sides {
  readonly writer: string;
  readonly reader: string;
}

/** To `resolve` one writes and one reads; to `compare` one is old and one new, whoever reads. */
export const RESOLVED: Sides = { writer: "writer's", reader: "reader's" };

/** The sentences about one pair of schemas. */
export class Words {
  readonly #sides: Sides;

  constructor(sides: Sides) {
    this.#sides = sides;
  }

  /** A field of the reader's that the writer has not, and nothing stands for: `why` as {@link needed} has it. */
  lacking({ from }: StructPlan, member: Member, why: string): string {
    const { writer, reader } = this.#sides;
    return `the ${writer} ${whereIs(from)} has no ${member.name}, and the ${reader} ${why}`;
  }

  /** Two fields of types that do not fit. */
  misfit(plan: StructPlan, from: Member, to: Member, { from: source, to: target }: Misfit): string {
    const read = `${this.#writer(plan, from)} (${typeText(from.type)})`;
    const as = `${this.#reader(plan, to)} (${typeText(to.type)})`;
    return `${read} cannot be read as ${as}${whyNot(source, target, source === from.type)}`;
  }

  /** A field that may be null, and one that may not. */
  maybeNull(plan: StructPlan, from: Member, to: Member): string {
    const reader = this.#reader(plan, to);
    return `${this.#writer(plan, from)} may be null, and ${reader} may not: it is required and has no default`;
  }

  /** Names or arms that the reader has not. `isOwn`: a default of the field would stand for them. */
  unknown(plan: StructPlan, from: Member, to: Member, names: readonly string[], isOwn: boolean): string {
    const many = names.length === 1 ? namesText(names) : `one of ${namesText(names)}`;
    const lacks = `${this.#reader(plan, to)} does not know`;
    return `${this.#writer(plan, from)} may hold ${many}, which ${lacks}${isOwn ? " and has no default for" : ""}`;
  }

  #writer({ from }: StructPlan, member: Member): string {
    return `the ${this.#sides.writer} ${whereIs(from, member)}`;
  }

  #reader({ to }: StructPlan, member: Member): string {
    return `the ${this.#sides.reader} ${whereIs(to, member)}`;
  }
}

/** Why nothing stands for a field that no bytes tell. */
export function needed(struct: Struct, member: Member): string {
  return `${whereIs(struct, member)} (${typeText(member.type)}) is required and has no default`;
}

/** Nothing where the two types themselves say it. */
function whyNot(from: Node, to: Node, isWhole: boolean): string {
  if (from.kind === "nullable") return `: null is no ${typeText(to)}`;
  const family = familyOf(from);
  if (family !== familyOf(to)) return isWhole ? "" : `: ${typeText(from)} and ${typeText(to)} are of different kinds`;
  return family === "array" || family === "bytes"
    ? ": their lengths differ"
    : `: ${typeText(to)} does not hold every ${typeText(from)}`;
}

/** Kinds of which one may hold the values of another. */
function familyOf({ kind }: Node): string {
  if (/^[uif](?:var|\d)/.test(kind)) return "number";
  return kind === "ascii" || kind === "utf8" ? "text" : kind;
}
