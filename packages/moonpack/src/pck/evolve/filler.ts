/** Values that no bytes tell: defaults, and what stands for a field that is absent. */
import { whereIs } from "../model/build.js";
import type { Member, Struct } from "../model/model.js";
import type { Fill, FilledMember, FilledStruct } from "./plan.js";
import { needed } from "./words.js";

/**
 * Fields that are made for one that is added, at most. Structs that refer to the next one twice would make 2^4,096 of them, for
 * each message.
 */
const MAX_FILLED_FIELDS = 1_000_000;

/** What a field is where the writer's schema has none of it; a string says what stands against it. */
export class Filler {
  readonly #structs = new Map<Struct, FilledStruct | string>();

  fill(struct: Struct, member: Member): Fill | string {
    const { type } = member;
    if (member.hasDefault) return defaultFill(member);
    if (member.isOptional) return absentFill(member);
    if (type.kind === "bool") return { kind: "false" };
    if (type.kind !== "ref") return needed(struct, member);
    const filled = this.#filled(type.struct);
    return typeof filled === "string" ? filled : { kind: "struct", filled };
  }

  /** Settles a struct after those that it needs: on a list of its own, since they may be nested 4,096 deep. */
  #filled(struct: Struct): FilledStruct | string {
    const open = [struct];
    for (let next = open.at(-1); next !== undefined; next = open.at(-1)) {
      const before = open.length;
      if (!this.#structs.has(next)) {
        for (const needed of neededBy(next)) if (!this.#structs.has(needed)) open.push(needed);
        if (open.length > before) continue;
        this.#structs.set(next, this.#settled(next));
      }
      open.pop();
    }
    return this.#structs.get(struct)!;
  }

  #settled(struct: Struct): FilledStruct | string {
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

/** Structs that are filled with this one. They never lead back to it: it would have no finite value. */
function neededBy({ members }: Struct): Struct[] {
  return members.flatMap(({ type, hasDefault, isOptional }) =>
    type.kind === "ref" && !hasDefault && !isOptional ? [type.struct] : [],
  );
}

/** A copy of a field's default. */
export function defaultFill(member: Member): Fill {
  return member.isNullByDefault ? { kind: "null" } : { kind: "default", member };
}

/** What an optional field is read as where it is absent. */
export function absentFill({ omit, type }: Member): Fill {
  if (omit.has("null")) return { kind: "null" };
  return { kind: omit.has("zero") ? "zero" : "empty", type };
}
