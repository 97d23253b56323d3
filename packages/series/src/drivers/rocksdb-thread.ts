// The entry of the writing thread: it does work when it is imported, and nothing else imports it.
import { serveWrites } from "./rocksdb-writer.js";

await serveWrites();
