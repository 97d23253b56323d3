/**
 * `node --import @moonpack/protobuf/register`: code that imports or requires `@bufbuild/protobuf/wire` gets its exports with the
 * `BinaryWriter` and `BinaryReader` of `@moonpack/protobuf/wire`. For code that ts-proto 2 generates, in Node without a bundler. All
 * other exports stay, for other packages.
 *
 * @module
 */
import * as nodeModule from "node:module";
import { resolveNow } from "./register-hooks.js";
import { hookRequire } from "./register-require.js";

// Node 22.15 and later have registerHooks.
const { registerHooks } = nodeModule as { registerHooks?: (hooks: { resolve: typeof resolveNow }) => void };
if (registerHooks !== undefined) registerHooks({ resolve: resolveNow });
else nodeModule.register("./register-hooks.js", import.meta.url);
hookRequire();
