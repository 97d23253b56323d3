import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { descriptorOf, protobuf } from "@moonpack/protobufjs-8";
import { transform } from "esbuild";

const require = createRequire(import.meta.url);

/**
 * The module that ts-proto writes for a .proto file, as JavaScript. It is a plugin of protoc, whose request it reads: the
 * descriptor of the file in it is protobuf.js's.
 */
export async function generate(source, options = "") {
  const name = "schema.proto";
  const file = descriptorOf(source, name);
  // CodeGeneratorRequest: file_to_generate = 1, parameter = 2, proto_file = 15.
  const request = protobuf.Writer.create().uint32(10).string(name).uint32(18).string(options).uint32(122).bytes(file);
  const plugin = require.resolve("ts-proto/protoc-gen-ts_proto");
  const { status, stdout, stderr } = spawnSync(process.execPath, [plugin], { input: request.finish() });
  if (status !== 0) throw new Error(`ts-proto failed: ${stderr}`);
  const { code } = await transform(contentOf(stdout), { loader: "ts", format: "esm" });
  return code;
}

/** CodeGeneratorResponse: error = 1, file = 15 with content = 15. */
function contentOf(response) {
  const reader = protobuf.Reader.create(response);
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    if (tag === 10) throw new Error(reader.string());
    if (tag !== 122) reader.skipType(tag & 7);
    else {
      const end = reader.uint32() + reader.pos;
      while (reader.pos < end) {
        const inner = reader.uint32();
        if (inner === 122) return reader.string();
        reader.skipType(inner & 7);
      }
    }
  }
  throw new Error("ts-proto answered no file");
}
