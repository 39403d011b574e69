// Proves that the command lines of the negotiating commands are read as meant, and mistakes are told by name.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SvcError } from '@svc/sdk/domain';
import { parseInboxArguments } from './inboxOptions.ts';
import { parseMoment } from './moment.ts';
import { parseSendArguments } from './sendOptions.ts';
import { parseSendProposalArguments } from './sendProposalOptions.ts';

const to = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const id = '5f0c9a52-6a3e-4a53-9c6c-0d9b8a1f7f10';

type Parse = (args: readonly string[]) => unknown;

function refuses(parse: Parse, line: string, message: RegExp) {
  assert.throws(
    () => parse(line.split(' ').filter((word) => word !== '')),
    (error: unknown) => error instanceof SvcError && error.code === 'USAGE' && message.test(error.message),
    line,
  );
}

test('a proposal is read with its terms', () => {
  const words = [
    '--total',
    '500',
    '--milestones',
    '200, 300',
    '--review',
    '12',
    '--as',
    'worker',
    '--market',
    'micro',
  ];
  const {
    changes,
    role,
    market,
    to: recipient,
  } = parseSendProposalArguments(['--to', to.toLowerCase(), ...words]);
  const tok = 10n ** 18n;
  assert.deepEqual([role, market, recipient], ['worker', 'micro', to]);
  assert.deepEqual([changes.total, changes.milestones], [500n * tok, [200n * tok, 300n * tok]]);
  assert.equal(changes.reviewSeconds, 12 * 3_600);
});

test('mistakes in svc send-proposal are named', () => {
  const refused = (line: string, message: RegExp) => refuses(parseSendProposalArguments, line, message);
  refused('', /either --to <address> or --negotiation/);
  refused(`--to ${to} --negotiation ${id}`, /either --to/);
  refused('--to bob', /--to: An address must be/);
  refused(`--to ${to} --total 1e3`, /--total: An amount in TOK/);
  refused(`--to ${to} --milestones 1,,2`, /--milestones: An amount in TOK/);
  refused(`--to ${to} --review 1.5`, /--review: must be a whole number of hours/);
  refused(`--to ${to} --as judge`, /--as: must be poster or worker/);
  refused(`--to ${to} --market grand`, /--market: The market must be/);
  refused(`--to ${to} --terms a.json --total 1`, /--terms brings all terms/);
  refused(`--to ${to} --transport pigeon`, /--transport must be local or xmtp/);
  refused(`--to ${to} --loud`, /--loud/);
});

test('mistakes in svc send are named, and a stray argument is not repeated', () => {
  const refused = (line: string, message: RegExp) => refuses(parseSendArguments, line, message);
  refused('', /needs a type: TaskProposal/);
  refused(`toString --negotiation ${id}`, /needs a type/);
  refused('DeliveryNotice', /either --negotiation <id> or --to/);
  refused(`DeliveryNotice --to ${to} --task 7`, /--task: A task id must read/);
  const digest = `0x${'5A'.repeat(32)}`;
  const accept = `TaskAcceptance --negotiation ${id}`;
  refused(`DeliveryNotice --to ${to} --digest ${digest}`, /--digest goes with TaskAcceptance/);
  refused(`${accept} --payload a.json --digest ${digest}`, /without --payload/);
  refused(`${accept} --digest 0x12`, /--digest: must be 0x and 64/);
  const parsed = parseSendArguments(`${accept} --digest ${digest}`.split(' '));
  assert.equal(parsed.digest, digest.toLowerCase());
  refused(
    `DeliveryNotice 0xsecret --to ${to}`,
    /^svc send takes one word and options; see svc send --help\.$/,
  );
});

test('mistakes in svc inbox are named', () => {
  refuses(parseInboxArguments, `--address ${to} --transport xmtp`, /local transport only/);
  refuses(parseInboxArguments, '--transport pigeon', /--transport must be/);
  refuses(parseInboxArguments, '--address bob', /--address: An address must be/);
  refuses(parseInboxArguments, 'stray', /takes options only/);
});

test('a moment is Unix seconds, a date or so much from now, and nothing else', () => {
  const parse = (value: string) => parseMoment('deadline', value, 1_000_000);
  assert.equal(parse('1793348694'), 1_793_348_694);
  assert.equal(parse('2026-12-01T12:00:00Z'), 1_796_126_400);
  assert.deepEqual(['+5m', '+2h', '+7d'].map(parse), [1_000_300, 1_007_200, 1_604_800]);
  for (const wrong of ['', 'soon', '7d', '+7', '-1', '1.5', '2026', '2026-13-01T00:00:00Z', '+9999999d'])
    assert.throws(() => parse(wrong), /--deadline must be a moment/, wrong);
});
