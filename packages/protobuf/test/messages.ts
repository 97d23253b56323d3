/** Random messages for any schema, as plain objects that the generated code of both versions accepts. Node only. */
import { type Random, randomBytes, randomInt64, randomNumber, randomText } from "./model.ts";
import { Long, type reflected } from "./protobufjs.ts";

/** A message type by reflection. */
export type MessageType = ReturnType<typeof reflected>;
type Field = MessageType["fieldsArray"][number];

/** A 64-bit integer in a form that protobuf.js accepts. It writes bigints as 0. */
function int64(random: Random): unknown {
  const value = randomInt64(random);
  if (typeof value === "bigint") return Long.fromString(String(value));
  if (typeof value !== "object") return value;
  return random(2) === 0 ? value : new Long(value.low, value.high, value.unsigned ?? false);
}

function wholeNumber(random: Random): number {
  return Math.trunc(randomNumber(random));
}

function fraction(random: Random): number {
  const special = [Number.NaN, Infinity, -Infinity, -0, 5e-324, 1e-45, 3.4e38, 1.7e308];
  return random(4) === 0 ? special[random(special.length)]! : randomNumber(random);
}

const SCALARS: Record<string, (random: Random) => unknown> = {
  double: fraction,
  float: fraction,
  int32: wholeNumber,
  uint32: wholeNumber,
  sint32: wholeNumber,
  fixed32: wholeNumber,
  sfixed32: wholeNumber,
  int64,
  uint64: int64,
  sint64: int64,
  fixed64: int64,
  sfixed64: int64,
  bool: (random) => random(2) === 0,
  string: (random) => randomText(random),
  bytes: (random) => (random(4) === 0 ? [...randomBytes(random)] : randomBytes(random)),
};

/** Returns a key as text, like keys of objects. */
function key(type: string, random: Random): string {
  if (type === "string") return random(20) === 0 ? "" : randomText(random, random(10));
  if (type === "bool") return String(random(2) === 0);
  const value = BigInt(wholeNumber(random));
  if (type.endsWith("64")) return String(type.includes("u") || type === "fixed64" ? BigInt.asUintN(64, value) : value);
  return String(type.includes("u") || type === "fixed32" ? BigInt.asUintN(32, value) : BigInt.asIntN(32, value));
}

function one(field: Field, random: Random, depth: number): unknown {
  const { resolvedType, type } = field;
  if (resolvedType === null) return SCALARS[type]!(random);
  if ("values" in resolvedType) {
    const values = Object.values(resolvedType.values);
    return values[random(values.length)]!;
  }
  return randomMessage(resolvedType, random, depth - 1);
}

/** Some of the fields, with nested messages up to `depth`. Required fields are always set. */
export function randomMessage(type: MessageType, random: Random, depth = 3): Record<string, unknown> {
  const message: Record<string, unknown> = {};
  const density = 2 + random(8);
  for (const field of type.fieldsArray) {
    field.resolve();
    const isMessage = field.resolvedType !== null && !("values" in field.resolvedType);
    if (!field.required && (random(density) > 0 || (isMessage && depth === 0))) continue;
    const count = random(field.repeated || field.map ? (random(30) === 0 ? 200 : 5) : 2);
    if (field.map) {
      const keyType = (field as Field & { readonly keyType: string }).keyType;
      const entries = Array.from({ length: isMessage ? count % 3 : count }, () => [
        key(keyType, random),
        one(field, random, depth),
      ]);
      message[field.name] = Object.fromEntries(entries);
    } else if (field.repeated) {
      message[field.name] = Array.from({ length: isMessage ? count % 3 : count }, () => one(field, random, depth));
    } else {
      // Only the last member of a oneof counts.
      for (const other of field.partOf?.oneof ?? []) if (random(4) > 0) delete message[other];
      message[field.name] = one(field, random, depth);
    }
  }
  return message;
}
