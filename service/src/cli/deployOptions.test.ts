// Proves how the command line of svc deploy is read, and that mistakes are named without repeating secrets.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDeployArguments } from './deployOptions.ts';

const person = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

test('without options nothing is chosen but the supply', () => {
  const { tokSupply, ...rest } = parseDeployArguments([]);
  assert.equal(tokSupply, 10n ** 27n);
  assert.deepEqual(new Set(Object.values(rest)), new Set([undefined, false]));
});

test('every option arrives', () => {
  const one = (name: string) => [`--${name}`, person.toLowerCase()];
  const people = [
    'usdc',
    'owner',
    'treasury',
    'fallback-arbitrator',
    'publisher',
    'tok-holder',
    'sequencer-feed',
  ];
  const given = parseDeployArguments([
    ...people.flatMap(one),
    ...['--rpc', 'https://rpc.example/key', '--chain', '8453', '--price', '0.005', '--tok-supply', '21.5'],
    ...['--activate-staking', '--out', 'here.json', '--again', '--abandon', '--json'],
  ]);
  assert.deepEqual(given, {
    rpcUrl: 'https://rpc.example/key',
    chainId: 8453,
    usdc: person,
    owner: person,
    treasury: person,
    fallbackArbitrator: person,
    publisher: person,
    tokHolder: person,
    tokSupply: 215n * 10n ** 17n,
    priceE8: 500_000n,
    sequencerFeed: person,
    activateStaking: true,
    file: 'here.json',
    again: true,
    abandon: true,
    finish: false,
    asJson: true,
  });
});

test('a mistake names its option and does not repeat what may be a secret', () => {
  const cases: [string[], RegExp][] = [
    [['--rpc', 'wss://rpc.example/apikey'], /^--rpc: must be a http/],
    [['--rpc'], /^Option '--rpc <value>' argument missing/],
    [['--owner', 'apikey'], /^--owner: An address must be/],
    [['--chain', '0x2105'], /^--chain: must be a whole number/],
    [['--price', '0'], /^--price: the oracle takes prices from 0\.00000001 to 10000 USD$/],
    [['--price', '10000.1'], /^--price: the oracle takes/],
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
