// Listeners on an emitter that requests share, each for another event. Prints the growth of the heap in bytes.
import { EventEmitter } from "node:events";
import { bindEmitter, runWithId } from "@moonpack/trace";

/** An emitter with its own way of removing: ours then has to know its wrappers. */
class Channel extends EventEmitter {
  removeListener(event, listener) {
    return super.removeListener(event, listener);
  }
}
const channel = bindEmitter(new Channel());
let answered = 0;

function ask(number) {
  const event = `reply ${number}`;
  runWithId(() => {
    const listener = () => {
      answered++;
      channel.removeListener(event, listener);
    };
    channel.on(event, listener);
  });
  channel.emit(event);
  channel.emit(event);
}

function heap() {
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}

for (let i = 0; i < 5000; i++) ask(i);
const before = heap();
for (let i = 0; i < 20_000; i++) ask(i);
const grown = heap() - before;
process.stdout.write(JSON.stringify({ answered, left: channel.eventNames().length, grown }));
