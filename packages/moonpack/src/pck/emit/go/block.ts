/** Blocks: items of fixed width that lie side by side, for one check of bounds instead of many. */
import { pathStep } from "../../../bytes/errors.js";
import type { Member, Node, Struct } from "../../model/model.js";
import type { Path } from "./path.js";
import type { Shared } from "./shared.js";
import { widthOf } from "./types.js";

/** An item of a block: a number, or so many bytes. */
export interface BlockItem {
  readonly type: Node;
  /** Where it lies in Go: `v.Position.X`. */
  readonly x: string;
  readonly size: number;
}

/** Fields of the fixed section: a block, one that is read and written by itself, or a struct that begins and may lie too deeply. */
export type FixedPart =
  | { readonly items: readonly BlockItem[] }
  | { readonly member: Member }
  | { readonly levels: number; readonly path: Path };

/** The fixed section in blocks. The first part is a block, if only an empty one: the bit store belongs to it. */
export function fixedParts(struct: Struct, shared: Shared): readonly FixedPart[] {
  const collector = new Collector(shared);
  for (const member of struct.fixed) {
    const x = `${shared.receiver(struct)}.${shared.names.field(member)}`;
    if (!collector.take(member, x, 1, [])) collector.apart({ member });
  }
  return collector.parts;
}

class Collector {
  readonly #shared: Shared;
  #items: BlockItem[] = [];
  readonly parts: FixedPart[] = [{ items: this.#items }];

  constructor(shared: Shared) {
    this.#shared = shared;
  }

  /** Adds what belongs into no block. */
  apart(part: FixedPart): void {
    this.#items = [];
    this.parts.push(part, { items: this.#items });
  }

  /** Adds the items of a field, so many levels down; false if it has to be read by itself. */
  take({ type, name }: Member, x: string, levels: number, within: Path): boolean {
    const shared = this.#shared;
    if (type.kind === "ref" && !shared.isRefPointer(type) && shared.isFlat(type.struct)) {
      const path = [...within, pathStep(name)];
      if (shared.plan.isDeep(type.struct)) this.apart({ levels, path });
      for (const inner of type.struct.fixed) this.take(inner, `${x}.${shared.names.field(inner)}`, levels + 1, path);
      return true;
    }
    const size = type.kind === "bytes" ? type.length : widthOf(type);
    if (size === 0) return false;
    this.#items.push({ type, x, size });
    return true;
  }
}
