/** Pings, and the end of a connection whose peer sends nothing. */
import { MoonpackError } from "moonpack/bytes";
import { PONG, signalBytes } from "./messages.js";
import { SteppedTimeout } from "./stepped-timeout.js";
import type { Transport } from "./transport.js";

/** Detects a dead peer of one connection. */
export class Heartbeat {
  /** True while the socket is paused. This end then receives nothing, but must still show the peer that it is alive. */
  isPaused = false;
  /** True once the peer has sent PING or PAUSE as a message: it cannot pause, and may not see pings of the protocol. */
  peerSignals = false;
  readonly #timer = new SteppedTimeout();

  /** Starts to call `ping`. Calls `onDead` with the error if nothing arrives for `idleMs`; 0 disables both. */
  start(transport: Transport, idleMs: number, ping: () => void, onDead: (error: MoonpackError) => void): void {
    if (idleMs === 0) return;
    this.#timer.start(idleMs, (steps) => {
      if (this.isPaused) {
        // A ping's answer would not be read, and would wait at the peer.
        this.received();
        if (this.peerSignals && transport.bufferedBytes === 0) transport.send(signalBytes(PONG));
        transport.repeatPong?.();
        return;
      }
      if (steps >= SteppedTimeout.STEPS)
        return onDead(new MoonpackError("ERR_WEBSOCKET_TIMEOUT", `nothing has arrived from the peer for ${idleMs} ms`));
      ping();
    });
    // The first ping precedes all messages: a peer that pauses later repeats its answer to it. Pages answer in messages.
    ping();
  }

  /** Something has arrived from the peer. */
  received(): void {
    this.#timer.restart();
  }

  stop(): void {
    this.#timer.stop();
  }
}
