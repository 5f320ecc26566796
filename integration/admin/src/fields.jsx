/** Fields that several screens show. */
import { Chip } from '@mui/material';
import { DateField, useRecordContext } from 'react-admin';
import { day } from './api.js';

export const STATUSES = [
  { id: 'todo', name: 'To do' },
  { id: 'doing', name: 'Doing' },
  { id: 'done', name: 'Done' },
];

export const ROLES = ['owner', 'admin', 'member'].map((id) => ({ id, name: id[0].toUpperCase() + id.slice(1) }));

export function StatusField() {
  const { status } = useRecordContext() ?? {};
  const name = STATUSES.find(({ id }) => id === status)?.name ?? status;

  return (
    <Chip
      size="small"
      variant="outlined"
      label={name}
      sx={{ color: `status.${status}`, borderColor: 'currentcolor', fontWeight: 600 }}
    />
  );
}

/** The day that a task is due, marked if that is over and the task is not done. */
export function DueField({ source = 'dueOn' }) {
  const { status, [source]: due } = useRecordContext() ?? {};
  const isOverdue = due && due < day() && status !== 'done';

  return <DateField source={source} sx={isOverdue ? { color: 'error.main', fontWeight: 600 } : undefined} />;
}
