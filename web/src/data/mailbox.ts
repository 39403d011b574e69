// The mailbox of a wallet at the gateway that served this page: what arrived there, and sending to others.
import { SvcError } from '@svc/sdk/domain';
import { errorSchema, type Mail, mailboxPageSchema } from '@svc/sdk/schemas';

const pageSize = 100;

/** Everything after a position, own messages included. */
export async function loadMessages(token: string, after: number, signal?: AbortSignal): Promise<Mail[]> {
  const found: Mail[] = [];
  for (let next = after; ; ) {
    const reply = await request(`/v1/mailbox?after=${next}&limit=${pageSize}`, {
      headers: { authorization: `Bearer ${token}` },
      ...(signal !== undefined && { signal }),
    });
    const { messages, nextAfter } = mailboxPageSchema.parse(reply);
    if (messages.length === 0 || nextAfter <= next) return found;
    found.push(...messages);
    next = nextAfter;
  }
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
    // Another message came first, or one that this page has not read yet.
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
