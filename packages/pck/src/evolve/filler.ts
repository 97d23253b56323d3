/** Decides the value of a field that is not in the bytes: its default, or the value of an absent field. */
import { whereIs } from "../model/build.js";
import type { Member, Struct } from "../model/model.js";
import { requiredText } from "./messages.js";
import type { Fill, FilledMember, FilledStruct } from "./plan.js";

/**
 * Limit of the fields that are made for one added field. Without it, structs that refer twice to the next one would
 * make 2^4,096 fields for each message.
 */
const MAX_FILLED_FIELDS = 1_000_000;

/** Finds the values of fields that the writer's schema lacks. */
export class Filler {
  readonly #structs = new Map<Struct, FilledStruct | string>();

  /** Returns the value of an added field, or a string with the reason why it cannot have one. */
  fill(struct: Struct, member: Member): Fill | string {
    const { type } = member;
    if (member.hasDefault) return defaultFill(member);
    if (member.isOptional) return absentFill(member);
    if (type.kind === "bool") return { kind: "false" };
    if (type.kind !== "ref") return requiredText(struct, member);
    const filled = this.#filled(type.struct);
    return typeof filled === "string" ? filled : { kind: "struct", filled };
  }

  /**
   * Fills a struct after the structs that it needs. An explicit stack instead of recursion: structs may be nested 4,096
   * deep.
   */
  #filled(struct: Struct): FilledStruct | string {
    const open = [struct];
    for (let next = open.at(-1); next !== undefined; next = open.at(-1)) {
      const before = open.length;
      if (!this.#structs.has(next)) {
        for (const needed of neededBy(next)) if (!this.#structs.has(needed)) open.push(needed);
        if (open.length > before) continue;
        this.#structs.set(next, this.#filledFrom(next));
      }
      open.pop();
    }
    return this.#structs.get(struct)!;
  }

  #filledFrom(struct: Struct): FilledStruct | string {
    const members: FilledMember[] = [];
    let fields = 0;
    for (const member of struct.members) {
      const fill = this.fill(struct, member);
      if (typeof fill === "string") return fill;
      members.push({ member, fill });
      fields += fill.kind === "struct" ? 1 + fill.filled.fields : 1;
    }
    if (fields > MAX_FILLED_FIELDS) return `${whereIs(struct)} would be made of more than ${MAX_FILLED_FIELDS} fields`;
    return { struct, members, fields };
  }
}

/** Returns the structs that are filled together with this one. A cycle is impossible: its values would be infinite. */
function neededBy({ members }: Struct): Struct[] {
  return members.flatMap(({ type, hasDefault, isOptional }) =>
    type.kind === "ref" && !hasDefault && !isOptional ? [type.struct] : [],
  );
}

/** Returns the default of a field. */
export function defaultFill(member: Member): Fill {
  return member.isNullByDefault ? { kind: "null" } : { kind: "default", member };
}

/** Returns the value of an absent field. */
export function absentFill({ omit, type }: Member): Fill {
  if (omit.has("null")) return { kind: "null" };
  return { kind: omit.has("zero") ? "zero" : "empty", type };
}
