/** Tasks: filters, sorts, pages, references; forms; bulk actions, which are one request; the whole list as a file. */
import DownloadIcon from '@mui/icons-material/Download';
import {
  BulkDeleteButton,
  BulkUpdateButton,
  Button,
  Create,
  CreateButton,
  Datagrid,
  DateField,
  DateInput,
  downloadCSV,
  Edit,
  FilterButton,
  List,
  NumberField,
  NumberInput,
  ReferenceField,
  ReferenceInput,
  ReferenceManyField,
  required,
  SearchInput,
  SelectField,
  SelectInput,
  SimpleForm,
  TextField,
  TextInput,
  TopToolbar,
  useDataProvider,
  useListContext,
  useNotify,
} from 'react-admin';

const STATUSES = ['todo', 'doing', 'done'].map((id) => ({ id, name: id }));

const FILTERS = [
  <SearchInput key="title" source="title" alwaysOn />,
  <SelectInput key="status" source="status||$eq" label="Status" choices={STATUSES} alwaysOn />,
  <ReferenceInput key="project" source="projectId" reference="projects" alwaysOn>
    <SelectInput optionText="name" label="Project" />
  </ReferenceInput>,
  <ReferenceInput key="assignee" source="assigneeId" reference="members">
    <SelectInput optionText="name" label="Assignee" />
  </ReferenceInput>,
  <DateInput key="due" source="dueOn||$lte" label="Due until" />,
];

function ExportButton() {
  const { resource, filterValues: filter, sort } = useListContext();
  const provider = useDataProvider();
  const notify = useNotify();
  const save = () =>
    provider.exportList(resource, 'csv', { filter, sort }).then(
      async (file) => downloadCSV(await file.text(), resource),
      (error) => notify(error.message, { type: 'error' }),
    );

  return (
    <Button label="Export" onClick={save}>
      <DownloadIcon />
    </Button>
  );
}

export const TaskList = () => (
  <List
    filters={FILTERS}
    sort={{ field: 'id', order: 'ASC' }}
    actions={
      <TopToolbar>
        <FilterButton />
        <CreateButton />
        <ExportButton />
      </TopToolbar>
    }
  >
    <Datagrid
      bulkActionButtons={
        <>
          <BulkUpdateButton label="Done" data={{ status: 'done' }} mutationMode="pessimistic" />
          <BulkDeleteButton mutationMode="pessimistic" />
        </>
      }
    >
      <TextField source="title" />
      <SelectField source="status" choices={STATUSES} />
      <ReferenceField source="projectId" reference="projects" label="Project" sortBy="project.name" link={false}>
        <TextField source="name" />
      </ReferenceField>
      <ReferenceField source="assigneeId" reference="members" label="Assignee" sortBy="assignee.name" link={false}>
        <TextField source="name" />
      </ReferenceField>
      <NumberField source="priority" />
      <TextField source="estimate" textAlign="right" />
      <DateField source="dueOn" />
    </Datagrid>
  </List>
);

const INPUTS = (
  <>
    <TextInput source="title" fullWidth />
    <SelectInput source="status" choices={STATUSES} defaultValue="todo" />
    <ReferenceInput source="projectId" reference="projects">
      <SelectInput optionText="name" label="Project" validate={required()} />
    </ReferenceInput>
    <ReferenceInput source="assigneeId" reference="members">
      <SelectInput optionText="name" label="Assignee" />
    </ReferenceInput>
    <NumberInput source="priority" />
    <TextInput source="estimate" />
    <NumberInput source="points" />
    <DateInput source="dueOn" />
  </>
);

export const TaskCreate = () => (
  <Create redirect="list">
    <SimpleForm>{INPUTS}</SimpleForm>
  </Create>
);

export const TaskEdit = () => (
  <Edit mutationMode="pessimistic">
    <SimpleForm>
      {INPUTS}
      <ReferenceManyField reference="comments" target="taskId" label="Comments">
        <Datagrid bulkActionButtons={false} rowClick={false}>
          <ReferenceField source="authorId" reference="members" link={false}>
            <TextField source="name" />
          </ReferenceField>
          <TextField source="body" />
        </Datagrid>
      </ReferenceManyField>
    </SimpleForm>
  </Edit>
);
