// A wallet on a real chain and processes that die: each call of a run sets a digit of its own, so that what is missing or was
// done twice shows.
import { type Account, custom, encodeFunctionData, type Hex, numberToHex } from 'viem';
import { multicall3Abi } from '#contracts/generated/abi/multicall3.ts';
import { testUsdcAbi } from '#contracts/generated/abi/testUsdc.ts';
import { multicall3Bytecode } from '#contracts/generated/bytecode/multicall3.ts';
import { createClientAsker } from '#sdk/actions/reads.ts';
import type { Call } from '#sdk/chain/encodeCall.ts';
import type { Asker } from '#sdk/chain/rpc.ts';
import type { Address } from '#sdk/domain/address.ts';
import { hashCanonical } from '#sdk/domain/canonical.ts';
import { createGuardedWallet, type Policy } from '#sdk/send/guardedWallet.ts';
import { createJournal, createLocks, type Journal, type TextStore } from '#sdk/send/journal.ts';
import { createKeyWallet } from '#sdk/send/keyWallet.ts';
import { createProviderWallet, type Provider } from '#sdk/send/providerWallet.ts';
import { createRequestWallet, type RequestBox } from '#sdk/send/requestWallet.ts';
import { startRun } from '#sdk/send/run.ts';
import type { Plan, Run } from '#sdk/send/runState.ts';
import type { Wallet } from '#sdk/send/wallet.ts';
import { connect, deployUsdc, keys, startEmbeddedChain } from '../support/embeddedChain.ts';

export type World = Awaited<ReturnType<typeof startWorld>>;

/** Where a process dies: before its so-and-so-many-th step, or after it and before it knows the answer. */
export type Death = { readonly at: number; readonly when: 'before' | 'after' };

export class Dead extends Error {}

const smartAddress: Address = '0x5afe000000000000000000000000000000005afe';

export async function startWorld() {
  const chain = await startEmbeddedChain();
  const usdc = await deployUsdc(chain);
  const bundler = connect(chain.url, keys.owner);
  const deployed = await bundler.walletClient.sendTransaction({ data: multicall3Bytecode, chain: null });
  const { contractAddress: multicall } = await chain.publicClient.waitForTransactionReceipt({
    hash: deployed,
    pollingInterval: 25,
  });
  if (!multicall) throw new Error('Multicall3 was not deployed.');
  // A smart account is an address with code.
  await chain.publicClient.request({
    method: 'hardhat_setCode' as 'eth_chainId',
    params: [smartAddress, '0x60006000f3'] as never,
  });
  return { chain, usdc, multicall, bundler, close: chain.close };
}

/** What outlives a process: texts of the browser or the data folder, and the wallet itself. */
export function createHouse(world: World, kind: Kind) {
  const { account } = connect(world.chain.url, keys.deployer).walletClient;
  const address = kind === 'smart' ? smartAddress : account.address;
  const texts = new Map<string, string>();
  const lock = createLocks();
  const device = createDevice(world, account, address, kind);
  /** `mostCalls`: what the policy lets a guarded key sign without its owner. */
  return {
    world,
    kind,
    account,
    address,
    texts,
    lock,
    device,
    signer: connect(world.chain.url, keys.deployer).walletClient,
    mostCalls: 3,
  };
}

export type House = ReturnType<typeof createHouse>;
export type Kind = 'key' | 'provider' | 'batching' | 'smart' | 'owner' | 'guarded';

