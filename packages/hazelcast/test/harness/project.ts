/** A user's project: the built package, and one version of the client. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const PACKAGE = here("../..");
const MODULES = here("../../../../node_modules");

/** The versions of the client in this repository, with their folders in node_modules. */
export const CLIENTS = { "5.6": "hazelcast-client", "5.7": "hazelcast-client-5.7" } as const;

/**
 * Makes a folder with the package as users install it, and calls `use` with it. The package is a copy: a link would resolve the
 * repository's client.
 */
export async function withProject<T>(client: keyof typeof CLIENTS, use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "moonpack-project-"));
  try {
    const modules = join(folder, "node_modules");
    const copy = join(modules, "@moonpack/hazelcast");
    mkdirSync(copy, { recursive: true });
    for (const part of ["package.json", "dist"]) cpSync(join(PACKAGE, part), join(copy, part), { recursive: true });
    cpSync(here("../programs"), join(folder, "programs"), { recursive: true });
    const own = { moonpack: "moonpack", "@moonpack/pck": "@moonpack/pck" };
    const links = { "hazelcast-client": CLIENTS[client], ...own, "express-session": "express-session" };
    for (const [name, target] of Object.entries(links)) link(join(MODULES, target), join(modules, name));
    link(join(MODULES, "@types"), join(modules, "@types"));
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function link(target: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path, "junction");
}
