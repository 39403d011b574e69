// Multicall3 and USDC at the addresses that clients of chain 8453 expect.
import { multicall3RuntimeBytecode, testUsdcBytecode } from '@svc/contracts/bytecode';
import type { Address } from '@svc/sdk/domain';
import type { Evm } from './evm.ts';

export const multicall3Address: Address = '0xcA11bde05977b3631167028862bE2a173976CA11';
export const usdcAddress: Address = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';

export async function placeCanonicalContracts(evm: Evm): Promise<void> {
  // A call without `to` runs creation code and returns the runtime code, with immutables filled in.
  const usdcCode = await evm.request({ method: 'eth_call', params: [{ data: testUsdcBytecode }, 'latest'] });
  await setCode(evm, usdcAddress, usdcCode);
  await setCode(evm, multicall3Address, multicall3RuntimeBytecode);
}

async function setCode(evm: Evm, address: Address, code: unknown): Promise<void> {
  await evm.request({ method: 'hardhat_setCode', params: [address, code] });
}
