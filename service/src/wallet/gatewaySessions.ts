// Sessions at the gateway for wallets that sign elsewhere: the owner approves a request, and later calls find the session.

import { type CreateRequest, openSession } from '@svc/sdk/client';
import type { Address } from '@svc/sdk/domain';
import { addressKey } from '@svc/sdk/internal/domain/address';
import type { SessionTypedData } from '@svc/sdk/internal/domain/sessionDocument';
import type { SessionReply } from '@svc/sdk/internal/schemas/sessions';
import type { Hex } from 'viem';
import { OperatorError } from '../errors/operatorError.ts';
import { type Wallet, type WalletAnswer, waitForDecision } from './walletInterface.ts';

type GatewaySessionOptions = {
  readonly gatewayUrl: string;
  readonly wallet: Pick<Wallet, 'submit' | 'readStatus'>;
  readonly readChainId: () => Promise<number>;
  /** Unix seconds, of the chain. */
  readonly now: () => Promise<number>;
};

/** A token, or the request that the owner of the wallet has to approve first. */
export type SignIn =
  | { readonly kind: 'open'; readonly token: string }
  | { readonly kind: 'waiting'; readonly request: WalletAnswer };

export type GatewaySessions = ReturnType<typeof createGatewaySessions>;

type Opening = {
  readonly request: Promise<WalletAnswer>;
  readonly session: Promise<SessionReply>;
  /** Set once the session is open. */
  reply: SessionReply | null;
};

const lifeSeconds = 12 * 3_600;
/** A session that ends sooner is opened again. */
const marginSeconds = 60;
/** A wallet that signs at once needs no second call. */
const promptMs = 1_500;

export function createGatewaySessions(options: GatewaySessionOptions) {
  const { gatewayUrl, wallet, readChainId, now } = options;
  const openings = new Map<Address, Opening>();
  const stop = new AbortController();

  function start(address: Address): Opening {
    const { promise: request, resolve, reject } = Promise.withResolvers<WalletAnswer>();
    const signTypedData = async (typedData: SessionTypedData): Promise<Hex> => {
      const submitted = await wallet.submit(buildSessionRequest(address, typedData));
      resolve(submitted);
      const { signature, status } = await waitForDecision(wallet, submitted, stop.signal);
      if (signature === null)
        throw new OperatorError('WALLET_REFUSED', { reason: `the sign-in is ${status}` });
      return signature as Hex;
    };
    const open = async () => {
      const [chainId, time] = await Promise.all([readChainId(), now()]);
      const validUntil = Math.max(time, Math.floor(Date.now() / 1_000)) + lifeSeconds;
      return openSession({ baseUrl: gatewayUrl }, { address, signTypedData }, { chainId, validUntil });
    };
    const session = open();
    const opening: Opening = { request, session, reply: null };
    const fail = (error: unknown) => {
      reject(error);
      openings.delete(addressKey(address));
    };
    session.then((reply) => Object.assign(opening, { reply }), fail);
    request.catch(() => undefined);
    return opening;
  }

  return {
    signIn: async (address: Address): Promise<SignIn> => {
      const key = addressKey(address);
      let opening = openings.get(key);
      if (opening?.reply && opening.reply.expiresAt < (await now()) + marginSeconds) opening = undefined;
      opening ??= start(address);
      openings.set(key, opening);
      const request = await opening.request;
      const late = new Promise<null>((resolve) => setTimeout(resolve, promptMs, null).unref());
      const reply = opening.reply ?? (await Promise.race([opening.session, late]));
      return reply === null ? { kind: 'waiting', request } : { kind: 'open', token: reply.token };
    },
    /** The gateway no longer takes the session: the next sign-in opens another one. */
    forget: (address: Address) => void openings.delete(addressKey(address)),
    close: () => stop.abort(),
  };
}

function buildSessionRequest(from: Address, typedData: SessionTypedData): CreateRequest {
  const { domain, message } = typedData;
  return {
    kind: 'signature',
    action: 'open-session',
    chainId: domain.chainId,
    from,
    summary: `Sign in at ${message.gateway}: lets this program upload files and read and send messages for you`,
    // JSON has no large integers; wallets take them as text.
    typedData: { ...typedData, message: { ...message, validUntil: String(message.validUntil) } },
  };
}
