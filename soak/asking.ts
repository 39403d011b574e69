// Sends requests as users do, and records each with its reply.
import type { Journal } from './journal.ts';
import type { Server } from './server.ts';

// biome-ignore lint/suspicious/noExplicitAny: a parsed answer, whose parts the asker knows
export type Reply = { readonly status: number; readonly body: any; readonly headers: Headers | null };

export type Ask = (
  server: Server,
  path: string,
  body?: object,
  headers?: Readonly<Record<string, string>>,
) => Promise<Reply>;

const timeoutMs = 40_000;

export function createAsk(journal: Journal): Ask {
  return async (server, path, body, headers = {}) => {
    const from = journal.now();
    const what = `${body === undefined ? 'GET' : 'POST'} ${path.split('?')[0]}`;
    const note = (status: number, detail: string) =>
      void journal.answers.push({ from, to: journal.now(), server: server.name, what, status, detail });
    try {
      const response = await fetch(server.url() + path, {
        signal: AbortSignal.timeout(timeoutMs),
        ...(body !== undefined && {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: JSON.stringify(body),
        }),
      });
      const text = await response.text();
      note(response.status, response.status >= 500 ? text.slice(0, 300) : '');
      return { status: response.status, body: parse(text), headers: response.headers };
    } catch (error) {
      const { cause, message } = error as Error;
      note(0, String((cause as Error | undefined)?.message ?? message));
      return { status: 0, body: {}, headers: null };
    }
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
