import { readdirSync, readlinkSync } from "node:fs";
import { isatty } from "node:tty";
import { statusOfOpen } from "./status.js";

const NUMBERED = /^\/(?:dev\/fd|proc\/self\/fd)\/(\d{1,9})$/;
const NAMED = new Map([
  ["/dev/stdin", 0],
  ["/dev/stdout", 1],
  ["/dev/stderr", 2],
]);

/**
 * Returns the open descriptor that a path names: /dev/stdout, or /dev/fd/63 as the shell passes for `>(..)`. The descriptor
 * itself is used: the system cannot reopen a socket, and would write a reopened file from its start.
 */
export function descriptorOf(path: string): number | undefined {
  const [, number] = NUMBERED.exec(path) ?? [];
  return number === undefined ? NAMED.get(path) : Number(number);
}

/** The folder in which Linux lists what each descriptor refers to. */
const OPEN = "/proc/self/fd";

/**
 * True for a descriptor that Node opened for itself. Node's timers and wake-up events are anonymous, and both ends of its pipes
 * are in this process; a parent process passes one end only. Without /proc this is unknown: false.
 */
function isNodesOwn(descriptor: number): boolean {
  const target = targetOf(descriptor);
  if (descriptor <= 2 || target === undefined) return false;
  if (target.startsWith("anon_inode:")) return true;
  return (
    target.startsWith("pipe:") && openDescriptors().some((other) => other !== descriptor && targetOf(other) === target)
  );
}

function openDescriptors(): readonly number[] {
  return readdirSync(OPEN).map(Number);
}

function targetOf(descriptor: number): string | undefined {
  try {
    return readlinkSync(`${OPEN}/${descriptor}`);
  } catch {
    return undefined;
  }
}

/**
 * Returns the kind of an inherited descriptor: a terminal, something that may block (a pipe or socket), or a file or device.
 * Throws `EBADF` for any other descriptor.
 */
export function kindOf(descriptor: number): "terminal" | "pipe" | "file" {
  if (isNodesOwn(descriptor)) throw Object.assign(new Error("EBADF: bad file descriptor"), { code: "EBADF" });
  if (isatty(descriptor)) return "terminal";
  const status = statusOfOpen(descriptor);
  return status.isFIFO() || status.isSocket() ? "pipe" : "file";
}
