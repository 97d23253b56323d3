/**
 * Messages of protobuf-es: random messages of a schema by fast-check, and code that writes a message with a BinaryWriter as the
 * format and protobuf-es do: ordered by field number, lists packed, each entry of a map as a message.
 */
import { create, type DescField, type DescMessage, type Message, ScalarType } from "@bufbuild/protobuf";
import { type BinaryWriter, WireType } from "@moonpack/protobuf/wire";
import fc from "fast-check";

interface Scalar {
  readonly arbitrary: fc.Arbitrary<unknown>;
  readonly type: WireType;
  readonly write: (writer: BinaryWriter, value: never) => BinaryWriter;
}

const int32 = fc.oneof(fc.integer(), fc.integer({ min: -200, max: 200 }));
const uint32 = fc.oneof(fc.integer({ min: 0, max: 0xffffffff }), fc.nat(200));
const int64 = fc.oneof(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), fc.bigInt({ min: -200n, max: 200n }));
const uint64 = fc.oneof(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), fc.bigInt({ min: 0n, max: 200n }));
const text = fc.string({ unit: "binary", maxLength: 150 });

function scalar<Value>(
  arbitrary: fc.Arbitrary<Value>,
  type: WireType,
  write: (writer: BinaryWriter, value: Value) => BinaryWriter,
): Scalar {
  return { arbitrary, type, write };
}

const { Varint, Bit32, Bit64, LengthDelimited } = WireType;
const SCALARS = new Map<ScalarType, Scalar>([
  [ScalarType.DOUBLE, scalar(fc.double(), Bit64, (writer, value) => writer.double(value))],
  [ScalarType.FLOAT, scalar(fc.float(), Bit32, (writer, value) => writer.float(value))],
  [ScalarType.INT32, scalar(int32, Varint, (writer, value) => writer.int32(value))],
  [ScalarType.UINT32, scalar(uint32, Varint, (writer, value) => writer.uint32(value))],
  [ScalarType.SINT32, scalar(int32, Varint, (writer, value) => writer.sint32(value))],
  [ScalarType.FIXED32, scalar(uint32, Bit32, (writer, value) => writer.fixed32(value))],
  [ScalarType.SFIXED32, scalar(int32, Bit32, (writer, value) => writer.sfixed32(value))],
  [ScalarType.INT64, scalar(int64, Varint, (writer, value) => writer.int64(value))],
  [ScalarType.UINT64, scalar(uint64, Varint, (writer, value) => writer.uint64(value))],
  [ScalarType.SINT64, scalar(int64, Varint, (writer, value) => writer.sint64(value))],
  [ScalarType.FIXED64, scalar(uint64, Bit64, (writer, value) => writer.fixed64(value))],
  [ScalarType.SFIXED64, scalar(int64, Bit64, (writer, value) => writer.sfixed64(value))],
  [ScalarType.BOOL, scalar(fc.boolean(), Varint, (writer, value) => writer.bool(value))],
  [ScalarType.STRING, scalar(text, LengthDelimited, (writer, value) => writer.string(value))],
  [
    ScalarType.BYTES,
    scalar(fc.uint8Array({ maxLength: 150 }), LengthDelimited, (writer, value) => writer.bytes(value)),
  ],
]);

/** The value of a field, or of one item of a list or map. */
interface Content {
  readonly scalar?: ScalarType | undefined;
  readonly message?: DescMessage | undefined;
  readonly enum?: { readonly values: readonly { readonly number: number }[] } | undefined;
}

/** A random message with nested messages up to `depth`. */
export function anyMessage(desc: DescMessage, depth: number): fc.Arbitrary<Message> {
  const members: Record<string, fc.Arbitrary<unknown>> = {};
  for (const field of desc.fields) {
    if (depth === 0 && field.message !== undefined) continue;
    const arbitrary = anyField(field, depth);
    if (field.oneof === undefined) {
      members[field.localName] = arbitrary;
      continue;
    }
    const choice = arbitrary.map((value) => ({ case: field.localName, value }));
    const others = members[field.oneof.localName];
    members[field.oneof.localName] = others === undefined ? choice : fc.oneof(others, choice);
  }
  return fc.record(members, { requiredKeys: [] }).map((init) => create(desc, init));
}

