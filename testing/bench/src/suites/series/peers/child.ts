/** The process of a peer: the job is its argument, the result a line of JSON. */
import { type PeerJob, peerWork } from "./work.js";

console.log(JSON.stringify(await peerWork(JSON.parse(process.argv[2]!) as PeerJob)));
