// Types for packages and modules without types, as far as they are used here.

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

declare module "@nxtedition/rocksdb" {
  /** As far as suites/series uses it. */
  export class RocksLevel {
    constructor(folder: string, options: RocksEncodings);
    open(options: { readonly createIfMissing: boolean }): Promise<void>;
    close(): Promise<void>;
    batch(): RocksBatch;
    /** Keys and values in turns. */
    query(range: RocksRange): Promise<{ readonly rows: readonly Buffer[] }>;
    getProperty(name: string): string;
  }

  export interface RocksBatch {
    put(key: Buffer, value: Buffer): this;
    write(options: { readonly sync: boolean }): Promise<void>;
  }

  export interface RocksEncodings {
    readonly keyEncoding: "buffer";
    readonly valueEncoding: "buffer";
  }

  export interface RocksRange extends RocksEncodings {
    readonly gte: Buffer;
    readonly lt: Buffer;
    readonly limit: number;
  }
}

/** In Node from 22 on, whose types are not installed. */
declare module "node:sqlite" {
  export class DatabaseSync {
    constructor(file: string);
    exec(statements: string): void;
    prepare(statement: string): StatementSync;
    close(): void;
  }

  export interface StatementSync {
    run(...parameters: (number | string)[]): unknown;
    get(...parameters: number[]): unknown;
    all(...parameters: number[]): unknown[];
  }
}
