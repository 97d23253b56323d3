import { createRequire } from "node:module";

/** Two versions of one package, each a dependency of another workspace. */
export function protobufJsVersions(): Record<string, string> {
  const require = createRequire(import.meta.url);
  return Object.fromEntries(
    ["@moonpack/protobufjs-8", "@moonpack/protobufjs-7"].map((workspace) => {
      const { dependencies } = require(`${workspace}/package.json`) as { dependencies: { protobufjs: string } };
      return [workspace, dependencies.protobufjs] as const;
    }),
  );
}
