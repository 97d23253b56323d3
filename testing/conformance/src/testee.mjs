// The program under test: testee.mjs SIDE PROTOS. The runner starts it and sends requests to stdin: a length of 4 bytes,
// little-endian, and a ConformanceRequest. Responses on stdout have the same form. It ends at the end of its input.
import { readSync, writeSync } from "node:fs";
import { protobuf } from "@moonpack/protobufjs-8";
import { loadTypes, respond } from "./respond.mjs";
import { prepare } from "./sides.mjs";

const [, , name, protos] = process.argv;
const side = await prepare(name);
const types = loadTypes(protos);
const Request = types.lookupType("conformance.ConformanceRequest");
const Response = types.lookupType("conformance.ConformanceResponse");

for (let request = read(); request !== null; request = read()) {
  // The protocol's own messages are not under test: they use protobuf.js's own Reader and Writer, where still available.
  let response;
  try {
    response = respond(Request.decode(new protobuf.Reader(request)), types, side);
  } catch (error) {
    response = { runtimeError: error.stack };
  }
  write(Response.encode(response, new protobuf.Writer()).finish());
}

function read() {
  const length = take(4);
  return length === null ? null : take(length.readUInt32LE());
}

/** Reads `size` bytes of the input; null at its end. */
function take(size) {
  const bytes = Buffer.alloc(size);
  for (let at = 0; at < size; ) {
    const count = readSync(0, bytes, at, size - at, null);
    if (count === 0) return null;
    at += count;
  }
  return bytes;
}

function write(response) {
  const bytes = Buffer.alloc(4 + response.length);
  bytes.writeUInt32LE(response.length);
  bytes.set(response, 4);
  for (let at = 0; at < bytes.length; ) at += writeSync(1, bytes, at);
}
