import type { AnySchema } from "@moonpack/pck";
import { MoonpackError } from "moonpack/bytes";
import { DataError, Failure } from "../shared/failure.js";
import type { Format } from "../shared/formats.js";
import { ByteWindow } from "../shared/input.js";
import { Output } from "../shared/output.js";
import { Progress } from "../shared/progress.js";
import { checkPckOptions, isPck, type PckOptions } from "./options.js";
import { loadSchema } from "./schema-file.js";
import { containerSink, jsonSink, messageSink, type ValueSink } from "./sink.js";
import { type AnyCodec, ContainerSource, codecOf, jsonValues, lineValues, messageValue } from "./source.js";

/** Values between two checks of the output's backlog. */
const BATCH = 64;

/** The values to convert, with their schema. */
interface Source {
  readonly schema: AnySchema;
  readonly codec: AnyCodec;
  readonly values: AsyncIterable<unknown>;
}

/** The input, its window if it is open, and the output. */
export interface Ends {
  readonly input: string;
  readonly opened: ByteWindow | undefined;
  readonly output: string;
}

/** Converts between two formats, at least one of which is PCK. */
export async function convertPck(
  from: Format,
  to: Format,
  { input, opened, output }: Ends,
  options: PckOptions,
): Promise<void> {
  checkPckOptions(from, to, output, options);
  const given = options.schema === undefined ? undefined : await loadSchema(options.schema, options.export);
  const window = opened ?? (await ByteWindow.open(input));
  const progress = new Progress("converting", window.total);
  let target: Output | undefined;
  try {
    const source = await open(from, to, input, window, given, options);
    target = Output.open(output);
    const sink = sinkFor(from, to, target, source, options);
    let count = 0;
    for await (const value of source.values) {
      sink.add(value);
      if (++count % BATCH > 0 && !target.isFull) continue;
      await target.drain();
      progress.update(window.position);
    }
    sink.end();
    await target.finish();
  } catch (error) {
    target?.discard();
    if (error instanceof MoonpackError) throw await DataError.of(input, !isPck(from), error, window);
    // A string or array longer than V8 allows: V8's text does not name the file.
    if (error instanceof RangeError) throw new Failure(`${input}: a value is too large to hold in memory`);
    throw error;
  } finally {
    progress.stop();
    await window.close();
  }
}

async function open(
  from: Format,
  to: Format,
  file: string,
  window: ByteWindow,
  given: AnySchema | undefined,
  { framed, maxElements }: PckOptions,
): Promise<Source> {
  const reading = maxElements === undefined ? {} : { maxElements };
  if (from === "pck") {
    const container = new ContainerSource(window, given, reading);
    const own = await container.schema();
    const schema = given ?? own;
    return { schema, codec: codecOf(schema, reading), values: container.values() };
  }
  // Without a container, checkPckOptions has required a schema.
  const schema = given!;
  const codec = codecOf(schema, reading);
  if (from === "message") return { schema, codec, values: messageValue(window, codec, framed) };
  if (from === "ndjson") return { schema, codec, values: lineValues(window, file, codec) };
  return { schema, codec, values: jsonValues(window, file, codec, to === "pck") };
}

function sinkFor(from: Format, to: Format, output: Output, { schema, codec }: Source, options: PckOptions): ValueSink {
  if (to === "pck") return containerSink(output, schema);
  if (to === "message") return messageSink(output, codec, options.framed);
  const shape = to === "ndjson" ? "lines" : from === "pck" ? "list" : "one";
  return jsonSink(output, codec, shape, options.pretty ? 2 : 0);
}
