/**
 * `node --import moonpack/protobuf/register`: who asks for `@bufbuild/protobuf/wire`, by import or require, gets its exports with
 * the `BinaryWriter` and `BinaryReader` of `moonpack/protobuf/wire`. For code of ts-proto 2 in plain Node, where no bundler could
 * be told so; other packages find there all that they use.
 *
 * @module
 */
import * as nodeModule from "node:module";
import { resolveNow } from "./register-hooks.js";
import { hookRequire } from "./register-require.js";

// From Node 22.15 on.
const { registerHooks } = nodeModule as { registerHooks?: (hooks: { resolve: typeof resolveNow }) => void };
if (registerHooks !== undefined) registerHooks({ resolve: resolveNow });
else nodeModule.register("./register-hooks.js", import.meta.url);
hookRequire();
