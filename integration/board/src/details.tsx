/** A task in a form. It is sent with the tag that it was read with, so that nothing of others is overwritten. */
import { CrudError } from '@nestwright/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { tasks } from './api.js';
import { Conflict, type ConflictProps } from './conflict.js';

interface Props {
  readonly id: number;
  readonly onClose: () => void;
}

export function Details({ id, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [conflict, setConflict] = useState<Omit<ConflictProps, 'onClose'>>();
  // A tag belongs to the record that was read, so it must not be copied; and the form stays with what it was opened with.
  const { data: task, error: refused } = useQuery({
    ...tasks.queries.one(id),
    structuralSharing: false,
    staleTime: Infinity,
    gcTime: 0,
  });
  type Task = NonNullable<typeof task>;
  type Changes = { readonly title: string; readonly dueOn: string | null };
  const { mutate, error, isPending } = useMutation({
    mutationFn: ({ target, changes }: { readonly target: Task; readonly changes: Changes }) =>
      tasks.update(target, changes),
    onSuccess: onClose,
    async onError(reason, { target, changes }) {
      if (!(reason instanceof CrudError && reason.compare)) return;
      const { current, changed } = await reason.compare();
      setConflict({
        mine: { ...target, ...changes },
        theirs: current,
        changed,
        save: () => mutate({ target: current as Task, changes }),
      });
    },
  });
  const isConflict = error instanceof CrudError && error.compare !== undefined;

  useEffect(() => dialog.current?.showModal(), []);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const changes = { title: String(form.get('title')), dueOn: String(form.get('dueOn')) || null };
    if (task) mutate({ target: task, changes });
  };

  return (
    <dialog ref={dialog} aria-label="Task" onClose={onClose}>
      <h2>Task {id}</h2>
      {refused && <p role="alert">{refused.message}</p>}
      {task && (
        <form onSubmit={submit}>
          <label>
            Title
            <input name="title" defaultValue={task.title} />
          </label>
          <label>
            Due on
            <input name="dueOn" type="date" defaultValue={task.dueOn ?? ''} />
          </label>
          {error && !isConflict && <p role="alert">{error.message}</p>}
          <div className="actions">
            <button type="button" onClick={() => dialog.current?.close()}>
              Cancel
            </button>
            <button className="primary" disabled={isPending}>
              Save
            </button>
          </div>
        </form>
      )}
      {conflict && <Conflict {...conflict} onClose={() => setConflict(undefined)} />}
    </dialog>
  );
}
