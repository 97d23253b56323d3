/** The WebSocket of a page, without a network: sent bytes stay in `bufferedAmount`. */
export function fakePageSocket() {
  const listeners = new Map<string, (event: never) => void>();
  const socket = {
    binaryType: "",
    readyState: 1,
    bufferedAmount: 0,
    send: (data: Uint8Array) => void (socket.bufferedAmount += data.length),
    close: () => listeners.get("close")?.({ code: 1006, reason: "" } as never),
    addEventListener: (type: string, listener: (event: never) => void) => void listeners.set(type, listener),
    removeEventListener: (type: string) => void listeners.delete(type),
  };
  /** Calls the listener of the socket, as the browser does. */
  const emit = (type: string, event: object): void => listeners.get(type)?.(event as never);
  return { socket, emit };
}