/** A wallet in a browser or on a phone: it goes on whatever becomes of the page. */
function createDevice(
  { chain, usdc, multicall, bundler }: World,
  account: Account,
  address: Address,
  kind: Kind,
) {
  const signer = connect(chain.url, keys.deployer).walletClient;
  const batches = new Map<string, Hex>();
  const asked: (readonly Call[])[] = [];
  let next: 'decline' | 'break' | undefined;
  const broken = new Set<string>();
  /** All in one transaction of another account, as bundlers send them. */
  const bundle = (calls: readonly Call[]) =>
    bundler.walletClient.sendTransaction({
      to: multicall,
      gas: 3_000_000n,
      chain: null,
      data: encodeFunctionData({
        abi: multicall3Abi,
        functionName: 'aggregate3',
        args: [calls.map(({ to, data }) => ({ target: to, allowFailure: false, callData: data }))],
      }),
    });
  const plain = async (call: Call & { readonly gas?: Hex }) => {
    const { to, data, gas } = call;
    return signer.sendTransaction({ to, data, gas: BigInt(gas ?? 200_000), chain: null });
  };
  const answers: Readonly<Record<string, (...params: never[]) => unknown>> = {
    eth_chainId: () => numberToHex(8_453),
    wallet_getCapabilities: () =>
      kind === 'batching' ? { [numberToHex(8_453)]: { atomic: { status: 'supported' } } } : {},
    eth_sendTransaction: async (call: Call) => {
      asked.push([call]);
      const fails = next;
      next = undefined;
      if (fails === 'decline') throw Object.assign(new Error('User rejected the request.'), { code: 4001 });
      if (kind !== 'smart') return plain(call);
      await bundle([call]);
      // Of a bundle: no node knows it.
      return hashCanonical({ bundle: asked.length });
    },
    wallet_sendCalls: async ({ id, calls }: { id: string; calls: readonly Call[] }) => {
      asked.push(calls);
      const fails = next;
      next = undefined;
      if (fails === 'break') broken.add(id);
      batches.set(id, await bundle(fails === 'break' ? calls.slice(0, 1) : calls));
      return { id };
    },
    wallet_getCallsStatus: async (id: string) => {
      const hash = batches.get(id);
      if (hash === undefined) throw Object.assign(new Error('Unknown bundle id.'), { code: 5730 });
      return { status: broken.has(id) ? 600 : 200, receipts: [{ transactionHash: hash }] };
    },
    eth_signTypedData_v4: (_: string, text: string) => account.signTypedData?.(JSON.parse(text)),
  };
  /** What the gateway keeps: an owner reads a request once, and signs it when it is read again. */
  const requests = new Map<string, { readonly calls: readonly Call[]; reads: number; hashes: Hex[] }>();
  const box: RequestBox = {
    create: async (body, key) => {
      if (!requests.has(key)) {
        const { calls } = body as { readonly calls: readonly Call[] };
        asked.push(calls);
        requests.set(key, { calls, reads: 0, hashes: [] });
      }
      return { requestId: key, approvalUrl: `http://gateway/approve.html?request=${key}` };
    },
    read: async (key) => {
      const request = requests.get(key);
      if (request === undefined) throw new Error('There is no such request.');
      request.reads++;
      if (request.reads === 2) for (const call of request.calls) request.hashes.push(await plain(call));
      const status = request.hashes.length === 0 ? 'pending' : 'submitted';
      return { status, transactionHashes: request.hashes, signature: null, error: null };
    },
  };
  return {
    box,
    asked: asked as readonly (readonly Call[])[],
    address,
    usdc,
    declineNext: () => {
      next = 'decline';
    },
    breakNext: () => {
      next = 'break';
    },
    forget: () => batches.clear(),
    request: async ({ method, params = [] }: { method: string; params?: unknown }) => {
      const answer = answers[method];
      if (answer === undefined) throw Object.assign(new Error(`no ${method}`), { code: -32_601 });
      return answer(...(params as never[]));
    },
  };
}

