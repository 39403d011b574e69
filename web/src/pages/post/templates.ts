// Templates of the posting form: what such tasks usually need, for the poster to complete.

export type Template = {
  readonly name: string;
  /** Fields of the form. */
  readonly draft: {
    readonly [Field in 'title' | 'description' | 'criteria' | 'tags']: string;
  } & {
    readonly days?: string;
    readonly milestones?: readonly string[];
    readonly milestoneTexts?: readonly string[];
  };
};

const lines = (...texts: readonly string[]) => texts.join('\n');

export const templates: readonly Template[] = [
  {
    name: 'Bug fix',
    draft: {
      title: 'Fix: ',
      description: lines(
        '## What happens',
        'Steps, what you see, and what you expect instead.',
        '',
        '## Where',
        'Repository, branch and version:',
        '',
        '## What you get from me',
        'Access, logs, a failing example.',
      ),
      criteria: lines(
        '- [ ] The steps above give the expected result.',
        '- [ ] A test fails without the change and passes with it.',
        '- [ ] All other tests pass.',
        '- [ ] The change is delivered as a patch or a link to a branch.',
      ),
      tags: 'code, bug',
      days: '5',
    },
  },
  {
    name: 'Translation',
    draft: {
      title: 'Translate … from … to …',
      description: lines(
        '## Text',
        'What it is, how many words, who reads it. Attach the file or give a link.',
        '',
        '## Style',
        'Formal or friendly; words that must not be translated.',
      ),
      criteria: lines(
        '- [ ] Every sentence is translated; none is added or left out.',
        '- [ ] Names, numbers and formatting are as in the original.',
        '- [ ] No spelling mistakes.',
        '- [ ] Delivered in the same file format.',
      ),
      tags: 'translation, writing',
      days: '7',
    },
  },
  {
    name: 'Data labelling',
    draft: {
      title: 'Label … items',
      description: lines(
        '## Items',
        'What they are, how many, where they are.',
        '',
        '## Labels',
        'Each label with a sentence and an example. What to do when unsure.',
      ),
      criteria: lines(
        '- [ ] Every item has exactly one label of the list.',
        '- [ ] In a random sample of 50, at least 48 labels are right.',
        '- [ ] Delivered as CSV with the columns `id` and `label`.',
      ),
      tags: 'data, labelling',
      milestones: ['', ''],
      milestoneTexts: ['First 10 %, to agree on hard cases', 'All other items'],
      days: '10',
    },
  },
  {
    name: 'Design',
    draft: {
      title: 'Design a …',
      description: lines(
        '## For whom',
        'Who sees it, where, and what they should do then.',
        '',
        '## Given',
        'Colours, typefaces, texts, examples you like and why.',
      ),
      criteria: lines(
        '- [ ] Two different drafts; one is chosen and finished.',
        '- [ ] Readable in light and dark, and at 390 px.',
        '- [ ] Delivered as SVG or an editable source file, with the right to use it.',
      ),
      tags: 'design',
      milestones: ['', ''],
      milestoneTexts: ['Two drafts', 'The finished design with sources'],
      days: '14',
    },
  },
  {
    name: 'Research',
    draft: {
      title: 'Find out …',
      description: lines(
        '## Question',
        'One sentence. Then what the answer is for, and what you know already.',
        '',
        '## Limits',
        'Countries, years, kinds of sources.',
      ),
      criteria: lines(
        '- [ ] The answer is in the first paragraph; the report has at most 5 pages.',
        '- [ ] Every claim has a source with a link and a date.',
        '- [ ] What could not be found is said.',
      ),
      tags: 'research, writing',
      days: '10',
    },
  },
  {
    name: 'Something small',
    draft: {
      title: '',
      description: 'What is to be done, and what you give the worker.',
      criteria: '- [ ] ',
      tags: '',
      days: '2',
    },
  },
];
