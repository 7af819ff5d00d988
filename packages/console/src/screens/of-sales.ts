/** The screens of sales, labor and menu: a script that is loaded when the first of them is opened. */
export { Compare } from './compare/compare.tsx';
export { Labour } from './labour/labour.tsx';
export { Menu } from './menu/menu.tsx';
export { RestaurantScreen } from './restaurant/restaurant.tsx';
export { Restaurants } from './restaurants/restaurants.tsx';
