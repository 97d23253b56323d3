// Whose Reader and Writer protobuf.js works with. Each is for a process of its own: what is put in stays.
import { protobuf } from "@moonpack/protobufjs-8";

/** By name: prepares protobuf.js, and answers what to give to its decoders and encoders. */
const sides = new Map([
  ["own", created],
  ["attach", attachOurs],
  ["install", installOurs],
]);

/** `{ reader(bytes), writer() }` of the side that has this name. */
export async function prepare(name) {
  return sides.get(name)();
}

/** What protobuf.js makes when it is given none; the baseline. */
function created() {
  return { reader: (bytes) => protobuf.Reader.create(bytes), writer: () => protobuf.Writer.create() };
}

/** Ours are made by hand. What a codec inside makes by itself stays protobuf.js's: ProtoJSON does, for an Any. */
async function attachOurs() {
  const { attach, Reader, Writer } = await import("moonpack/protobuf");
  attach(protobuf);
  return { reader: (bytes) => new Reader(bytes), writer: () => new Writer() };
}

/** Ours are what protobuf.js makes. */
async function installOurs() {
  const { install } = await import("moonpack/protobuf");
  install(protobuf);
  return created();
}
