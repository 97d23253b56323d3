/**
 * Encoders as closures: one for each type, made once for a codec. Structs are compiled when a value first contains
 * them, so that schemas may be nested as deep as they like.
 */
import { DEFAULT_MAX_DEPTH, pathStep } from "moonpack/bytes";
import type { ListNode, MapNode, Node, Struct, UnionNode } from "../model/model.js";
import { listOf, numbersOf, objectOf } from "../runtime/value-kinds.js";
import {
  writeF32s,
  writeF64s,
  writeI8s,
  writeI16s,
  writeI32s,
  writeIvars,
  writeU8s,
  writeU16s,
  writeU32s,
  writeUvars,
} from "../runtime/write-lists.js";
import {
  placesOf,
  writeF32,
  writeF64,
  writeFlag,
  writeI8,
  writeI16,
  writeI32,
  writeI64,
  writeIndex,
  writeIvar,
  writeIvar64,
  writeU8,
  writeU16,
  writeU32,
  writeU64,
  writeUvar,
  writeUvar64,
} from "../runtime/write-numbers.js";
import {
  checkNesting,
  expectLength,
  GrowingPackWriter,
  keyStep,
  notOfType,
  openBits,
  type PackWriter,
  setBit,
  within,
  writeAsciiText,
  writeBinary,
  writeText,
} from "../runtime/writer.js";
import type { CodecSettings } from "../settings.js";
import { absenceOf } from "./absence.js";
import type { ValueEncoders } from "./closure.js";
import { isNumber } from "./representation.js";
import { RECURSIVE_DEPTH, runTask } from "./trampoline.js";
import { entriesReader, propertiesWriter, propertyNamed, propertyOf, writePresence } from "./value-access.js";
import { DeepWriter } from "./write-deep.js";
import type { WriteField } from "./write-fields.js";

type PutAny = (w: PackWriter, value: unknown, depth: number) => void;
/** Writes a struct whose own depth is `depth`. */
type PutStruct = (w: PackWriter, value: object, depth: number) => void;

const SIMPLE = {
  u8: writeU8,
  u16: writeU16,
  u32: writeU32,
  u64: writeU64,
  i8: writeI8,
  i16: writeI16,
  i32: writeI32,
  i64: writeI64,
  f32: writeF32,
  f64: writeF64,
  uvar: writeUvar,
  ivar: writeIvar,
  uvar64: writeUvar64,
  ivar64: writeIvar64,
  utf8: writeText,
  bool: writeFlag, // as a map value, or within nullable
} as const;

type PutNumbers = (w: PackWriter, list: ArrayLike<number>, count: number) => void;

/** Writers of whole lists. */
const NUMBERS: ReadonlyMap<string, PutNumbers> = /* @__PURE__ */ new Map<string, PutNumbers>([
  ["u8", writeU8s],
  ["u16", writeU16s],
  ["u32", writeU32s],
  ["i8", writeI8s],
  ["i16", writeI16s],
  ["i32", writeI32s],
  ["f32", writeF32s],
  ["f64", writeF64s],
  ["uvar", writeUvars],
  ["ivar", writeIvars],
]);

/** Compiles the encoders of a model. */
export class EncoderCompiler implements ValueEncoders {
  readonly #settings: CodecSettings;
  readonly #structs = new Map<Struct, PutStruct>();
  readonly #deep: DeepWriter;

  constructor(settings: CodecSettings) {
    this.#settings = settings;
    this.#deep = new DeepWriter(settings, this);
  }

  /** Returns the bytes of one value of a type, such as a default. */
  encodeValue(type: Node, value: unknown): Uint8Array<ArrayBuffer> {
    const writer = new GrowingPackWriter(64, DEFAULT_MAX_DEPTH);
    this.put(type)(writer, value, 1);
    return writer.bytes.slice(0, writer.pos);
  }

  /** Returns the encoder of a type. */
  put(node: Node): PutAny {
    switch (node.kind) {
      case "bytes":
        return (w, value) => writeBinary(w, value as Uint8Array, node.length);
      case "ascii":
        return (w, value) => writeAsciiText(w, value as string, node.length);
      case "enumeration": {
        const places = placesOf(node.values);
        return (w, value) => writeIndex(w, value as string, places);
      }
      case "ref": {
        const { struct } = node;
        let put: PutStruct | undefined; // not compiled here: the struct may refer to itself
        return (w, value, depth) => (put ??= this.struct(struct))(w, objectOf(value as object), depth + 1);
      }
      case "union":
        return this.#union(node);
      case "array":
        return this.#array(node);
      case "map":
        return this.#map(node);
      case "nullable": {
        const put = this.put(node.value); // a map value: the nullable elements of a list have bits instead
        return (w, value, depth) => {
          const isPresent = value !== null && value !== undefined;
          writeFlag(w, isPresent);
          if (isPresent) put(w, value, depth);
        };
      }
      default:
        return SIMPLE[node.kind] as PutAny;
    }
  }

