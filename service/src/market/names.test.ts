// Names over a real HTTP server that answers as the registry and its resolvers do.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, beforeEach, test } from 'node:test';
import type { Address } from '@svc/sdk/domain';
import { addressKey } from '@svc/sdk/internal/domain/address';
import { decodeFunctionData, encodeFunctionResult, parseAbi } from 'viem';
import { namehash } from 'viem/ens';
import { createNames, type FindName } from './names.ts';

const abi = parseAbi([
  'function resolver(bytes32 node) view returns (address)',
  'function name(bytes32 node) view returns (string)',
  'function addr(bytes32 node) view returns (address)',
]);
const registry = '0x0000000000000000000000000000000000000001';
const resolver = '0x0000000000000000000000000000000000000002';
const ada = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65';
const eve = '0xa0Ee7A142d267C1f36714E4a8F75612F20a79720';

/** By node. */
const names = new Map<string, string>();
const owners = new Map<string, Address>();
let asked = 0;

function claimName(wallet: Address, name: string): void {
  names.set(namehash(`${addressKey(wallet).slice(2)}.addr.reverse`), name);
}

const server = createServer(async (request, response) => {
  asked++;
  const { id, params } = JSON.parse(await text(request));
  const { functionName, args } = decodeFunctionData({ abi, data: params[0].data });
  const node = args[0];
  const found = { resolver, name: names.get(node), addr: owners.get(node) }[functionName];
  response.setHeader('content-type', 'application/json');
  const result = found && encodeFunctionResult({ abi, functionName, result: found as never });
  const error = { code: 3, message: 'execution reverted' };
  response.end(JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error }) }));
});

let find: FindName;
before(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
after(() => server.close());
beforeEach(() => {
  names.clear();
  owners.clear();
  asked = 0;
  find = create();
});

/** Without what others keep. */
function create(rpcUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`): FindName {
  return createNames({ rpcUrl: { reveal: () => rpcUrl }, registry, reverse: 'addr.reverse' });
}

test('a wallet has the name that its reverse record says and that leads back to it, asked once', async () => {
  claimName(ada, 'ada.eth');
  owners.set(namehash('ada.eth'), ada);
  assert.deepEqual(await Promise.all([find(ada), find(ada)]), ['ada.eth', 'ada.eth']);
  assert.equal(await find(ada), 'ada.eth');
  assert.equal(asked, 4);
});

test('a name that belongs to another wallet, or to none, is not shown', async () => {
  owners.set(namehash('ada.eth'), ada);
  claimName(eve, 'ada.eth');
  assert.equal(await find(eve), null);
  claimName(ada, 'nobody.eth');
  assert.equal(await find(ada), null);
});

test('spellings that imitate a name are not shown, even if they lead back', async () => {
  const imitations = ['Ada.eth', 'ada\u200b.eth', 'аda.eth', 'ada', 'ada\u202e.eth'];
  for (const name of [...imitations, `${'a'.repeat(300)}.eth`]) {
    claimName(ada, name);
    try {
      owners.set(namehash(name), ada);
    } catch {
      // No name at all.
    }
    assert.equal(await create()(ada), null, JSON.stringify(name));
  }
});

test('a wallet without a record, and a server that is gone, are no name', async () => {
  assert.equal(await find(ada), null);
  assert.equal(await create('http://127.0.0.1:1')(ada), null);
});

test('of many wallets at once only a few are looked up', async () => {
  const wallets = Array.from({ length: 50 }, (_, index) => `0x${String(index).padStart(40, '0')}` as Address);
  await Promise.all(wallets.map(find));
  assert.ok(asked <= 8 * 4, String(asked));
});
