// Every text of the seeded market by its key.
import { artTexts } from './art.ts';
import { codeTexts } from './code.ts';
import { dataTexts } from './data.ts';
import { languageTexts } from './language.ts';
import { recordTexts } from './records.ts';

export const texts = { ...artTexts, ...codeTexts, ...dataTexts, ...languageTexts, ...recordTexts };

export type TextKey = keyof typeof texts;
