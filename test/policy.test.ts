// Attacks on a wallet under a spending policy.
import { describe } from 'node:test';
import { testBytes } from './policy/bytes.ts';
import { testEvents } from './policy/events.ts';
import { testSums } from './policy/sums.ts';

describe('what is signed', testBytes);
describe('what happens around it', testEvents);
describe('what it counts', testSums);
