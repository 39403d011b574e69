// A letter as an e-mail: plain text, and the same as plain HTML without pictures, scripts or anything that tracks.
import type { Letter } from './letters.ts';

export type MailLinks = {
  /** Where the pages are. */
  readonly publicUrl: string;
  /** Ends this channel. */
  readonly unsubscribeUrl: string;
};

/** Also below the first letter, whose reader may own no wallet. */
const footer =
  'A wallet asked for notices of a task market here. This mail gives nobody a right to act: the page asks the wallet.';

export function writeMailText(letter: Letter, { publicUrl, unsubscribeUrl }: MailLinks): string {
  const { about, facts, link } = letter;
  return [
    about,
    ...(facts.length === 0 ? [] : ['', ...facts.map(([label, text]) => `${label}: ${text}`)]),
    '',
    `${link.label}: ${publicUrl}${link.path}`,
    '',
    '-- ',
    footer,
    `Settings: ${publicUrl}/notifications.html`,
    `Stop these mails: ${unsubscribeUrl}`,
    '',
  ].join('\n');
}

export function writeMailHtml(letter: Letter, { publicUrl, unsubscribeUrl }: MailLinks): string {
  const { subject, about, facts, link } = letter;
  const rows = facts.map(
    ([label, text]) =>
      `<tr><td style="padding:4px 16px 4px 0;vertical-align:top;overflow-wrap:normal;color:#555">${escapeHtml(label)}</td><td style="padding:4px 0">${escapeHtml(text)}</td></tr>`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:24px;background:#fff;color:#1a1a1a;font:16px/1.5 system-ui,sans-serif">
<div style="max-width:560px;overflow-wrap:anywhere">
<h1 style="margin:0 0 12px;font-size:20px;line-height:1.3">${escapeHtml(subject)}</h1>
<p style="margin:0 0 16px">${escapeHtml(about)}</p>
${rows.length === 0 ? '' : `<table style="border-collapse:collapse;margin:0 0 16px;font-size:15px">${rows.join('')}</table>`}
<p style="margin:0 0 24px"><a href="${escapeHtml(publicUrl + link.path)}" style="display:inline-block;padding:10px 18px;border-radius:6px;background:#0f7b5f;color:#fff;text-decoration:none">${escapeHtml(link.label)}</a></p>
<p style="margin:0;border-top:1px solid #ddd;padding-top:12px;color:#666;font-size:13px">${footer}
<a href="${escapeHtml(`${publicUrl}/notifications.html`)}" style="color:#666">Settings</a> ·
<a href="${escapeHtml(unsubscribeUrl)}" style="color:#666">Stop these mails</a></p>
</div></body></html>
`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
