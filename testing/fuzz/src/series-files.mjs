// Checks for the files of a store of @moonpack/series: the parts of blocks and names files. The first byte of an input chooses the part;
// magic numbers, lengths and checksums, which inputs lack, are added here: with a wrong one the rest would never be read.
import { isDeepStrictEqual } from "node:util";
import { crc32 } from "node:zlib";
import { ByteWriter } from "moonpack/bytes";
import { readFooter, writeFooter } from "../../../packages/series/build/blocks/footer.js";
import { readDirectory, writeDirectory } from "../../../packages/series/build/names/names-format.js";
import { readTablePage, writeTablePage } from "../../../packages/series/build/names/table-page.js";
import { outcome } from "./outcome.mjs";

/** Bytes with a gap of four after them, as readers of footers and directories need. */
function padded(body) {
  const bytes = new Uint8Array(body.length + 4);
  bytes.set(body);
  return bytes;
}

function sealed(body) {
  const bytes = padded(body);
  new DataView(bytes.buffer).setUint32(body.length, crc32(body), true);
  return bytes;
}

/** Writes again all that was read. It must read back equal. */
function again(content, write, read) {
  const w = new ByteWriter();
  write(w, content);
  if (!isDeepStrictEqual(read(w.written().slice()), content)) throw new Error("the part reads back different");
}

/** The content of a directory, with keys as lists: they are compared by content. */
function directoryOf({ metrics, forms, tags, ids }) {
  const keys = ({ firstKey }) => Array.from({ length: firstKey.length }, (_, i) => [...firstKey.at(i)]);
  const place = ({ offset, length }) => ({ offset, length });
  return { metrics, forms: place(forms), tags: place(tags), keys: [keys(forms), keys(tags)], ids };
}

const PARTS = [
  (body) => {
    const read = (bytes) => readFooter(padded(bytes), bytes.length);
    const footer = read(body);
    again(footer, (w, { facts, pages }) => writeFooter(w, facts, pages), read);
    return `footer ${Math.min(footer.pages.offset.length, 9)}`;
  },
  (body) => {
    const read = (bytes) => readDirectory(padded(bytes), bytes.length);
    const directory = read(body);
    const w = new ByteWriter();
    writeDirectory(w, directory);
    if (!isDeepStrictEqual(directoryOf(read(w.written().slice())), directoryOf(directory)))
      throw new Error("the directory reads back different");
    return `directory ${Math.min(directory.forms.offset.length, 9)} ${Math.min(directory.ids.offset.length, 9)}`;
  },
  (body) => {
    const entries = readTablePage(sealed(body));
    again(entries, writeTablePage, readTablePage);
    return `table ${entries.length}`;
  },
];

function checkFiles() {
  return (bytes) => {
    const [part = 0] = bytes;
    const body = bytes.slice(1);
    return `${part % PARTS.length} ${outcome(
      () => PARTS[part % PARTS.length](body),
      body.length + 12,
      (kind) => kind,
    )}`;
  };
}

export const checks = { "series-block": checkFiles };
