import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { fileError } from "./failure.js";
import { statusOf } from "./status.js";

/**
 * Creates a folder and its missing parents. Node's `recursive` option loops forever below /proc, where the parent exists but
 * creating a folder in it fails with ENOENT.
 */
export function makeFolder(folder: string): void {
  const missing: string[] = [];
  for (let at = folder; !isThere(at) && dirname(at) !== at; at = dirname(at)) missing.push(at);
  try {
    for (const path of missing.reverse()) make(path);
    // For a file, the system's own error text is right.
    if (missing.length === 0 && !isFolder(folder)) mkdirSync(folder);
  } catch (error) {
    throw fileError("create the folder", folder, error);
  }
}

function make(folder: string): void {
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another program may have created it in the meantime.
    if (!isFolder(folder)) throw error;
  }
}

function isThere(path: string): boolean {
  try {
    return statusOf(path) !== undefined;
  } catch {
    // If it cannot be examined, creating it reports why.
    return false;
  }
}

function isFolder(path: string): boolean {
  return statusOf(path)?.isDirectory() === true;
}
