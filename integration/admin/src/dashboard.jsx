/** What is to be done, counted by `GET /tasks/aggregate` and listed by the API; and what was changed lately. */
import { Box, Card, CardActionArea, CardContent, Stack, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { Link, ListContextProvider, SimpleList, Title, useDataProvider, useGetList, useList } from 'react-admin';
import { day, metaOf } from './api.js';
import { Trail } from './audit.jsx';
import { DueField, STATUSES } from './fields.jsx';

const OPEN_STATUSES = STATUSES.filter(({ id }) => id !== 'done');
const OPEN = { status: OPEN_STATUSES.map(({ id }) => id) };
const OVERDUE = { ...OPEN, 'dueOn||$lte': day(-1) };
const SOON = { ...OPEN, 'dueOn||$gte': day(), 'dueOn||$lte': day(7) };

const toTasks = (filter) => ({ pathname: '/tasks', search: `filter=${encodeURIComponent(JSON.stringify(filter))}` });

/** Numbers of tasks by project and status: [{ 'project.name': 'Website', status: 'todo', count: 7 }, …] */
function useCounts() {
  const provider = useDataProvider();
  return useQuery({
    queryKey: ['tasks', 'aggregate'],
    queryFn: () =>
      provider.call('tasks', (tasks) =>
        tasks.aggregate((query) => query.groupBy('project.name', 'status').aggregate(['count', '*'])),
      ),
  }).data;
}

const useTasks = (filter) =>
  useGetList('tasks', {
    filter,
    sort: { field: 'dueOn', order: 'ASC' },
    pagination: { page: 1, perPage: 8 },
    meta: metaOf(['title', 'status', 'dueOn', 'project.name']),
  });

const sum = (rows) => rows.reduce((total, { count }) => total + count, 0);

function Panel({ title, children, sx }) {
  return (
    <Card sx={{ gridColumn: 'span 2', ...sx }}>
      <CardContent>
        <Typography variant="h6" component="h2" gutterBottom>
          {title}
        </Typography>
        {children}
      </CardContent>
    </Card>
  );
}

function Tile({ label, count, filter, color }) {
  return (
    <Card>
      <CardActionArea component={Link} to={toTasks(filter)} sx={{ p: 2, height: '100%' }}>
        <Typography color="textSecondary">{label}</Typography>
        <Typography component="p" variant="h4" sx={{ color, fontWeight: 600 }}>
          {count ?? '…'}
        </Typography>
      </CardActionArea>
    </Card>
  );
}

/** Bars of the open tasks of each project, divided by status. */
function Projects({ counts }) {
  const { data: projects = [] } = useGetList('projects', {
    sort: { field: 'name', order: 'ASC' },
    pagination: { page: 1, perPage: 100 },
  });
  const countOf = (name, status) => sum(counts.filter((row) => row['project.name'] === name && row.status === status));
  const most = Math.max(1, ...projects.map(({ name }) => countOf(name, 'todo') + countOf(name, 'doing')));

  return (
    <Stack spacing={2}>
      {projects.map(({ id, name }) => (
        <div key={id}>
          <Stack direction="row" spacing={2} sx={{ justifyContent: 'space-between', alignItems: 'baseline' }}>
            <Link to={toTasks({ ...OPEN, projectId: id })}>{name}</Link>
            <Typography variant="body2" color="textSecondary">
              {OPEN_STATUSES.map((status) => `${countOf(name, status.id)} ${status.name.toLowerCase()}`).join(', ')}
            </Typography>
          </Stack>
          <Stack
            direction="row"
            sx={{ height: 8, mt: 0.5, borderRadius: 4, overflow: 'hidden', bgcolor: 'action.hover' }}
          >
            {OPEN_STATUSES.map(({ id }) => (
              <Box key={id} sx={{ width: `${(100 * countOf(name, id)) / most}%`, bgcolor: `status.${id}` }} />
            ))}
          </Stack>
        </div>
      ))}
    </Stack>
  );
}

/** Records that were read, in a component for lists. */
function InList({ data = [], children }) {
  return <ListContextProvider value={useList({ data })}>{children}</ListContextProvider>;
}

export function Dashboard() {
  const counts = useCounts();
  const overdue = useTasks(OVERDUE);
  const soon = useTasks(SOON);
  const next = useTasks({ ...OPEN, 'dueOn||$notnull': true });
  const { data: changes } = useGetList('audit', {
    sort: { field: 'id', order: 'DESC' },
    pagination: { page: 1, perPage: 5 },
  });
  if (!counts) return null;

  return (
    <Box
      sx={{
        display: 'grid',
        gap: 2,
        my: 2,
        gridTemplateColumns: { xs: '1fr 1fr', md: 'repeat(4, 1fr)' },
        gridTemplateRows: { md: 'auto auto 1fr' },
      }}
    >
      <Title title="Dashboard" />
      {OPEN_STATUSES.map(({ id, name }) => (
        <Tile
          key={id}
          label={name}
          count={sum(counts.filter(({ status }) => status === id))}
          filter={{ status: [id] }}
          color={`status.${id}`}
        />
      ))}
      <Tile label="Overdue" count={overdue.total} filter={OVERDUE} color="error.main" />
      <Tile label="Due within a week" count={soon.total} filter={SOON} />
      <Panel title="Open tasks by project">
        <Projects counts={counts} />
      </Panel>
      <Panel title="Due first" sx={{ gridRow: { md: 'span 2' } }}>
        <InList data={next.data}>
          <SimpleList
            resource="tasks"
            rowClick={(id) => `/tasks/${id}`}
            primaryText={({ title }) => title}
            secondaryText={({ project }) => project?.name}
            tertiaryText={() => <DueField />}
            empty={<Typography color="textSecondary">None</Typography>}
            disablePadding
            sx={{ mx: -2 }}
          />
        </InList>
      </Panel>
      <Panel title="Recent changes">
        <InList data={changes}>
          <Trail />
        </InList>
      </Panel>
    </Box>
  );
}
