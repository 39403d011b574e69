// One decoded event of a contract.
import type { Abi, ContractEventName, ParseEventLogsReturnType } from 'viem';

export type EventOf<Interface extends Abi> = ParseEventLogsReturnType<
  Interface,
  ContractEventName<Interface>,
  true
>[number];
