/** A field of a struct, whose default waits until somebody asks for it. */
import type { Field, OmitFlag } from "../schema/field.js";
import type { Member, Node } from "./model.js";

/** Made by build.ts; its default is settled once the structs around it are known. */
export class BuiltMember implements Member {
  readonly name: string;
  readonly type: Node;
  readonly omit: ReadonlySet<OmitFlag>;
  readonly isOptional: boolean;
  readonly hasDefault: boolean;
  readonly renamed: readonly string[];
  readonly doc: string;
  /** As the schema has it. */
  readonly given: unknown;
  #fallback: unknown = undefined;
  #make: (() => unknown) | null = null;

  constructor(field: Field, type: Node) {
    this.name = field.name;
    this.type = type;
    this.omit = new Set(field.omit);
    this.isOptional = field.omit.length > 0;
    this.hasDefault = field.hasDefault;
    this.renamed = field.renamed;
    this.doc = field.doc;
    this.given = field.fallback;
  }

  get fallback(): unknown {
    if (this.#make !== null) {
      this.#fallback = this.#make();
      this.#make = null;
    }
    return this.#fallback;
  }

  get isNullByDefault(): boolean {
    return this.#make === null && this.#fallback === null;
  }

  /** The default is this. */
  settle(value: unknown): void {
    this.#fallback = value;
  }

  /** The default is what `make` answers, which is not null. */
  settleLater(make: () => unknown): void {
    this.#make = make;
  }
}
