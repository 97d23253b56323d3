/** The place of the guide of each command: a file of an installed package. */
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { userFolder } from "../shared/paths.js";

/** The guides that are not the README of this package: the package and its file. */
const GUIDES = new Map<string, readonly [name: string, file: string]>([
  ["infer", ["@moonpack/pck", "guide/pck.md"]],
  ["compare", ["@moonpack/pck", "guide/pck-evolution.md"]],
  ["fingerprint", ["@moonpack/pck", "guide/pck.md"]],
  ["emit", ["@moonpack/pck", "guide/pck.md"]],
  ["load", ["@moonpack/load", "guide/load.md"]],
  ["series", ["@moonpack/series", "guide/series.md"]],
  ["prometheus", ["@moonpack/prometheus", "guide/prometheus.md"]],
]);

/** Returns the path of a command's guide: relative to the user's folder if it is in it. Without a name, of the program's guide. */
export function guideOf(command: string | undefined): string {
  const [name, file] = GUIDES.get(command ?? "") ?? [undefined, "README.md"];
  const manifest =
    name === undefined
      ? createRequire(import.meta.url).resolve("#manifest")
      : fileURLToPath(import.meta.resolve(`${name}/package.json`));
  const path = join(dirname(manifest), file);
  const near = relative(userFolder(), path);
  return near.startsWith("..") ? path : near;
}
