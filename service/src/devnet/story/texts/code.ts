// Task texts of the seeded market: programs, tests and reviews.
import { prose, type Texts } from './prose.ts';

export const codeTexts = {
  vestingReview: {
    title: 'Review a token vesting contract of 310 lines',
    description: prose`
      One Solidity contract releases tokens to 40 recipients over two years with a cliff and a revocation
      right. It is compiled with 0.8.28 and has unit tests, no fuzzing. We want a second pair of eyes before
      deployment: rounding at the cliff, revocation in the same block as a claim, tokens that return false.`,
    criteria: prose`
      A report that lists each finding with severity, line, a failing test and a proposed fix. Invariants that
      were checked are named even if they hold. Tests run with Foundry on the supplied repository.`,
    tags: ['solidity', 'security', 'review'],
  },
  priceMonitor: {
    title: 'Scraper for the public price lists of five wholesalers',
    description: prose`
      Five wholesalers publish price lists as HTML or PDF, some weekly, some at will. Write a scraper that
      runs daily, keeps every version and reports what changed. It must respect robots.txt and wait between
      requests. Python or TypeScript, no browser unless a site cannot do without.`,
    criteria: prose`
      One command fetches all five and writes dated CSV files. A second run on the same day changes nothing. A
      changed layout fails loudly with the name of the site. Recorded pages serve as tests, so that these run
      without a network.`,
    tags: ['scraping', 'python', 'csv', 'automation'],
  },
  apiTests: {
    title: 'Write integration tests for an order API with 14 routes',
    description: prose`
      The API works and has no tests. Cover the happy path and the three most likely mistakes of each of its
      14 routes, among them an order that is paid twice at the same time. A container with seeded data is
      provided.`,
    criteria: prose`
      At least 56 tests that pass ten times in a row in any order. Each fails when the behaviour it names is
      removed; show this for five of our choice. The suite takes less than a minute.`,
    tags: ['testing', 'api', 'typescript'],
  },
  csvImporter: {
    title: 'A forgiving CSV importer for instrument readings',
    description: prose`
      Eleven instruments write CSV in eleven dialects: separators, decimal commas, units in headers, two date
      formats, a byte order mark here and there. Detect what can be detected, ask by a small config file for
      the rest, and never drop a row in silence. Python 3.12, no dependency beyond the standard library.`,
    criteria: prose`
      All 230 sample files import to the expected totals. Every rejected row is listed with file, line and
      reason. One million rows in less than 20 seconds on a laptop. Documented in one page.`,
    tags: ['python', 'csv', 'data'],
  },
  shaderPort: {
    title: 'Port seven water shaders from GLSL to WGSL',
    description: prose`
      The renderer moves to WebGPU and seven shaders are left: caustics, foam, shoreline and their helpers,
      about 900 lines. Look and frame time must stay. A test scene with reference pictures and a timing script
      is in the repository.`,
    criteria: prose`
      All seven compile without warnings. Each reference picture differs by less than 1 % of pixels. Frame
      time in the test scene grows by no more than 5 % on the named hardware.`,
    tags: ['webgpu', 'graphics', 'games'],
  },
  benchHarness: {
    title: 'Benchmark harness for three time-series stores',
    description: prose`
      Compare ingest, range reads and disk use of three stores with our own data shape: 400 sensors, one value
      a second, late arrivals. One command should run everything on a fresh machine and write a table that can
      be reproduced.`,
    criteria: prose`
      Each figure has at least five runs with median and spread. Versions and settings are printed with the
      result. A reader can repeat it from the README alone.`,
    tags: ['benchmark', 'databases', 'docker'],
  },
  checkoutAudit: {
    title: 'Accessibility audit of a three-page checkout',
    description: prose`
      Cart, address and payment, as seen by keyboard and by two screen readers. We know of low contrast on
      disabled buttons; we suspect more around error messages and the country list. Staging access is
      provided.`,
    criteria: prose`
      Findings against WCAG 2.2 AA with page, element, steps to reproduce and a suggested change, ordered by
      harm. Recordings of the three worst. A retest of the fixes within ten days is part of the task.`,
    tags: ['accessibility', 'audit', 'web'],
  },
  mapEditor: {
    title: 'Undo and redo for a tile map editor',
    description: prose`
      The editor changes a 512 by 512 grid in place. Add undo and redo for painting, filling, moving and
      resizing, with at least 200 steps and without copying the grid each time. TypeScript, no framework; the
      code is small and has tests.`,
    criteria: prose`
      All four operations can be undone and redone in any order with identical grids, shown by a property
      test. Memory for 200 typical steps stays below 8 MB. Existing tests pass unchanged.`,
    tags: ['typescript', 'games', 'editor'],
  },
  stockSync: {
    title: 'Keep shop stock and warehouse stock in step',
    description: prose`
      Two systems, each with a REST API and its own idea of a reservation. Write the service that brings
      changes across within a minute, survives a restart at any point and can explain every figure it set. We
      have the rules on one page; questions are welcome before you start.`,
    criteria: prose`
      A replay of last month’s 18,000 events ends with equal stock. Killing the service at random leaves no
      lost or doubled change. A log line tells the cause of each write.`,
    tags: ['integration', 'typescript', 'commerce'],
  },
  loadTest: {
    title: 'Load test for a ticket shop before the spring sale',
    description: prose`
      At nine o’clock four thousand people want six hundred tickets. Build the scenario with k6, find out
      where staging gives in, and say what to change first. Traffic only from the supplied runner and only
      between two and five at night.`,
    criteria: prose`
      Scenario files, three runs with charts, the bottleneck shown by measurement and not by opinion, and a
      list of changes ordered by effect per effort.`,
    tags: ['load-test', 'k6', 'performance'],
  },
  fuzzHarness: {
    title: 'Fuzz the parser of a binary map format',
    description: prose`
      Maps come from players, so the parser (C++, 2,400 lines) must survive anything. First milestone: harness
      and corpus. Second: run, triage, minimal reproductions. Third: review of our fixes and a run of 24 hours
      without a finding.`,
    criteria: prose`
      The harness builds with the repository’s CMake. Each crash has a minimal file, a stack and a cause.
      Branch coverage of the parser is at least 80 %.`,
    tags: ['fuzzing', 'cpp', 'security', 'games'],
  },
  timetableParser: {
    title: 'Parse eighty years of printed railway timetables',
    description: prose`
      OCR text of timetables from 1880 to 1960, four layouts, many footnotes. Turn it into one table: line,
      station, time, days, footnote. Accuracy counts more than coverage: what cannot be read must be marked,
      not guessed.`,
    criteria: prose`
      On the 40 hand-checked pages at least 98 % of the times are right and no wrong one is unmarked. Output
      as CSV with page coordinates. Rules per layout are described.`,
    tags: ['parsing', 'ocr', 'history', 'python'],
  },
  auditMemo: {
    title: 'Second opinion on a finding in an escrow audit',
    description: prose`
      An audit calls a rounding behaviour critical and our engineers call it harmless. Read both arguments and
      the code, and write the memo that settles it, with a test that shows the worst case in figures.`,
    criteria: prose`
      A memo of at most three pages with a clear verdict. A test that runs and prints the largest loss
      possible. Assumptions are listed.`,
    tags: ['solidity', 'security', 'review'],
  },
  paymentWidget: {
    title: 'Payment widget that works without JavaScript',
    description: prose`
      Our embedded payment button shows nothing where scripts are blocked. Build a version that is a plain
      form first and gets better with scripts, under 12 kB, for three currencies.`,
    criteria: prose`
      A payment can be finished with scripts off, by keyboard only, on the four listed browsers. Size below 12
      kB compressed. No third-party request before the customer clicks.`,
    tags: ['web', 'payments', 'accessibility'],
  },
  crashLogs: {
    title: 'Group 5,000 crash reports by cause',
    description: prose`
      Stack traces from the last release, three platforms, partly without symbols. Group them by cause, not by
      top frame, and describe the ten largest groups so that an engineer can start at once.`,
    criteria: prose`
      Every report belongs to one group. Fifty reports of our choice are in the right group. The ten
      descriptions name the suspected function and steps to reproduce where they can be found.`,
    tags: ['debugging', 'triage', 'games'],
  },
  invoicePattern: {
    title: 'One regular expression for six kinds of invoice numbers',
    description: prose`
      Six suppliers, six formats; the list with forty examples of each is attached, and sixty strings that
      look alike and are none. It must run in PostgreSQL.`,
    criteria: prose`
      Matches all 240 examples and none of the 60 others, in PostgreSQL 16. Named in a comment what each part
      is for.`,
    tags: ['regex', 'postgresql'],
  },
  returnsQuery: {
    title: 'SQL: returns per month and reason, first-time buyers apart',
    description: prose`
      Three tables (orders, lines, returns), PostgreSQL, schema and a small dump attached. Months without
      returns must show a zero.`,
    criteria: prose`
      One statement that gives the expected 72 rows on the dump, and one sentence on the index it wants.`,
    tags: ['sql', 'postgresql', 'commerce'],
  },
  packageNames: {
    title: 'Check which of 300 package names are still free',
    description: prose`
      A list of 300 words for a family of small libraries. For each: taken or free on npm, on PyPI and on
      crates.io, and when the taken ones were last published.`,
    criteria: prose`CSV of 300 lines with nine columns, dates in ISO form, and the script that made it.`,
    tags: ['research', 'npm', 'python'],
  },
  cronHelp: {
    title: 'Why does this job run twice on Sundays in October?',
    description: prose`
      A nightly export ran twice once a year and we blame summer time. Crontab, container settings and two
      logs are attached. We want the cause and a schedule that is immune to it.`,
    criteria: prose`
      Cause shown with times from the logs; new schedule with a test that simulates both clock changes.`,
    tags: ['cron', 'timezones', 'devops'],
  },
  bugRepro: {
    title: 'Minimal reproduction of a flickering scroll bar',
    description: prose`
      A list flickers in one browser when the window is between 900 and 960 pixels wide. Reduce our page to
      the fewest lines that still show it.`,
    criteria: prose`
      One HTML file below 60 lines, no dependency, which flickers on the named version; a sentence on the
      likely cause.`,
    tags: ['css', 'browser', 'debugging'],
  },
} satisfies Texts;
