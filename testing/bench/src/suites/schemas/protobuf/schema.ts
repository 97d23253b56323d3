import { Random, times } from "../../../workloads/random.js";
import { FIELD_KINDS, type FieldKind, identifier, type LongClass, SHARED } from "./fields.js";

/** Message types in one process. */
export const TYPES = 30;
/** Messages of all types together. */
export const MESSAGES = 400;

/** A share of the messages has a field. */
const PRESENCE = 0.85;

interface MessageType {
  readonly name: string;
  readonly fields: readonly { readonly name: string; readonly kind: FieldKind }[];
  /** Every other type has a oneof, every third one a group. */
  readonly hasOneof: boolean;
  readonly hasGroup: boolean;
}

/** The types: each is dealt 4 to 14 fields from a shuffled deck, so that every kind of field occurs, the usual ones more often. */
function messageTypes(): MessageType[] {
  const random = new Random(30);
  const deck: FieldKind[] = [];
  const deal = (): FieldKind => {
    if (deck.length === 0) deck.push(...random.shuffle(FIELD_KINDS.flatMap((kind) => times(kind.weight, () => kind))));
    return deck.pop()!;
  };
  return times(TYPES, (index) => ({
    name: `Type${index}`,
    fields: times(random.integer(4, 14), (field) => ({ name: `field${index}_${field}`, kind: deal() })),
    hasOneof: index % 2 === 0,
    hasGroup: index % 3 === 0,
  }));
}

const types = messageTypes();

/** The text of the schema, in proto2: it has groups. */
export function schemaText(): string {
  return `syntax = "proto2";${SHARED}${types.map(declared).join("")}`;
}

function declared({ name, fields, hasOneof, hasGroup }: MessageType): string {
  const lines = fields.map((field, index) => field.kind.declare(field.name, index + 1));
  // Numbers of two bytes: a tag above 15.
  if (hasOneof) lines.push("oneof choice { string text = 20; uint32 number = 21; Point point = 22; }");
  if (hasGroup) lines.push("optional group Extra = 23 { optional uint32 code = 1; optional string note = 2; }");
  return `message ${name} {\n  ${lines.join("\n  ")}\n}\n`;
}

/** Messages of a type by its number, as an application builds them. */
export function messagesOf(type: number, Long: LongClass): object[] {
  const random = new Random(1000 + type);
  const count = Math.floor(MESSAGES / TYPES) + (type < MESSAGES % TYPES ? 1 : 0);
  const { fields, hasOneof, hasGroup } = types[type]!;
  return times(count, () => {
    const message: Record<string, unknown> = {};
    for (const { name, kind } of fields) if (random.chance(PRESENCE)) message[name] = kind.value(random, Long);
    if (hasOneof) Object.assign(message, chosen(random));
    if (hasGroup) message.extra = { code: random.integer(0, 500), note: identifier(random, random.integer(0, 20)) };
    return message;
  });
}

function chosen(random: Random): object {
  switch (random.integer(0, 2)) {
    case 0:
      return { text: identifier(random, 12) };
    case 1:
      return { number: random.integer(0, 100_000) };
    default:
      return { point: { x: random.next(), y: random.next() } };
  }
}

/** Short submessages in one message, and their number. */
export const SHORT_SUBMESSAGES = 20_000;

/** A separate schema, for one message of about 700 KB that consists of short submessages. */
export const SHORT_SCHEMA = `syntax = "proto2";
message Entry { optional uint32 id = 1; optional string name = 2; optional Span span = 3; optional bool open = 4; }
message Span { optional sint32 from = 1; optional sint32 to = 2; }
message Entries { repeated Entry entries = 1; }
`;

/** The message of {@link SHORT_SCHEMA}. */
export function shortSubmessages(): object {
  const random = new Random(20);
  const entry = (id: number) => ({
    id,
    name: identifier(random, random.integer(10, 18)),
    span: { from: random.integer(-500, 500), to: random.integer(0, 100_000) },
    open: random.chance(0.5),
  });
  return { entries: times(SHORT_SUBMESSAGES, entry) };
}
