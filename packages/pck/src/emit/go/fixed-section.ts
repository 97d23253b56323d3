/** Splits the fixed section into blocks: neighbouring items of fixed width that share one check of bounds. */
import { pathStep } from "moonpack/bytes";
import type { Member, Node, Struct } from "../../model/model.js";
import type { GoContext } from "./context.js";
import type { Path } from "./path.js";
import { widthOf } from "./types.js";

/** An item of a block: a number, or a byte array. */
export interface BlockItem {
  readonly type: Node;
  /** The expression of the item in Go: `v.Position.X`. */
  readonly x: string;
  readonly size: number;
}

/**
 * A part of the fixed section: a block; a field that is read and written separately; or the start of an inner struct,
 * whose depth is checked.
 */
export type FixedPart =
  | { readonly items: readonly BlockItem[] }
  | { readonly member: Member }
  | { readonly levels: number; readonly path: Path };

/** Returns the fixed section in parts. The first part is a block, possibly empty, which also holds the bit store. */
export function fixedParts(struct: Struct, context: GoContext): readonly FixedPart[] {
  const collector = new Collector(context);
  for (const member of struct.fixed) {
    const x = `${context.receiver(struct)}.${context.names.field(member)}`;
    if (!collector.tryAdd(member, x, 1, [])) collector.addPart({ member });
  }
  return collector.parts;
}

class Collector {
  readonly #context: GoContext;
  #items: BlockItem[] = [];
  readonly parts: FixedPart[] = [{ items: this.#items }];

  constructor(context: GoContext) {
    this.#context = context;
  }

  /** Adds a part that is not a block. */
  addPart(part: FixedPart): void {
    this.#items = [];
    this.parts.push(part, { items: this.#items });
  }

  /** Adds the items of a field that is `levels` down. Returns false for a field that needs a separate part. */
  tryAdd({ type, name }: Member, x: string, levels: number, within: Path): boolean {
    const context = this.#context;
    if (type.kind === "ref" && !context.isRefPointer(type) && context.isFlat(type.struct)) {
      const path = [...within, pathStep(name)];
      if (context.needs.isDeep(type.struct)) this.addPart({ levels, path });
      for (const inner of type.struct.fixed) this.tryAdd(inner, `${x}.${context.names.field(inner)}`, levels + 1, path);
      return true;
    }
    const size = type.kind === "bytes" ? type.length : widthOf(type);
    if (size === 0) return false;
    this.#items.push({ type, x, size });
    return true;
  }
}
