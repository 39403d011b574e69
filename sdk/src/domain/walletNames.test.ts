// Names that deceive are refused, and names that look alike have one skeleton.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findNameMistake, normaliseName, skeletonOf } from './walletNames.ts';

test('names of people, agents and companies in any one script are good', () => {
  const european = ['Ada', 'Zoë Ångström', 'O’Neill & Sons', 'Лев Толстой', 'Δημήτρης'];
  const others = ['山田 太郎 アニメ', '김민수', 'עדה לבלייס', 'محمد', 'नमस्ते', 'agent-7', 'R2D2 🤖'];
  for (const name of [...european, ...others]) assert.equal(findNameMistake(name), null, name);
});

test('names that deceive are refused with the reason', () => {
  const bad: readonly (readonly [string, RegExp])[] = [
    ['', /1 to 40/],
    ['a'.repeat(41), /1 to 40/],
    ['Аda', /one script/],
    ['pаypal', /one script/],
    ['Ada\u202e', /invisible/],
    ['Ad\u200ba', /invisible/],
    ['Ada\u0007', /invisible/],
    ['Ada\nVerified', /invisible/],
    ['Ａｄａ', /NFKC/],
    [' Ada', /NFKC/],
    ['Ada  L', /NFKC/],
    ['Z̷̸̴̵algo', /marks/],
    ['0x12ab…90ef', /address/],
    ['0xAda', /address/],
    ['Ada…90ef', /NFKC|address/],
    ['***', /letter/],
    ['ᚠᚢᚦ', /one script/],
  ];
  for (const [name, reason] of bad) assert.match(findNameMistake(name) ?? 'accepted', reason, name);
  assert.equal(findNameMistake(normaliseName(' Ａｄａ  L ')), null);
});

test('names that look alike have the same skeleton, others have not', () => {
  for (const [one, other] of [
    ['paypal', 'раураӏ'],
    ['Ada', 'ADA'],
    ['Ada', 'Adа'],
    ['illi', '1lli'],
    ['modern', 'rnodern'],
    ['Bob', 'B0b'],
    ['Zoe', 'Zoë'],
    ['ad a', 'Ada'],
  ] as const)
    assert.equal(skeletonOf(one), skeletonOf(other), `${one} and ${other}`);
  assert.notEqual(skeletonOf('Ada'), skeletonOf('Eda'));
});
