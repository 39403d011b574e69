// Ready bytes of answers that are objects: the same object has the same bytes.
import { buildReply, type ReadyReply, type ReplyKind } from './readyReply.ts';

/** The chain is asked now and then, and the same object is handed out in between: so are its bytes. */
export function createReplyMemory(kind: ReplyKind) {
  const replies = new WeakMap<object, ReadyReply>();
  return {
    of: (value: object): ReadyReply => {
      const known = replies.get(value);
      if (known !== undefined) return known;
      const reply = buildReply(JSON.stringify(value), kind);
      replies.set(value, reply);
      return reply;
    },
  };
}
