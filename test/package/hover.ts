// What an editor shows of a program: asks the TypeScript server for the hover of each place in it.
import { spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';

type Reply = { readonly id?: number; readonly result?: { readonly contents?: { readonly value?: string } } };

/** The words under the type, at each place: an offset in the text. Empty where there are none. */
export async function readHovers(
  server: readonly [file: string, ...args: string[]],
  file: string,
  text: string,
  places: readonly number[],
): Promise<string[]> {
  const [command, ...args] = server;
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  const waiting = new Map<number, (reply: Reply) => void>();
  let buffer = Buffer.alloc(0);
  child.stdout.on('data', (bytes: Buffer) => {
    buffer = Buffer.concat([buffer, bytes]);
    for (;;) {
      const end = buffer.indexOf('\r\n\r\n');
      const length = Number(
        /content-length: (\d+)/i.exec(buffer.subarray(0, Math.max(end, 0)).toString())?.[1],
      );
      if (end < 0 || buffer.length < end + 4 + length) return;
      const reply = JSON.parse(buffer.subarray(end + 4, end + 4 + length).toString());
      buffer = buffer.subarray(end + 4 + length);
      if (reply.method === undefined) waiting.get(reply.id)?.(reply);
      // The server asks for settings and registers itself: there is nothing to say.
      else if (reply.id !== undefined) write({ id: reply.id, result: null });
    }
  });
  const write = (message: object) => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  };
  const ask = (id: number, method: string, params: object) =>
    new Promise<Reply>((resolve) => {
      waiting.set(id, resolve);
      write({ id, method, params });
    });
  const ended = new Promise<never>((_, reject) => {
    child.once('exit', (code) => reject(new Error(`The TypeScript server ended with ${code}.`)));
  });
  ended.catch(() => undefined);

  const uri = pathToFileURL(file).href;
  const work = async () => {
    const capabilities = { textDocument: { hover: { contentFormat: ['markdown'] } } };
    await ask(1, 'initialize', { processId: process.pid, rootUri: null, capabilities });
    write({ method: 'initialized', params: {} });
    write({
      method: 'textDocument/didOpen',
      params: { textDocument: { uri, languageId: 'typescript', version: 1, text } },
    });
    return Promise.all(
      places.map(async (place, at) => {
        const before = text.slice(0, place).split('\n');
        const position = { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
        const { result } = await ask(at + 2, 'textDocument/hover', { textDocument: { uri }, position });
        const shown = result?.contents?.value ?? '';
        return shown.replace(/```[\s\S]*?```/g, '').trim();
      }),
    );
  };
  try {
    return await Promise.race([work(), ended]);
  } finally {
    child.kill();
  }
}
