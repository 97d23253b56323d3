// Generates our own vectors of PCK (vectors/pck/own). The reference model in packages/moonpack/test/harness/pck computes them
// from the format's page; it imports nothing of the library. Called by vectors/generate.mjs.
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** Returns the text of each file by its path in this folder. */
export async function ownFiles() {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("../../packages/moonpack/test/harness/pck/own/index.ts", import.meta.url))],
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
  });
  const module = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
  return [...module.ownFiles()].map(([name, cases]) => [name, cases.map((one) => `${JSON.stringify(one)}\n`).join("")]);
}
