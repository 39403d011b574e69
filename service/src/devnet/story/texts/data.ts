// Task texts of the seeded market: data, surveys and research.
import { prose, type Texts } from './prose.ts';

export const dataTexts = {
  surveyCleaning: {
    title: 'Clean a survey of 3,100 answers on commuting',
    description: prose`
      Paper and web answers in two files with different column names. Merge them, remove the double entries,
      bring free-text answers on transport to a list of twelve values, and keep the original beside each
      change. A codebook of the web version exists; the paper version has none.`,
    criteria: prose`
      One tidy CSV and a codebook for every column. A change log with rule and count. Totals per town match
      the control sheet. The script reproduces the file from the raw data.`,
    tags: ['data-cleaning', 'survey', 'csv'],
  },
  parishRegister: {
    title: 'Tag 1,800 parish register entries by occupation',
    description: prose`
      Transcribed entries from 1740 to 1810 name occupations in many spellings and two languages. Assign each
      to the HISCO code list as far as the text allows. Twenty entries are done as examples.`,
    criteria: prose`
      Every entry has a code or the reason why it has none. A second pass on 100 random entries agrees in at
      least 95. Spelling variants are collected in a table.`,
    tags: ['classification', 'history', 'archives'],
  },
  sensorMerge: {
    title: 'Merge two years of river sensor data with gaps and drift',
    description: prose`
      Six stations, three sensor generations, clock drift of up to four minutes a week. Align the series, mark
      gaps, correct the drift where the calibration notes allow it, and say where they do not.`,
    criteria: prose`
      One Parquet file per station at a one-minute grid with a quality flag per value. Corrections are
      reproducible from the notes. A plot per station shows before and after.`,
    tags: ['time-series', 'sensors', 'python'],
  },
  returnsForecast: {
    title: 'Forecast returns for the winter season by category',
    description: prose`
      Three years of orders and returns in eleven categories. We plan staff by week and want a forecast that
      is honest about its error. A simple model that is explained beats a clever one that is not.`,
    criteria: prose`
      Weekly forecast with an 80 % interval for 16 weeks. Back-test on last winter with the error per
      category. Notebook runs from top to bottom.`,
    tags: ['forecast', 'commerce', 'statistics'],
  },
  datasetLicence: {
    title: 'Licence check for the 26 data sets of a publication',
    description: prose`
      We republish derived data and must know what each source allows. Find the licence of every set as of its
      download date, and quote the sentence that matters.`,
    criteria: prose`
      A table of 26 rows: source, version, licence, link, archived copy, sentence, verdict (free, with
      attribution, ask, no). Doubtful ones with a reason.`,
    tags: ['licences', 'research', 'data'],
  },
  feedMapping: {
    title: 'Map 2,400 product attributes to a marketplace feed',
    description: prose`
      A marketplace wants its own attribute names and value lists. Map ours to theirs, category by category,
      and list what is missing on our side. Their documentation is public, ours is a sheet with comments.`,
    criteria: prose`
      Every required attribute of the 14 categories is mapped or listed as missing. The validator of the
      marketplace accepts a sample of 200 products.`,
    tags: ['product-data', 'mapping', 'commerce'],
  },
  orchardSurvey: {
    title: 'Count trees on 900 aerial pictures of orchards',
    description: prose`
      Pictures at 20 cm per pixel. Mark each tree crown with a point and each gap in a row with another; rows
      and species do not matter. A web tool for marking is provided and records your speed, which is of no
      interest to us.`,
    criteria: prose`
      All 900 pictures are marked. On 45 control pictures the count is within 3 % and no row is missed.
      Pictures that cannot be judged are flagged.`,
    tags: ['annotation', 'geodata', 'agriculture'],
  },
  recipeIndex: {
    title: 'Index of ingredients for a cookbook of 310 pages',
    description: prose`
      An index by ingredient with sub-entries by dish, as a reader in the kitchen would look things up:
      aubergine, not vegetables. The final page proofs are available as PDF.`,
    criteria: prose`
      Every recipe is reachable by its two main ingredients. At most two levels. Page numbers are right for 50
      entries of our choice. Delivered in the format of the layout program.`,
    tags: ['indexing', 'publishing', 'cooking'],
  },
  mailingList: {
    title: 'Merge duplicates in a mailing list of 1,150 lines',
    description: prose`
      The list has grown from three sources. Same person, different spelling, different street forms. When in
      doubt keep both and mark them.`,
    criteria: prose`
      CSV with a group number per person, no contact lost, at most ten doubtful pairs left, rules described in
      five lines.`,
    tags: ['data-cleaning', 'csv'],
  },
  quoteCheck: {
    title: 'Find the source of 25 quotations',
    description: prose`
      Quotations for a calendar, collected from the web. For each: does the named author say it, and where?
      Page and edition, or “not found”.`,
    criteria: prose`
      Each verdict has a source that can be looked up; secondary collections of quotations do not count as a
      source.`,
    tags: ['research', 'quotations', 'publishing'],
  },
  streetNames: {
    title: 'Match 200 old street names to today’s map',
    description: prose`
      Street names from a directory of 1911. A renaming list of the town exists and covers about half of them.`,
    criteria: prose`
      Two hundred rows with today’s name, a coordinate, and the source; streets that vanished are marked with
      the year if known.`,
    tags: ['history', 'geodata', 'archives'],
  },
  quizQuestions: {
    title: 'Fifty quiz questions about trains, with sources',
    description: prose`
      For a waiting-room screen: one question, four answers, one right. Easy enough for a twelve-year-old,
      surprising enough for a commuter.`,
    criteria: prose`
      Fifty questions, each with a source; wrong answers are plausible; no question depends on a date that may
      change.`,
    tags: ['quiz', 'writing', 'research'],
  },
  receiptLines: {
    title: 'Type 140 receipt lines into a sheet',
    description: prose`
      Photographs of 12 receipts from a conference trip: date, shop, item, amount, tax rate. Two are in Czech.`,
    criteria: prose`
      All lines typed; the sum of each receipt equals its printed total; unreadable digits are marked with a
      question mark.`,
    tags: ['data-entry', 'receipts'],
  },
  unitTable: {
    title: 'Convert a table of 90 old units to metric',
    description: prose`
      Grain, cloth and land measures of three towns before 1850. Values differ by town and century; the
      handbook that settles them is attached.`,
    criteria: prose`
      Ninety rows with value, precision and page of the handbook. Where it gives a range, the range is kept.`,
    tags: ['history', 'units', 'data'],
  },
  addressSplit: {
    title: 'Split 600 addresses into their parts',
    description: prose`
      One column in, five columns out: street, number, addition, postcode, town. German, Austrian and Swiss
      forms. Do not correct anything.`,
    criteria: prose`
      Joined again, the parts give the original line, apart from spaces. At most six lines flagged as
      undecidable.`,
    tags: ['data-cleaning', 'addresses'],
  },
} satisfies Texts;
