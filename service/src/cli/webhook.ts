// `svc webhook`: sends changes of tasks to a URL, for the operator of a gateway.
import { openWebhookOperator } from '../app/webhookServices.ts';
import { defineVerbs, text, type Usage } from './options.ts';

export const usage = {
  command: 'webhook',
  synopsis: [
    'add <url> [--task <id>] [--wallet <address>] [--kind <state>]',
    'list',
    'remove <id>',
    'resume <id>',
  ],
  about:
    'Sends changes of tasks to a URL, signed, in order and at least once. For the operator: it works on the rows in SVC_DATA_DIR or DATABASE_URL, and a gateway on the same rows delivers.',
  words: 2,
  wordList: {
    add: 'begin with the next change; prints the secret for checking signatures, once',
    list: 'webhooks with their filter, how far they are, and whether they fail or have stopped',
    remove: 'end a webhook',
    resume: 'go on where a webhook stopped, because its URL did not take a change in twelve attempts',
  },
  options: {
    task: text('<id>', 'add: only this task, such as v2:standard:12'),
    wallet: text('<address>', 'add: only tasks of which this wallet is poster or worker'),
    kind: text('<state>', 'add: only when a task reaches or changes in this state, such as delivered'),
  },
  json: 'print the result as one line of JSON',
  examples: [
    'svc webhook add https://agent.example/svc --wallet 0xa0Ee7A142d267C1f36714E4a8F75612F20a79720',
    'svc webhook add https://agent.example/svc --kind delivered --json',
    'svc webhook list',
  ],
} as const satisfies Usage;

export const run = defineVerbs(usage, async ({ verb, values, words, need, say }, config) => {
  const [, subject] = words;
  const operator = await openWebhookOperator(config);
  try {
    if (verb === 'add') {
      const { task, wallet, kind } = values;
      const made = await operator.add(need('a URL'), {
        ...(task !== undefined && { task }),
        ...(wallet !== undefined && { wallet }),
        ...(kind !== undefined && { kind }),
      });
      const secret = `Its secret, shown only now: ${made.secret}`;
      say(made, `The webhook ${made.id} begins with the next change.`, secret);
    } else if (verb === 'list') {
      const hooks = (await operator.list()).map(({ secret: _, ...shown }) => shown);
      const rows = hooks.map(({ id, url, taskId, wallet, kind, position, failures, hasStopped }) => {
        const filter = [taskId, wallet, kind].filter((one) => one !== null).join(' ') || 'all open tasks';
        const state = hasStopped ? ', stopped' : failures > 0 ? `, failed ${failures} times` : '';
        return `${id}  ${url}  ${filter}  at ${position}${state}`;
      });
      say({ webhooks: hooks }, ...(rows.length === 0 ? ['There are no webhooks.'] : rows));
    } else if (verb === 'remove') {
      await operator.remove(need('the id of a webhook'));
      say({ removed: subject }, 'It is removed.');
    } else {
      await operator.resume(need('the id of a webhook'));
      say({ resumed: subject }, 'It goes on where it was.');
    }
  } finally {
    await operator.close();
  }
});
