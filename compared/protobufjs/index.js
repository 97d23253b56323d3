import { execFileSync } from "node:child_process";

/** The protobuf.js that this `require` finds; members as index.d.ts says. */
export function libraryOf(require) {
  return {
    protobuf: require("protobufjs"),
    minimal: require("protobufjs/minimal"),
    Long: require("long"),
    generate(file) {
      const pbjs = require.resolve("protobufjs-cli/bin/pbjs");
      return execFileSync(process.execPath, [pbjs, "-t", "static-module", "-w", "commonjs", "--keep-case", file], {
        encoding: "utf8",
      });
    },
    load(code) {
      const module = { exports: {} };
      new Function("module", "exports", "require", code)(module, module.exports, (name) => require(name));
      return module.exports;
    },
  };
}
