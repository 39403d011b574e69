// Parses a stream of bytes into server-sent events (WHATWG HTML, 9.2.6). Replaces eventsource-parser: this reports every
// received byte, which the detection of dead connections needs.

export type ServerEvent = {
  /** The last id of the stream; null before the first one. */
  readonly id: number | null;
  readonly event: string;
  /** Empty when a block only had an id. */
  readonly data: string;
};

/** Far above the longest event of this API. */
const maxBlockLength = 1024 * 1024;

/** `onBytes` is called for every received chunk, including comments. */
export async function* parseEventStream(
  body: ReadableStream<Uint8Array>,
  onBytes: () => void,
): AsyncGenerator<ServerEvent> {
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader();
  let rest = '';
  let id: number | null = null;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onBytes();
      const blocks = (rest + value).replaceAll('\r\n', '\n').split('\n\n');
      rest = blocks.pop() ?? '';
      if (rest.length > maxBlockLength) throw new Error('the stream holds no events');
      for (const block of blocks) {
        const fields = parseBlock(block);
        id = parseId(fields.get('id')) ?? id;
        if (fields.has('id') || fields.has('data')) {
          yield { id, event: fields.get('event') ?? 'message', data: fields.get('data') ?? '' };
        }
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function parseBlock(block: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':');
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    const before = fields.get(name);
    if (name !== '')
      fields.set(name, name === 'data' && before !== undefined ? `${before}\n${value}` : value);
  }
  return fields;
}

function parseId(text: string | undefined): number | null {
  return text !== undefined && /^[0-9]{1,15}$/.test(text) ? Number(text) : null;
}
