// Every published module must have a source map to a published source, and stack traces must follow it: the lines that
// they
// name must be the calls.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { runNode } from "./run.mjs";

/** Modules of both builds, and code that throws in them. */
const THROWING = ["dist/msgpack/decoder.js", "dist/browser/msgpack/decoder.js"];

export async function checkSourceMaps({ folder, packages }) {
  const faults = packages.flatMap(({ manifest, files }) => {
    const installed = join(folder, "node_modules", manifest.name);
    return files.filter((path) => /^dist\/.*\.js$/.test(path)).flatMap((path) => mapFaults(installed, path));
  });
  for (const module of THROWING) faults.push(...(await stackFaults(folder, module)));
  return faults;
}

function mapFaults(installed, module) {
  const path = join(installed, module);
  const url = /\n\/\/# sourceMappingURL=(.*)\n?$/.exec(readFileSync(path, "utf8"))?.[1];
  const map = url === undefined ? undefined : join(dirname(path), url);
  if (map === undefined || !existsSync(map)) return [`${module} has no source map`];
  const { sources } = JSON.parse(readFileSync(map, "utf8"));
  const isThere = sources.length > 0 && sources.every((source) => existsSync(join(dirname(map), source)));
  return isThere ? [] : [`${module}: its map leads to ${sources.join(", ")}, which is not published`];
}

/**
 * Checks the stack of an error in truncated bytes: each frame must be in our sources, on the line that calls the frame
 * above.
 */
async function stackFaults(folder, module) {
  const file = `./node_modules/moonpack/${module}`;
  const test = `
    import { decode } from ${JSON.stringify(file)};
    try {
      decode(new Uint8Array([0x92, 1]));
    } catch ({ stack }) {
      console.log(stack);
    }`;
  const args = ["--enable-source-maps", "--input-type=module", "-e", test];
  const { stdout, stderr } = await runNode(args, { cwd: folder });
  let called = "DecodeError";
  for (const [, name, source, line] of stdout.matchAll(/^ +at (?:\S+\.)?#?(\w+) \((.*):(\d+):\d+\)$/gm)) {
    const isOurs = /\/moonpack\/src\/.*\.ts$/.test(source) && existsSync(source);
    if (!isOurs || !readFileSync(source, "utf8").split("\n")[line - 1]?.includes(`${called}(`)) break;
    if (name === "decode") return [];
    called = name;
  }
  return [`the stack of an error in ${module} does not lead to the sources:\n${stdout}${stderr}`];
}
