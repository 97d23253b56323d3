/**
 * Ways to load the dictionary from its file, for every runtime. Only features that Node, Deno and Bun share are used, and each case
 * imports its own library, so that only the case's memory is measured.
 */
import { createReadStream, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { fileOf, type Packing } from "./files.js";

/** A function that loads the file. */
export type Load = () => unknown;

/** A way to load the dictionary. */
export interface Case {
  readonly id: string;
  readonly title: string;
  readonly form: "json" | "msgpack" | "pck" | "pretty";
  readonly packing?: Packing;
  /** The author of the decoder, for comparisons between decoders. */
  readonly by?: "moonpack" | "rival";
  /** Prepares the case. This time is not measured. */
  ready(folder: string): Promise<Load>;
}

/** Deno's own functions. */
interface DenoFiles {
  readFileSync(path: string): Uint8Array;
  readTextFileSync(path: string): string;
}
const deno = (globalThis as { Deno?: DenoFiles }).Deno;

/** Each runtime's own way to read a whole file; Bun's has Node's name. */
const readBytes: (path: string) => Uint8Array =
  deno === undefined ? (path) => readFileSync(path) : (path) => deno.readFileSync(path);
const readText: (path: string) => string =
  deno === undefined ? (path) => readFileSync(path, "utf8") : (path) => deno.readTextFileSync(path);

type Decode = (bytes: Uint8Array) => unknown;

/** A case that decodes the bytes of a file, compressed or not. */
function decoding(about: Pick<Case, "id" | "title" | "form" | "packing" | "by">, decoder: () => Promise<Decode>): Case {
  return {
    ...about,
    async ready(folder) {
      const decode = await decoder();
      const file = fileOf(folder, about.form, about.packing);
      return about.packing === undefined ? () => decode(readBytes(file)) : () => decode(gunzipSync(readBytes(file)));
    },
  };
}

const json = async (): Promise<Decode> => {
  const decoder = new TextDecoder();
  return (bytes) => JSON.parse(decoder.decode(bytes));
};
const moonpack = async (): Promise<Decode> => {
  const { decode } = await import("moonpack");
  return (bytes) => decode(bytes);
};
const pck = async (): Promise<Decode> => {
  const { codec } = await import("@moonpack/pck");
  const { dictionarySchema } = await import("./schema.js");
  const dictionaries = codec(dictionarySchema, { maps: "object" });
  return (bytes) => dictionaries.decode(bytes as Uint8Array<ArrayBuffer>).readings;
};

/** A case that parses a file of JSON as text. */
function parsing(id: string, title: string, form: Case["form"]): Case {
  return {
    id,
    title,
    form,
    ready: async (folder) => {
      const file = fileOf(folder, form);
      return () => JSON.parse(readText(file));
    },
  };
}

const plain: readonly Case[] = [
  parsing("parse-pretty", "text + JSON.parse, pretty", "pretty"),
  parsing("parse-json", "text + JSON.parse, minified", "json"),
  decoding({ id: "moonpack", title: "bytes + moonpack `decode`", form: "msgpack", by: "moonpack" }, moonpack),
  decoding({ id: "msgpack-javascript", title: "bytes + @msgpack/msgpack", form: "msgpack", by: "rival" }, async () => {
    const { decode } = await import("@msgpack/msgpack");
    return (bytes) => decode(bytes);
  }),
  decoding({ id: "msgpackr", title: "bytes + msgpackr", form: "msgpack", by: "rival" }, async () => {
    const { Packr } = await import("msgpackr");
    const packr = new Packr({ useRecords: false });
    return (bytes) => packr.unpack(bytes);
  }),
  decoding({ id: "json-pack", title: "bytes + json-pack", form: "msgpack", by: "rival" }, async () => {
    const { MsgPackDecoderFast } = await import("@jsonjoy.com/json-pack/lib/msgpack/MsgPackDecoderFast.js");
    const decoder = new MsgPackDecoderFast();
    return (bytes) => decoder.decode(bytes);
  }),
  {
    id: "moonpack-stream",
    title: "stream + moonpack `decodeAsync`",
    form: "msgpack",
    async ready(folder) {
      const { decodeAsync } = await import("moonpack/stream");
      const file = fileOf(folder, "msgpack");
      return () => decodeAsync(createReadStream(file));
    },
  },
  {
    id: "moonpack-slices",
    title: "bytes + moonpack `decodeCooperatively`",
    form: "msgpack",
    async ready(folder) {
      const { decodeCooperatively } = await import("moonpack/stream");
      const file = fileOf(folder, "msgpack");
      return () => decodeCooperatively(readBytes(file) as Uint8Array<ArrayBuffer>);
    },
  },
  decoding({ id: "pck", title: "bytes + moonpack PCK", form: "pck" }, pck),
];

const packed: readonly Case[] = [
  decoding({ id: "parse-json-gzip", title: "gzip + JSON.parse, minified", form: "json", packing: "gzip" }, json),
  decoding({ id: "moonpack-gzip", title: "gzip + moonpack `decode`", form: "msgpack", packing: "gzip" }, moonpack),
  decoding({ id: "pck-gzip", title: "gzip + moonpack PCK", form: "pck", packing: "gzip" }, pck),
];

/** All cases. */
export const cases: readonly Case[] = [...plain, ...packed];
