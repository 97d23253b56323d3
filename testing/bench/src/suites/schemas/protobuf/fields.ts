import type { Random } from "../../../workloads/random.js";

/** The class of 64-bit integers of the library that is measured. */
export interface LongClass {
  fromBits(low: number, high: number, unsigned?: boolean): object;
}

/** One kind of field: its declaration, and its values as protobuf.js takes them. */
export interface FieldKind {
  /** The declaration in proto2, without options of presence: `TYPE NAME = NUMBER`. */
  declare(name: string, number: number): string;
  value(random: Random, Long: LongClass): unknown;
  /** How often the kind is in the deck that messages are dealt from. */
  readonly weight: number;
}

/** A value of a type that may be repeated or the value of a map. */
type Make = FieldKind["value"];

const WORDS = [
  "alpha",
  "beta",
  "order",
  "payment",
  "Zürich",
  "naïve",
  "日本語",
  "request-id",
  "user",
  "status",
  "ok",
  "-",
];

/** Hexadecimal text with its own characters, as parsers create it: concatenated text is a tree in V8. */
export function identifier(random: Random, length: number): string {
  return Buffer.from(random.hex(length)).toString("latin1");
}

const text: Make = (random) =>
  Array.from({ length: random.integer(1, random.chance(0.2) ? 12 : 3) }, () => random.pick(WORDS)).join(" ");
const bytes: Make = (random) => Buffer.from(random.hex(2 * random.integer(0, 40)), "hex");
/** Small numbers are frequent, as they are in messages. */
const unsigned: Make = (random) => random.integer(0, random.pick([100, 100, 10_000, 4_294_967_295]));
const signed: Make = (random) =>
  random.integer(
    ...random.pick<[number, number]>([
      [0, 100],
      [-50, 5000],
      [-(2 ** 31), 2 ** 31 - 1],
    ]),
  );
/** Applications pass numbers where these are enough, and Longs. */
function wide(isUnsigned: boolean): Make {
  return (random, Long) =>
    random.chance(0.5)
      ? random.integer(0, random.pick([1000, 2 ** 40]))
      : Long.fromBits(
          random.integer(-(2 ** 31), 2 ** 31 - 1),
          random.integer(0, random.pick([0, 1000, 2 ** 31 - 1])),
          isUnsigned,
        );
}

const NUMBERS: Readonly<Record<string, Make>> = {
  double: (random) => random.next() * 1000,
  float: (random) => Math.fround(random.next() * 1000),
  int32: signed,
  uint32: unsigned,
  sint32: signed,
  fixed32: unsigned,
  sfixed32: signed,
  int64: wide(false),
  uint64: wide(true),
  sint64: wide(false),
  fixed64: wide(true),
  sfixed64: wide(false),
  bool: (random) => random.chance(0.5),
  Color: (random) => random.integer(0, 4),
};

/** The types that messages share, and their values. */
export const SHARED = `
enum Color { NONE = 0; RED = 1; GREEN = 2; BLUE = 3; OTHER = 4; }
message Point { optional double x = 1; optional double y = 2; }
message Money { optional string currency = 1; optional int64 units = 2; optional sint32 nanos = 3; }
message Person { optional uint32 id = 1; optional string name = 2; optional Point home = 3; repeated string tags = 4; }
`;

const point: Make = (random) => ({ x: random.next(), y: random.next() });
const MESSAGES: Readonly<Record<string, Make>> = {
  Point: point,
  Money: (random, Long) => ({ currency: "EUR", units: wide(false)(random, Long), nanos: signed(random, Long) }),
  Person: (random, Long) => ({
    id: unsigned(random, Long),
    name: text(random, Long),
    home: point(random, Long),
    tags: Array.from({ length: random.integer(0, 3) }, () => random.pick(WORDS)),
  }),
};

function list(make: Make, most: number): Make {
  return (random, Long) => Array.from({ length: random.integer(1, most) }, () => make(random, Long));
}

function map(key: (random: Random) => string | number, make: Make): Make {
  return (random, Long) =>
    Object.fromEntries(Array.from({ length: random.integer(1, 5) }, () => [key(random), make(random, Long)]));
}

function single(type: string, value: Make, weight: number): FieldKind {
  return { weight, value, declare: (name, number) => `optional ${type} ${name} = ${number};` };
}

function repeated(type: string, value: Make, most: number, options = ""): FieldKind {
  return {
    weight: 1,
    value: list(value, most),
    declare: (name, number) => `repeated ${type} ${name} = ${number}${options};`,
  };
}

function mapOf(key: string, type: string, keyOf: (random: Random) => string | number, value: Make): FieldKind {
  return {
    weight: 1,
    value: map(keyOf, value),
    declare: (name, number) => `map<${key}, ${type}> ${name} = ${number};`,
  };
}

/** How often the kinds are used that messages have most. */
const OFTEN: Readonly<Record<string, number>> = { int32: 4, uint32: 4, int64: 3, double: 2, bool: 4, Color: 3 };

/** Every kind of field that protobuf.js has. A oneof and a group are declared by the messages themselves. */
export const FIELD_KINDS: readonly FieldKind[] = [
  single("string", text, 10),
  single("bytes", bytes, 2),
  ...Object.entries(NUMBERS).map(([type, make]) => single(type, make, OFTEN[type] ?? 1)),
  ...Object.entries(MESSAGES).map(([type, make]) => single(type, make, 3)),
  ...Object.entries(NUMBERS).map(([type, make]) => repeated(type, make, 20, " [packed = true]")),
  repeated("int32", signed, 8),
  repeated("double", NUMBERS.double!, 8),
  repeated("string", text, 6),
  repeated("bytes", bytes, 3),
  ...Object.entries(MESSAGES).map(([type, make]) => repeated(type, make, 6)),
  mapOf("string", "string", (random) => random.pick(WORDS), text),
  mapOf("string", "int32", (random) => random.pick(WORDS), signed),
  mapOf("int32", "double", (random) => random.integer(0, 1000), NUMBERS.double!),
  mapOf("string", "Person", (random) => identifier(random, 8), MESSAGES.Person!),
];
