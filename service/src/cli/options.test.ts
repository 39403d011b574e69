// Proves how the command lines of commands with many options are parsed, and that mistakes name their option.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SvcError } from '@svc/sdk/domain';
import type { Offer } from '@svc/sdk/negotiation';
import { parseDeployArguments } from './deploy.ts';
import { parseInboxArguments } from './inbox.ts';
import { usage as mcpUsage } from './mcp.ts';
import { parseOptions } from './options.ts';
import { parseSendArguments } from './send.ts';
import { changeLast, parseSendProposalArguments } from './sendProposal.ts';
import { usage as startUsage } from './start.ts';

const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const id = '5f0c9a52-6a3e-4a53-9c6c-0d9b8a1f7f10';

type Parse = (args: readonly string[]) => unknown;

function refuses(parse: Parse, line: string, message: RegExp) {
  assert.throws(
    () => parse(line.split(' ').filter((word) => word !== '')),
    (error: unknown) => error instanceof SvcError && error.code === 'USAGE' && message.test(error.message),
    line,
  );
}

test('svc send-proposal parses the terms', () => {
  const words = '--total 500 --milestones 200,300 --review 12 --as worker --market micro'.split(' ');
  const given = parseSendProposalArguments(['--to', address.toLowerCase(), ...words]);
  const tok = 10n ** 18n;
  assert.deepEqual([given.as, given.market, given.to], ['worker', 'micro', address]);
  assert.deepEqual([given.total, given.milestones], [500n * tok, [200n * tok, 300n * tok]]);
  assert.equal(given.review, 12 * 3_600);
});

test('new milestones of a counter-offer leave its total, so that a mistyped amount is refused', () => {
  const last = {
    terms: { totalAmountTokWei: '600', acceptBy: 9, milestones: [], scope: 'private' },
    document: { title: 'Ten birds', milestones: [] },
  } as unknown as Offer;
  const texts = ['--milestone-texts', 'Five drawn.|Ten drawn.'];
  const given = parseSendProposalArguments(['--negotiation', id, '--milestones', '200,500', ...texts]);
  const { totalAmountTokWei, acceptBy, milestones } = changeLast(given, last);
  assert.deepEqual([totalAmountTokWei, acceptBy, (milestones as unknown[]).length], ['600', '9', 2]);
  const dearer = parseSendProposalArguments(['--negotiation', id, '--total', '700']);
  assert.equal(changeLast(dearer, last).totalAmountTokWei, String(700n * 10n ** 18n));
});

test('mistakes in svc send-proposal are named', () => {
  const refused = (line: string, message: RegExp) => refuses(parseSendProposalArguments, line, message);
  refused('', /either --to <address> or --negotiation/);
  refused(`--to ${address} --negotiation ${id}`, /either --to/);
  refused('--to bob', /--to: An address must be/);
  refused(`--to ${address} --total 1e3`, /--total: An amount in TOK/);
  refused(`--to ${address} --milestones 1,,2`, /--milestones: An amount in TOK/);
  refused(`--to ${address} --review 1.5`, /--review: must be a whole number of hours/);
  refused(`--to ${address} --as judge`, /--as: must be one of poster, worker/);
  refused(`--to ${address} --market grand`, /--market: The market must be/);
  refused(`--to ${address} --terms a.json --total 1`, /--terms brings all terms/);
  refused(`--to ${address} --terms a.json --market micro`, /--terms brings all terms/);
  refused(`--negotiation ${id} --market micro`, /--as and --market go with --to/);
  refused(`--to ${address} --transport pigeon`, /--transport: must be one of relay, local, xmtp/);
  for (const wrong of ['soon', '7d', '-1', '1.5', '2026-13-01T00:00Z', '2026-12-01'])
    refused(`--to ${address} --deadline=${wrong}`, /--deadline: must be Unix seconds, a date/);
  refused(`--to ${address} --loud`, /--loud/);
});

test('mistakes in svc send are named, and a stray word is not repeated', () => {
  const refused = (line: string, message: RegExp) => refuses(parseSendArguments, line, message);
  refused('', /needs a type: TaskProposal/);
  refused(`toString --negotiation ${id}`, /needs a type/);
  refused('DeliveryNotice', /either --negotiation <id> or --to/);
  refused(`DeliveryNotice --to ${address} --task 7`, /--task: A task id must read/);
  const digest = `0x${'5A'.repeat(32)}`;
  const accept = `TaskAcceptance --negotiation ${id}`;
  refused(`DeliveryNotice --to ${address} --digest ${digest}`, /--digest goes with TaskAcceptance/);
  refused(`${accept} --payload a.json --digest ${digest}`, /without --payload/);
  refused(`${accept} --digest 0x12`, /--digest: must be 0x and 64/);
  const parsed = parseSendArguments(`${accept} --digest ${digest}`.split(' '));
  assert.equal(parsed.digest, digest.toLowerCase());
  refused(
    `DeliveryNotice 0xsecret --to ${address}`,
    /^svc send takes one word and options; see svc send --help\.$/,
  );
});

