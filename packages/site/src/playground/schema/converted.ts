// The samples in a format of `moonpack convert`, as the same bytes.
import { type AnySchema, ContainerWriter, codec, encodeFramed } from "@moonpack/pck";
import { encode } from "moonpack";
import { MoonpackError } from "moonpack/bytes";
import { jsonText } from "../bytes/typed-json.ts";
import { shownText } from "../shared/shown.ts";
import type { Conversion } from "./answers.ts";
import type { Samples } from "./samples.ts";

/** A format to convert samples to. */
export type ConvertForm = "container" | "message" | "framed" | "msgpack" | "ndjson";

/** Converts samples. Each but MessagePack goes through the schema. */
export function converted(samples: Samples, schema: AnySchema, form: ConvertForm): Conversion {
  const messages = codec<unknown, unknown>(schema as never);
  const objects = codec<unknown, unknown>(schema as never, { maps: "object" });
  let at = 0;
  /** The values, as the schema reads them. */
  function* values(): Generator<unknown> {
    for (const sample of samples.kept) {
      at++;
      yield samples.isJson ? messages.fromJSON(sample, { int64: "any" }) : messages.decode(objects.encode(sample));
    }
  }
  try {
    return { file: new Blob(partsOf(samples, schema, form, values()) as BlobPart[]), fault: "" };
  } catch (error) {
    if (!(error instanceof MoonpackError)) throw error;
    return { file: undefined, fault: `Sample ${at.toLocaleString("en")}: ${error.code}: ${shownText(error.message)}` };
  }
}

function partsOf(
  samples: Samples,
  schema: AnySchema,
  form: ConvertForm,
  values: Iterable<unknown>,
): (Uint8Array | string)[] {
  const messages = codec<unknown, unknown>(schema as never);
  switch (form) {
    case "container": {
      const writer = new ContainerWriter<unknown>(schema as never);
      for (const value of values) writer.add(value as never);
      return [writer.take()];
    }
    case "message":
      return Array.from(values, (value) => messages.encode(value));
    case "framed":
      return Array.from(values, (value) => encodeFramed(messages, value));
    case "msgpack":
      return samples.kept.map((sample) => encode(sample));
    case "ndjson":
      return Array.from(values, (value) => {
        const held = messages.decode(messages.encode(value));
        return `${jsonText(messages.toJSON(held), { typed: false, indent: 0 })}\n`;
      });
  }
}
