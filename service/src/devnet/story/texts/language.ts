// Task texts of the seeded market: translating, editing and writing.
import { prose, type Texts } from './prose.ts';

export const languageTexts = {
  harbourGuide: {
    title: 'Translate a harbour walking guide, German to English',
    description: prose`
      A printed guide of 4,200 words leads visitors through an old harbour in eleven stops. We need English
      that reads as if it had been written in English: short sentences, no brochure adjectives, British
      spelling. Names of streets and basins stay German; explain them once where it helps. You get the text as
      DOCX and the page layout as PDF, so that you can see how much room each stop has.`,
    criteria: prose`
      All eleven stops and the captions are translated. No stop is more than 10 % longer than its original.
      The attached glossary is followed. Delivered as DOCX with the original's styles, one file.`,
    tags: ['translation', 'german', 'english', 'travel'],
  },
  gameDialogue: {
    title: 'Spanish dialogue for a narrative game, 9,000 words in three acts',
    description: prose`
      Dialogue lines of a quiet mystery game, English to Latin American Spanish. The three speakers have
      distinct voices, described in a two-page guide with examples. Lines come as JSON with keys, a speaker
      and a character limit for the text box. One milestone for each act; the second and third act follow
      within a day of the one before being accepted.`,
    criteria: prose`
      Every key has a translation within its limit. Placeholders such as {item} are kept. Tone follows the
      voice guide, checked on twenty lines per act that we choose. The JSON loads without errors.`,
    tags: ['translation', 'spanish', 'games', 'localization'],
  },
  privacyNotice: {
    title: 'Rewrite our privacy notice so that a customer can read it',
    description: prose`
      Our notice has 2,900 words of inherited legal text. Say the same in at most 1,400 words of plain
      English, in the order a customer asks: what we keep, why, how long, who sees it, how to have it deleted.
      A lawyer reads the result, so nothing may be promised that the original does not say.`,
    criteria: prose`
      At most 1,400 words. Each statement of the original is either present or listed as dropped with a
      reason. Reading ease of 60 or more (Flesch). Delivered as Markdown with a comparison table.`,
    tags: ['writing', 'plain-language', 'legal', 'editing'],
  },
  licenceAmendment: {
    title: 'Translate a signed licence amendment, French to English',
    description: prose`
      Nine pages that change the terms of an illustration licence. The translation goes into a negotiation, so
      accuracy matters more than elegance: clause numbers, defined terms and dates exactly as in the original.`,
    criteria: prose`
      Complete, clause by clause, in two columns. Defined terms are capitalised and used consistently. A short
      list names every passage whose French is ambiguous.`,
    tags: ['translation', 'french', 'contracts'],
  },
  filmSubtitles: {
    title: 'German subtitles for a 38-minute documentary on tidal mills',
    description: prose`
      English narration and four interviews, one of them with a strong regional accent. A corrected English
      transcript with time codes exists. We need German subtitles that a viewer can read at ease, not a word
      for word rendering of the narration.`,
    criteria: prose`
      SRT, at most two lines of 42 characters, at most 17 characters per second, no subtitle shorter than one
      second. Numbers and mill names agree with the transcript.`,
    tags: ['subtitles', 'german', 'translation', 'video'],
  },
  grantAbstract: {
    title: 'Cut a grant abstract from 520 to 300 words without losing the point',
    description: prose`
      The abstract of a proposal on cheap soil sensors has grown by committee. Reviewers outside the field
      read it first. Find the one question it answers, put it in the first two sentences and let the rest
      serve it. The full proposal (14 pages) is attached for context.`,
    criteria: prose`
      At most 300 words. Question, method, cost and benefit are each found within ten seconds. No claim that
      the proposal does not make. Two alternative titles.`,
    tags: ['editing', 'science', 'writing'],
  },
  museumLabels: {
    title: 'Sixty-four object labels in simple English and in Dutch',
    description: prose`
      Labels for an exhibition of household tools, 40 to 70 words each, written by curators for curators.
      First milestone: simple English for all labels (level B1). Second: Dutch from the approved English.
      Third: corrections after a test reading with visitors. Pictures of the objects are included.`,
    criteria: prose`
      Each label has at most 60 words, one idea per sentence and no word that needs a dictionary, unless it
      names the object. Dutch is written by a native speaker. Corrections are worked in within five days.`,
    tags: ['translation', 'dutch', 'plain-language', 'museum'],
  },
  cookbookEdit: {
    title: 'Copy-edit a cookbook of 72 recipes',
    description: prose`
      A regional cookbook, already tested in the kitchen. Every recipe needs the same shape: yield, time,
      ingredients in the order of use, numbered steps, one sentence of introduction. Quantities are metric;
      note where the author gives only cups. House style (6 pages) and a finished sample recipe are attached.`,
    criteria: prose`
      All 72 recipes follow the sample. Ingredients and steps agree: nothing is listed and unused, nothing is
      used and unlisted. Questions to the author stand as comments, not as changes.`,
    tags: ['editing', 'cooking', 'publishing'],
  },
  questText: {
    title: 'Write 30 side-quest texts for a village of beekeepers',
    description: prose`
      Short quests around weather, wax and quarrels between neighbours. Each has a hook, an objective of one
      line, and two endings depending on a choice. The village map, its twelve inhabitants and three sample
      quests are supplied.`,
    criteria: prose`
      Thirty quests of 80 to 120 words each in the supplied sheet. No two share an objective. Each inhabitant
      appears at least twice. Nothing contradicts the map.`,
    tags: ['writing', 'games', 'fiction'],
  },
  voiceLines: {
    title: 'Adapt 180 French voice lines to recorded lengths',
    description: prose`
      The English recording is final and the French lines must fit its timing, line by line. Lengths are given
      in seconds. Some jokes will not survive; find others that suit the situation.`,
    criteria: prose`
      Read aloud at a normal pace, no line is longer than its slot or shorter by more than 20 %. All 180 lines
      are present. Changed jokes are marked with one sentence of explanation.`,
    tags: ['translation', 'french', 'voice', 'games'],
  },
  plateCaptions: {
    title: 'Captions for 48 plates of a botany reprint, Latin names checked',
    description: prose`
      The plates of a nineteenth-century flora get new captions: accepted Latin name today, the name on the
      plate if it differs, common English name, part of the plant shown. Scans are supplied at reading size.`,
    criteria: prose`
      Forty-eight captions in one table. Each accepted name cites a public plant database and the date of the
      lookup. Uncertain identifications are marked as such, not guessed.`,
    tags: ['botany', 'writing', 'research', 'publishing'],
  },
  supportMacros: {
    title: 'Forty support answers in one friendly, precise voice',
    description: prose`
      Over the years six people wrote our reply templates, and it shows. Bring forty of them into one voice:
      say what happens next and when, apologise once at most, never blame the parcel service. Current texts
      with their monthly use are in a sheet.`,
    criteria: prose`
      All forty rewritten, none longer than 110 words. Every placeholder is kept. Ten pairs before and after,
      with reasons, as a guide for texts to come.`,
    tags: ['writing', 'support', 'editing'],
  },
  peerSummary: {
    title: 'Summarise nine referee reports into one list of changes',
    description: prose`
      Nine reports on three linked papers, 31 pages in all, partly contradicting each other. We need one list
      of the changes that are asked for, who asks, and where two reports disagree. The reports are
      confidential.`,
    criteria: prose`
      Each request appears once with all its sources. Disagreements stand in a section of their own. Nothing
      of the reports is quoted at more than one sentence.`,
    tags: ['science', 'summary', 'editing'],
  },
  readerReport: {
    title: 'Reader’s report on an unpublished novel, 96,000 words',
    description: prose`
      A frank report for the editorial meeting: what the book wants to be, where it succeeds, where it loses
      its reader, and whether you would publish it. The manuscript is confidential and must be deleted
      afterwards.`,
    criteria: prose`
      Four to six pages. A synopsis of one page, then structure, voice, market, recommendation. At least ten
      references to chapters.`,
    tags: ['reading', 'publishing', 'fiction'],
  },
  lunchMenu: {
    title: 'Lunch menu, 22 dishes, Italian to English',
    description: prose`
      A weekly menu with allergens. Dish names may stay Italian where English guests know them; otherwise
      describe the dish in five words. Keep the letter codes for allergens.`,
    criteria: prose`
      All 22 dishes, codes unchanged, each description at most eight words. Plain text, one dish a line.`,
    tags: ['translation', 'italian', 'food'],
  },
  newsletterProof: {
    title: 'Proofread a newsletter of 900 words before noon',
    description: prose`
      Five short items on new books. Spelling, punctuation, names of authors and dates; leave the style alone.
      The text is a shared document with suggestions switched on.`,
    criteria: prose`
      Every correction is a suggestion. Author names and dates agree with the supplied list of titles.`,
    tags: ['proofreading', 'english', 'newsletter'],
  },
  plantGlossary: {
    title: 'Glossary of 60 plant terms, English to Portuguese',
    description: prose`
      Terms from a field key for students: leaf shapes, inflorescences, fruit types. First half and second
      half are a milestone each. One line per term with a short definition in Portuguese.`,
    criteria: prose`
      Sixty terms, European Portuguese, one definition of at most 15 words each, source named for terms that
      have rival translations.`,
    tags: ['translation', 'portuguese', 'botany'],
  },
  emailDraft: {
    title: 'Draft a polite answer to a delayed supplier',
    description: prose`
      A supplier is three weeks late and asks for two more. We want the goods, a fixed date and a small
      discount, in this order. The mail so far is attached.`,
    criteria: prose`At most 150 words, one clear date, one clear request, no threat.`,
    tags: ['writing', 'email', 'business'],
  },
  sloganIdeas: {
    title: 'Ten lines for a tote bag about reading slowly',
    description: prose`
      For a bookshop’s autumn bag. Dry rather than cute, at most six words each. No puns on “page”.`,
    criteria: prose`Ten different lines, none of which a web search finds as an existing product slogan.`,
    tags: ['copywriting', 'ideas'],
  },
  tooltipTexts: {
    title: 'Tooltips for 35 buttons of a map editor',
    description: prose`
      Each button has a name and a screenshot, none has a tooltip. Say what happens on a click, in one
      sentence that starts with a verb. Keyboard shortcuts are appended by the program.`,
    criteria: prose`
      Thirty-five sentences of at most 60 characters in the supplied CSV; no tooltip repeats its button’s name
      alone.`,
    tags: ['writing', 'interface', 'games'],
  },
  rhymeCheck: {
    title: 'Check the metre of a children’s rhyme in twelve stanzas',
    description: prose`
      The illustrated book is nearly done and two stanzas stumble when read aloud. Find them, mark every
      irregular line and offer one repair for each that keeps the picture true.`,
    criteria: prose`
      Stress pattern marked for all 48 lines; each irregular line has a repair with the same rhyme word.`,
    tags: ['poetry', 'editing', 'children'],
  },
} satisfies Texts;
