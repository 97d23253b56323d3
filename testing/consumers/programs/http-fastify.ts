import {
  bodies,
  type FastifyBodies,
  type FastifyLike,
  type FastifyPlugin,
  type FastifyReplyLike,
  type FastifyRequestLike,
  type RouteConfig,
  type RouteOptions,
} from "@moonpack/http/fastify";

/** The plugin's additions to a server. */
class Server implements FastifyLike {
  readonly added: string[] = [];
  addContentTypeParser(types: never): void {
    this.added.push(...(types as string[]));
  }
  addHook(name: never): void {
    this.added.push(name);
  }
}

function main(): void {
  const http: FastifyBodies = bodies({ json: false });
  const plugin: FastifyPlugin = http.plugin;
  const server = new Server();
  plugin(server, {}, () => console.log(server.added.length, server.added.at(-1))); // 6 preValidation
  const options: RouteOptions = { stream: true };
  const route: RouteConfig = http.route(options);
  console.log(route.config.moonpack.stream); // true
  const send = (reply: FastifyReplyLike, request: FastifyRequestLike) => http.send(reply, request.body);
  console.log(typeof send); // function
}
main();
