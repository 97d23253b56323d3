/** Texts about two schemas that do not fit, for readers who wrote neither of them. */
import { whereIs } from "../model/build.js";
import type { Member, Node, Struct } from "../model/model.js";
import type { Misfit } from "./conversions.js";
import type { StructPlan } from "./plan.js";
import { namesText, typeText } from "./type-text.js";

/** Names of the two schemas in texts: "writer's" gives "the writer's Player". */
export interface Sides {
  readonly writer: string;
  readonly reader: string;
}

/** The names that `resolve` uses. `compare` calls the schemas old and new. */
export const RESOLVED: Sides = { writer: "writer's", reader: "reader's" };

/** Makes the texts of findings about a pair of schemas. */
export class FindingTexts {
  readonly #sides: Sides;

  constructor(sides: Sides) {
    this.#sides = sides;
  }

  /** The writer lacks a field that the reader requires. `why`: see {@link requiredText}. */
  lacking({ from }: StructPlan, member: Member, why: string): string {
    const { writer, reader } = this.#sides;
    return `the ${writer} ${whereIs(from)} has no ${member.name}, and the ${reader} ${why}`;
  }

  /** The types of two fields do not fit. */
  misfit(plan: StructPlan, from: Member, to: Member, { from: source, to: target }: Misfit): string {
    const read = `${this.#writer(plan, from)} (${typeText(from.type)})`;
    const as = `${this.#reader(plan, to)} (${typeText(to.type)})`;
    return `${read} cannot be read as ${as}${whyNot(source, target, source === from.type)}`;
  }

  /** The writer's field may be null, the reader's may not. */
  maybeNull(plan: StructPlan, from: Member, to: Member): string {
    const reader = this.#reader(plan, to);
    return `${this.#writer(plan, from)} may be null, but ${reader} is required and has no default`;
  }

  /** The reader lacks names or arms. `isOwn`: a default of the field would replace them. */
  unknown(plan: StructPlan, from: Member, to: Member, names: readonly string[], isOwn: boolean): string {
    const many = names.length === 1 ? namesText(names) : `one of ${namesText(names)}`;
    const lacks = `${this.#reader(plan, to)} does not have${isOwn ? ", and it has no default" : ""}`;
    return `${this.#writer(plan, from)} may hold ${many}, which ${lacks}`;
  }

  #writer({ from }: StructPlan, member: Member): string {
    return `the ${this.#sides.writer} ${whereIs(from, member)}`;
  }

  #reader({ to }: StructPlan, member: Member): string {
    return `the ${this.#sides.reader} ${whereIs(to, member)}`;
  }
}

/** Returns the reason why a field must be in the bytes: it is required and has no default. */
export function requiredText(struct: Struct, member: Member): string {
  return `${whereIs(struct, member)} (${typeText(member.type)}) is required and has no default`;
}

/** Returns the reason why a type is not read as another; "" where the names of the types say it. */
function whyNot(from: Node, to: Node, isWhole: boolean): string {
  if (from.kind === "nullable") return `: ${typeText(to)} cannot be null`;
  const family = familyOf(from);
  if (family !== familyOf(to)) return isWhole ? "" : `: ${typeText(from)} and ${typeText(to)} are of different kinds`;
  return family === "array" || family === "bytes"
    ? ": their lengths differ"
    : `: ${typeText(to)} does not hold every ${typeText(from)}`;
}

/** Returns the family of a kind: within a family, one type may hold the values of another. */
function familyOf({ kind }: Node): string {
  if (/^[uif](?:var|\d)/.test(kind)) return "number";
  return kind === "ascii" || kind === "utf8" ? "text" : kind;
}
