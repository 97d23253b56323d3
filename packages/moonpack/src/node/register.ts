/**
 * `node --import moonpack/protobuf/register`: code of ts-proto 2 that asks for `@bufbuild/protobuf/wire` gets
 * `moonpack/protobuf/wire`, in plain Node, where no bundler could be told so.
 *
 * @module
 */
import * as nodeModule from "node:module";
import { resolve } from "./register-hooks.js";

// From Node 22.15 on; it also holds for require().
const { registerHooks } = nodeModule as { registerHooks?: (hooks: { resolve: typeof resolve }) => void };
if (registerHooks !== undefined) registerHooks({ resolve });
else nodeModule.register("./register-hooks.js", import.meta.url);
