import { fileURLToPath } from "node:url";
import { defaultExclude, defineConfig } from "vitest/config";

/** The share of the random cases that is tried (packages/moonpack/test/harness/share.ts). */
const MOONPACK_SHARE = process.env.MOONPACK_SHARE ?? "1";
const shared = fileURLToPath(new URL("packages/moonpack/test/harness/fast-check.ts", import.meta.url));

/** The portable suites (tools/src/portable/bundle.mjs). */
const PORTABLE = ["packages/moonpack/test/{bytes,msgpack,protobuf,pck,stream}/!(*.node).test.ts"];

export default defineConfig({
  // Properties try a share of their cases, too.
  plugins: [
    {
      name: "share-of-fast-check",
      enforce: "pre",
      resolveId: (id, importer) =>
        id === "fast-check" && importer !== shared && Number(MOONPACK_SHARE) < 1 ? shared : undefined,
    },
  ],
  // JSON.parse keeps what an object literal would not: a key named __proto__.
  json: { stringify: true },
  test: {
    maxWorkers: 2,
    env: { MOONPACK_SHARE },
    projects: [
      {
        extends: true,
        test: {
          name: "alone",
          include: ["{packages,proving}/*/test/**/*.test.ts"],
          exclude: [...defaultExclude, ...PORTABLE],
        },
      },
      // In every other runtime they all run in one program; here in one for each worker. To start one and load the
      // library for each of these files takes as long as their tests.
      { extends: true, test: { name: "portable", include: PORTABLE, isolate: false } },
    ],
    // Processes: some tests look at memory, hidden classes or a polluted prototype.
    pool: "forks",
    execArgv: ["--allow-natives-syntax", "--expose-gc"],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    teardownTimeout: 10_000,
    // Our own packages as Node itself loads them, by their exports and imports: what users get, at its real speed.
    server: { deps: { external: [/\/(?:packages|proving)\/[^/]+\/dist\//] } },
  },
});
