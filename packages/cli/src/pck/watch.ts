import { spawn } from "node:child_process";
import { existsSync, type FSWatcher, watch } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { Failure, fileError } from "../shared/failure.js";
import { summarize } from "../shared/messages.js";
import { userFolder, userPath } from "../shared/paths.js";
import { printable } from "../shared/printable.js";
import { tellSupervisor } from "../shared/supervisor.js";
import { filesAndImports } from "./imports.js";

/** Editors write a file in several steps: events within this time count as one change. */
const QUIET_MS = 100;

/**
 * Runs the command without `--watch`, now and whenever one of the files, or a file that they import, changes. Each run is a new
 * process, since Node never reloads a module. Watching continues after errors, which are printed, except for a usage error in the first
 * run. Ends with the process.
 */
export async function watching(files: readonly string[]): Promise<void> {
  const roots = files.map(userPath);
  const folders = new Folders();
  folders.follow(filesAndImports(roots));
  const code = await runOnce();
  if (code === 2) {
    folders.close();
    process.exitCode = 2;
    return;
  }
  for (;;) {
    const { size } = folders.follow(filesAndImports(roots));
    const imported = size - roots.length;
    const others = imported > 0 ? ` and ${imported} imported ${imported === 1 ? "file" : "files"}` : "";
    summarize(`watching ${printable(files.join(", "))}${others}; press Ctrl-C to end\n`);
    const changed = await folders.change();
    summarize(`\n${printable(relative(userFolder(), changed))} changed\n`);
    // The changed file may have new imports.
    folders.follow(filesAndImports(roots));
    await runOnce();
  }
}

/** The module that the process was started with; `process.argv[1]` of this thread is another one. */
const MAIN = createRequire(import.meta.url).resolve("#main");

/** Returns the exit code of the command without `--watch`. */
function runOnce(): Promise<number> {
  const args = process.argv.slice(2).filter((argument) => argument !== "--watch");
  const child = spawn(process.execPath, [...process.execArgv, MAIN, ...args], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  const { pid } = child;
  if (pid !== undefined) tellSupervisor({ kind: "child", pid });
  return new Promise((resolve, reject) => {
    child.on("error", (error) => reject(new Failure(`cannot start: ${error.message}`)));
    child.on("close", (code) => {
      if (pid !== undefined) tellSupervisor({ kind: "childGone", pid });
      resolve(code ?? 1);
    });
  });
}

/** Changes of files. Their folders are watched: a watcher of a file loses it when another file replaces it. */
class Folders {
  #files: ReadonlySet<string> = new Set();
  readonly #watchers = new Map<string, FSWatcher>();
  /** A change that has not been returned yet. */
  #changed: string | undefined;
  #tell: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #failed: Failure | undefined;

  /** Watches these files from now on. Returns those that exist. */
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

  /** Waits until a file has changed and events have stopped for a moment. Returns the file. */
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
        // Some systems do not report the file.
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
