/** A change that others have overtaken: both versions side by side, and the choice between them. */
import { useEffect, useRef } from 'react';

export interface ConflictProps {
  /** The task as it would be. */
  readonly mine: object;
  /** The task as others have stored it. */
  readonly theirs: object;
  /** What they have changed. */
  readonly changed: readonly string[];
  /** Saves mine nevertheless. */
  readonly save: () => void;
  readonly onClose: () => void;
}

export function Conflict({ mine, theirs, changed, save, onClose }: ConflictProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const fields = [...new Set([...changed, 'status', 'title'])].filter((name) => name in mine && name !== 'version');

  useEffect(() => dialog.current?.showModal(), []);

  return (
    <dialog ref={dialog} aria-label="Conflict" onClose={onClose}>
      <h2>Somebody else has changed this task</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Yours</th>
            <th scope="col">Theirs</th>
          </tr>
        </thead>
        <tbody>
          {fields.map((name) => (
            <tr key={name} className={shown(mine, name) === shown(theirs, name) ? '' : 'different'}>
              <th scope="row">{name}</th>
              <td>{shown(mine, name)}</td>
              <td>{shown(theirs, name)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <form method="dialog" className="actions">
        <button>Keep theirs</button>
        <button className="primary" onClick={save}>
          Save mine
        </button>
      </form>
    </dialog>
  );
}

function shown(task: object, name: string): string {
  const value = (task as Record<string, unknown>)[name];

  return typeof value === 'string' ? value : value === null || value === undefined ? '–' : JSON.stringify(value);
}
