/** A field of a model. Its default is set after the structs are built, and is made when it is first read. */
import type { Field, OmitFlag } from "../schema/field.js";
import type { Member, Node } from "./model.js";

/** A field while and after its model is built: build.ts makes it, defaults/normalize.ts sets its default. */
export class BuiltMember implements Member {
  readonly name: string;
  readonly type: Node;
  readonly omit: ReadonlySet<OmitFlag>;
  readonly isOptional: boolean;
  readonly hasDefault: boolean;
  readonly renamed: readonly string[];
  readonly doc: string;
  /** The default as the schema has it, before it is normalized. */
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

  /** Sets the default. */
  setDefault(value: unknown): void {
    this.#fallback = value;
  }

  /** Sets the default to what `make` returns, which is not null. `make` runs when the default is first read. */
  setLazyDefault(make: () => unknown): void {
    this.#make = make;
  }
}
