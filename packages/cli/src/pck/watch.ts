import { spawn } from "node:child_process";
import { existsSync, type FSWatcher, watch } from "node:fs";
import { dirname, join, relative } from "node:path";
import { Failure, fileError } from "../shared/failure.js";
import { userFolder, userPath } from "../shared/paths.js";
import { filesBehind } from "./imports.js";

/** Editors write a file in several steps: what comes within this time is one change. */
const QUIET_MS = 100;

/**
 * Does what the command line says, without `--watch`, now and whenever one of the files changes or one that they import. Each time
 * in a process of its own: modules that were loaded once are never loaded anew. What fails is said, and watching goes on, but for
 * bad usage at the first time. Ends with the process.
 */
export async function watching(files: readonly string[]): Promise<void> {
  const roots = files.map(userPath);
  const folders = new Folders();
  folders.follow(filesBehind(roots));
  const code = await runOnce();
  if (code === 2) {
    folders.close();
    process.exitCode = 2;
    return;
  }
  for (;;) {
    const { size } = folders.follow(filesBehind(roots));
    const others = size > roots.length ? ` and ${size - roots.length} more that it imports` : "";
    process.stdout.write(`watching ${files.join(", ")}${others}; Ctrl-C ends\n`);
    const changed = await folders.change();
    process.stdout.write(`\n${relative(userFolder(), changed)} changed\n`);
    // Its imports may have.
    folders.follow(filesBehind(roots));
    await runOnce();
  }
}

/** The exit code of the same command without `--watch`. */
function runOnce(): Promise<number> {
  const args = process.argv.slice(1).filter((argument) => argument !== "--watch");
  const child = spawn(process.execPath, [...process.execArgv, ...args], { stdio: ["ignore", "inherit", "inherit"] });
  return new Promise((resolve, reject) => {
    child.on("error", (error) => reject(new Failure(`cannot start: ${error.message}`)));
    child.on("close", (code) => resolve(code ?? 1));
  });
}

/** Changes of files, seen in their folders: a file that is replaced by another one is lost to who watches it by itself. */
class Folders {
  #files: ReadonlySet<string> = new Set();
  readonly #watchers = new Map<string, FSWatcher>();
  /** A change that nobody has waited for yet. */
  #changed: string | undefined;
  #tell: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #failed: Failure | undefined;

  /** Watches these files from now on; answers those of them that are there. */
  follow(files: ReadonlySet<string>): ReadonlySet<string> {
    this.#files = files;
    const folders = new Set([...files].map((file) => dirname(file)).filter((folder) => existsSync(folder)));
    for (const [folder, watcher] of this.#watchers) {
      if (folders.has(folder)) continue;
      watcher.close();
      this.#watchers.delete(folder);
    }
    for (const folder of folders) if (!this.#watchers.has(folder)) this.#watch(folder);
    return new Set([...files].filter((file) => existsSync(file)));
  }

  /** The next file that changes, once nothing has for a while. */
  async change(): Promise<string> {
    await new Promise<void>((resolve) => {
      this.#tell = resolve;
      if (this.#changed !== undefined || this.#failed !== undefined) this.#wait();
    });
    this.#tell = undefined;
    if (this.#failed !== undefined) throw this.#failed;
    const changed = this.#changed!;
    this.#changed = undefined;
    return changed;
  }

  close(): void {
    for (const watcher of this.#watchers.values()) watcher.close();
  }

  #watch(folder: string): void {
    const fail = (error: unknown) => {
      this.#failed = fileError("watch", folder, error);
      this.#wait();
    };
    try {
      const watcher = watch(folder, (_, name) => {
        // Some systems do not say which.
        const file = name === null ? [...this.#files].find((one) => dirname(one) === folder) : join(folder, name);
        if (file === undefined || !this.#files.has(file)) return;
        this.#changed = file;
        this.#wait();
      });
      watcher.on("error", fail);
      this.#watchers.set(folder, watcher);
    } catch (error) {
      fail(error);
    }
  }

  #wait(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#tell?.(), QUIET_MS);
  }
}
