// Compiles the mutated tree, which is a Hardhat project of its own.
import { createHardhatRuntimeEnvironment } from 'hardhat/hre';
import type { SolcUserConfig } from 'hardhat/types/config';
import config from '#contracts/hardhat.config.ts';
import { tree } from './tree.ts';

export async function compileTree(): Promise<void> {
  const project = await createHardhatRuntimeEnvironment(
    { ...config, solidity: { profiles: { default: withoutOptimizer() } } },
    {},
    tree,
  );
  await project.tasks.getTask('build').run({ quiet: true });
}

/** It would take longer than it saves, and it might decide beforehand that no mutant is ever awake. */
function withoutOptimizer(): SolcUserConfig {
  const { solidity } = config;
  const profile =
    typeof solidity === 'object' && 'profiles' in solidity ? solidity.profiles.default : undefined;
  const [compiler] = profile !== undefined && 'compilers' in profile ? profile.compilers : [];
  if (compiler === undefined) throw new Error('hardhat.config.ts names no compiler.');
  return { ...compiler, settings: { ...compiler.settings, optimizer: { enabled: false } } } as SolcUserConfig;
}
