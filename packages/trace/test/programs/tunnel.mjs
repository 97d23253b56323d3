// A proxy's answer to CONNECT.
import { connect } from "node:net";

/** Connects a client of a proxy with the requested server. */
export function tunnel(request, socket) {
  const [host, port] = request.url.split(":");
  const target = connect(Number(port), host, () => {
    socket.write("HTTP/1.1 200 OK\r\n\r\n");
    socket.pipe(target).pipe(socket);
  });
  target.on("error", () => socket.destroy());
  socket.on("error", () => target.destroy());
}
