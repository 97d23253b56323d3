/** Makes the values that no bytes tell, each anew: nobody shares a default. */
import { DecodeError } from "../../bytes/errors.js";
import { DEFAULT_MAX_DEPTH, MAX_DEPTH_CEILING } from "../../bytes/limits.js";
import { PackReader, refused } from "../../bytes/pack-reader.js";
import { GrowingPackWriter } from "../../bytes/pack-writer.js";
import { creator } from "../codec/objects.js";
import { absentValueOf } from "../codec/presence.js";
import { DecoderCompiler } from "../codec/read.js";
import { type CodecSettings, codecSettings } from "../codec/settings.js";
import { EncoderCompiler } from "../codec/write.js";
import type { Member } from "../model/model.js";
import type { Fill, FilledStruct } from "./plan.js";

/** Makes a value; `offset` is where errors say they are: a default may be one that `int64: "number"` does not allow. */
export type Make = (offset: number) => unknown;

interface StructMaker {
  readonly create: () => Record<string, unknown>;
  readonly members: readonly MemberMaker[];
}

/** What makes a member: a struct is made by itself, all else by its function. */
interface MemberMaker {
  readonly name: string;
  readonly maker: Make | FilledStruct;
}

/** Compiles fills to functions, for one set of options. */
export class FillCompiler {
  readonly #settings: CodecSettings;
  readonly #structs = new Map<FilledStruct, StructMaker>();
  readonly #encoders = new EncoderCompiler(codecSettings(undefined));
  readonly #decoders: DecoderCompiler;

  constructor(settings: CodecSettings) {
    this.#settings = settings;
    this.#decoders = new DecoderCompiler({ ...settings, binary: "copy" });
  }

  make(fill: Fill): Make {
    switch (fill.kind) {
      case "null":
        return () => null;
      case "false":
        return () => false;
      case "zero":
      case "empty":
        return absentValueOf({ omit: new Set([fill.kind]), type: fill.type }, this.#settings);
      case "default":
        return this.#default(fill.member);
      case "struct":
        return (offset) => this.#filled(fill.filled, offset);
    }
  }

  /** Not by recursion: structs may be nested 4,096 deep. */
  #filled(filled: FilledStruct, offset: number): unknown {
    const root = this.#struct(filled);
    const value = root.create();
    const open = [{ struct: root, value }];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      for (const { name, maker } of next.struct.members) {
        if (typeof maker === "function") next.value[name] = maker(offset);
        else {
          const struct = this.#struct(maker);
          const value = struct.create();
          next.value[name] = value;
          open.push({ struct, value });
        }
      }
    }
    return value;
  }

  /** Compiled when it is first made. */
  #struct(filled: FilledStruct): StructMaker {
    const known = this.#structs.get(filled);
    if (known !== undefined) return known;
    const members = filled.members.map(({ member, fill }) => ({
      name: member.name,
      maker: fill.kind === "struct" ? fill.filled : this.make(fill),
    }));
    const struct = { create: creator(filled.struct, [], this.#settings), members };
    this.#structs.set(filled, struct);
    return struct;
  }

  /** A default is kept as its bytes, and read each time: so it is what the reader's own codec would give. */
  #default(member: Member): Make {
    let bytes: Uint8Array<ArrayBuffer> | undefined;
    let known: unknown;
    return (offset) => {
      if (known !== undefined) return known;
      bytes ??= this.#bytesOf(member);
      try {
        const value = this.#decoders.get(member.type)(new PackReader(bytes, 0, MAX_DEPTH_CEILING), 1);
        // What cannot change is read once.
        if (typeof value !== "object") known = value;
        return value;
      } catch (error) {
        throw error instanceof DecodeError ? refused(error.code, "the default of a field", offset) : error;
      }
    };
  }

  #bytesOf({ type, fallback }: Member): Uint8Array<ArrayBuffer> {
    const writer = new GrowingPackWriter(64, DEFAULT_MAX_DEPTH);
    this.#encoders.put(type)(writer, fallback, 1);
    return writer.bytes.slice(0, writer.pos);
  }
}
