/**
 * A trampoline: nested work with its stack on the heap, for values that are nested deeper than recursion may go. A task
 * is a generator: it yields the task that it waits for, and receives that task's result. An error of the inner task is
 * thrown at the `yield`.
 */
import type { Node } from "../model/model.js";

/** A piece of work that may wait for others. */
export interface Task extends Generator<Task, unknown, unknown> {}

/**
 * Structs nested deeper than this are read and written by {@link runTask}. A level of recursion takes about 250 bytes of
 * stack for each of its two or three calls, and half of a usual stack is 490 KB.
 */
export const RECURSIVE_DEPTH = 256;

/** Runs a task and all tasks that it waits for, and returns its result. */
export function runTask(first: Task): unknown {
  const open: Task[] = [first];
  let given: unknown;
  let isThrown = false;
  for (let top: Task | undefined = first; top !== undefined; top = open[open.length - 1]) {
    try {
      const { done, value } = isThrown ? top.throw(given) : top.next(given);
      isThrown = false;
      if (done === true) {
        open.pop();
        given = value;
      } else {
        open.push(value);
        given = undefined;
      }
    } catch (error) {
      open.pop();
      given = error;
      isThrown = true;
    }
  }
  if (isThrown) throw given;
  return given;
}

/** True if values of this type may contain structs. Types without structs nest at most 64 deep. */
export function holdsStructs(node: Node): boolean {
  switch (node.kind) {
    case "ref":
    case "union":
      return true;
    case "array":
      return holdsStructs(node.element);
    case "map":
    case "nullable":
      return holdsStructs(node.value);
    default:
      return false;
  }
}
