/**
 * What a bound function is bound to. Undici gives an interceptor `dispatcher.dispatch.bind(dispatcher)`, and nothing of the language
 * tells of which dispatcher, so V8's inspector is asked, in this thread and without a port.
 */
import { channel } from "node:diagnostics_channel";

const NAME = "moonpack.trace.bound";

/** The inspector looks at the process's first realm, and this code may run in another (`node:vm`, Jest). Both have the same channels. */
const shared: object = /* @__PURE__ */ channel(NAME);

/** The parts of a bound function. */
export interface BoundParts {
  readonly target: unknown;
  readonly receiver: unknown;
}

/** What is handed to the inspector and back. */
interface Slot {
  readonly bound: unknown;
  readonly parts: unknown[];
}

interface Remote {
  readonly objectId?: string;
}

/** The parts that are read. */
const PARTS = ["[[TargetFunction]]", "[[BoundThis]]", "[[BoundArgs]]"] as const;

/** The parts of a bound function without bound arguments; undefined for all else, and where there is no inspector. */
export function partsOfBound(bound: unknown): BoundParts | undefined {
  const slot: Slot = { bound, parts: [] };
  try {
    Reflect.set(shared, "slot", slot);
    fill();
  } catch {
    return undefined; // this Node has no inspector, or does not permit it
  } finally {
    Reflect.deleteProperty(shared, "slot");
  }
  const [target, receiver, args] = slot.parts;
  return Array.isArray(args) && args.length === 0 ? { target, receiver } : undefined;
}

/** Fills the slot. Nothing of the user's runs: the inspector reads parts past proxies and getters. */
function fill(): void {
  const { Session } = process.getBuiltinModule("node:inspector");
  const session = new Session();
  session.connect();
  try {
    const post = <Result>(method: string, parameters: object): Result => {
      let answer: unknown;
      // The answer of one's own thread comes before `post` returns.
      session.post(method, parameters, (error, result) => {
        if (error === null) answer = result;
      });
      return answer as Result;
    };
    const expression = `process.getBuiltinModule("node:diagnostics_channel").channel("${NAME}").slot`;
    const slot = post<{ result: Remote }>("Runtime.evaluate", { expression }).result.objectId;
    const call = (functionDeclaration: string, given: readonly Remote[]) =>
      post<{ result: Remote }>("Runtime.callFunctionOn", { objectId: slot, functionDeclaration, arguments: given })
        .result;
    const { objectId } = call("function () { return this.bound; }", []);
    const { internalProperties } = post<{ internalProperties: { name: string; value: Remote }[] }>(
      "Runtime.getProperties",
      { objectId, ownProperties: true },
    );
    const parts = PARTS.map((part) => internalProperties.find(({ name }) => name === part)!.value.objectId);
    const remotes = parts.map((objectId) => ({ objectId: objectId! }));
    call("function (...parts) { this.parts.push(...parts); }", remotes);
  } finally {
    session.disconnect();
  }
}
