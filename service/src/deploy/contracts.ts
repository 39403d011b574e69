// Every contract of a deployment, with its ABI and bytecode.
import * as abis from '@svc/contracts/abi';
import * as bytecodes from '@svc/contracts/bytecode';

export const contracts = {
  depositVault: { abi: abis.depositVaultAbi, bytecode: bytecodes.depositVaultBytecode },
  disputeCourt: { abi: abis.disputeCourtAbi, bytecode: bytecodes.disputeCourtBytecode },
  escrowVault: { abi: abis.escrowVaultAbi, bytecode: bytecodes.escrowVaultBytecode },
  marketLens: { abi: abis.marketLensAbi, bytecode: bytecodes.marketLensBytecode },
  paymentGateway: { abi: abis.paymentGatewayAbi, bytecode: bytecodes.paymentGatewayBytecode },
  postedPriceFeed: { abi: abis.postedPriceFeedAbi, bytecode: bytecodes.postedPriceFeedBytecode },
  pricingPolicy: { abi: abis.pricingPolicyAbi, bytecode: bytecodes.pricingPolicyBytecode },
  reputationRegistry: { abi: abis.reputationRegistryAbi, bytecode: bytecodes.reputationRegistryBytecode },
  stakingVault: { abi: abis.stakingVaultAbi, bytecode: bytecodes.stakingVaultBytecode },
  taskRegistry: { abi: abis.taskRegistryAbi, bytecode: bytecodes.taskRegistryBytecode },
  testUsdc: { abi: abis.testUsdcAbi, bytecode: bytecodes.testUsdcBytecode },
  tokToken: { abi: abis.tokTokenAbi, bytecode: bytecodes.tokTokenBytecode },
  usdOracle: { abi: abis.usdOracleAbi, bytecode: bytecodes.usdOracleBytecode },
} as const;

export type ContractName = keyof typeof contracts;
export type AbiOf<Name extends ContractName> = (typeof contracts)[Name]['abi'];

/** The contracts of each market whose owner may change settings. */
export const ownedContracts = ['pricingPolicy', 'taskRegistry', 'disputeCourt', 'stakingVault'] as const;
