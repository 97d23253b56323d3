/**
 * protobuf.js 7.6 and 8.8, the originals that @moonpack/protobuf is compared with: their Writers and Readers, and the schemas of
 * this folder by reflection and as static code. Node only.
 */
import { fileURLToPath } from "node:url";
import { Reader, type Writer } from "@moonpack/protobuf";
import * as seven from "@moonpack/protobufjs-7";
import * as eight from "@moonpack/protobufjs-8";

/** The methods that generated code has for a message. */
export interface MessageClass {
  create(properties?: object): object;
  encode(message: object, writer?: Writer): Writer;
  encodeDelimited(message: object, writer?: Writer): Writer;
  decode(reader: Reader | Uint8Array, length?: number): object;
  decodeDelimited(reader: Reader | Uint8Array): object;
}

export interface Original {
  readonly version: 7 | 8;
  /** Typed as ours, which has all their members. 7.6 lacks the packed methods and other members of 8. */
  readonly Writer: { new (): Writer; create(): Writer; alloc(size: number): Uint8Array };
  readonly Reader: {
    new (bytes: Uint8Array): Reader;
    create(bytes: Uint8Array | readonly number[]): Reader;
    discardUnknown: boolean;
    recursionLimit: number;
  };
  readonly library: typeof eight;
}

function original(version: 7 | 8, library: typeof eight): Original {
  const { Writer, Reader } = library.protobuf as unknown as Pick<Original, "Writer" | "Reader">;
  return { version, Writer, Reader, library };
}

export const protobuf7: Original = original(7, seven as unknown as typeof eight);
export const protobuf8: Original = original(8, eight);
export const originals: readonly Original[] = [protobuf7, protobuf8];
export const { Long } = eight;

/**
 * Makes `instanceof` true for our Readers and for Readers of the other original. Generated decoders copy every other value into
 * a new Reader. Returns a function that undoes it.
 */
export function acceptOurs(): () => void {
  const isInstance = Function.prototype[Symbol.hasInstance];
  const known = [Reader, ...originals.map((one) => one.Reader)];
  for (const { Reader: theirs } of originals) {
    const value = (reader: unknown): boolean => known.some((one) => isInstance.call(one, reader));
    Object.defineProperty(theirs, Symbol.hasInstance, { value, configurable: true });
  }
  return () => {
    for (const { Reader: theirs } of originals) Reflect.deleteProperty(theirs, Symbol.hasInstance);
  };
}

/** A message class by reflection or as static code. */
export interface Made {
  readonly name: string;
  readonly original: Original;
  readonly message: MessageClass;
}

/** The file of a schema in this folder. */
export function schemaFile(schema: string): string {
  return fileURLToPath(new URL(`${schema}.proto`, import.meta.url));
}

/** The message type by reflection. */
export function reflected({ library }: Original, schema: string, path: string) {
  const root = new library.protobuf.Root();
  root.loadSync(schemaFile(schema), { keepCase: true });
  return root.resolveAll().lookupType(path);
}

/** The message `path` of a schema by reflection and as static code, for both originals. */
export function everyWay(schema: string, path: string): Made[] {
  return originals.flatMap((one) => {
    const { library, version } = one;
    let found: unknown = library.load(library.generate(schemaFile(schema)));
    for (const step of path.split(".")) found = (found as Record<string, unknown>)[step];
    return [
      {
        name: `${version}, reflection`,
        original: one,
        message: reflected(one, schema, path) as unknown as MessageClass,
      },
      { name: `${version}, static`, original: one, message: found as MessageClass },
    ];
  });
}

/** The schemas of random messages: proto3 with all field types, proto2 with groups and extensions. */
export const SCHEMAS = [
  ["everything", "moon.Everything"],
  ["old", "older.Old"],
] as const;
