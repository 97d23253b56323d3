import { createRequire } from "node:module";

// A reader of stdout may close it early. Without stderr, messages cannot be shown to anyone.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

const args = process.argv.slice(2);
if (args.length === 1 && ["-V", "--version"].includes(args[0]!)) {
  const { version } = createRequire(import.meta.url)("#manifest") as { readonly version: string };
  process.stdout.write(`${version}\n`);
} else await (await import("./start.js")).start(args);