test('mistakes in svc mcp and svc inbox are named', () => {
  refuses(
    (args) => parseOptions(mcpUsage, args),
    '--wallet none',
    /--wallet: must be one of local, key, mcp/,
  );
  refuses(parseInboxArguments, `--address ${address} --transport xmtp`, /local transport only/);
  refuses(parseInboxArguments, '--transport pigeon', /--transport: must be/);
  refuses(parseInboxArguments, '--address bob', /--address: An address must be/);
  refuses(parseInboxArguments, 'stray', /takes options only/);
});

test('options of svc deploy are parsed: addresses, amounts, numbers, flags, and the supply where nothing is given', () => {
  const given = parseDeployArguments([
    ...['--owner', address.toLowerCase(), '--rpc', 'https://rpc.example/key', '--chain', '8453'],
    ...['--price', '0.005', '--tok-supply', '21.5', '--activate-staking', '--out', 'here.json', '--json'],
  ]);
  const set = Object.entries(given).filter(([, value]) => value !== undefined && value !== false);
  assert.deepEqual(Object.fromEntries(set), {
    rpc: 'https://rpc.example/key',
    chain: 8453,
    owner: address,
    'tok-supply': 215n * 10n ** 17n,
    price: 500_000n,
    'activate-staking': true,
    out: 'here.json',
    json: true,
  });
  assert.equal(parseDeployArguments([])['tok-supply'], 10n ** 27n);
});

test('a mistake in svc deploy names its option and does not repeat what may be a secret', () => {
  const cases: [string[], RegExp][] = [
    [['--rpc', 'wss://rpc.example/apikey'], /^--rpc: must be a http/],
    [['--rpc'], /^Option '--rpc <value>' argument missing/],
    [['--owner', 'apikey'], /^--owner: An address must be/],
    [['--chain', '0x2105'], /^--chain: must be a whole number/],
    [['--price', '0'], /^--price: the oracle accepts prices from 0\.00000001 to 10000 USD$/],
    [['--price', '10000.1'], /^--price: the oracle accepts/],
    [['--price', '1e3'], /^--price: An amount in USD per TOK/],
    [['--tok-supply=-1'], /^--tok-supply: An amount in TOK/],
    [['--finish', '--abandon'], /^--finish starts no deployment/],
    [['--finish', '--again'], /^--finish starts no deployment/],
    [['apikey'], /^svc deploy takes options only; see svc deploy --help\.$/],
    [['--loud'], /--loud/],
  ];
  for (const [args, expected] of cases)
    assert.throws(
      () => parseDeployArguments(args),
      (error: Error & { code?: string }) => {
        assert.equal(error.code, 'USAGE');
        assert.match(error.message, expected);
        assert.doesNotMatch(error.message, /apikey/);
        return true;
      },
    );
});

test('a wrong value, an unknown option and a stray word of svc start are named', () => {
  const parse = (args: readonly string[]) => parseOptions(startUsage, args);
  for (const line of ['65536', '8545.5']) refuses(parse, `--port ${line}`, /--port/);
  for (const line of ['--clock-offset=-5', '--clock-offset 99999999999'])
    refuses(parse, line, /--clock-offset/);
  for (const line of ['http://localhost:5173/path', '*'])
    refuses(parse, `--allow-origin ${line}`, /--allow-origin/);
  refuses(parse, '--loud', /--loud/);
  refuses(parse, 'now', /options only/);
});

test('a task is named alike in every command', () => {
  const usageOf = (name: string) => ({
    command: 'x',
    synopsis: [],
    about: [],
    options: { [name]: { type: 'string', help: [name, ''] } },
    examples: [],
  });
  for (const own of ['task', 'task-id', 'for'])
    for (const word of ['--task', '--task-id', '--task-id='])
      assert.equal(
        parseOptions(usageOf(own) as never, word.endsWith('=') ? [`${word}v2:micro:1`] : [word, 'v2:micro:1'])
          .values[own as never],
        'v2:micro:1',
      );
});

test('an id that begins with a dash is no option', () => {
  const usage = { ...startUsage, words: 2 };
  for (const id of ['-K3TQf0oYw9A', '-K3TQf0oYw9Ab1Qc2Wq8xJ', 'Ab3TQf0oYw9-'])
    assert.deepEqual(parseOptions(usage, ['resume', id, '--json']).words, ['resume', id]);
  refuses((args) => parseOptions(usage, args), '-K3', /Unknown option '-K'/);
});
