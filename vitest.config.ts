import { defineConfig } from "vitest/config";

export default defineConfig({
  // JSON.parse keeps what an object literal would not: a key named __proto__.
  json: { stringify: true },
  test: {
    include: ["{packages,proving}/*/test/**/*.test.ts"],
    maxWorkers: 2,
    // The share of the random cases that is tried (packages/moonpack/test/harness/share.ts).
    env: { MOONPACK_SHARE: process.env.MOONPACK_SHARE ?? "1" },
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
