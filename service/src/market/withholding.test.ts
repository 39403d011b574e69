// Words that the operator withholds stand nowhere in an event, by whichever hash they are named.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashDocument } from '@svc/sdk/domain';
import { buildInlineUri } from '@svc/sdk/internal/domain/document';
import type { ChainEvent } from '@svc/sdk/internal/domain/event';
import { hideEvent } from './withholding.ts';

const bytes = new TextEncoder().encode('{"title":"Words","criteria":"All of it."}');
const uri = buildInlineUri(bytes);
const criteriaHash = `0x${'c1'.repeat(32)}`;
const eventOf = (args: ChainEvent['args']) => ({ name: 'TaskPosted', args }) as ChainEvent;

test('an event is shown without the place of a document that is withheld by its own hash or by the one on chain', () => {
  const event = eventOf({ criteriaHash, uri, scope: 0 });
  for (const hash of [hashDocument(bytes), criteriaHash])
    assert.deepEqual(hideEvent(event, new Set([hash]))?.args, { criteriaHash, uri: '', scope: 0 });
  assert.deepEqual(hideEvent(eventOf({ reasonUri: uri }), new Set([hashDocument(bytes)]))?.args, {
    reasonUri: '',
  });
  assert.equal(hideEvent(event, new Set([`0x${'d2'.repeat(32)}`])), null);
  assert.equal(hideEvent(event, new Set()), null);
});
