// How far rows have been compared with the chain again, so that the next process goes on from there.
import type { Migration } from '../migration.ts';

export const recheck: Migration = {
  id: 15,
  name: 'recheck',
  statements: ['ALTER TABLE chain ADD COLUMN recheck TEXT'],
};
