import { connect } from "@moonpack/websocket/browser";
import { kinds, POINTER } from "./kinds.js";

const state = document.querySelector("#state");
const pointers = new Map();
let connection;

addEventListener("pointermove", ({ clientX, clientY }) => {
  // Drops a position if earlier ones are still unsent.
  if (!connection?.isOpen || connection.bufferedBytes > 1000) return;
  void connection.sendKind(POINTER, { who: 0, x: clientX / innerWidth, y: clientY / innerHeight });
});

function show({ who, x, y }) {
  let dot = pointers.get(who);
  if (dot === undefined) {
    dot = document.createElement("div");
    dot.className = "pointer";
    dot.style.background = `hsl(${(who * 137) % 360} 80% 50%)`;
    pointers.set(who, dot);
    document.body.append(dot);
  }
  dot.style.left = `${x * 100}%`;
  dot.style.top = `${y * 100}%`;
}

function remove(who) {
  pointers.get(who)?.remove();
  pointers.delete(who);
}

async function run() {
  connection = await connect(location.origin.replace("http", "ws"), { kinds, idleTimeout: 10_000 });
  for await (const { kind, value } of connection) {
    if (kind === POINTER) show(value);
    else if (value.hello !== undefined) state.textContent = `you are ${value.hello}`;
    else remove(value.left);
  }
}

// Reconnects forever. The delay grows to 10 seconds; a successful connection resets it.
for (let delay = 250; ; delay = Math.min(2 * delay, 10_000)) {
  await run().catch((error) => console.warn(error));
  if (connection !== undefined) delay = 250;
  connection = undefined;
  for (const who of [...pointers.keys()]) remove(who);
  state.textContent = "not connected";
  await new Promise((resolve) => setTimeout(resolve, delay * (0.5 + Math.random())));
}
