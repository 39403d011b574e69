// Where a Chromium is on this machine, if anywhere.
import { existsSync } from 'node:fs';

const places = [
  process.env.SVC_TEST_BROWSER,
  // Draws no windows around its pages: a fifth less work.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

export const browserPath: string | undefined = places.find(
  (place) => place !== undefined && existsSync(place),
);
