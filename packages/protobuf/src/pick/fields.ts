/** The wanted fields as a tree. */
import { describe, invalidArgument, MoonpackError, ownOption, suggestion } from "moonpack/bytes";
import { type ClosedEnum, closedEnum } from "./closed-enums.js";
import type { FieldKind, ReflectedType } from "./types.js";

/** The wire type of each kind. */
export const WIRE_TYPES: { readonly [K in FieldKind]: number } = {
  int32: 0,
  uint32: 0,
  sint32: 0,
  int64: 0,
  uint64: 0,
  sint64: 0,
  bool: 0,
  fixed64: 1,
  sfixed64: 1,
  double: 1,
  string: 2,
  bytes: 2,
  message: 2,
  fixed32: 5,
  sfixed32: 5,
  float: 5,
};
/** Wire types of values with a length, and of groups. */
export const LEN = 2;
export const GROUP = 3;
export const GROUP_END = 4;
/** All wire types that begin a field, as bits. */
const ANY = 0b101111;
const MAX_FIELD = 2 ** 29 - 1;
/** Steps of one path: as deep as protobuf.js decodes. */
const MAX_STEPS = 100;

/** What a path says of its last field. */
export interface Leaf {
  /** Null: the wire type decides. */
  readonly kind: FieldKind | null;
  /** Decodes a message; null without reflection. */
  readonly type: ReflectedType | null;
  /** The kind of the keys of a map; null for other fields. */
  readonly keys: FieldKind | null;
  /** The wire types of its occurrences, as bits. Others are unknown fields. */
  readonly wires: number;
  /** The values that it can have; null if all can be. */
  readonly closed: ClosedEnum | null;
}

/** A value in the result, as one of the containers around it sees it. */
export interface Slot {
  readonly index: number;
  readonly leaf: Leaf;
  /** True if its field, or one between it and the container, is repeated. */
  readonly isList: boolean;
}

/** A field that paths name. */
export class Field {
  readonly isList: boolean;
  /** The index of its value; -1 if only fields below it are wanted. */
  index = -1;
  leaf: Leaf | null = null;
  /** The wire types of its occurrences as a container of others, as bits. */
  wires = 0;
  /** The wanted fields of the message that it holds, by number. */
  readonly fields = new Map<number, Field>();
  /** The values below it. */
  readonly slots: Slot[] = [];
  /** Its value and the values below it, as the container sees them. */
  readonly all: Slot[] = [];
  /** Other members of its oneof, which an occurrence of it removes, and the wire types of occurrences that do, as bits. */
  readonly rivals = new Set<Field>();
  wins = 0;
  /** As that of its leaf, also if it is only a rival. */
  closed: ClosedEnum | null = null;

  constructor(isList: boolean) {
    this.isList = isList;
  }
}

interface Step {
  readonly number: number;
  readonly isList: boolean;
  readonly wires: number;
  /** Other members of its oneof. */
  readonly rivals: readonly { readonly number: number; readonly wires: number; readonly closed: ClosedEnum | null }[];
}

/** Adds a path to the tree of `root`. Throws `ERR_INVALID_ARGUMENT` for a wrong one. */
export function addPath(root: Field, path: unknown, index: number, type: ReflectedType | undefined): void {
  const { steps, leaf } = type === undefined ? numberedPath(path) : typedPath(path, type);
  if (steps.length === 0 || steps.length > MAX_STEPS)
    throw invalidArgument(`a path has 1 to ${MAX_STEPS} fields, not ${steps.length}`);
  let field = root;
  for (const [i, { number, isList, wires, rivals }] of steps.entries()) {
    const slot = { index, leaf, isList: steps.slice(i).some((step) => step.isList) };
    const next = fieldOf(field, number, isList);
    if (next.isList !== isList) throw invalidArgument(`field ${number} is repeated in one path and not in another`);
    for (const rival of rivals) {
      const other = fieldOf(field, rival.number, false);
      other.rivals.add(next);
      other.wins = rival.wires;
      other.closed = rival.closed;
    }
    field.slots.push(slot);
    next.all.push(slot);
    if (i < steps.length - 1) next.wires = wires;
    field = next;
  }
  if (field.leaf !== null) throw invalidArgument(`two paths lead to the same field ${steps.at(-1)!.number}`);
  field.leaf = leaf;
  field.closed = leaf.closed;
  field.index = index;
}

function fieldOf(container: Field, number: number, isList: boolean): Field {
  const known = container.fields.get(number);
  if (known !== undefined) return known;
  const field = new Field(isList);
  container.fields.set(number, field);
  return field;
}

