// Requests to a server, and what it answers.

export type Answer = {
  readonly status: number;
  readonly headers: Response['headers'];
  /** What an answer holds is the test's business. */
  // biome-ignore lint/suspicious/noExplicitAny: a parsed answer
  readonly body: any;
};

type Headers = Readonly<Record<string, string>>;

export async function readAnswer(response: Response): Promise<Answer> {
  const text = await response.text();
  const isJson = /json/.test(response.headers.get('content-type') ?? '');
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}

export async function get(url: string, path: string, headers: Headers = {}): Promise<Answer> {
  return readAnswer(await fetch(url + path, { headers }));
}

/** A text is sent as it is, all else as JSON. */
export async function send(url: string, path: string, body: unknown, more: Headers = {}): Promise<Answer> {
  const headers = { 'content-type': 'application/json', ...more };
  const sent = typeof body === 'string' ? body : JSON.stringify(body);
  return readAnswer(await fetch(url + path, { method: 'POST', headers, body: sent }));
}
