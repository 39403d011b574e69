// The shape of typed data in answers.
import * as z from 'zod';

export const typedDataSchema = z
  .looseObject({
    domain: z.record(z.string(), z.unknown()),
    types: z.record(z.string(), z.unknown()),
    primaryType: z.string(),
    message: z.record(z.string(), z.unknown()),
  })
  .describe('EIP-712 typed data, for eth_signTypedData_v4.');
