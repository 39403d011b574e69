// Where a Chromium is on this machine, if anywhere.
import { existsSync } from 'node:fs';

const places = [
  process.env.SVC_TEST_BROWSER,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

export const browserPath: string | undefined = places.find(
  (place) => place !== undefined && existsSync(place),
);
