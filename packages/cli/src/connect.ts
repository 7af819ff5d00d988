/** For commands of other programs that call a service as the commands for reports do, and for tables of their own. */
export { hasStated, readConnection } from './profiles.ts';
export { openSpinner } from './progress.ts';
export { namesOf, type Page, type Sheet, showNothing, showSheet } from './report-table.ts';
export { findRestaurant, listRestaurants, needsNames } from './restaurants.ts';
export { openClient } from './session.ts';
