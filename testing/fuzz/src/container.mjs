// Checks for PCK containers: what follows the head, read whole, in parts, and as a dump.
import { ContainerReader, decodeContainer, diagnoseContainer, encodeContainer } from "@moonpack/pck";
import { everyType } from "./corpus.mjs";
import { outcome, same } from "./outcome.mjs";

/** The values of an iteration, and how it ends. */
function collect(values, length) {
  const list = [];
  const end = outcome(
    () => {
      for (const value of values) list.push(value);
    },
    length,
    () => "end",
  );
  return { list, end };
}

function* inParts(bytes, step) {
  const reader = new ContainerReader();
  for (let i = 0; i < bytes.length; i += step) {
    const part = bytes.slice(i, i + step);
    yield* reader.push(part);
    part.fill(0xff);
  }
  reader.end();
}

function checkContainer() {
  const { head } = everyType();
  return (frames) => {
    const bytes = new Uint8Array([...head, ...frames]);
    const step = 1 + (frames.length > 0 ? frames[frames.length >> 1] % 61 : 0);
    const whole = collect(inParts(bytes, bytes.length), bytes.length);
    const parts = collect(inParts(bytes, step), bytes.length);
    same(parts, whole, `parts of ${step}`);
    const { error } = [...diagnoseContainer(bytes)].at(-1);
    const dumped = outcome(
      () => {
        if (error !== undefined) throw error;
      },
      bytes.length,
      () => "end",
    );
    if (dumped !== whole.end) throw new Error(`the dump ends with ${dumped}, reading with ${whole.end}`);
    if (error === undefined) {
      const { schema, values } = decodeContainer(bytes);
      same(decodeContainer(encodeContainer(schema, values)).values, values, "written again");
    }
    return `${error?.code} ${Math.min(whole.list.length, 4)} ${error === undefined ? "" : (error.offset - head.length) >> 2}`;
  };
}

export const checks = { container: checkContainer };
