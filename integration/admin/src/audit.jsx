/** What was changed: the audit of all records, and that of one. */
import { Box, Card, CardContent, Stack, Typography } from '@mui/material';
import {
  DataTable,
  DateField,
  InfiniteList,
  Link,
  RecordContextProvider,
  ReferenceField,
  ReferenceManyField,
  SelectInput,
  useListContext,
  useRecordContext,
  useTranslateLabel,
} from 'react-admin';
import { Table } from './list.jsx';

const NEWEST = { field: 'id', order: 'DESC' };
const KINDS = {
  create: 'Created',
  update: 'Changed',
  replace: 'Replaced',
  delete: 'Deleted',
  recover: 'Recovered',
};
const ENTITIES = { Task: 'tasks', Project: 'projects', Setting: undefined };
const REFERENCES = { projectId: 'projects', assigneeId: 'members', parentId: 'tasks' };
const UNTOLD = ['version', 'updatedAt', 'deletedAt'];
const choicesOf = (names) => Object.entries(names).map(([id, name]) => ({ id, name }));

/** The record that was written, as a link if it has a screen. */
function RecordName() {
  const { entity, recordId } = useRecordContext();
  const resource = ENTITIES[entity];

  return resource ? <Link to={`/${resource}/${recordId}`}>{`${entity} ${recordId}`}</Link> : `${entity} ${recordId}`;
}

/** The new values of an update. */
function Changes() {
  const { entity, changes } = useRecordContext();
  const translateLabel = useTranslateLabel();
  const told = Object.entries(changes ?? {}).filter(([name]) => !UNTOLD.includes(name));

  return (
    <RecordContextProvider value={changes}>
      {told.map(([name, value]) => (
        <Box key={name} component="span" sx={{ display: 'block', overflowWrap: 'anywhere' }}>
          {translateLabel({ source: name.replace(/Id$/, ''), resource: ENTITIES[entity] })}:{' '}
          {value !== null && REFERENCES[name] ? (
            <ReferenceField source={name} reference={REFERENCES[name]} link={false} />
          ) : (
            textOf(value)
          )}
        </Box>
      ))}
    </RecordContextProvider>
  );
}

const textOf = (value) => (value === null ? 'none' : typeof value === 'object' ? JSON.stringify(value) : String(value));

/** The rows of a list of audits, newest first. */
export function Trail({ isOfOne }) {
  const { data = [] } = useListContext();
  if (data.length === 0) return <Typography color="textSecondary">Nothing has been changed yet.</Typography>;

  return (
    <Stack component="ul" spacing={1.5} sx={{ p: 0, m: 0, listStyle: 'none' }}>
      {data.map((record) => (
        <RecordContextProvider key={record.id} value={record}>
          <Typography component="li" variant="body2">
            <b>{KINDS[record.kind]}</b> {!isOfOne && <RecordName />}{' '}
            <DateField source="at" showTime color="textSecondary" />
            <Changes />
          </Typography>
        </RecordContextProvider>
      ))}
    </Stack>
  );
}

/** Beside a form: what was changed of its record. */
export const History = ({ entity, children }) => (
  <Stack spacing={2} sx={{ width: { md: 320 }, flexShrink: 0, ml: { md: 2 }, mt: { xs: 2, md: 0 } }}>
    {children}
    <Card>
      <CardContent>
        <Typography variant="h6" component="h2" gutterBottom>
          History
        </Typography>
        <ReferenceManyField reference="audit" target="recordId" filter={{ 'entity||$eq': entity }} sort={NEWEST}>
          <Trail isOfOne />
        </ReferenceManyField>
      </CardContent>
    </Card>
  </Stack>
);

export const AuditList = () => (
  <InfiniteList
    sort={NEWEST}
    perPage={25}
    queryOptions={{ meta: { cursor: true } }}
    filters={[
      <SelectInput
        key="entity"
        source="entity||$eq"
        label="Record"
        choices={Object.keys(ENTITIES).map((id) => ({ id, name: id }))}
        alwaysOn
      />,
      <SelectInput key="kind" source="kind||$eq" label="Change" choices={choicesOf(KINDS)} alwaysOn />,
    ]}
    actions={false}
    empty={false}
    title="Changes"
  >
    <Table
      bulkActionButtons={false}
      rowClick={false}
      line={{
        primaryText: ({ kind }) => KINDS[kind],
        secondaryText: () => <RecordName />,
        tertiaryText: () => <DateField source="at" showTime />,
      }}
    >
      <DataTable.Col source="at">
        <DateField source="at" showTime />
      </DataTable.Col>
      <DataTable.Col source="kind" label="Change" render={({ kind }) => KINDS[kind]} />
      <DataTable.Col source="recordId" label="Record" field={RecordName} />
      <DataTable.Col source="changes" label="New values" field={Changes} disableSort />
    </Table>
  </InfiniteList>
);
