import { type AsyncHook, createHook } from "node:async_hooks";

/**
 * Disables a hook of `async_hooks`, so that promises cost what they did before. While another hook stays enabled, as that of every
 * AsyncLocalStorage does in Node 20 and 22, `disable` leaves what this one wanted attached to all promises: awaits took a sixth to
 * a third longer from then on. Node looks again at what is wanted when a hook is enabled; one without functions would not do where
 * it is the only one, since disabling it changes nothing.
 */
export function switchOff(hook: AsyncHook): void {
  hook.disable();
  createHook({ init: nothing }).enable().disable();
}

function nothing(): void {}
