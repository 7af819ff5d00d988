/** The choice of a client of the group; the client that is signed in unless another is chosen. */
import { access } from '../../data/access.ts';
import { useCurrent } from '../../data/load.ts';
import { Select } from '../../widgets/controls.tsx';

interface ChoiceProps {
  /** Empty for the client that is signed in. */
  client: string;
  onChange: (client: string) => void;
}

export function ClientChoice({ client, onChange }: ChoiceProps) {
  const { data = [] } = useCurrent('clients to choose', ({ signal }) => access.clients.list({}, { signal }));
  const others = data.filter(({ revokedAt }) => revokedAt === null);
  return (
    <Select
      label="Client"
      value={client}
      options={[
        { value: '', label: 'This client' },
        ...others.map(({ clientId, name }) => ({ value: clientId, label: name ?? clientId })),
      ]}
      onChange={onChange}
    />
  );
}
