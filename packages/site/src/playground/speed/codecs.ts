/// <reference path="./untyped.d.ts" />
// The codecs of the race. Each is loaded by the worker that measures it, and by no other.

/** A codec that is ready for some messages. */
export interface ReadyCodec {
  encode(value: unknown): Uint8Array;
  decode(bytes: Uint8Array): unknown;
  /** A missing property may come back as null, 0, false or empty. */
  readonly mayFill?: boolean;
}

/** A codec of the race. */
export interface SpeedCodec {
  /** The library; the codecs of one library are one row. */
  readonly library: string;
  /** The format, by which the codecs of one library differ. */
  readonly format: string;
  readonly isOurs: boolean;
  /** How it is used. */
  readonly note: string;
  /** Prepares it for some messages. Throws an Error that says why it cannot hold them. */
  load(messages: readonly unknown[]): Promise<ReadyCodec>;
}

/** The codecs by their names in messages. JSON, the measure of all, comes last, as in the tables of the benchmarks. */
export const CODECS = {
  moonpack: {
    library: "moonpack",
    format: "MessagePack",
    isOurs: true,
    note: "MessagePack: encode and decode.",
    async load() {
      const { decode, encode } = await import("moonpack");
      return { encode: (value) => encode(value), decode: (bytes) => decode(bytes) };
    },
  },
  pck: {
    library: "moonpack",
    format: "PCK",
    isOurs: true,
    note: "With the schema that infer makes of these messages. The schema is not in the bytes.",
    async load(messages) {
      const [{ codec }, { infer }] = await Promise.all([import("@moonpack/pck"), import("@moonpack/pck/infer")]);
      const { document, problems } = infer(messages);
      const [problem] = problems;
      if (problem !== undefined) throw new Error(`no schema holds ${problem.path}: ${problem.message}`);
      const pck = codec(document, { maps: "object" });
      return {
        encode: (value) => pck.encode(value as never),
        decode: (bytes) => pck.decode(bytes),
        mayFill: true,
      };
    },
  },
  msgpackr: {
    library: "msgpackr",
    format: "MessagePack",
    isOurs: false,
    note: "MessagePack: new Packr({ useRecords: false, int64AsType: 'number' }), in its build without eval.",
    async load() {
      const { Packr } = await import("msgpackr/index-no-eval");
      const packr = new Packr({ useRecords: false, int64AsType: "number" });
      return { encode: (value) => packr.pack(value), decode: (bytes) => packr.unpack(bytes) as unknown };
    },
  },
  msgpackJavaScript: {
    library: "@msgpack/msgpack",
    format: "MessagePack",
    isOurs: false,
    note: "MessagePack: an Encoder and a Decoder that are kept.",
    async load() {
      const { Decoder, Encoder } = await import("@msgpack/msgpack");
      const encoder = new Encoder();
      const decoder = new Decoder();
      return { encode: (value) => encoder.encode(value), decode: (bytes) => decoder.decode(bytes) };
    },
  },
  json: {
    library: "JSON",
    format: "JSON",
    isOurs: false,
    note: "JSON.stringify and TextEncoder, TextDecoder and JSON.parse.",
    load() {
      const [writer, reader] = [new TextEncoder(), new TextDecoder()];
      return Promise.resolve({
        encode: (value: unknown) => writer.encode(JSON.stringify(value)),
        decode: (bytes: Uint8Array) => JSON.parse(reader.decode(bytes)) as unknown,
      });
    },
  },
} as const satisfies Readonly<Record<string, SpeedCodec>>;

/** The name of a codec. */
export type CodecId = keyof typeof CODECS;

/** All codecs, in their order. */
export const CODEC_IDS = Object.keys(CODECS) as readonly CodecId[];
