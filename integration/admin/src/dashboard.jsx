/** Charts of what GET /tasks/aggregate answers. */
import { Card, CardContent, Stack, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { Title, useDataProvider } from 'react-admin';
import { Bar, BarChart, CartesianGrid, Legend, Tooltip, XAxis, YAxis } from 'recharts';

const STATUSES = { todo: '#90a4ae', doing: '#42a5f5', done: '#66bb6a' };

/** @param groups fields to group by */
const useCounts = (...groups) => {
  const provider = useDataProvider();
  return useQuery({
    queryKey: ['tasks', 'aggregate', groups],
    queryFn: () =>
      provider.call('tasks', (tasks) => tasks.aggregate((query) => query.groupBy(...groups).aggregate(['count', '*']))),
  }).data;
};

/** One record per assignee, with the number of their tasks of each status. */
function byAssignee(rows) {
  const assignees = new Map();
  for (const { 'assignee.name': assignee, status, count } of rows) {
    const name = assignee ?? 'nobody';
    assignees.set(name, { ...assignees.get(name), name, [status]: count });
  }

  return [...assignees.values()];
}

function Chart({ title, data, children }) {
  return (
    <Card sx={{ flex: 1 }}>
      <CardContent>
        <Typography variant="h6" gutterBottom>
          {title}
        </Typography>
        <BarChart data={data} responsive style={{ width: '100%', height: 340 }}>
          <CartesianGrid strokeDasharray="3 3" vertical={false} />
          <XAxis dataKey="name" interval={0} angle={-30} textAnchor="end" height={64} tick={{ fontSize: 12 }} />
          <YAxis allowDecimals={false} width={32} />
          <Tooltip />
          {children}
        </BarChart>
      </CardContent>
    </Card>
  );
}

export function Dashboard() {
  const tasks = useCounts('assignee.name', 'status');
  const weeks = useCounts(['dueOn:week', 'week']);
  if (!tasks || !weeks) return null;

  return (
    <Stack direction="row" spacing={2} sx={{ mt: 2 }}>
      <Title title="Workspace" />
      <Chart title="Tasks by assignee and status" data={byAssignee(tasks)}>
        <Legend />
        {Object.entries(STATUSES).map(([status, colour]) => (
          <Bar key={status} dataKey={status} stackId="status" fill={colour} isAnimationActive={false} />
        ))}
      </Chart>
      <Chart
        title="Tasks by the week they are due"
        data={weeks.map(({ week, count }) => ({ name: week ?? 'no date', count }))}
      >
        <Bar dataKey="count" fill="#7e57c2" isAnimationActive={false} />
      </Chart>
    </Stack>
  );
}
