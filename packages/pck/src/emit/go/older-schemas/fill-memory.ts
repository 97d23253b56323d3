/**
 * The memory of values that are not in the bytes: a default may be a list of any length, and is made for each struct.
 */
import type { Fill, FilledStruct, StructPlan } from "../../../evolve/plan.js";
import type { Member, Node, Struct } from "../../../model/model.js";
import type { GoContext } from "../context.js";
import { isPointer } from "../types.js";

/** Returns the memory of an older struct's missing fields, besides the size of the struct. */
export function filledMemory({ added, fields }: StructPlan, context: GoContext): number {
  let size = 0;
  for (const { member, fill } of added) size += fillMemory(context, member, fill);
  for (const { target } of fields) {
    for (const fill of [target?.ifAbsent, target?.ifUnknown]) {
      if (fill !== undefined) size += fillMemory(context, target!.member, fill);
    }
  }
  return size;
}

function fillMemory(context: GoContext, member: Member, fill: Fill): number {
  if (fill.kind === "default") return memberMemory(context, member, member.fallback);
  if (fill.kind === "struct") return pointerMemory(context, member) + structMemory(context, fill.filled);
  if (fill.kind === "empty" && member.type.kind === "map") return context.memory.mapMemory(member.type).fixed;
  return 0;
}

/** Uses its own stack, because structs may be nested thousands deep. */
function structMemory(context: GoContext, filled: FilledStruct): number {
  let size = 0;
  const open = [filled];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const { member, fill } of next.members) {
      if (fill.kind === "struct") {
        size += pointerMemory(context, member);
        open.push(fill.filled);
      } else size += fillMemory(context, member, fill);
    }
  }
  return size;
}

/** Returns the memory behind the pointer of a field; 0 for a field without a pointer. */
function pointerMemory(context: GoContext, member: Member): number {
  return isPointer(member) || context.isRefPointer(member.type) ? context.memory.targetSize(member.type) : 0;
}

function memberMemory(context: GoContext, member: Member, value: unknown): number {
  if (value === null) return 0;
  const own = isPointer(member) ? context.memory.targetSize(member.type) : 0;
  return own + valueMemory(context, member.type, value);
}

/** Returns the memory of a value, besides its own size. Text is part of the program and takes none. */
function valueMemory(context: GoContext, node: Node, value: unknown): number {
  const { memory } = context;
  switch (node.kind) {
    case "bytes":
      return node.length === 0 ? (value as Uint8Array).length : 0;
    case "ref":
      return (
        (context.isRefPointer(node) ? memory.targetSize(node) : 0) + fieldsMemory(context, node.struct, value as object)
      );
    case "union": {
      const kind: unknown = Reflect.get(value as object, node.discriminator);
      const { struct } = node.arms.find((arm) => arm.name === kind)!;
      return memory.structSize(struct) + fieldsMemory(context, struct, value as object);
    }
    case "array": {
      const items = value as readonly unknown[];
      const own = node.length === 0 ? items.length * memory.sizeOf(node.element) : 0;
      return items.reduce<number>((size, item) => size + valueMemory(context, node.element, item), own);
    }
    case "map": {
      const { fixed, each } = memory.mapMemory(node);
      let size = fixed;
      for (const item of (value as ReadonlyMap<unknown, unknown>).values()) {
        size += each + valueMemory(context, node.value, item);
      }
      return size;
    }
    case "nullable":
      if (value === null) return 0;
      return (
        (node.value.kind === "union" ? 0 : memory.targetSize(node.value)) + valueMemory(context, node.value, value)
      );
    default:
      return 0;
  }
}

function fieldsMemory(context: GoContext, { members }: Struct, value: object): number {
  return members.reduce((size, member) => size + memberMemory(context, member, Reflect.get(value, member.name)), 0);
}
