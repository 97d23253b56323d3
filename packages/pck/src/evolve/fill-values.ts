/** Makes the values of fields that are not in the bytes. Each message gets its own copy of a default. */
import { DEFAULT_MAX_DEPTH, DecodeError } from "moonpack/bytes";
import { absentValueOf } from "../closures/absence.js";
import { creator } from "../closures/objects.js";
import { DecoderCompiler } from "../closures/read.js";
import { EncoderCompiler } from "../closures/write.js";
import type { Member } from "../model/model.js";
import { countingReader, refused } from "../runtime/reader.js";

import { type CodecSettings, codecSettings } from "../settings.js";
import type { Fill, FilledStruct } from "./plan.js";

/** Makes a value. `offset`: for errors, since a default may be an integer that `int64: "number"` cannot hold. */
export type Make = (offset: number) => unknown;

/** Makes a struct and all of its fields. */
interface StructMaker {
  readonly create: () => Record<string, unknown>;
  readonly members: readonly MemberMaker[];
}

/** Makes a field. A struct is filled by the loop in `#filled`, any other value by a function. */
interface MemberMaker {
  readonly name: string;
  readonly maker: Make | FilledStruct;
}

/** Compiles the fills of a plan to functions. */
export class FillCompiler {
  readonly #settings: CodecSettings;
  readonly #structs = new Map<FilledStruct, StructMaker>();
  readonly #encoders = new EncoderCompiler(codecSettings(undefined));
  readonly #decoders: DecoderCompiler;

  constructor(settings: CodecSettings) {
    this.#settings = settings;
    this.#decoders = new DecoderCompiler({ ...settings, binary: "copy" });
  }

  /** Returns a function that makes the value. */
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

  /** An explicit stack instead of recursion: structs may be nested 4,096 deep. */
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

  /** Compiles a struct when it is first made. */
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

  /**
   * Returns a function that creates a default. A default is stored as its bytes and decoded for each message, so that it is what the reader's own codec would
   * return.
   */
  #default(member: Member): Make {
    let bytes: Uint8Array<ArrayBuffer> | undefined;
    let known: unknown;
    return (offset) => {
      if (known !== undefined) return known;
      bytes ??= this.#encoders.encodeValue(member.type, member.fallback);
      try {
        const value = this.#decoders.get(member.type)(countingReader(bytes, DEFAULT_MAX_DEPTH, Infinity), 1);
        if (typeof value !== "object") known = value; // immutable: decoded once
        return value;
      } catch (error) {
        throw error instanceof DecodeError ? refused(error.code, "the default of a field", offset) : error;
      }
    };
  }
}
