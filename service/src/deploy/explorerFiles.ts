// What an explorer needs to verify the contracts of a deployment: compiler input, compiler version and constructor arguments.
import { compilerVersion, contractSources, sourceTexts } from '@svc/contracts/verification';
import type { Address } from '@svc/sdk/domain';
import { contracts } from './contracts.ts';
import type { Step } from './plan.ts';

/** One deployed contract, as it is listed in contracts.json. */
export type VerifiableContract = {
  readonly name: string;
  readonly address: Address;
  /** Source file and name, as explorers ask for it. */
  readonly contract: string;
  /** The file with the standard JSON input, in the same folder. */
  readonly input: string;
  readonly compilerVersion: string;
  /** ABI-encoded, without 0x, as explorers ask for it. */
  readonly constructorArguments: string;
};

/** File name -> text. Contracts of both markets share an input. */
export function buildVerification(steps: readonly Step[]): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  const list = steps.flatMap(({ name, creates, contract, data }): VerifiableContract[] => {
    if (creates === undefined || contract === undefined) return [];
    const sources = contractSources[contract];
    if (sources === undefined) throw new Error(`There are no sources of ${name}.`);
    const input = `${sources.contract.split(':')[1]}.json`;
    files.set(input, print(buildInput(sources)));
    return [
      {
        name,
        address: creates,
        contract: sources.contract,
        input,
        compilerVersion: `v${compilerVersion}`,
        constructorArguments: data.slice(contracts[contract].bytecode.length),
      },
    ];
  });
  return files.set('contracts.json', print(list));
}

function buildInput({ sources, settings }: (typeof contractSources)[string]) {
  const output = ['abi', 'metadata', 'evm.bytecode', 'evm.deployedBytecode'];
  return {
    language: 'Solidity',
    sources: Object.fromEntries(sources.map((name) => [name, { content: sourceTexts[name] }])),
    settings: { ...settings, outputSelection: { '*': { '*': output } } },
  };
}

function print(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
