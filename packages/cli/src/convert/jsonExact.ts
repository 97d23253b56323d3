import { Tokenizer, TokenizerError, TokenType } from "@streamparser/json";
import { JsonBuilder, type TextOptions } from "./jsonBuilder.js";
import { TokenWalk } from "./jsonFaults.js";

/**
 * Reads JSON without losing anything, where JSON.parse would: integers up to 64 bits are exact (bigint when a number is
 * not enough), a number that nothing can hold is an error, and every error has its offset in the file. Later duplicates
 * of a key win. Errors come in reading order: the same text has the same first error, however much of it is read at once.
 *
 * The registry's tokenizer reads the tokens. It says that one is wrong, but not dependably where: then that one token is
 * looked at again.
 */
export function readJsonText(bytes: Uint8Array, options: TextOptions): unknown {
  const { position } = options;
  const builder = new JsonBuilder(options);
  let building = false;
  const tokenizer = new ExactTokenizer(bytes, (value, offset) => {
    building = true;
    builder.token(bytes[offset]!, value, position + offset);
    building = false;
  });
  try {
    tokenizer.read();
  } catch (error) {
    if (!building) findFault(bytes, builder, options);
    throw error;
  }
  return builder.end(position + bytes.length);
}

/** Throws what is wrong with the first token that has not been built; returns if that is well-formed. */
function findFault(bytes: Uint8Array, builder: JsonBuilder, { position, follow }: TextOptions): void {
  const walk = new TokenWalk(bytes, position, follow);
  if (builder.last >= 0) {
    walk.at = builder.last - position;
    walk.token();
  }
  const byte = walk.peek();
  if (byte < 0) return;
  builder.expect(byte, walk.position);
  walk.token();
}

/** The tokenizer skips a byte order mark before the first string, number or word: it gets a string beforehand. */
const BEFORE = Buffer.from('""');

/** Where one of these is, the tokenizer may have dropped a U+FEFF: it takes it for a byte order mark, even in a string. */
const MARKS = ["\ufeff", "\\ufe", "\\uFe", "\\ufE", "\\uFE"];

/** In a larger text, a string or number is gathered in a buffer of fixed size: else each of its characters may take 8 bytes. */
const LARGE_TEXT = 1 << 20;
const GATHERED = { stringBufferSize: 1 << 16, numberBufferSize: 1 << 16 };

/** The registry's tokenizer, with the texts of numbers, which `Number` would round, and with nothing lost from strings. */
class ExactTokenizer extends Tokenizer {
  readonly #bytes: Buffer;
  readonly #marked: boolean;
  #number = "";

  /** `receive` gets the value of a token, of a number its text, and the offset of its first byte. */
  constructor(bytes: Uint8Array, receive: (value: unknown, offset: number) => void) {
    super(bytes.length > LARGE_TEXT ? GATHERED : {});
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#marked = MARKS.some((mark) => this.#bytes.includes(mark));
    this.onToken = () => {};
    this.write(BEFORE);
    this.onToken = ({ token, value, offset }) => {
      const at = offset - BEFORE.length;
      if (token === TokenType.STRING) receive(this.#string(value as string, at), at);
      else receive(token === TokenType.NUMBER ? this.#number : value, at);
    };
  }

  /** Reads the whole text. */
  read(): void {
    this.write(this.#bytes);
    this.end();
  }

  protected override parseNumber(text: string): number {
    this.#number = text;
    return 0;
  }

  #string(value: string, at: number): string {
    if (!value.isWellFormed()) throw new TokenizerError("a string holds half a surrogate pair");
    if (!this.#marked) return value;
    const walk = new TokenWalk(this.#bytes, 0, "");
    walk.at = at;
    walk.token();
    return JSON.parse(this.#bytes.toString("utf8", at, walk.at));
  }
}