/** One process over it, which dies at a step of its own and does nothing from then on. */
export function createProcess(house: House, death: Death | null = null) {
  const { world, kind, account, address, texts, lock, device } = house;
  let steps = 0;
  let isDead = false;
  const live = async <Result>(work: () => Promise<Result> | Result): Promise<Result> => {
    if (isDead) throw new Dead();
    const at = steps++;
    if (death?.at === at && death.when === 'before') isDead = true;
    if (isDead) throw new Dead();
    const result = await work();
    if (death?.at === at) isDead = true;
    if (isDead) throw new Dead();
    return result;
  };
  const store: TextStore = {
    list: (prefix) => [...texts.keys()].filter((name) => name.startsWith(prefix)),
    read: (name) => texts.get(name) ?? null,
    write: (name, text) => void (text === null ? texts.delete(name) : texts.set(name, text)),
  };
  const plain = createJournal(store, lock);
  const journal: Journal = {
    lock: plain.lock,
    load: (wallet) => live(() => plain.load(wallet)),
    save: (entry) => live(() => plain.save(entry)),
    notes: {
      read: (id) => live(() => plain.notes.read(id)),
      write: (id, text) => live(() => plain.notes.write(id, text)),
    },
  };
  const request = ({ method, params }: { method: string; params?: unknown }) =>
    live(() => world.chain.publicClient.request({ method, params } as never)) as Promise<unknown>;
  const asker = createClientAsker(world.chain.publicClient);
  const chain: Asker = {
    ask: (question) => live(() => asker.ask(question)),
    askAll: (questions) => live(() => asker.askAll(questions)) as never,
  };
  const provider: Provider = { request: (args) => live(() => device.request(args)) };
  const { notes } = journal;
  const key = () => createKeyWallet(account as never, custom({ request }, { retryCount: 0 }), notes);
  const box: RequestBox = {
    create: (body, name) => live(() => device.box.create(body, name)),
    read: (id) => live(() => device.box.read(id)),
  };
  const owner = () => createRequestWallet(box, address, { chainId: 8_453, notes });
  const policy: Policy = {
    judge: async (_, { calls }) =>
      live(() =>
        calls.length > house.mostCalls ? { is: 'ask', because: ['too many calls'] } : { is: 'sign' },
      ),
    explain: (words) => words,
  };
  const wallets: Readonly<Record<Kind, () => Wallet>> = {
    key,
    owner,
    guarded: () => createGuardedWallet(key(), policy, owner(), notes),
    provider: () => provided(),
    batching: () => provided(),
    smart: () => provided(),
  };
  const provided = () =>
    createProviderWallet(provider, address, { chain, chainId: 8_453, notes, unknownForMs: 0 });
  const wallet = wallets[kind]();
  return { journal, chain, wallet, steps: () => steps, isDead: () => isDead };
}

export type Process = ReturnType<typeof createProcess>;

/** A wish of some calls: one digit of the balance each, from `10 ** from`. What was done is planned no more, except for the last one. */
export async function createWish(house: House, name: string, count: number, from = 0) {
  const { world, address } = house;
  const { usdc, chain } = world;
  const callOf = (digit: number): Call => ({
    to: usdc,
    value: '0x0',
    data: encodeFunctionData({
      abi: testUsdcAbi,
      functionName: 'mint',
      args: [address, 10n ** BigInt(digit)],
    }),
  });
  const balance = () =>
    chain.publicClient.readContract({
      address: usdc,
      abi: testUsdcAbi,
      functionName: 'balanceOf',
      args: [address],
    });
  const base = await balance();
  /** How often each call was carried out. */
  const done = async (): Promise<number[]> => {
    const text = String((await balance()) - base).padStart(from + count, '0');
    return Array.from({ length: count }, (_, at) => Number(text.at(-1 - from - at)));
  };
  let costs = 10n ** 18n;
  const prepare = async (): Promise<Plan<string>> => {
    const before = await done();
    const digits = before.flatMap((times, at) => (times === 0 || at === count - 1 ? [at] : []));
    const calls = digits.map((digit) => callOf(from + digit));
    const explained = calls.map(() => ({
      movements: [
        {
          token: 'TOK' as const,
          amount: costs,
          from: { place: 'wallet' as const, owner: address },
          to: { place: 'fees' as const },
        },
      ],
      allowance: null,
      dangers: [],
    }));
    return {
      action: { name },
      hash: hashCanonical(calls as never),
      calls,
      typedData: null,
      explained,
      task: null,
      now: 0,
      words: { action: name, summary: name, steps: [] },
      problem: null,
      prepared: `${calls.length} calls`,
    };
  };
  return {
    prepare,
    done,
    callOf,
    raiseCosts: () => {
      costs *= 2n;
    },
    start: (
      { wallet, journal, chain: asker }: Process,
      confirm: 'by-caller' | 'first-plan' = 'first-plan',
    ): Run<string> =>
      startRun({
        intent: { action: name, args: { name } },
        wallet,
        journal,
        chain: asker,
        chainId: 8_453,
        confirm,
        prepare,
        pollMs: 5,
        searchAfterMs: 0,
        minedTimeoutMs: 20_000,
      }),
  };
}
