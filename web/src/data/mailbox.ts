// The mailbox of a wallet at the gateway that served this page: what arrived there, and sending to others.
import { SvcError } from '@svc/sdk/domain';
import { errorSchema } from '@svc/sdk/schemas';
import * as z from 'zod';

const pageSchema = z.object({
  messages: z.array(z.object({ position: z.number(), wire: z.string(), receivedAt: z.number() })),
  nextAfter: z.number().nullable(),
});

export type MailboxMessage = z.infer<typeof pageSchema>['messages'][number];

const pageSize = 100;

/** Everything after a position, own messages included. */
export async function loadMessages(
  token: string,
  after: number,
  signal?: AbortSignal,
): Promise<MailboxMessage[]> {
  const found: MailboxMessage[] = [];
  for (let next: number | null = after; next !== null; ) {
    const reply = await request(`/v1/mailbox?after=${next}&limit=${pageSize}`, {
      headers: { authorization: `Bearer ${token}` },
      ...(signal !== undefined && { signal }),
    });
    const { messages, nextAfter } = pageSchema.parse(reply);
    found.push(...messages);
    next = messages.length < pageSize || nextAfter === null || nextAfter <= next ? null : nextAfter;
  }
  return found;
}

/** `taken`: another message has this place in the conversation, so it must be built again. */
export async function postMessage(token: string, wire: string): Promise<'kept' | 'taken'> {
  try {
    await request('/v1/messages', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: wire,
    });
    return 'kept';
  } catch (error) {
    if (error instanceof SvcError && error.details.status === 409) return 'taken';
    throw error;
  }
}

async function request(path: string, init: RequestInit): Promise<unknown> {
  const response = await fetch(path, { cache: 'no-store', ...init });
  const body: unknown = await response.json().catch(() => null);
  if (response.ok) return body;
  const refusal = errorSchema.safeParse(body);
  const reason = refusal.success ? refusal.data.error : `The gateway replied with status ${response.status}.`;
  throw new SvcError('API_REFUSED', { reason, status: response.status });
}
