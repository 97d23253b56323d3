/** Pings, and the end of a connection whose peer gives no sign of life. */
import { MoonpackError } from "moonpack/bytes";
import { PONG, signalBytes } from "./kinds.js";
import { Ticks } from "./ticks.js";
import type { Wire } from "./wire.js";

/** Watches over the peer of one connection. */
export class Life {
  /** True while the socket is paused, which hears nothing: the peer must hear that this end lives. */
  isPaused = false;
  /** True once the peer has sent a ping as a message, or STOP: it cannot pause, and may see no other pings. */
  peerSignals = false;
  readonly #ticks = new Ticks();

  /** Calls `ping` from now on, and `dead` with the error if nothing has come for `deadAfterMs`; 0 is never. */
  start(wire: Wire, deadAfterMs: number, ping: () => void, dead: (error: MoonpackError) => void): void {
    if (deadAfterMs === 0) return;
    this.#ticks.start(deadAfterMs, (parts) => {
      if (this.isPaused) {
        // An answer would not be heard, and would wait at the peer.
        this.sign();
        if (this.peerSignals && wire.bufferedBytes === 0) wire.send(signalBytes(PONG));
        wire.beat?.();
        return;
      }
      if (parts >= Ticks.PARTS)
        return dead(new MoonpackError("ERR_WEBSOCKET_TIMEOUT", `no sign of life for ${deadAfterMs} ms`));
      ping();
    });
    // Before anything else is sent: a peer that is paused later repeats its answer, as a sign of life. Pages get answers in messages.
    ping();
  }

  /** Something has come from the peer. */
  sign(): void {
    this.#ticks.restart();
  }

  stop(): void {
    this.#ticks.stop();
  }
}