  /** Returns the encoder of a struct. */
  struct(struct: Struct): PutStruct {
    const known = this.#structs.get(struct);
    if (known !== undefined) return known;
    const put = this.#compile(struct);
    this.#structs.set(struct, put);
    return put;
  }

  #compile(struct: Struct): PutStruct {
    const { optionals, bools } = struct;
    const bits = optionals.length + bools.length;
    const names: string[] = [];
    const puts: WriteField[] = [];
    for (const [i, { name }] of bools.entries()) {
      names.push(name);
      puts.push((w, value, _, start) => {
        if (value === true) setBit(w, start, optionals.length + i);
        else if (value !== false) throw notOfType("a boolean", value);
      });
    }
    for (const { name, type } of [...struct.fixed, ...struct.dynamic]) {
      names.push(name);
      puts.push(this.put(type));
    }
    for (const [i, member] of optionals.entries()) {
      const isAbsent = absenceOf(member, this.#settings);
      const put = this.put(member.type);
      names.push(member.name);
      puts.push((w, value, depth, start) => {
        if (isAbsent(value)) return; // a presence bit 0 and no bytes
        setBit(w, start, i);
        put(w, value, depth);
      });
    }
    const write = propertiesWriter(names, puts);
    return (w, value, depth) => {
      if (depth > RECURSIVE_DEPTH) {
        runTask(this.#deep.struct(w, struct, value, depth));
        return;
      }
      checkNesting(w, depth);
      write(w, value as Record<string, unknown>, depth, bits === 0 ? 0 : openBits(w, bits));
    };
  }

  #union(node: UnionNode): PutAny {
    const { arms, places, discriminator } = node;
    const kind = propertyNamed(discriminator);
    return (w, value, depth) => {
      const object = objectOf(value as object);
      checkNesting(w, depth + 1);
      let arm: unknown;
      try {
        arm = propertyOf(object, kind);
        writeIndex(w, arm as string, places);
      } catch (error) {
        throw within(error, pathStep(discriminator));
      }
      this.struct(arms[places.get(arm as string)!]!.struct)(w, object, depth + 1);
    };
  }

  #array(node: ListNode): PutAny {
    const { element, length } = node;
    const numbers = NUMBERS.get(element.kind);
    if (numbers !== undefined) return numbersWriter(length, numbers);
    const isBool = element.kind === "bool";
    const isNullable = element.kind === "nullable";
    const put = this.put(isNullable ? element.value : element);
    const listIn = isNumber(element) ? numbersOf<unknown> : listOf<unknown>;
    return (w, value, depth) => {
      const list = listIn(value as never);
      checkNesting(w, depth + 1);
      const count = list.length;
      if (length === 0) writeUvar(w, count);
      else expectLength(count, length);
      let i = 0;
      try {
        if (isBool) {
          const start = openBits(w, count);
          for (; i < count; i++) {
            const item = list[i];
            if (typeof item !== "boolean") throw notOfType("a boolean", item);
            if (item) setBit(w, start, i);
          }
          return;
        }
        const items = isNullable ? writePresence(w, list, count) : list;
        for (; i < count; i++) {
          if (!isNullable || items[i] !== undefined) put(w, items[i], depth + 1);
        }
      } catch (error) {
        throw within(error, `[${i}]`);
      }
    };
  }

  #map(node: MapNode): PutAny {
    const putKey = this.put(node.key);
    const putValue = this.put(node.value);
    const entriesIn = entriesReader(node, this.#settings);
    return (w, value, depth) => {
      const entries = entriesIn(value);
      checkNesting(w, depth + 1);
      writeUvar(w, entries.length);
      for (let i = 0; i < entries.length; i++) {
        const [key, item] = entries[i]!;
        try {
          putKey(w, key, depth + 1);
          putValue(w, item, depth + 1);
        } catch (error) {
          throw within(error, keyStep(key));
        }
      }
    };
  }
}

/** Returns a writer of lists of numbers. `length`: 0 for any length. */
function numbersWriter(length: number, put: PutNumbers): PutAny {
  return (w, value, depth) => {
    const list = numbersOf(value as ArrayLike<number>);
    checkNesting(w, depth + 1);
    const count = list.length;
    if (length === 0) writeUvar(w, count);
    else expectLength(count, length);
    put(w, list, count);
  };
}
