import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/** The library with its parser and reflection. */
export const protobuf = require("protobufjs");
/** The library that static code stands on. */
export const minimal = require("protobufjs/minimal");
/** The Long that it finds. */
export const Long = require("long");

/** Static code for a .proto file, as CommonJS. */
export function generate(file) {
  const pbjs = require.resolve("protobufjs-cli/bin/pbjs");
  return execFileSync(process.execPath, [pbjs, "-t", "static-module", "-w", "commonjs", "--keep-case", file], {
    encoding: "utf8",
  });
}

/** Runs static code with the library that it was generated for; answers its root. */
export function load(code) {
  const module = { exports: {} };
  new Function("module", "exports", "require", code)(module, module.exports, (name) => require(name));
  return module.exports;
}
