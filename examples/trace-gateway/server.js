// Shared by the servers.

/** Sends JSON. */
export function reply(response, status, value) {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}

/** Listens on a free port, sends the port to the parent process, and ends with that process. */
export function listening(server, port = Number(process.env.PORT ?? 0)) {
  server.listen(port, "127.0.0.1", () => process.send?.({ url: `http://127.0.0.1:${server.address().port}` }));
  process.once("disconnect", () => process.exit());
  // Ctrl-C reaches all processes of a terminal: the one that started this one decides.
  process.on("SIGINT", () => undefined);
}
