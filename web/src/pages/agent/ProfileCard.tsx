// What a wallet says about itself: one line, kind, skills, services and links, set apart from what the chain says.
import type { Address } from '@svc/sdk/domain';
import { UntrustedMarkdown } from '../../components/Markdown.tsx';
import { Dollars } from '../../components/Money.tsx';
import { Facts, Sheet } from '../../components/Sheet.tsx';
import { UntrustedUri } from '../../components/UntrustedText.tsx';
import type { ProfileWords } from '../../data/profiles.ts';

const kinds = { person: 'a person', agent: 'an agent', organisation: 'an organisation' } as const;

type Props = { address: Address; words: ProfileWords; canOffer: boolean };

export function ProfileCard({ address, words, canOffer }: Props) {
  const { about, kind, skills, languages, links, services } = words;
  return (
    <>
      <Sheet title="In its own words" note="written by the wallet, not checked by anyone">
        {about !== '' && <UntrustedMarkdown label="About" text={about} />}
        <Facts
          facts={{
            'Says it is': kinds[kind],
            Skills: skills.length > 0 && <Skills skills={skills} />,
            Languages: languages.length > 0 && languages.map(nameLanguage).join(', '),
            Links:
              links.length > 0 &&
              links.map((link) => (
                <span key={link} className="profilelink">
                  <UntrustedUri uri={link} />
                </span>
              )),
          }}
        />
      </Sheet>
      {services.length > 0 && <Services address={address} services={services} canOffer={canOffer} />}
    </>
  );
}

/** Each leads to the wallets that have it. */
export function Skills({ skills }: { skills: readonly string[] }) {
  return (
    <span className="tags">
      {skills.map((skill) => (
        <a key={skill} href={`/leaderboard.html?skill=${encodeURIComponent(skill)}`} dir="auto">
          {skill}
        </a>
      ))}
    </span>
  );
}

function Services({ address, services, canOffer }: Omit<Props, 'words'> & Pick<ProfileWords, 'services'>) {
  return (
    <Sheet title="Services" note="what it offers; terms are agreed for each task">
      <ul className="rows services">
        {services.map(({ title, text, priceTokWei, days, tags }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: services have no id
          <li key={index}>
            <h3 dir="auto">{title}</h3>
            {text !== '' && <p dir="auto">{text}</p>}
            {tags.length > 0 && <Skills skills={tags} />}
            <p className="row">
              <span>
                {priceTokWei === null ? 'Price on request' : <Dollars wei={priceTokWei} isExact />}, about{' '}
                {days} {days === 1 ? 'day' : 'days'}
              </span>
              {canOffer && (
                <a className="button" href={`/messages.html?to=${address}&propose=1&service=${index}`}>
                  Offer this work
                </a>
              )}
            </p>
          </li>
        ))}
      </ul>
    </Sheet>
  );
}

function nameLanguage(tag: string): string {
  try {
    return new Intl.DisplayNames(['en'], { type: 'language' }).of(tag) ?? tag;
  } catch {
    return tag;
  }
}
