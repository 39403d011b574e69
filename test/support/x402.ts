// x402 payments made by hand, so that each part of one can be wrong.
import { randomBytes } from 'node:crypto';
import { bytesToHex, type Hex, parseSignature } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { usdcAddress } from '#service/devnet/canonical.ts';

export type Authorization = {
  readonly from: Hex;
  readonly to: Hex;
  readonly value: string;
  readonly validAfter: string;
  readonly validBefore: string;
  readonly nonce: Hex;
};

export type SignedAuthorization = { readonly signature: Hex; readonly authorization: Authorization };

/** Written out once more, so that tests do not take it from the code that they test. */
export const authorizationTypes = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const;

export async function signAuthorization(
  account: PrivateKeyAccount,
  parts: Partial<Authorization> & Pick<Authorization, 'to'>,
): Promise<SignedAuthorization> {
  const now = Math.floor(Date.now() / 1_000);
  const authorization = {
    from: account.address,
    value: '10000',
    validAfter: String(now - 600),
    validBefore: String(now + 300),
    nonce: bytesToHex(randomBytes(32)),
    ...parts,
  };
  const signature = await account.signTypedData({
    domain: { name: 'USD Coin', version: '2', chainId: 8453, verifyingContract: usdcAddress },
    types: authorizationTypes,
    primaryType: 'TransferWithAuthorization',
    message: {
      ...authorization,
      value: BigInt(authorization.value),
      validAfter: BigInt(authorization.validAfter),
      validBefore: BigInt(authorization.validBefore),
    },
  });
  return { signature, authorization };
}

/** Of transferWithAuthorization, which anybody can send. */
export function argumentsOf({ signature, authorization }: SignedAuthorization) {
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  const { r, s, yParity } = parseSignature(signature);
  const amounts = [BigInt(value), BigInt(validAfter), BigInt(validBefore)] as const;
  return [from, to, ...amounts, nonce, 27 + yParity, r, s] as const;
}

/** The arguments of fetch that claim the task, for clients that pay or sign in by themselves. */
export const claimRequest = (gatewayUrl: string, id: string, payer: Hex) =>
  [
    `${gatewayUrl}/v1/tasks/${id}/claim`,
    {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ payer }),
    },
  ] as const;

type Headers = Record<string, string>;

export function payV2(payload: SignedAuthorization, accepted: object = {}, extensions?: object): Headers {
  const { to: payTo, value: amount } = payload.authorization;
  const requirement = {
    scheme: 'exact',
    network: 'eip155:8453',
    asset: usdcAddress,
    amount,
    payTo,
    maxTimeoutSeconds: 300,
    extra: { name: 'USD Coin', version: '2' },
    ...accepted,
  };
  return { 'PAYMENT-SIGNATURE': encode({ x402Version: 2, accepted: requirement, payload, extensions }) };
}

export function payV1(payload: SignedAuthorization, network = 'base'): Headers {
  return { 'X-PAYMENT': encode({ x402Version: 1, scheme: 'exact', network, payload }) };
}

export function decode(header: string | null): Record<string, unknown> {
  return JSON.parse(Buffer.from(header ?? '', 'base64').toString('utf8'));
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64');
}
