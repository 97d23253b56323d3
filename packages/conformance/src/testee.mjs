// The program under test: testee.mjs SIDE PROTOS. The runner starts it and speaks to it on stdin and stdout: 4 bytes of
// length, little-endian, and a ConformanceRequest; the answer likewise. It ends with its input.
import { readSync, writeSync } from "node:fs";
import { protobuf } from "@moonpack/protobufjs-8";
import { answer, loadTypes } from "./answer.mjs";
import { prepare } from "./sides.mjs";

const [, , name, protos] = process.argv;
const side = await prepare(name);
const types = loadTypes(protos);
const Request = types.lookupType("conformance.ConformanceRequest");
const Response = types.lookupType("conformance.ConformanceResponse");

for (let request = read(); request !== null; request = read()) {
  // The protocol itself is no part of the test: protobuf.js's own Reader and Writer, as far as they are left.
  let response;
  try {
    response = answer(Request.decode(new protobuf.Reader(request)), types, side);
  } catch (error) {
    response = { runtimeError: error.stack };
  }
  write(Response.encode(response, new protobuf.Writer()).finish());
}

function read() {
  const length = take(4);
  return length === null ? null : take(length.readUInt32LE());
}

/** So many bytes of the input; null at its end. */
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
