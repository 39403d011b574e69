// A chat gateway that speaks the OpenAI-compatible shape and misbehaves on demand.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { listen } from './listen.ts';

export type ChatQuestion = {
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: {
    readonly model: string;
    readonly messages: readonly { readonly role: string; readonly content: string }[];
    readonly stream?: boolean;
  };
};

/** Answers one question in whatever way; `key` is the one it was asked with. */
export type Behaviour = (response: ServerResponse, question: ChatQuestion, key: string) => void;

export type FakeChatGateway = Awaited<ReturnType<typeof startChatGateway>>;

export const answerText = 'Grüße from the model 🦊';
export const answerModel = 'model-that-answered';

export async function startChatGateway() {
  const asked: ChatQuestion[] = [];
  let behaviours: Behaviour[] = [well];
  let abandoned = 0;
  const server = createServer(async (request, response) => {
    response.once('close', () => {
      if (!response.writableFinished) abandoned++;
    });
    const question = { url: request.url, headers: request.headers, body: JSON.parse(await text(request)) };
    asked.push(question);
    const behaviour = behaviours.length > 1 ? behaviours.shift() : behaviours[0];
    behaviour?.(response, question, (request.headers.authorization ?? '').replace('Bearer ', ''));
  });
  const { url, close } = await listen(server);
  return {
    baseUrl: `${url}/v1`,
    close,
    asked,
    /** What it does from now on, in turn; the last one stays. */
    behave: (...next: Behaviour[]) => {
      behaviours = next;
      asked.length = 0;
      abandoned = 0;
    },
    /** Number of requests that the client cancelled before the reply. */
    abandoned: () => abandoned,
  };
}

const completion = (content: unknown) =>
  JSON.stringify({
    id: 'c1',
    model: answerModel,
    choices: [{ index: 0, message: { role: 'assistant', content } }],
  });

export const well: Behaviour = (response, { body }) => {
  if (body.stream) return void response.writeHead(200, eventStream).end(streamOf(answerText) + done);
  response.writeHead(200, { 'content-type': 'application/json' }).end(completion(answerText));
};

/** With the key in its words, as careless gateways do. */
export const refuse =
  (status: number, headers: Record<string, string> = {}): Behaviour =>
  (response, _question, key) =>
    void response
      .writeHead(status, headers)
      .end(JSON.stringify({ error: { message: `${key} of ACCOUNT-7` } }));

export const say =
  (body: string): Behaviour =>
  (response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(body);

export const silent: Behaviour = () => undefined;

export const truncated: Behaviour = (response) => {
  const body = completion(answerText);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length + 100 });
  response.write(body, () => response.destroy());
};

export const huge: Behaviour = (response) => void response.end(completion('x'.repeat(1024 * 1024)));

/** A few kilobytes on the wire. */
export const hugeWhenUnpacked: Behaviour = (response) =>
  void response
    .writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
    .end(gzipSync(completion('x'.repeat(4 * 1024 * 1024))));

export const redirecting =
  (location: string): Behaviour =>
  (response) =>
    void response.writeHead(307, { location }).end();

const eventStream = { 'content-type': 'text/event-stream' };
const done = 'data: [DONE]\n\n';

function streamOf(content: string): string {
  const piece = (delta: object) =>
    `data: ${JSON.stringify({ model: answerModel, choices: [{ delta }] })}\n\n`;
  const words = content.split(/(?<= )/).map((word) => piece({ content: word }));
  return [piece({ role: 'assistant' }), ...words].join('');
}

export const streamed =
  (...after: readonly string[]): Behaviour =>
  (response) =>
    void response.writeHead(200, eventStream).end(streamOf(answerText) + after.join(''));

export const streamedAndCut: Behaviour = (response) => {
  response.writeHead(200, eventStream);
  response.write(streamOf(answerText), () => response.destroy());
};

export const streamedAndSilent: Behaviour = (response) => {
  response.writeHead(200, eventStream);
  response.write(streamOf(answerText));
};

export const streamedWithoutEnd: Behaviour = (response) => {
  response.writeHead(200, eventStream);
  const more = () => {
    if (!response.destroyed) response.write(streamOf('x'.repeat(100_000)), more);
  };
  more();
};
