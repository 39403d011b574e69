// An ordered list of transactions by one account whose nonces, and hence contract addresses, are known ahead.

import type { BoundCall } from '@svc/sdk/chain';
import type { Address } from '@svc/sdk/domain';
import { getContractAddress, type Hex, size } from 'viem';

/** `creates` is the predicted address of the contract that this transaction deploys. */
export type Step = BoundCall & { readonly name: string; readonly creates?: Address };

export type Steps = {
  readonly list: readonly Step[];
  /** Appends a deployment and answers its address. */
  readonly create: (name: string, initCode: Hex) => Address;
  readonly call: (name: string, to: Address, data: Hex) => void;
  /** The address of the contract that the step `ahead` steps from now would deploy. */
  readonly predict: (ahead: number) => Address;
};

export function createSteps(deployer: Address, firstNonce: number): Steps {
  const list: Step[] = [];
  const predict = (ahead: number) =>
    getContractAddress({ from: deployer, nonce: BigInt(firstNonce + list.length + ahead) });
  return {
    list,
    predict,
    create: (name, initCode) => {
      const creates = predict(0);
      list.push({ name, data: initCode, gas: boundCreationGas(size(initCode)), creates });
      return creates;
    },
    call: (name, to, data) => {
      list.push({ name, to, data, gas: 200_000n });
    },
  };
}

/**
 * Gas is bounded instead of estimated: a step cannot be estimated while those before it are not mined. Intrinsic cost,
 * 16 per byte of data, 2 per word and 200 per byte of code kept, plus what a constructor may spend.
 */
function boundCreationGas(bytes: number): bigint {
  return BigInt(53_000 + 16 * bytes + 2 * Math.ceil(bytes / 32) + 200 * bytes + 300_000);
}
