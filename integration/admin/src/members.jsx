/** Members, by name and role. */
import { DataTable, List, SearchInput, SelectField, SelectInput } from 'react-admin';
import { ROLES } from './fields.jsx';
import { Table } from './list.jsx';

export const MemberList = () => (
  <List
    sort={{ field: 'name', order: 'ASC' }}
    filters={[
      <SearchInput key="name" source="name" alwaysOn />,
      <SelectInput key="role" source="role||$eq" label="Role" choices={ROLES} alwaysOn />,
    ]}
    actions={false}
  >
    <Table
      bulkActionButtons={false}
      rowClick={false}
      line={{
        primaryText: ({ name }) => name,
        secondaryText: ({ email }) => email,
        tertiaryText: () => <SelectField source="role" choices={ROLES} />,
      }}
    >
      <DataTable.Col source="name" />
      <DataTable.Col source="email" />
      <DataTable.Col source="role">
        <SelectField source="role" choices={ROLES} />
      </DataTable.Col>
    </Table>
  </List>
);
