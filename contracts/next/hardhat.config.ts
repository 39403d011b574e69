// The next contracts, which nothing outside this folder reads before they take the place of those beside it.
import { defineConfig } from 'hardhat/config';
import { describeProject } from '../hardhat.config.ts';

// What only the embedded chain and tests deploy is no part of the market.
export default defineConfig(describeProject(import.meta.dirname, ['src', 'local']));
