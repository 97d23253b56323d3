import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fetchStream, fetchValue, streamBody } from "@moonpack/http/client";
import { bodies, type NodeBodies, type NodeRequest, type NodeResponse } from "@moonpack/http/node";

async function main(): Promise<void> {
  const http: NodeBodies = bodies({ maxBytes: 1000 });
  const answer = async (request: NodeRequest, response: NodeResponse): Promise<void> => {
    try {
      if (request.url === "/value") http.send(response, await http.read(request));
      else await http.sendStream(response, http.readStream(request));
    } catch (error) {
      http.sendProblem(response, error);
    }
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  console.log(JSON.stringify(await fetchValue(`${url}/value`, { value: [1, "two"] }))); // [1,"two"]
  for await (const value of fetchStream(url, { body: streamBody([1, 2]) })) console.log(value);
  // 1
  // 2
  const large = await fetchValue(`${url}/value`, { value: "x".repeat(2000) }).catch((error: unknown) => String(error));
  console.log(large); // ResponseError: 413: the body has more than 1000 bytes
  server.close();
  server.closeAllConnections();
}
main().catch((error: unknown) => console.log(String(error)));
