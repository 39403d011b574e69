// Markdown of unknown writers as tokens of a safe subset: no HTML, no picture that loads, nothing hidden. What the subset
// lacks stays text, so that every word can be read.
import { Lexer, type MarkedToken, type Token, Tokenizer, type Tokens } from 'marked';

export type { MarkedToken };

/** What comes after it ends the text as one plain paragraph. */
const maxLength = 30_000;
/** Longer paragraphs are plain text: the time to find emphasis grows with the square of the length. */
const maxParagraph = 5_000;
/** Lists, quotes and emphasis further inside are plain text. */
const maxDepth = 6;

export function parseMarkdown(text: string): readonly MarkedToken[] {
  const lexer = new SafeLexer({ gfm: true, tokenizer: new SafeTokenizer() });
  const tokens = lexer.lex(text.slice(0, maxLength)) as MarkedToken[];
  const rest = text.slice(maxLength);
  if (rest === '') return tokens;
  return [...tokens, { type: 'paragraph', raw: rest, text: rest, tokens: [plain(rest)] }];
}

function plain(text: string): Tokens.Text {
  return { type: 'text', raw: text, text, escaped: false };
}

class SafeLexer extends Lexer {
  override inlineTokens(src: string, tokens: Token[] = []): Token[] {
    if (src.length <= maxParagraph) return super.inlineTokens(src, tokens);
    tokens.push(plain(src));
    return tokens;
  }
}

/** They hide words, make markup, or turn plain sentences into something else. */
const ignoredRules = ['html', 'tag', 'def', 'reflink', 'table', 'lheading', 'code'] as const;

class SafeTokenizer extends Tokenizer {
  #depth = 0;

  constructor() {
    super();
    for (const rule of ignoredRules) this[rule] = () => undefined;
  }

  override blockquote(src: string): Tokens.Blockquote | undefined {
    return this.#nest(() => super.blockquote(src));
  }

  override list(src: string): Tokens.List | undefined {
    return this.#nest(() => super.list(src));
  }

  override emStrong(src: string, masked: string, before?: string): Tokens.Em | Tokens.Strong | undefined {
    // Names such as `__init__` keep their underscores. The lexer takes any token here.
    if (src.startsWith('__')) return plain('__') as never;
    return this.#nest(() => super.emStrong(src, masked, before));
  }

  override del(src: string, masked: string, before?: string): Tokens.Del | undefined {
    return src.startsWith('~~') ? this.#nest(() => super.del(src, masked, before)) : undefined;
  }

  override link(src: string): Tokens.Link | Tokens.Image | undefined {
    const token = super.link(src);
    // A title would be hidden until the pointer is on the link.
    return token !== undefined && isWebAddress(token.href) && token.title == null ? token : undefined;
  }

  override autolink(src: string): Tokens.Link | undefined {
    return isWebAddress(src.slice(1)) ? super.autolink(src) : undefined;
  }

  override url(src: string): Tokens.Link | undefined {
    return isWebAddress(src) ? super.url(src) : undefined;
  }

  #nest<Found>(read: () => Found): Found | undefined {
    if (this.#depth >= maxDepth) return undefined;
    this.#depth += 1;
    try {
      return read();
    } finally {
      this.#depth -= 1;
    }
  }
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text);
}
