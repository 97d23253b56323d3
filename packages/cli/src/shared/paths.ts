import { dirname, resolve } from "node:path";

/**
 * Where the user stands. npm moves a script to its package's folder and keeps the user's own in INIT_CWD; a script that
 * changed folders by itself means the new one.
 */
export function userFolder(): string {
  const { INIT_CWD: initial, npm_package_json: manifest } = process.env;
  const movedByNpm = initial !== undefined && manifest !== undefined && dirname(manifest) === process.cwd();
  return movedByNpm ? initial : process.cwd();
}

/** A path as the user wrote it, made absolute from where the user stands. */
export function userPath(path: string): string {
  return resolve(userFolder(), path);
}
