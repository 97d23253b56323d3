// What packages without types of their own give to pbf.ts.

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
