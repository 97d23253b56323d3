import { configDefaults, defineConfig, type TestUserConfig } from "vitest/config";

const shared = {
  // Processes: some tests look at memory, hidden classes or a polluted prototype.
  pool: "forks",
  execArgv: ["--allow-natives-syntax", "--expose-gc"],
  testTimeout: 120_000,
  hookTimeout: 60_000,
  teardownTimeout: 10_000,
  // Our own packages as Node itself loads them, by their exports and imports: what users get, at its real speed.
  server: { deps: { external: [/\/packages\/[^/]+\/dist\//] } },
} satisfies TestUserConfig;

const timed = "packages/*/test/**/complexity*.test.ts";

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        // JSON.parse keeps what an object literal would not: a key named __proto__.
        json: { stringify: true },
        test: {
          ...shared,
          name: "tests",
          include: ["packages/*/test/**/*.test.ts"],
          exclude: [...configDefaults.exclude, timed],
          sequence: { groupOrder: 0 },
        },
      },
      {
        // After all others and one at a time: they compare times.
        test: {
          ...shared,
          name: "complexity",
          include: [timed],
          maxWorkers: 1,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
