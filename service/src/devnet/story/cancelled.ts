// Tasks that came to nothing: withdrawn, expired, never started or never delivered.
import type { Tale } from './script.ts';

export const cancelledTales: readonly Tale[] = [
  {
    text: 'mapScans',
    terms: { market: 'standard', poster: 'archive', pays: [21_000], due: '9d', review: '5d' },
    steps: [
      ['32d 4h', 'post', 21_000],
      ['22d 12h', 'timeOut'],
    ],
  },
  {
    text: 'serialLayout',
    terms: { market: 'standard', poster: 'press', pays: [11_000], due: '8d', review: '3d' },
    steps: [
      ['30d 3h', 'post', 11_000],
      ['29d 4h', 'claim', 'drifter'],
      ['28d 20h', 'start'],
      ['20d 12h', 'timeOut'],
    ],
  },
  {
    text: 'giftCards',
    terms: { market: 'standard', poster: 'shop', pays: [4_000], due: '12d', review: '3d' },
    steps: [
      ['29d 6h', 'post', 0],
      ['25d 14h', 'cancel'],
    ],
  },
  {
    text: 'crashLogs',
    terms: { market: 'standard', poster: 'studio', pays: [9_500], due: '7d', review: '3d' },
    steps: [
      ['27d 12h', 'post', 9_500],
      ['27d 2h', 'claim', 'drifter'],
      ['26d 14h', 'start'],
      ['18d 3h', 'timeOut'],
    ],
  },
  {
    text: 'bossMusic',
    terms: { market: 'standard', poster: 'studio', pays: [17_000], due: '15d', review: '5d' },
    steps: [
      ['26d 4h', 'post', 17_000],
      ['24d 4h', 'cancel'],
    ],
  },
  {
    text: 'lettersRetyping',
    terms: { market: 'standard', poster: 'archive', pays: [7_500], due: '8d', review: '3d' },
    steps: [
      ['24d 6h', 'post', 7_500],
      ['23d 12h', 'claim', 'scribe'],
      ['23d', 'start'],
      ['15d 20h', 'dismiss'],
      ['14d 19h', 'dismiss'],
    ],
  },
  {
    text: 'seminarPoster',
    terms: { market: 'standard', poster: 'lab', pays: [9_000], due: '14d', review: '4d' },
    steps: [
      ['21d 12h', 'post', 0],
      ['21d 1h', 'claim', 'painter'],
      ['19d 14h', 'timeOut'],
    ],
  },
  {
    text: 'readerReport',
    terms: { market: 'standard', poster: 'press', pays: [8_000], due: '14d', review: '4d', scope: 'private' },
    steps: [
      ['17d 5h', 'create', 'analyst', 8_000],
      ['16d 12h', 'start'],
      ['14d 2h', 'leave'],
    ],
  },
  {
    text: 'datasetLicence',
    terms: { market: 'standard', poster: 'lab', pays: [6_000], due: '12d', review: '3d', scope: 'private' },
    steps: [
      ['13d 3h', 'create', 'analyst', 0],
      ['12d 14h', 'dismiss'],
    ],
  },
  {
    text: 'logoTrace',
    terms: { market: 'micro', poster: 'archive', pays: [900], due: '3d', review: '12h' },
    steps: [
      ['20d 7h', 'post', 900],
      ['19d 20h', 'claim', 'drifter'],
      ['19d 18h', 'start'],
      ['15d 4h', 'timeOut'],
    ],
  },
  {
    text: 'sloganIdeas',
    terms: { market: 'micro', poster: 'press', pays: [300], due: '5d', review: '12h' },
    steps: [
      ['18d 6h', 'post', 0],
      ['17d 3h', 'cancel'],
    ],
  },
  {
    text: 'streetNames',
    terms: { market: 'micro', poster: 'archive', pays: [1_000], due: '4d', review: '1d' },
    steps: [
      ['15d 2h', 'post', 1_000],
      ['10d 13h', 'timeOut'],
    ],
  },
  {
    text: 'quizQuestions',
    terms: { market: 'micro', poster: 'shop', pays: [1_600], due: '6d', review: '1d' },
    steps: [
      ['13d 5h', 'post', 0],
      ['12d 12h', 'claim', 'scribe'],
      ['11d 2h', 'timeOut'],
    ],
  },
];
