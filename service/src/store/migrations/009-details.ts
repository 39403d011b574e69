// Tasks with the documents of the work, beside their short form for lists. Empty where there are none.
import type { Migration } from '../migration.ts';

export const details: Migration = {
  id: 9,
  name: 'details',
  statements: [`ALTER TABLE tasks ADD COLUMN detail TEXT NOT NULL DEFAULT ''`],
};
