// Tasks that somebody works on today: claimed, active or delivered.
import type { Tale } from './script.ts';

export const underwayTales: readonly Tale[] = [
  {
    text: 'questText',
    terms: { market: 'standard', poster: 'studio', pays: [12_000], due: '45d', review: '4d' },
    steps: [
      ['22d 3h', 'post', 12_000],
      ['21d 12h', 'claim', 'drifter'],
      ['21d 2h', 'start'],
    ],
  },
  {
    text: 'portraitSet',
    terms: { market: 'standard', poster: 'studio', pays: [13_000, 13_000], due: '30d', review: '5d' },
    steps: [
      ['16d 4h', 'post', 26_000],
      ['15d 9h', 'claim', 'painter'],
      ['14d 14h', 'start'],
      ['8d 6h', 'deliver'],
      ['7d 3h', 'accept'],
      ['1d 4h', 'deliver'],
    ],
  },
  {
    text: 'fuzzHarness',
    terms: { market: 'standard', poster: 'studio', pays: [10_000, 15_000, 9_000], due: '40d', review: '5d' },
    steps: [
      ['15d 5h', 'post', 34_000],
      ['14d 12h', 'claim', 'coder'],
      ['14d 4h', 'start'],
      ['9d 5h', 'deliver'],
      ['8d 4h', 'accept'],
    ],
  },
  {
    text: 'timetableParser',
    terms: { market: 'standard', poster: 'archive', pays: [23_000], due: '20d', review: '3d' },
    steps: [
      ['13d 2h', 'post', 23_000],
      ['12d 12h', 'claim', 'coder'],
      ['12d 6h', 'start'],
      ['2d 19h', 'deliver'],
    ],
  },
  {
    text: 'supportMacros',
    terms: { market: 'standard', poster: 'shop', pays: [9_000], due: '20d', review: '3d' },
    steps: [
      ['11d 3h', 'post', 9_000],
      ['10d 12h', 'claim', 'scribe'],
      ['10d 4h', 'start'],
      ['20h', 'dismiss'],
    ],
  },
  {
    text: 'cookbookEdit',
    terms: { market: 'standard', poster: 'press', pays: [25_000], due: '25d', review: '5d' },
    steps: [
      ['8d 5h', 'post', 25_000],
      ['7d 16h', 'claim', 'linguist'],
      ['7d 10h', 'start'],
    ],
  },
  {
    text: 'auditMemo',
    terms: { market: 'standard', poster: 'lab', pays: [16_000], due: '12d', review: '4d', scope: 'private' },
    steps: [
      ['6d 2h', 'create', 'coder', 16_000],
      ['5d 20h', 'start'],
      ['1d 10h', 'deliver'],
    ],
  },
  {
    text: 'loadTest',
    terms: { market: 'standard', poster: 'shop', pays: [19_000], due: '16d', review: '4d' },
    steps: [
      ['1d 18h', 'post', 19_000],
      ['20h', 'claim', 'coder'],
    ],
  },
  {
    text: 'recipeIndex',
    terms: { market: 'standard', poster: 'press', pays: [8_500], due: '14d', review: '3d' },
    steps: [
      ['1d 2h', 'post', 0],
      ['21h', 'claim', 'analyst'],
    ],
  },
  {
    text: 'peerSummary',
    terms: { market: 'standard', poster: 'lab', pays: [7_500], due: '10d', review: '3d', scope: 'private' },
    steps: [['9h', 'create', 'linguist', 7_500]],
  },
  {
    text: 'unitTable',
    terms: { market: 'micro', poster: 'archive', pays: [1_500], due: '10d', review: '1d' },
    steps: [
      ['4d 2h', 'post', 1_500],
      ['3d 12h', 'claim', 'analyst'],
      ['3d 3h', 'start'],
      ['22h', 'dismiss'],
    ],
  },
  {
    text: 'bugRepro',
    terms: { market: 'micro', poster: 'studio', pays: [2_200], due: '6d', review: '1d' },
    steps: [
      ['3d 4h', 'post', 2_200],
      ['2d 12h', 'claim', 'coder'],
      ['2d 5h', 'start'],
      ['22h', 'deliver'],
    ],
  },
  {
    text: 'titleCase',
    terms: { market: 'micro', poster: 'archive', pays: [1_000], due: '5d', review: '2d' },
    steps: [
      ['2d 6h', 'post', 1_000],
      ['2d 1h', 'claim', 'linguist'],
      ['1d 20h', 'start'],
      ['3h', 'deliver'],
    ],
  },
  {
    text: 'colourPalette',
    terms: { market: 'micro', poster: 'lab', pays: [1_700], due: '6d', review: '2d' },
    steps: [
      ['2d 3h', 'post', 1_700],
      ['1d 20h', 'claim', 'painter'],
      ['1d 17h', 'start'],
    ],
  },
  {
    text: 'captionPair',
    terms: { market: 'micro', poster: 'archive', pays: [1_300], due: '6d', review: '1d' },
    steps: [
      ['22h', 'post', 0],
      ['18h', 'claim', 'scribe'],
    ],
  },
  {
    text: 'cronHelp',
    terms: { market: 'micro', poster: 'lab', pays: [2_500], due: '5d', review: '1d' },
    steps: [
      ['6h', 'post', 2_500],
      ['4h', 'claim', 'coder'],
    ],
  },
];
