/** Stacks that grew larger than this in one message are not kept for the next one. */
const KEPT_STACK = 4096;

/** The pairs of maps that wait until it is known whether they become objects or Maps; see message.ts. */
export class MapStack {
  /** Keys and values of the maps being read, outermost first; the next map's start at `top`. */
  keys: unknown[] = emptyStack();
  values: unknown[] = emptyStack();
  top = 0;
  /** True if a key of the message also exists on Object.prototype; see objects.ts. */
  hasInheritedKey = false;
  /** True if keys other than short strings were read: the stack must not keep them alive. */
  hasLargeKeys = false;

  /** Releases the keys of a message, the pairs that an error has left, and stacks that grew large. */
  release(): void {
    this.hasInheritedKey = false;
    if (!this.hasLargeKeys && this.top === 0 && this.keys.length <= KEPT_STACK) return;
    this.keys = emptyStack();
    this.values = emptyStack();
    this.top = 0;
    this.hasLargeKeys = false;
  }
}

function emptyStack(): unknown[] {
  return new Array<unknown>(64).fill(undefined);
}
