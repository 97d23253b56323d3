import { type AnySchema, type Codec, ContainerWriter, encodeFramed } from "@moonpack/pck";
import { type JsonStyle, jsonText, lineBreak } from "../convert/json-text.js";
import { Failure } from "../shared/failure.js";
import type { Output } from "../shared/output.js";
import type { AnyCodec } from "./source.js";

/** Takes the values of a conversion and writes them in one of the formats. */
export interface ValueSink {
  add(value: unknown): void;
  /** Ends the output after the last value. */
  end(): void;
}

/** Bytes from which on a container's output is handed on. */
const GATHERED = 64 * 1024;

/** Writes a container. */
export function containerSink(output: Output, schema: AnySchema): ValueSink {
  const writer = new ContainerWriter<never>(schema);
  const flush = () => output.write(writer.take());
  return {
    add(value) {
      writer.add(value as never);
      if (writer.used >= GATHERED) flush();
    },
    end: flush,
  };
}

/** Writes the bytes of exactly one value. */
export function messageSink(output: Output, codec: AnyCodec, framed: boolean): ValueSink {
  let count = 0;
  return {
    add(value) {
      if (++count > 1)
        throw new Failure("a message holds one value, but the container has more: use --to json or ndjson");
      output.write(framed ? encodeFramed(codec as Codec<unknown, unknown>, value) : codec.encode(value));
    },
    end() {
      if (count === 0) throw new Failure("a message holds one value, but the container has none");
    },
  };
}

/** Writes values as JSON: one per line, a single one, or all of them as a list. */
export function jsonSink(output: Output, codec: AnyCodec, shape: "lines" | "one" | "list", indent: number): ValueSink {
  const style: JsonStyle = { typed: false, bigIntegers: false, indent };
  const depth = shape === "list" ? 1 : 0;
  let count = 0;
  return {
    add(value) {
      const before = shape !== "list" ? "" : (count === 0 ? "[" : ",") + lineBreak(style, 1);
      const text = jsonText(codec.toJSON(value), style, depth, () => "$");
      output.writeJson(before + text + (shape === "list" ? "" : "\n"));
      count++;
    },
    end() {
      if (shape === "list") output.writeJson(count === 0 ? "[]\n" : `${lineBreak(style, 0)}]\n`);
    },
  };
}
