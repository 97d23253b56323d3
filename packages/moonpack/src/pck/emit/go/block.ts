/** Blocks: items of fixed width that lie side by side, for one check of bounds instead of many. */
import type { Member, Struct } from "../../model/model.js";
import type { Shared } from "./shared.js";
import { widthOf } from "./types.js";

/** An item of a block: a number, or so many bytes. */
export interface BlockItem {
  readonly member: Member;
  /** Where it lies in Go: `v.Position.X`. */
  readonly x: string;
  readonly size: number;
}

/** Fields of the fixed section: a block, or one that is read and written by itself. */
export type FixedPart = { readonly items: readonly BlockItem[] } | { readonly member: Member };

/** The fixed section in blocks. The first part is a block, if only an empty one: the bit store belongs to it. */
export function fixedParts(struct: Struct, shared: Shared): readonly FixedPart[] {
  const parts: FixedPart[] = [];
  let items: BlockItem[] = [];
  parts.push({ items });
  for (const member of struct.fixed) {
    if (addItems(items, member, `v.${shared.names.field(member)}`, shared)) continue;
    parts.push({ member }, { items: (items = []) });
  }
  return parts;
}

function addItems(items: BlockItem[], member: Member, x: string, shared: Shared): boolean {
  const { type } = member;
  if (type.kind === "ref" && !shared.isRefPointer(member) && shared.isFlat(type.struct)) {
    for (const inner of type.struct.fixed) addItems(items, inner, `${x}.${shared.names.field(inner)}`, shared);
    return true;
  }
  const size = type.kind === "bytes" ? type.length : widthOf(type);
  if (size === 0) return false;
  items.push({ member, x, size });
  return true;
}