function anyField(field: DescField, depth: number): fc.Arbitrary<unknown> {
  const content = anyContent(field, depth);
  const maxLength = field.message === undefined ? 8 : 2;
  if (field.fieldKind === "list") return fc.array(content, { maxLength });
  if (field.fieldKind !== "map") return content;
  const key = SCALARS.get(field.mapKey)!
    .arbitrary.map(String)
    .filter((name) => name !== "__proto__");
  return fc.dictionary(key, content, { maxKeys: maxLength, noNullPrototype: true });
}

function anyContent(content: Content, depth: number): fc.Arbitrary<unknown> {
  if (content.message !== undefined) return anyMessage(content.message, depth - 1);
  if (content.enum !== undefined) return fc.constantFrom(...content.enum.values.map(({ number }) => number));
  return SCALARS.get(content.scalar!)!.arbitrary;
}

/** Writes a message field by field. */
export function writeMessage(writer: BinaryWriter, desc: DescMessage, message: Message): BinaryWriter {
  const members = message as unknown as Record<string, unknown>;
  for (const field of [...desc.fields].sort((a, b) => a.number - b.number)) {
    const value = field.oneof === undefined ? members[field.localName] : chosen(members[field.oneof.localName], field);
    if (value === undefined) continue;
    if (field.fieldKind === "list") writeList(writer, field, value as unknown[]);
    else if (field.fieldKind === "map") {
      for (const [key, item] of Object.entries(value as object)) {
        writer.tag(field.number, LengthDelimited).fork();
        writeContent(writer, 1, { scalar: field.mapKey }, keyOf(field.mapKey, key));
        writeContent(writer, 2, field, item);
        writer.join();
      }
    } else if (field.oneof !== undefined || hasPresence(field) || !isZero(value)) {
      writeContent(writer, field.number, field, value);
    }
  }
  return writer;
}

function chosen(oneof: unknown, { localName }: DescField): unknown {
  const { case: name, value } = oneof as { case?: string; value?: unknown };
  return name === localName ? value : undefined;
}

/** For `optional` fields and messages: a value that is set is written, whatever it is. */
function hasPresence(field: DescField): boolean {
  return field.message !== undefined || field.proto.proto3Optional;
}

function isZero(value: unknown): boolean {
  if (value instanceof Uint8Array) return value.length === 0;
  return value === "" || value === false || value === 0n || Object.is(value, 0);
}

function keyOf(type: ScalarType, key: string): unknown {
  if (type === ScalarType.STRING) return key;
  if (type === ScalarType.BOOL) return key === "true";
  return ScalarType[type].endsWith("64") ? BigInt(key) : Number(key);
}

function writeList(writer: BinaryWriter, field: DescField & { readonly fieldKind: "list" }, values: unknown[]): void {
  if (values.length === 0) return;
  if (!field.packed) {
    for (const value of values) writeContent(writer, field.number, field, value);
    return;
  }
  writer.tag(field.number, LengthDelimited).fork();
  const { write } = SCALARS.get(field.scalar ?? ScalarType.INT32)!;
  for (const value of values) write(writer, value as never);
  writer.join();
}

/** A tag and a value. Enums are int32. */
function writeContent(writer: BinaryWriter, number: number, content: Content, value: unknown): void {
  if (content.message !== undefined) {
    writer.tag(number, LengthDelimited).fork();
    writeMessage(writer, content.message, value as Message).join();
    return;
  }
  const { type, write } = SCALARS.get(content.scalar ?? ScalarType.INT32)!;
  write(writer.tag(number, type), value as never);
}
