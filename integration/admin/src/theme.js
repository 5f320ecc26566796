/** How the screens look, in light and in dark. */
import { deepmerge } from '@mui/utils';
import { defaultDarkTheme, defaultLightTheme } from 'react-admin';

const theme = (base, palette) =>
  deepmerge(base, {
    palette,
    shape: { borderRadius: 8 },
    typography: {
      fontFamily: 'var(--fonts)',
      button: { textTransform: 'none', fontWeight: 600 },
      h6: { fontSize: '1.05rem', fontWeight: 600 },
    },
    components: {
      MuiCssBaseline: {
        styleOverrides: {
          ':root': { colorScheme: palette.mode },
          ':focus-visible': { outline: `3px solid ${palette.primary.main} !important`, outlineOffset: '2px' },
        },
      },
      MuiPaper: { styleOverrides: { root: { backgroundImage: 'none' } } },
      MuiCard: { defaultProps: { variant: 'outlined' } },
      MuiAppBar: {
        defaultProps: { elevation: 0 },
        styleOverrides: {
          root: {
            color: palette.text.primary,
            backgroundColor: palette.background.paper,
            borderBottom: `1px solid ${palette.divider}`,
          },
        },
      },
      RaToolbar: { styleOverrides: { root: { backgroundColor: 'transparent' } } },
      // What a list can do stands above its filters, which have the whole width.
      RaListToolbar: {
        styleOverrides: {
          root: { '&&': { flexDirection: 'column-reverse', alignItems: 'stretch', backgroundColor: 'transparent' } },
        },
      },
      RaFilterForm: {
        styleOverrides: {
          root: ({ theme: { breakpoints } }) => ({
            '& .RaFilterFormInput-spacer': { display: 'none' },
            [breakpoints.up('sm')]: { '& .MuiFormControl-root': { width: '9.5rem', marginRight: 12 } },
          }),
        },
      },
      // The only checkboxes are those of rows. React-admin gives their label to an element that may have none.
      MuiCheckbox: {
        defaultProps: { slotProps: { root: { 'aria-label': undefined }, input: { 'aria-label': 'Select this row' } } },
      },
      MuiCircularProgress: { defaultProps: { 'aria-label': 'Loading' } },
      MuiTableCell: { styleOverrides: { root: { borderColor: palette.divider } } },
      RaTopToolbar: { styleOverrides: { root: { '&&': { backgroundColor: 'transparent' } } } },
      RaEdit: {
        styleOverrides: {
          root: ({ theme: { breakpoints } }) => ({
            [breakpoints.down('md')]: { '& .RaEdit-main': { flexDirection: 'column', alignItems: 'stretch' } },
          }),
        },
      },
      RaMenuItemLink: {
        styleOverrides: {
          root: {
            margin: '2px 8px',
            borderRadius: 8,
            '&&.RaMenuItemLink-active': {
              color: palette.primary.main,
              backgroundColor: `color-mix(in srgb, ${palette.primary.main} 12%, transparent)`,
              '& .RaMenuItemLink-icon': { color: 'inherit' },
            },
          },
        },
      },
      RaSimpleList: {
        styleOverrides: {
          root: { '& .RaSimpleList-tertiary': { opacity: 1 }, '& .MuiListItemIcon-root': { minWidth: 76 } },
        },
      },
    },
  });

export const lightTheme = theme(defaultLightTheme, {
  mode: 'light',
  primary: { main: '#3b4fc4' },
  secondary: { main: '#3b4fc4' },
  error: { main: '#b3261e' },
  divider: '#d9dee8',
  background: { default: '#f3f5f9', paper: '#fff' },
  text: { primary: '#1a2130', secondary: '#566072' },
  status: { todo: '#5b6b85', doing: '#0b6bb8', done: '#1e7a46' },
});

export const darkTheme = theme(defaultDarkTheme, {
  mode: 'dark',
  primary: { main: '#a9b6ff' },
  secondary: { main: '#a9b6ff' },
  error: { main: '#ffb4ab' },
  divider: '#343b47',
  background: { default: '#111418', paper: '#1b1f26' },
  text: { primary: '#e8ebf1', secondary: '#a4afc0' },
  status: { todo: '#a9b7cf', doing: '#79bdf5', done: '#7fd6a2' },
});
