import { dirname, resolve } from "node:path";
import { descriptorOf } from "./descriptors.js";

/**
 * Returns the user's working folder. npm runs a script in its package's folder and passes the user's folder in INIT_CWD. If the
 * script itself has changed folders, the current one counts.
 */
export function userFolder(): string {
  const { INIT_CWD: initial, npm_package_json: manifest } = process.env;
  const movedByNpm = initial !== undefined && manifest !== undefined && dirname(manifest) === process.cwd();
  return movedByNpm ? initial : process.cwd();
}

/** Makes the user's path absolute, relative to the user's folder. */
export function userPath(path: string): string {
  return resolve(userFolder(), path);
}

/** Returns the absolute path of an input; `-` for any name of standard input. */
export function inputPath(path: string): string {
  return path === "-" || descriptorOf(userPath(path)) === 0 ? "-" : userPath(path);
}

/** Returns the absolute path of an output; `-` for any name of standard output. */
export function outputPath(path: string): string {
  return path === "-" || descriptorOf(userPath(path)) === 1 ? "-" : userPath(path);
}
