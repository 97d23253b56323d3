// Functions of all servers.

/** Sends JSON. */
export function reply(response, status, value) {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}

/** Listens on any free port, sends it to the parent process, and ends with that process. */
export function listening(server, port = Number(process.env.PORT ?? 0)) {
  server.listen(port, "127.0.0.1", () => process.send?.({ url: `http://127.0.0.1:${server.address().port}` }));
  process.once("disconnect", () => process.exit());
  // Ctrl-C reaches all processes of a terminal: the parent process decides.
  process.on("SIGINT", () => undefined);
}
