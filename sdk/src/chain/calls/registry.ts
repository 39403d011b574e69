// The task registry as the encoders name it.
import { taskRegistryAbi } from '@svc/contracts/abi';
import type { CallContracts } from './encode.ts';

export function registryOf({ taskRegistry }: CallContracts) {
  return { name: 'TaskRegistry', address: taskRegistry, abi: taskRegistryAbi } as const;
}