function numberedPath(path: unknown): { readonly steps: readonly Step[]; readonly leaf: Leaf } {
  if (!Array.isArray(path)) throw invalidArgument(`a path must be a list of field numbers, not ${describe(path)}`);
  const last: unknown = path.at(-1);
  const kind = typeof last === "string" ? kindOf(last) : null;
  const steps = (kind === null ? path : path.slice(0, -1)).map((step: unknown) => {
    const isList = Array.isArray(step);
    const number: unknown = isList && step.length === 1 ? step[0] : step;
    if (typeof number !== "number" || !Number.isInteger(number) || number < 1 || number > MAX_FIELD)
      throw invalidArgument(`a field number must be an integer from 1 to ${MAX_FIELD}, not ${describe(number)}`);
    return { number, isList, wires: (1 << LEN) | (1 << GROUP), rivals: [] };
  });
  const wires = kind === null ? ANY : wiresOf(kind, steps.at(-1)?.isList === true);
  return { steps, leaf: { kind, type: null, keys: null, wires, closed: null } };
}

function kindOf(name: string): FieldKind {
  if (Object.hasOwn(WIRE_TYPES, name)) return name as FieldKind;
  throw invalidArgument(`${JSON.stringify(name)} is not a kind of fields${suggestion(name, Object.keys(WIRE_TYPES))}`);
}

function wiresOf(kind: FieldKind, isList: boolean): number {
  const wire = WIRE_TYPES[kind];
  if (kind === "message") return (1 << LEN) | (1 << GROUP);
  return (1 << wire) | (isList ? 1 << LEN : 0);
}

/** What is used of a field of protobuf.js. */
interface ReflectedField {
  readonly id: number;
  readonly name: string;
  readonly type: string;
  readonly repeated: boolean;
  readonly map: boolean;
  readonly keyType?: string;
  readonly delimited?: boolean;
  readonly resolvedType: object | null;
  readonly partOf?: { readonly fieldsArray: readonly ReflectedField[] } | null;
  resolve(): ReflectedField;
}

/** The message type of a field; null for other fields. */
function messageOf({ resolvedType }: ReflectedField): ReflectedType | null {
  return resolvedType !== null && Object.hasOwn(resolvedType, "fields") ? (resolvedType as ReflectedType) : null;
}

function kindOfField(field: ReflectedField): FieldKind {
  return messageOf(field) !== null ? "message" : field.resolvedType !== null ? "int32" : kindOf(field.type);
}

function closedOf(field: ReflectedField, type: ReflectedType): ClosedEnum | null {
  if (field.resolvedType === null || messageOf(field) !== null) return null;
  return closedEnum(field, (field.resolvedType as { readonly valuesById: object }).valuesById, type);
}

function wiresOfField(field: ReflectedField): number {
  if (field.map) return 1 << LEN;
  if (messageOf(field) !== null) return 1 << (field.delimited === true ? GROUP : LEN);
  return wiresOf(kindOfField(field), field.repeated);
}

/** Like `namedPath`, with errors of the library, and of a type that is not one of it, as errors with a code. */
function typedPath(path: unknown, type: ReflectedType): ReturnType<typeof namedPath> {
  try {
    return namedPath(path, type);
  } catch (error) {
    if (error instanceof MoonpackError || !(error instanceof Error)) throw error;
    throw invalidArgument(`${JSON.stringify(path)}: the type cannot be used: ${error.message}`, error);
  }
}

function namedPath(path: unknown, root: ReflectedType): { readonly steps: readonly Step[]; readonly leaf: Leaf } {
  if (typeof path !== "string") throw invalidArgument(`with a type, a path must be names, not ${describe(path)}`);
  const steps: Step[] = [];
  let leaf: Leaf = { kind: null, type: null, keys: null, wires: 0, closed: null };
  let type: ReflectedType | null = root;
  for (const name of path.split(".")) {
    const found: ReflectedField | undefined = ownOption(type?.fields, name) as ReflectedField | undefined;
    if (type === null || found === undefined)
      throw invalidArgument(
        `${JSON.stringify(path)}: there is no field ${JSON.stringify(name)}${suggestion(name, Object.keys(type?.fields ?? {}))}`,
      );
    const field = found.resolve();
    const inner = messageOf(field);
    const wires = wiresOfField(field);
    const others = (field.partOf?.fieldsArray ?? []).filter((other) => other !== found);
    const holder = type;
    const rivals = others.map((other) => {
      const wires = wiresOfField(other.resolve());
      return { number: other.id, wires, closed: closedOf(other, holder) };
    });
    const closed = closedOf(field, holder);
    leaf = { kind: kindOfField(field), type: inner, keys: field.map ? kindOf(field.keyType!) : null, wires, closed };
    steps.push({ number: field.id, isList: field.repeated, wires, rivals });
    // The entries of a map have no names.
    type = field.map ? null : inner;
  }
  return { steps, leaf };
}
