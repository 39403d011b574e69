// Tasks that anybody can claim today, some of them for the second time.
import type { Tale } from './script.ts';

export const listedTales: readonly Tale[] = [
  {
    text: 'atlasVector',
    terms: { market: 'standard', poster: 'press', pays: [15_000, 10_000, 5_000], due: '60d', review: '6d' },
    steps: [
      ['25d 4h', 'post', 30_000],
      ['24d 12h', 'claim', 'painter'],
      ['24d 3h', 'start'],
      ['17d 6h', 'deliver'],
      ['15d 5h', 'accept'],
      ['9d 4h', 'dismiss'],
      ['7d 20h', 'dismiss'],
    ],
  },
  {
    text: 'mapEditor',
    terms: { market: 'standard', poster: 'studio', pays: [14_000], due: '45d', review: '5d' },
    steps: [
      ['24d 8h', 'post', 14_000],
      ['23d 4h', 'claim', 'drifter'],
      ['22d 13h', 'start'],
      ['16d 7h', 'leave'],
    ],
  },
  {
    text: 'stockSync',
    terms: { market: 'standard', poster: 'shop', pays: [36_000], due: '50d', review: '7d' },
    steps: [
      ['23d 6h', 'post', 36_000],
      ['22d 15h', 'claim', 'drifter'],
      ['22d 4h', 'start'],
      ['12d 2h', 'leave'],
    ],
  },
  {
    text: 'fontPairing',
    terms: { market: 'standard', poster: 'press', pays: [9_000], due: '20d', review: '4d' },
    steps: [
      ['6d 3h', 'post', 9_000],
      ['5d 12h', 'claim', 'painter'],
      ['3d 6h', 'timeOut'],
    ],
  },
  {
    text: 'checkoutAudit',
    terms: { market: 'standard', poster: 'shop', pays: [28_000], due: '20d', review: '5d' },
    steps: [['2d 5h', 'post', 10_000]],
  },
  {
    text: 'birdCalls',
    terms: { market: 'standard', poster: 'lab', pays: [32_000], due: '30d', review: '7d' },
    steps: [['1d 3h', 'post', 32_000]],
  },
  {
    text: 'grantAbstract',
    terms: { market: 'standard', poster: 'lab', pays: [3_000], due: '6d', review: '2d' },
    steps: [['20h', 'post', 0]],
  },
  {
    text: 'museumLabels',
    terms: { market: 'standard', poster: 'archive', pays: [12_000, 10_000, 4_000], due: '35d', review: '5d' },
    steps: [['5h', 'post', 26_000]],
  },
  {
    text: 'footnotes',
    terms: { market: 'micro', poster: 'press', pays: [1_900], due: '20d', review: '2d' },
    steps: [
      ['6d 4h', 'post', 1_900],
      ['5d 20h', 'claim', 'drifter'],
      ['5d 18h', 'start'],
      ['4d 3h', 'leave'],
    ],
  },
  {
    text: 'packageNames',
    terms: { market: 'micro', poster: 'lab', pays: [1_500], due: '5d', review: '1d' },
    steps: [['1d 1h', 'post', 600]],
  },
  {
    text: 'receiptLines',
    terms: { market: 'micro', poster: 'lab', pays: [700], due: '3d', review: '12h' },
    steps: [['8h', 'post', 0]],
  },
  {
    text: 'tooltipTexts',
    terms: { market: 'micro', poster: 'studio', pays: [1_100], due: '6d', review: '1d' },
    steps: [['3h', 'post', 1_100]],
  },
];
