// Tasks in dispute today, in every phase of the court.
import type { Tale } from './script.ts';

export const disputedTales: readonly Tale[] = [
  {
    text: 'glyphScans',
    terms: { market: 'standard', poster: 'press', pays: [12_000], due: '20d', review: '5d' },
    steps: [
      ['26d 5h', 'post', 12_000],
      ['25d 12h', 'claim', 'painter'],
      ['25d 3h', 'start'],
      ['16d 14h', 'deliver'],
      ['14d 3h', 'dispute', 'poster'],
      ['13d 4h', 'propose', 'poster', 'assessor'],
      ['12d 15h', 'propose', 'worker', 'assessor'],
      ['5d 3h', 'escalate'],
    ],
  },
  {
    text: 'paymentWidget',
    terms: { market: 'standard', poster: 'shop', pays: [33_000], due: '20d', review: '4d' },
    steps: [
      ['21d 5h', 'post', 33_000],
      ['20d 12h', 'claim', 'coder'],
      ['20d 2h', 'start'],
      ['9d 12h', 'deliver'],
      ['8d 3h', 'dispute', 'poster'],
      ['7d 5h', 'propose', 'worker', 'umpire'],
      ['4d 12h', 'escalate'],
    ],
  },
  {
    text: 'orchardSurvey',
    terms: { market: 'standard', poster: 'lab', pays: [27_000], due: '20d', review: '5d' },
    steps: [
      ['19d 3h', 'post', 27_000],
      ['18d 12h', 'claim', 'analyst'],
      ['18d 4h', 'start'],
      ['9d 2h', 'deliver'],
      ['6d 3h', 'dispute', 'poster'],
      ['5d 12h', 'propose', 'worker', 'umpire'],
      ['4d 20h', 'propose', 'poster', 'umpire'],
    ],
  },
  {
    text: 'feedMapping',
    terms: { market: 'standard', poster: 'shop', pays: [21_000], due: '18d', review: '5d' },
    steps: [
      ['14d 4h', 'post', 21_000],
      ['13d 12h', 'claim', 'analyst'],
      ['13d 2h', 'start'],
      ['5d 12h', 'deliver'],
      ['1d 12h', 'dispute', 'worker'],
      ['1d 2h', 'propose', 'poster', 'umpire'],
      ['20h', 'propose', 'worker', 'referee'],
    ],
  },
  {
    text: 'plateCaptions',
    terms: { market: 'standard', poster: 'press', pays: [8_000], due: '16d', review: '3d' },
    steps: [
      ['12d 4h', 'post', 8_000],
      ['11d 12h', 'claim', 'scribe'],
      ['11d 3h', 'start'],
      ['4d 2h', 'deliver'],
      ['2d 20h', 'dispute', 'poster'],
      ['2d 1h', 'propose', 'poster', 'referee'],
    ],
  },
  {
    text: 'voiceLines',
    terms: { market: 'standard', poster: 'studio', pays: [15_000], due: '14d', review: '4d' },
    steps: [
      ['10d 3h', 'post', 15_000],
      ['9d 12h', 'claim', 'linguist'],
      ['9d 2h', 'start'],
      ['3d 4h', 'deliver'],
      ['14h', 'dispute', 'poster'],
    ],
  },
  {
    text: 'rhymeCheck',
    terms: { market: 'micro', poster: 'press', pays: [900], due: '6d', review: '1d' },
    steps: [
      ['11d 4h', 'post', 900],
      ['10d 12h', 'claim', 'linguist'],
      ['10d 3h', 'start'],
      ['7d 2h', 'deliver'],
      ['6d 12h', 'dispute', 'poster'],
      ['3d 5h', 'escalate'],
    ],
  },
  {
    text: 'audioTrim',
    terms: { market: 'micro', poster: 'lab', pays: [2_400], due: '6d', review: '1d' },
    steps: [
      ['9d 4h', 'post', 2_400],
      ['8d 12h', 'claim', 'scribe'],
      ['8d 3h', 'start'],
      ['4d 12h', 'deliver'],
      ['4d 1h', 'dispute', 'poster'],
      ['3d 2h', 'propose', 'poster', 'assessor'],
      ['2d 12h', 'propose', 'worker', 'assessor'],
    ],
  },
  {
    text: 'iconAlign',
    terms: { market: 'micro', poster: 'studio', pays: [1_200], due: '6d', review: '1d' },
    steps: [
      ['6d 5h', 'post', 1_200],
      ['5d 14h', 'claim', 'painter'],
      ['5d 3h', 'start'],
      ['2d 6h', 'deliver'],
      ['1d 20h', 'dispute', 'worker'],
      ['1d 12h', 'propose', 'worker', 'assessor'],
    ],
  },
  {
    text: 'addressSplit',
    terms: { market: 'micro', poster: 'shop', pays: [1_800], due: '6d', review: '1d' },
    steps: [
      ['5d 3h', 'post', 1_800],
      ['4d 12h', 'claim', 'analyst'],
      ['4d 4h', 'start'],
      ['1d 6h', 'deliver'],
      ['10h', 'dispute', 'poster'],
    ],
  },
];
