import { install } from "@moonpack/protobuf";
import type { SchemaCase } from "../cases.js";
import type { LongClass } from "./fields.js";
import { messagesOf, SHORT_SCHEMA, schemaText, shortSubmessages, TYPES } from "./schema.js";

/** A version of protobuf.js, which is loaded alone. */
export type Version = 7 | 8;

/** The messages: the types in turn, or one message with short submessages. */
export type Subject = "types" | "submessages";

interface GeneratedType {
  encode(message: object): { finish(): Uint8Array };
  decode(bytes: Uint8Array): object;
}

/** The parts of protobuf.js that are used. */
interface ProtobufJs {
  readonly Long: LongClass;
  readonly protobuf: Parameters<typeof install>[0] & {
    parse(source: string, options: object): { readonly root: Root };
    readonly util: { readonly Long?: LongClass };
  };
}

interface Root {
  resolveAll(): Root;
  lookupType(name: string): GeneratedType;
}

/** The types of a protobuf.js, with our Writer and Reader if it is installed. */
export async function protobufCases(version: Version, isInstalled: boolean, subject: Subject): Promise<SchemaCase[]> {
  const { protobuf, Long } = (await import(`@moonpack/protobufjs-${version}`)) as ProtobufJs;
  if (isInstalled) install(protobuf);
  const source = subject === "types" ? schemaText() : SHORT_SCHEMA;
  // Without `resolveAll`, version 7 ignores `[packed = true]`.
  const { root } = protobuf.parse(source, { keepCase: true });
  root.resolveAll();
  const named = (name: string, values: readonly object[]): SchemaCase => {
    const type = root.lookupType(name);
    return {
      id: name,
      values,
      encode: (value) => type.encode(value).finish(),
      decode: (bytes) => type.decode(bytes),
    };
  };
  if (subject === "submessages") return [{ ...named("Entries", [shortSubmessages()]), isLarge: true }];
  return Array.from({ length: TYPES }, (_, type) => named(`Type${type}`, messagesOf(type, Long)));
}

/** The written and read values, for comparison with another process. */
export interface Outcome {
  readonly bytes: readonly string[];
  readonly values: readonly string[];
}

/** The bytes of all messages in base64, and the JSON form of the decoded values. */
export function outcomeOf(cases: readonly SchemaCase[]): Outcome {
  const written = cases.flatMap((each) => each.values.map((value) => ({ each, bytes: each.encode(value) })));
  return {
    bytes: written.map(({ bytes }) => Buffer.from(bytes).toString("base64")),
    values: written.map(({ each, bytes }) => JSON.stringify(each.decode(Buffer.from(bytes)))),
  };
}
