/** Parses the target argument of `moonpack load`. */
import { basename, extname } from "node:path";
import { pathToFileURL } from "node:url";
import type { Operation, Target } from "@moonpack/load";
import { type Codec, type HttpTargetOptions, hazelcastMap, http, seriesStore, tcpEcho } from "@moonpack/load/targets";
import { checkNoOthers } from "../series/store.js";
import { describeError, Failure } from "../shared/failure.js";
import { userPath } from "../shared/paths.js";
import { statusOf } from "../shared/status.js";
import { badOption } from "./arguments.js";
import { isHttp } from "./request.js";

/** An address without http://: localhost, a name with a dot, or a name with a port. */
const ADDRESS = /^(?:localhost|[\w-]+(?:\.[\w-]+)+|[\w.-]+(?=:\d))(?::\d+)?(?:\/|$)/;
const MODULES = new Set([".mjs", ".js", ".cjs", ".ts", ".mts", ".cts"]);

/** True if the argument names a module. */
export function isModule(text: string): boolean {
  return !/^(?:https?|tcp|hazelcast|series):/i.test(text) && MODULES.has(extname(text).toLowerCase());
}

/** Returns the target that the argument names. `request` is what the requests of HTTP are. */
export async function targetOf(
  text: string,
  codec: Codec | undefined,
  request: Omit<HttpTargetOptions, "url">,
): Promise<Target | Operation> {
  const chosen = codec === undefined ? {} : { codec };
  if (isHttp(text)) return http({ url: text, ...request, ...chosen });
  if (text.startsWith("tcp://")) return tcpEcho({ ...addressOf(text.slice(6), text), name: text, ...chosen });
  if (text.startsWith("hazelcast://")) return hazelcast(text, chosen);
  if (text.startsWith("series:")) {
    if (codec !== undefined) throw badOption("--codec cannot be used with series: a point is a number");
    const path = text.slice(7);
    if (path === "") throw badOption("series: needs the path of a store, such as series:./metrics");
    const folder = userPath(path);
    const status = statusOf(folder);
    if (status !== undefined && !status.isDirectory())
      throw new Failure(`cannot open the store ${folder}: it is a file, not a folder`);
    checkNoOthers(folder);
    return seriesStore({ path: folder, name: text });
  }
  if (isModule(text)) {
    if (codec !== undefined) throw badOption("--codec cannot be used with a module: it makes its own bytes");
    return fromModule(userPath(text));
  }
  if (ADDRESS.test(text) && statusOf(userPath(text)) === undefined)
    throw badOption(`${text} is not a target: for a server, add http://, as in http://${text}`);
  throw badOption(
    `${text} is not a target: expected http://.., tcp://HOST:PORT, hazelcast://HOST:PORT/MAP, series:PATH or a module such as ./target.mjs`,
  );
}

function addressOf(text: string, whole: string): { readonly host: string; readonly port: number } {
  const [, bracketed, plain, port] = /^(?:\[([0-9a-f:.]+)\]|([^:/[\]]+)):(\d{1,5})\/?$/i.exec(text) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined || Number(port) < 1 || Number(port) > 65_535)
    throw badOption(`${whole} must be tcp://HOST:PORT, such as tcp://127.0.0.1:7000`);
  return { host, port: Number(port) };
}

function hazelcast(text: string, codec: { readonly codec?: Codec }): Target {
  const [, members, name, cluster] =
    /^hazelcast:\/\/([^/?]+)\/([^/?]+)(?:\?cluster=([^&]+))?$/.exec(text) ??
    bad(`${text} must be hazelcast://HOST:PORT/MAP, with ?cluster=NAME if that is not dev`);
  const clusterName = cluster === undefined ? {} : { clusterName: unescaped(cluster, text) };
  const map = unescaped(name!, text);
  return hazelcastMap({ members: members!.split(","), map, name: text, ...clusterName, ...codec });
}

function unescaped(part: string, whole: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return bad(`${whole} is not escaped as a URL: ${part} has a % without two hexadecimal digits of UTF-8`);
  }
}

function bad(text: string): never {
  throw badOption(text);
}

/** A module is a target by its default export (a target or a function), or by exporting `get`, `set` or both itself. */
async function fromModule(path: string): Promise<Target | Operation> {
  const status = statusOf(path);
  if (status === undefined) throw new Failure(`cannot read ${path}: no such file or folder`);
  if (status.isDirectory()) throw new Failure(`cannot read ${path}: it is a folder, not a file`);
  const module = await imported(path);
  const target = Object.hasOwn(module, "default") ? module.default : module;
  if (typeof target === "function") return named(target as Operation, basename(path));
  const { get, set } = (target ?? {}) as Partial<Target>;
  if (typeof get !== "function" && typeof set !== "function")
    throw new Failure(`${path} is not a load target: it must export get, set or both, or a function as default`);
  const { name } = target as Partial<Target>;
  if (typeof name === "string" && name !== "") return target as Target;
  return withName(target as Target, basename(path));
}

/** Returns the same target with a name. Its functions keep their `this`, which classes with private fields need. */
function withName(target: Target, name: string): Target {
  const { usesKeys = true, usesValues = true, operationNames } = target;
  const members = (["setup", "get", "set", "check", "close"] as const).flatMap((member) => {
    const own: unknown = target[member];
    return typeof own === "function" ? [[member, own.bind(target)]] : [];
  });
  return {
    name,
    usesKeys,
    usesValues,
    ...(operationNames !== undefined && { operationNames }),
    ...Object.fromEntries(members),
  };
}

/** Returns the function with a name, if it has none or is called `default`. */
function named(operation: Operation, name: string): Operation {
  return operation.name === "" || operation.name === "default"
    ? Object.defineProperty((n: number) => operation(n), "name", { value: name })
    : operation;
}

async function imported(path: string): Promise<Record<string, unknown>> {
  try {
    // Node itself loads JavaScript: another loader would appear in all stack traces.
    if (!/ts$/i.test(extname(path))) return await import(pathToFileURL(path).href);
    const { createJiti } = await import("jiti");
    return await createJiti(import.meta.url, { fsCache: false }).import<Record<string, unknown>>(path);
  } catch (error) {
    throw new Failure(`cannot load ${path}: ${describeError(error).replace(/\s*\n\s*/g, ", ")}`);
  }
}
