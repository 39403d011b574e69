// What makes a guide comfortable: the theme's switch, a button that copies a block, and contents that are closed where
// there is no room. A guide reads well without any of it.
import { copyText } from './data/copyText.ts';
import { describeTheme, nextTheme, readTheme, saveTheme, themeSigns } from './data/theme.ts';
import './style/docs.css';

addThemeButton();
for (const block of document.querySelectorAll('.code')) addCopyButton(block);
keepContentsOpen();

function addThemeButton(): void {
  const button = createButton('button');
  button.dataset.is = 'plain';
  const show = () => {
    const theme = readTheme();
    button.textContent = themeSigns[theme];
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
    // Where the browser refuses, the text can still be marked by hand.
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

function keepContentsOpen(): void {
  const contents = document.querySelector<HTMLDetailsElement>('.contents details');
  if (contents === null) return;
  const roomy = matchMedia('(min-width: 900px)');
  const set = () => {
    contents.open = roomy.matches;
  };
  roomy.addEventListener('change', set);
  set();
  contents.dataset.is = 'set';
}
