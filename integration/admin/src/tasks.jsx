/** Tasks: filters, sorts, pages, references; forms; bulk changes, which are one request; the list as a file. */
import { Box, Card, CardContent, Typography } from '@mui/material';
import {
  BulkDeleteButton,
  ColumnsButton,
  Create,
  CreateButton,
  DataTable,
  DateInput,
  FilterButton,
  List,
  NumberField,
  NumberInput,
  ReferenceField,
  ReferenceInput,
  ReferenceManyField,
  required,
  SelectArrayInput,
  SelectInput,
  SimpleForm,
  SimpleList,
  SortButton,
  TextField,
  TextInput,
  TopToolbar,
} from 'react-admin';
import { metaOf } from './api.js';
import { History } from './audit.jsx';
import { BulkEditButton } from './bulk-edit.jsx';
import { CarefulEdit } from './conflict.jsx';
import { DueField, STATUSES, StatusField } from './fields.jsx';
import { ExportButton, Table, useIsSmall } from './list.jsx';

const COLUMNS = ['title', 'status', 'project.name', 'assignee.name', 'priority', 'estimate', 'dueOn'];
const BY_NAME = { field: 'name', order: 'ASC' };

const projectInput = (props) => (
  <ReferenceInput key="project" source="projectId" reference="projects" sort={BY_NAME} alwaysOn={props?.alwaysOn}>
    <SelectInput label="Project" optionText="name" {...props} />
  </ReferenceInput>
);
const assigneeInput = (props) => (
  <ReferenceInput key="assignee" source="assigneeId" reference="members" sort={BY_NAME} alwaysOn={props?.alwaysOn}>
    <SelectInput label="Assignee" optionText="name" {...props} />
  </ReferenceInput>
);

/** On a phone only the search is there at once. */
const filters = (alwaysOn) => [
  <TextInput key="title" source="title" label="Search" type="search" resettable alwaysOn />,
  <SelectArrayInput key="status" source="status" choices={STATUSES} alwaysOn={alwaysOn} />,
  projectInput({ alwaysOn }),
  assigneeInput({ alwaysOn }),
  <DateInput key="from" source="dueOn||$gte" label="Due from" alwaysOn={alwaysOn} />,
  <DateInput key="until" source="dueOn||$lte" label="Due until" alwaysOn={alwaysOn} />,
];

function Actions() {
  return (
    <TopToolbar>
      <FilterButton />
      {useIsSmall() ? <SortButton fields={['title', 'priority', 'dueOn', 'id']} /> : <ColumnsButton />}
      <CreateButton />
      <ExportButton sources={COLUMNS} />
    </TopToolbar>
  );
}

export const TaskList = () => (
  <List
    filters={filters(!useIsSmall())}
    sort={{ field: 'id', order: 'DESC' }}
    queryOptions={{ meta: metaOf(COLUMNS) }}
    actions={<Actions />}
  >
    <Table
      line={{
        primaryText: ({ title }) => title,
        secondaryText: ({ project, assignee }) => [project?.name, assignee?.name].filter(Boolean).join(' · '),
        tertiaryText: () => <DueField />,
        leftIcon: () => <StatusField />,
      }}
      bulkActionButtons={
        <>
          <BulkEditButton>
            <SelectInput source="status" choices={STATUSES} />
            {assigneeInput()}
            <DateInput source="dueOn" />
          </BulkEditButton>
          <BulkDeleteButton mutationMode="pessimistic" />
        </>
      }
    >
      <DataTable.Col source="title" />
      <DataTable.Col source="status" field={StatusField} />
      <DataTable.Col source="project.name" label="Project" />
      <DataTable.Col source="assignee.name" label="Assignee" />
      <DataTable.NumberCol source="priority" />
      <DataTable.Col source="estimate" align="right" />
      <DataTable.Col source="dueOn" field={DueField} />
    </Table>
  </List>
);

const INPUTS = (
  <Box sx={{ display: 'grid', gridTemplateColumns: { md: '1fr 1fr' }, columnGap: 2, width: '100%' }}>
    <Box sx={{ gridColumn: '1 / -1' }}>
      <TextInput source="title" validate={required()} />
    </Box>
    {projectInput({ validate: required() })}
    {assigneeInput()}
    <SelectInput source="status" choices={STATUSES} defaultValue="todo" validate={required()} />
    <DateInput source="dueOn" />
    <NumberInput source="priority" />
    <NumberInput source="points" />
    <TextInput source="estimate" helperText="In days, such as 2.50" />
  </Box>
);

const FIELDS = (
  <>
    <TextField source="title" label="Title" />
    <ReferenceField source="projectId" reference="projects" label="Project" link={false} />
    <ReferenceField source="assigneeId" reference="members" label="Assignee" link={false} />
    <StatusField source="status" label="Status" />
    <DueField source="dueOn" label="Due on" />
    <NumberField source="priority" label="Priority" />
    <NumberField source="points" label="Points" />
    <TextField source="estimate" label="Estimate" />
  </>
);

export const TaskCreate = () => (
  <Create redirect="list">
    <SimpleForm>{INPUTS}</SimpleForm>
  </Create>
);

export const TaskEdit = () => (
  <CarefulEdit
    fields={FIELDS}
    aside={
      <History entity="Task">
        <Card>
          <CardContent>
            <Typography variant="h6" component="h2">
              Comments
            </Typography>
            <ReferenceManyField
              reference="comments"
              target="taskId"
              sort={{ field: 'createdAt', order: 'ASC' }}
              queryOptions={{ meta: metaOf(['body', 'createdAt', 'author.name']) }}
              empty={<Typography color="textSecondary">None</Typography>}
            >
              <SimpleList
                rowClick={false}
                disablePadding
                sx={{ mx: -2 }}
                primaryText={({ body }) => body}
                secondaryText={({ author }) => author?.name}
              />
            </ReferenceManyField>
          </CardContent>
        </Card>
      </History>
    }
  >
    <SimpleForm>{INPUTS}</SimpleForm>
  </CarefulEdit>
);
