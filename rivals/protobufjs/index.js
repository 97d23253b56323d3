import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Code that was generated before: to start the generator takes a second, and many tests need the same. */
const CACHE = fileURLToPath(new URL("../../node_modules/.cache/moonpack/protobufjs", import.meta.url));

/** The protobuf.js that this `require` finds; members as index.d.ts says. */
export function libraryOf(require) {
  return {
    protobuf: require("protobufjs"),
    minimal: require("protobufjs/minimal"),
    Long: require("long"),
    generate(file) {
      const pbjs = require.resolve("protobufjs-cli/bin/pbjs");
      const args = ["-t", "static-module", "-w", "commonjs", "--keep-case"];
      const versions = ["protobufjs-cli", "protobufjs"].map((name) => require(`${name}/package.json`).version);
      const key = JSON.stringify([versions, args, readFileSync(file, "utf8")]);
      return kept(key, () => execFileSync(process.execPath, [pbjs, ...args, file], { encoding: "utf8" }));
    },
    load(code) {
      const module = { exports: {} };
      new Function("module", "exports", "require", code)(module, module.exports, (name) => require(name));
      return module.exports;
    },
  };
}

/** What `make` returned for this key, now or in another process. */
function kept(key, make) {
  const path = join(CACHE, `${createHash("sha256").update(key).digest("hex")}.js`);
  if (existsSync(path)) return readFileSync(path, "utf8");
  const text = make();
  mkdirSync(CACHE, { recursive: true });
  // Another process never sees half of it.
  writeFileSync(`${path}.${process.pid}`, text);
  renameSync(`${path}.${process.pid}`, path);
  return text;
}
