/**
 * A reader and a writer, for the option `engine`. moonpack has `complete`.
 *
 * The types of its functions are incomplete: this file imports nothing, so that readers, writers and options may import it.
 */
export class Engine {
  /** @internal */
  readonly createReader: (settings: never) => unknown;
  /** @internal */
  readonly createWriter: (settings: never) => unknown;
  /** @internal */
  constructor(createReader: Engine["createReader"], createWriter: Engine["createWriter"]) {
    this.createReader = createReader;
    this.createWriter = createWriter;
  }
}
