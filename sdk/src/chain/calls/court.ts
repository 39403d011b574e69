// The court as the encoders name it.
import { disputeCourtAbi } from '@svc/contracts/abi';
import type { CallContracts } from './encode.ts';

export function courtOf({ disputeCourt }: CallContracts) {
  return { name: 'DisputeCourt', address: disputeCourt, abi: disputeCourtAbi } as const;
}
