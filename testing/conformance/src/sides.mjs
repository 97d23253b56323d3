// The Reader and Writer under test. Each side needs its own process, since installing them cannot be undone.
import { protobuf } from "@moonpack/protobufjs-8";

/** By name: functions that prepare protobuf.js and return the Reader and Writer to pass to it. */
const sides = new Map([
  ["own", created],
  ["attach", attachOurs],
  ["install", installOurs],
]);

/** `{ reader(bytes), writer() }` of the side with this name. */
export async function prepare(name) {
  return sides.get(name)();
}

/** The baseline: protobuf.js's own. */
function created() {
  return { reader: (bytes) => protobuf.Reader.create(bytes), writer: () => protobuf.Writer.create() };
}

/** `attach`: ours, passed in. protobuf.js still creates its own inside a codec, as ProtoJSON does for an Any. */
async function attachOurs() {
  const { attach, Reader, Writer } = await import("@moonpack/protobuf");
  attach(protobuf);
  return { reader: (bytes) => new Reader(bytes), writer: () => new Writer() };
}

/** `install`: protobuf.js creates ours itself. */
async function installOurs() {
  const { install } = await import("@moonpack/protobuf");
  install(protobuf);
  return created();
}
