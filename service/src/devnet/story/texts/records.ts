// Task texts of the seeded market: transcripts, archives and small office work.
import { prose, type Texts } from './prose.ts';

export const recordTexts = {
  oralHistory: {
    title: 'Transcribe eleven interviews with former net makers',
    description: prose`
      Nine hours of German with some Low German, one or two voices each, recorded in kitchens. Transcribe what
      is said, not what was meant, with time codes every two minutes. Low German stays as it is. A list of
      trade words with explanations is attached.`,
    criteria: prose`
      Complete transcripts with speakers and time codes. Unclear passages are marked with the time. On ten
      random minutes at most one wrong word in two hundred.`,
    tags: ['transcription', 'german', 'oral-history'],
  },
  nameIndex: {
    title: 'Index of persons for a volume of letters, 640 pages',
    description: prose`
      About 900 persons, many only by first name or office. Identify them from the notes, give life dates
      where the edition has them, and resolve the letters’ nicknames. Page proofs are final.`,
    criteria: prose`
      Every person in text and notes is listed with all pages. Identifications beyond the notes are marked.
      Fifty entries of our choice are right in name and pages.`,
    tags: ['indexing', 'publishing', 'history'],
  },
  microfilmIndex: {
    title: 'Index 14 reels of a local newspaper by headline',
    description: prose`
      Scans of microfilm, 1919 to 1923, Fraktur. For each issue: date, page, every headline, and one of eight
      subject groups. Advertisements are left out.`,
    criteria: prose`
      All issues of the 14 reels, in order, with missing days listed. Headlines letter by letter. On 60 random
      headlines at most two mistakes.`,
    tags: ['archives', 'fraktur', 'indexing'],
  },
  mapScans: {
    title: 'Catalogue 430 scanned harbour plans',
    description: prose`
      Title, scale, date, surveyor, state of the sheet, and the area shown as a rectangle on today’s map.
      Roughly a third carry no date and can be placed by the piers that exist on them.`,
    criteria: prose`
      430 records in the supplied schema. Estimated dates have a range and a reason. The validator reports no
      error.`,
    tags: ['catalogue', 'maps', 'archives'],
  },
  serialLayout: {
    title: 'Set a serial of 24 instalments for the web',
    description: prose`
      Typescript to clean HTML with footnotes, drop capitals and the original breaks. One template,
      twenty-four pages, a table of contents.`,
    criteria: prose`
      Valid HTML without inline styles. Footnotes go there and back. Pages read well on a telephone. Nothing
      of the text is lost, shown by a comparison.`,
    tags: ['html', 'publishing', 'typesetting'],
  },
  lettersRetyping: {
    title: 'Retype 210 typewritten letters from faint copies',
    description: prose`
      Carbon copies on thin paper, scanned. Keep line breaks, typing mistakes and crossings-out. Handwritten
      notes in the margin go into a second field.`,
    criteria: prose`
      One text file per letter with the scan’s number. On 20 random letters no word is missing. Unreadable
      places carry a mark with their length.`,
    tags: ['transcription', 'archives', 'letters'],
  },
  birdCalls: {
    title: 'Label bird calls in 60 hours of dawn recordings',
    description: prose`
      Recordings from four meadows, 44 kHz. Mark start, end and species for every call that can be told, for a
      list of 35 species. A first pass by a program is supplied and is right about two times in three.`,
    criteria: prose`
      On three control hours at least 90 % of the calls of the list are found and 95 % of the labels are
      right. Doubtful calls carry a question mark and count as neither.`,
    tags: ['annotation', 'birds', 'audio'],
  },
  altTexts: {
    title: 'Alternative texts for 40 photographs of ceramics',
    description: prose`
      Say what a customer would want to know who cannot see the picture: shape, glaze, size against the hand.
      No “picture of”.`,
    criteria: prose`Forty texts of 60 to 125 characters in the supplied sheet, no two alike.`,
    tags: ['accessibility', 'writing', 'commerce'],
  },
  voiceMemo: {
    title: 'Transcribe a voice memo of twelve minutes',
    description: prose`
      English, one speaker, street noise at the start. Clean reading text without “uh”, in paragraphs, with
      the three questions at the end as a list.`,
    criteria: prose`
      Nothing left out but fillers; unclear words marked with their time; delivered as plain text.`,
    tags: ['transcription', 'english'],
  },
  tableOcr: {
    title: 'Correct the OCR of a price table of 1887',
    description: prose`
      Four pages of freight rates. The program confused 1, 7 and the old fractions. Correct against the scans.`,
    criteria: prose`
      All 320 cells checked; fractions in Unicode; the row sums at the bottom agree or are marked.`,
    tags: ['ocr', 'tables', 'archives'],
  },
  footnotes: {
    title: 'Bring 75 footnotes into one citation style',
    description: prose`
      A chapter with footnotes by three hands. Style sheet attached, two pages. Look up what is missing:
      place, year, page range.`,
    criteria: prose`
      All 75 follow the sheet; additions are marked in colour; what could not be found is listed.`,
    tags: ['citations', 'editing', 'publishing'],
  },
  captionPair: {
    title: 'Match 90 loose photographs to a caption list',
    description: prose`
      The captions survived, their order did not. Buildings, dates on the back and clothing should settle most
      of them.`,
    criteria: prose`Ninety pairs with a confidence of sure, likely or open, and one reason each.`,
    tags: ['archives', 'photography', 'research'],
  },
  titleCase: {
    title: 'Unify the capitals of 500 record titles',
    description: prose`
      English titles in a catalogue, some in capitals, some in title case. Sentence case is wanted; proper
      names keep their capitals.`,
    criteria: prose`Five hundred titles, proper names right, changes marked in a second column.`,
    tags: ['catalogue', 'editing', 'data-cleaning'],
  },
} satisfies Texts;
