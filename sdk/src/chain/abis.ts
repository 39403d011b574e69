// The interfaces of a market's contracts, by the names that site-config and deployments have for their addresses.
import {
  depositVaultAbi,
  disputeCourtAbi,
  escrowVaultAbi,
  marketLensAbi,
  paymentGatewayAbi,
  postedPriceFeedAbi,
  pricingPolicyAbi,
  reputationRegistryAbi,
  stakingVaultAbi,
  taskRegistryAbi,
  tokTokenAbi,
  usdOracleAbi,
} from '@svc/contracts/abi';

/** Of SwapRouter02 of Uniswap v3. It takes ether for other swaps; none of ours sends any. */
const swapRouterAbi = [
  {
    type: 'function',
    name: 'exactOutputSingle',
    stateMutability: 'nonpayable',
    inputs: [
      {
        name: 'params',
        type: 'tuple',
        components: [
          { name: 'tokenIn', type: 'address' },
          { name: 'tokenOut', type: 'address' },
          { name: 'fee', type: 'uint24' },
          { name: 'recipient', type: 'address' },
          { name: 'amountOut', type: 'uint256' },
          { name: 'amountInMaximum', type: 'uint256' },
          { name: 'sqrtPriceLimitX96', type: 'uint160' },
        ],
      },
    ],
    outputs: [{ name: 'amountIn', type: 'uint256' }],
  },
] as const;

/** Of a pool of Uniswap v3. */
const tokPoolAbi = [
  {
    type: 'function',
    name: 'fee',
    stateMutability: 'view',
    inputs: [],
    outputs: [{ name: '', type: 'uint24' }],
  },
] as const;

export const contractAbis = {
  tokToken: tokTokenAbi,
  // The part of ERC-20 that is called here is the same in USDC.
  usdc: tokTokenAbi,
  taskRegistry: taskRegistryAbi,
  escrowVault: escrowVaultAbi,
  depositVault: depositVaultAbi,
  paymentGateway: paymentGatewayAbi,
  disputeCourt: disputeCourtAbi,
  stakingVault: stakingVaultAbi,
  reputationRegistry: reputationRegistryAbi,
  pricingPolicy: pricingPolicyAbi,
  usdOracle: usdOracleAbi,
  priceFeed: postedPriceFeedAbi,
  marketLens: marketLensAbi,
  swapRouter: swapRouterAbi,
  tokPool: tokPoolAbi,
} as const;
