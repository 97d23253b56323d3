// Processes one case: protobuf.js parses the request's message from one format and serializes it to another.
import { createRequire } from "node:module";
import { join } from "node:path";
import { protobuf } from "@moonpack/protobufjs-8";

// JSON and text format are extensions of protobuf.js, resolved from its own folder.
const require = createRequire(import.meta.resolve("@moonpack/protobufjs-8"));
const protojson = require("protobufjs/ext/protojson");
const textformat = require("protobufjs/ext/textformat");

/** The types of the suite's messages and of its protocol. */
export function loadTypes(protos) {
  const root = new protobuf.Root();
  root.resolvePath = (_, path) => join(protos, path);
  return root.loadSync([
    "conformance.proto",
    "google/protobuf/test_messages_proto2.proto",
    "google/protobuf/test_messages_proto3.proto",
  ]);
}

/** Processes a ConformanceRequest. Returns the fields of a ConformanceResponse. */
export function respond(request, types, side) {
  const type = types.lookupType(request.messageType);
  let message;
  try {
    message = parse(request, type, types, side);
  } catch (error) {
    return { parseError: String(error) };
  }
  if (message === undefined) return { skipped: `${request.payload} is not supported as input` };
  try {
    return serialize(request, type, types, side, message);
  } catch (error) {
    return { serializeError: String(error) };
  }
}

function parse(request, type, types, side) {
  switch (request.payload) {
    case "protobufPayload": {
      const reader = side.reader(request.protobufPayload);
      reader.discardUnknown = false; // the suite expects unknown fields in the output
      return type.decode(reader);
    }
    case "jsonPayload": {
      const { JSON_IGNORE_UNKNOWN_PARSING_TEST } = types.lookupEnum("conformance.TestCategory").values;
      const ignoreUnknownFields = request.testCategory === JSON_IGNORE_UNKNOWN_PARSING_TEST;
      return protojson.fromJsonString(type, request.jsonPayload, { ignoreUnknownFields });
    }
    case "textPayload":
      return textformat.fromText(type, request.textPayload);
    default:
      return undefined; // JSPB is used only inside Google
  }
}

function serialize(request, type, types, side, message) {
  const format = types.lookupEnum("conformance.WireFormat").valuesById[request.requestedOutputFormat];
  switch (format) {
    case "PROTOBUF":
      return { protobufPayload: type.encode(message, side.writer()).finish() };
    case "JSON":
      return { jsonPayload: protojson.toJsonString(type, message) };
    case "TEXT_FORMAT":
      return { textPayload: textformat.toText(type, message, { unknowns: request.printUnknownFields }) };
    default:
      return { skipped: `${format} is not supported as output` };
  }
}
