// A wallet for tests: an EIP-1193 provider that announces itself by EIP-6963 and signs with a key of the embedded chain.
import type { Page } from 'playwright-core';
import { createPublicClient, createWalletClient, type Hex, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { base } from './baseChain.ts';
import { until } from './until.ts';

export type TestWallet = ReturnType<typeof createTestWallet>;

export function createTestWallet(name: string, privateKey: Hex, rpcUrl: string) {
  const account = privateKeyToAccount(privateKey);
  const transport = http(rpcUrl);
  const reader = createPublicClient({ chain: base, transport });
  const signer = createWalletClient({ account, chain: base, transport });
  let isConnected = false;
  let isAstray = false;
  let chosen = account.address;
  const failing = new Set<string>();
  const sent: Hex[] = [];
  /** How the owner answers the questions to come; yes to those beyond. */
  const answers: (() => void | Promise<void>)[] = [];
  let asked = 0;
  const ask = async () => {
    asked++;
    await answers.shift()?.();
  };
  const answerNext = (after: number, answer: () => void | Promise<void>) => {
    while (answers.length < after) answers.push(() => undefined);
    answers.push(answer);
  };
  const own: Readonly<Record<string, (...params: never[]) => unknown>> = {
    eth_requestAccounts: () => {
      isConnected = true;
      return [chosen];
    },
    eth_accounts: () => (isConnected ? [chosen] : []),
    eth_chainId: () => (isAstray ? '0x1' : '0x2105'),
    wallet_switchEthereumChain: () => {
      isAstray = false;
      return null;
    },
    wallet_requestPermissions: () => [{ parentCapability: 'eth_accounts' }],
    wallet_revokePermissions: () => {
      isConnected = false;
      return null;
    },
    eth_sendTransaction: async ({ to, data, gas, value }: { to: Hex; data: Hex; gas?: Hex; value?: Hex }) => {
      await ask();
      const hash = await signer.sendTransaction({
        to,
        data,
        ...(value !== undefined && { value: BigInt(value) }),
        ...(gas !== undefined && { gas: BigInt(gas) }),
      });
      sent.push(data);
      return hash;
    },
    eth_signTypedData_v4: async (_address: Hex, text: string) => {
      await ask();
      return account.signTypedData(JSON.parse(text));
    },
  };
  return {
    name,
    account,
    reader,
    signer,
    address: account.address,
    /** Answers one request as a wallet whose owner says yes. */
    request: async (method: string, params: readonly never[]): Promise<unknown> => {
      // After these codes no client retries: a person has declined, a node is away.
      const code = method.startsWith('wallet_') ? 4001 : -32_000;
      if (failing.has(method)) throw Object.assign(new Error('It is declined.'), { code });
      return own[method] === undefined
        ? reader.request({ method, params } as never)
        : await own[method](...params);
    },
    /** The bytes of every transaction it was asked for and has sent, in order. */
    sent: sent as readonly Hex[],
    /** How often its owner was asked to sign. */
    signatures: () => asked,
    /** Methods that it does not answer as long as they are in here. */
    failing,
    /** The account that it shows; only its own can sign. */
    choose: (address: Hex) => {
      chosen = address;
    },
    /** Puts it on another chain, which it leaves only when it is asked to. */
    stray: () => {
      isAstray = true;
    },
    /** The signature after as many others is declined. */
    declineNext: (after = 0) =>
      answerNext(after, () => {
        throw Object.assign(new Error('User rejected the request.'), { code: 4001 });
      }),
    /** The signature after as many others waits for its owner; answers when it is asked for, with the owner's yes. */
    holdNext: (after = 0) =>
      new Promise<() => Promise<unknown>>((asked) => {
        answerNext(
          after,
          () =>
            new Promise<void>((agree) => {
              asked(async () => {
                const count = sent.length;
                agree();
                await until(() => sent.length > count);
              });
            }),
        );
      }),
  };
}

/** The owner chooses another account of the wallet, and the wallet notifies the page. */
export async function chooseAccount(page: Page, wallet: TestWallet, address: Hex): Promise<void> {
  wallet.choose(address);
  await page.evaluate(`tellTestWallet('accountsChanged', ${JSON.stringify([address])})`);
}

/** Errors travel as plain data, since a thrown one loses its code on the way into the page. */
export async function injectWallet(page: Page, wallet: TestWallet): Promise<void> {
  await page.exposeFunction('askTestWallet', async (method: string, params: readonly never[]) => {
    try {
      return { result: await wallet.request(method, params) };
    } catch (error) {
      const { code, message, data, cause } = error as {
        code?: number;
        message: string;
        data?: unknown;
        cause?: { data?: unknown };
      };
      return { error: { code: code ?? -32_603, message, data: data ?? cause?.data } };
    }
  });
  await page.addInitScript({ content: `(${provide})(${JSON.stringify(wallet.name)})` });
}

/** Runs in the page, which is why it is a text: nothing of it is ours to type. */
const provide = `(name) => {
  const listeners = [];
  globalThis.tellTestWallet = (event, value) =>
    listeners.filter((one) => one.event === event).forEach(({ listener }) => listener(value));
  const provider = {
    request: async ({ method, params = [] }) => {
      const { result, error } = await askTestWallet(method, params);
      if (error !== undefined) throw Object.assign(new Error(error.message), error);
      return result;
    },
    on: (event, listener) => void listeners.push({ event, listener }),
    removeListener: () => undefined,
  };
  const info = { uuid: '350670db-19fa-4704-a166-e52e178b59d2', name, icon: 'data:image/svg+xml,<svg/>', rdns: 'example.test' };
  const detail = Object.freeze({ info, provider });
  const announce = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
  addEventListener('eip6963:requestProvider', announce);
  announce();
}`;
