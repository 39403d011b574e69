// Proves that events are parsed the same however the bytes are split.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseEventStream, type ServerEvent } from './parseEventStream.ts';

async function parse(bytes: Uint8Array, cut: number): Promise<ServerEvent[]> {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += cut) controller.enqueue(bytes.slice(at, at + cut));
      controller.close();
    },
  });
  const events: ServerEvent[] = [];
  for await (const event of parseEventStream(body, () => undefined)) events.push(event);
  return events;
}

const text =
  ': a comment\n\nretry: 1000\n\nid: 41\nevent: reset\ndata: {}\n\nid: 42\r\nevent: task\r\ndata: {"a":"ü🦊"}\r\n\r\n' +
  'id: 43\n\ndata: one\ndata: two\n\nid: nonsense\ndata:x\n\nid: 44\ndata: never finished';

const expected: ServerEvent[] = [
  { id: 41, event: 'reset', data: '{}' },
  { id: 42, event: 'task', data: '{"a":"ü🦊"}' },
  { id: 43, event: 'message', data: '' },
  { id: 43, event: 'message', data: 'one\ntwo' },
  { id: 43, event: 'message', data: 'x' },
];

test('chunks of any size give the same events', async () => {
  const bytes = new TextEncoder().encode(text);
  for (let cut = 1; cut <= bytes.length; cut++)
    assert.deepEqual(await parse(bytes, cut), expected, `cut ${cut}`);
});

test('a stream whose block never ends is refused', async () => {
  const bytes = new TextEncoder().encode('x'.repeat(1024 * 1024 + 1));
  await assert.rejects(parse(bytes, 65_536), /no events/);
});
