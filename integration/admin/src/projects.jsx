/** Projects: a record that others have changed since it was read is not overwritten. */
import {
  Create,
  CreateButton,
  DataTable,
  List,
  required,
  SearchInput,
  SimpleForm,
  TextField,
  TextInput,
  TopToolbar,
} from 'react-admin';
import { History } from './audit.jsx';
import { CarefulEdit } from './conflict.jsx';
import { Table } from './list.jsx';

export const ProjectList = () => (
  <List
    sort={{ field: 'name', order: 'ASC' }}
    filters={[<SearchInput key="name" source="name" alwaysOn />]}
    actions={
      <TopToolbar>
        <CreateButton />
      </TopToolbar>
    }
  >
    <Table
      bulkActionButtons={false}
      line={{
        primaryText: ({ name }) => name,
        secondaryText: ({ key }) => key,
        tertiaryText: ({ budget }) => budget,
      }}
    >
      <DataTable.Col source="key" />
      <DataTable.Col source="name" />
      <DataTable.Col source="budget" align="right" />
    </Table>
  </List>
);

const INPUTS = (
  <>
    <TextInput source="key" validate={required()} helperText="At most ten characters, unique" />
    <TextInput source="name" validate={required()} />
    <TextInput source="budget" />
  </>
);

const FIELDS = (
  <>
    <TextField source="key" label="Key" />
    <TextField source="name" label="Name" />
    <TextField source="budget" label="Budget" />
  </>
);

export const ProjectCreate = () => (
  <Create redirect="list">
    <SimpleForm>{INPUTS}</SimpleForm>
  </Create>
);

export const ProjectEdit = () => (
  <CarefulEdit fields={FIELDS} aside={<History entity="Project" />}>
    <SimpleForm>{INPUTS}</SimpleForm>
  </CarefulEdit>
);
