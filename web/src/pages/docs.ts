// The script of the guides: theme switch, copy buttons, collapsible contents. Guides can be read without it.
import { copyText } from '#data/copyText.ts';
import { describeTheme, nextTheme, readTheme, saveTheme, themeIcons } from '#data/theme.ts';
import '../style/docs.css';

addThemeButton();
for (const block of document.querySelectorAll('.code')) addCopyButton(block);
collapseContentsOnPhones();

function addThemeButton(): void {
  const button = createButton('button');
  button.dataset.is = 'plain';
  const show = () => {
    const theme = readTheme();
    button.textContent = themeIcons[theme];
    button.title = describeTheme(theme);
    button.ariaLabel = button.title;
  };
  button.addEventListener('click', () => {
    saveTheme(nextTheme[readTheme()]);
    show();
  });
  show();
  document.querySelector('.masthead .tools')?.append(button);
}

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
