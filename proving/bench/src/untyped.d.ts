// Types for packages without types, as far as pbf.ts uses them.

declare module "protocol-buffers-schema" {
  export function parse(source: string): object;
}

declare module "pbf/compile" {
  import type { PbfReader, PbfWriter } from "pbf";

  /** Functions of each type T. */
  export interface Compiled {
    readonly [write: `write${string}`]: (message: object, writer: PbfWriter) => void;
    readonly [read: `read${string}`]: (reader: PbfReader) => object;
  }
  export function compile(schema: object): Compiled;
}
