/** The screens over the workspace's resources, in react-admin. */
import CommentIcon from '@mui/icons-material/CommentOutlined';
import FolderIcon from '@mui/icons-material/FolderOutlined';
import HistoryIcon from '@mui/icons-material/History';
import PeopleIcon from '@mui/icons-material/PeopleOutlined';
import TaskIcon from '@mui/icons-material/TaskAlt';
import { lazy } from 'react';
import { Admin, AppBar, Layout, Resource, useGetIdentity, UserMenu } from 'react-admin';
import { authProvider, provider } from './api.js';
import { darkTheme, lightTheme } from './theme.js';

/** Components of a file that is loaded when one of them is shown. */
const from = (load, name) => lazy(async () => ({ default: (await load())[name] }));
const tasks = () => import('./tasks.jsx');
const projects = () => import('./projects.jsx');

export default function Screens() {
  return (
    <Admin
      title="Workspace"
      dataProvider={provider}
      authProvider={authProvider}
      loginPage={false}
      dashboard={Dashboard}
      layout={Frame}
      theme={lightTheme}
      darkTheme={darkTheme}
      disableTelemetry
    >
      <Resource
        name="tasks"
        icon={TaskIcon}
        list={TaskList}
        edit={TaskEdit}
        create={TaskCreate}
        recordRepresentation="title"
      />
      <Resource
        name="projects"
        icon={FolderIcon}
        list={ProjectList}
        edit={ProjectEdit}
        create={ProjectCreate}
        recordRepresentation="name"
      />
      <Resource name="members" icon={PeopleIcon} list={MemberList} recordRepresentation="name" />
      <Resource name="comments" icon={CommentIcon} list={CommentList} />
      <Resource name="audit" icon={HistoryIcon} list={AuditList} options={{ label: 'Changes' }} />
    </Admin>
  );
}

const Bar = () => <AppBar userMenu={<UserMenu label={useGetIdentity().data?.fullName} />} />;
const Frame = ({ children }) => <Layout appBar={Bar}>{children}</Layout>;

const Dashboard = from(() => import('./dashboard.jsx'), 'Dashboard');
const TaskList = from(tasks, 'TaskList');
const TaskEdit = from(tasks, 'TaskEdit');
const TaskCreate = from(tasks, 'TaskCreate');
const ProjectList = from(projects, 'ProjectList');
const ProjectEdit = from(projects, 'ProjectEdit');
const ProjectCreate = from(projects, 'ProjectCreate');
const MemberList = from(() => import('./members.jsx'), 'MemberList');
const CommentList = from(() => import('./comments.jsx'), 'CommentList');
const AuditList = from(() => import('./audit.jsx'), 'AuditList');
