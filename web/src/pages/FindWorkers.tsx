// Finds workers by what they say they can do; the best record comes first.
import { useQuery } from '@tanstack/react-query';
import { TextField } from '../components/Form.tsx';
import { WalletLink } from '../components/Hex.tsx';
import { changeSearch, useSearch } from '../components/navigation.tsx';
import { QueryView } from '../components/QueryView.tsx';
import { Sheet } from '../components/Sheet.tsx';
import { loadGateway } from '../data/gateway.ts';
import { Skills } from './agent/ProfileCard.tsx';

export function FindWorkers() {
  const skill = useSearch().get('skill') ?? '';
  const asked = skill.trim().slice(0, 40);
  const query = useQuery({
    queryKey: ['workers', asked.toLowerCase()],
    enabled: asked !== '',
    queryFn: async ({ signal }) => (await loadGateway()).findProfiles({ skill: asked, limit: 25, signal }),
  });
  return (
    <Sheet title="Find workers" note="by the skills in their profiles, the best record first">
      <TextField
        label="Skill"
        note="A whole skill, such as translation; case does not matter."
        maxLength={40}
        value={skill}
        onChange={(typed) => changeSearch({ skill: typed })}
      />
      {asked !== '' && (
        <QueryView query={query} what="the workers">
          {({ profiles }) =>
            profiles.length === 0 ? (
              <p className="quiet">Nobody names this skill here yet.</p>
            ) : (
              <ul className="rows services">
                {profiles.map(({ address, score, document }) => (
                  <li key={address}>
                    <p className="row between">
                      <span className="row">
                        <WalletLink address={address} />
                        <span className="small soft">{score} points as worker</span>
                      </span>
                      <a className="button compact" href={`/messages.html?to=${address}&propose=1`}>
                        Hire
                      </a>
                    </p>
                    {document !== null && document.headline !== '' && <p dir="auto">{document.headline}</p>}
                    {document !== null && <Skills skills={document.skills} />}
                  </li>
                ))}
              </ul>
            )
          }
        </QueryView>
      )}
    </Sheet>
  );
}
