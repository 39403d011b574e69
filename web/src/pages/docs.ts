// The script of the guides: theme switch, copy buttons, search, collapsible contents. Guides can be read without it.
import { copyText } from '../data/copyText.ts';
import { findSections, type GuideSection } from '../data/guideSearch.ts';
import { switchTheme } from '../data/theme.ts';
import '../style/docs.css';

document.querySelector('.masthead .icon')?.addEventListener('click', switchTheme);
for (const block of document.querySelectorAll('.code')) addCopyButton(block);
addSearch();
collapseContentsOnPhones();

function addCopyButton(block: Element): void {
  const button = createButton('copyblock');
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    const text = block.querySelector('code')?.textContent ?? '';
    // If the browser refuses, the text can still be selected.
    button.textContent = (await copyText(text)) ? 'Copied' : 'Not allowed';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 2_000);
  });
  block.append(button);
}

function addSearch(): void {
  const field = document.createElement('input');
  field.type = 'search';
  field.placeholder = 'Search the guides';
  field.ariaLabel = field.placeholder;
  const list = document.createElement('ul');
  list.className = 'found';
  list.ariaLive = 'polite';
  let index: Promise<readonly GuideSection[]> | undefined;
  field.addEventListener('input', async () => {
    index ??= fetch('/docs/search.json').then((reply) => reply.json());
    const typed = field.value;
    const found = await index.then(
      (sections) => findSections(sections, typed),
      () => null,
    );
    // Only the newest answer counts; an index that did not load is asked for again.
    if (typed !== field.value) return;
    if (found === null) index = undefined;
    list.replaceChildren(...describeFound(found, typed));
  });
  document.querySelector('.contents .search')?.append(field, list);
}

function describeFound(found: readonly GuideSection[] | null, typed: string): HTMLElement[] {
  if (typed.trim() === '') return [];
  if (found !== null && found.length > 0) return found.map(createResult);
  const line = document.createElement('li');
  line.textContent =
    found === null ? 'The search did not load. Type again to retry.' : 'No guide has all of these words.';
  return [line];
}

function createResult({ url, guide, section }: GuideSection): HTMLElement {
  const link = document.createElement('a');
  link.href = url;
  link.textContent = section === '' ? guide : `${guide}: ${section}`;
  const line = document.createElement('li');
  line.append(link);
  return line;
}

function createButton(className: string): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = className;
  return button;
}

function collapseContentsOnPhones(): void {
  const contents = document.querySelector<HTMLDetailsElement>('.contents details');
  if (contents === null) return;
  const isWide = matchMedia('(min-width: 900px)');
  const update = () => {
    contents.open = isWide.matches;
  };
  isWide.addEventListener('change', update);
  update();
  contents.dataset.is = 'set';
}
