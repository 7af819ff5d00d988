/** The items that the demo's restaurants sell. Prices are in cents. */

export interface MenuItem {
  name: string;
  cents: number;
  /** The name of a group in `MENU_PARTS`. */
  group: string;
  modifiers?: readonly Modifier[];
}
export interface Modifier {
  name: string;
  cents: number;
}

export type MenuName = 'kitchen' | 'slices' | 'tavern';

/** Food and drinks are separate: a guest has about one of each. */
export interface DemoMenu {
  food: readonly MenuItem[];
  drinks: readonly MenuItem[];
}

const SIDES: readonly Modifier[] = [
  { name: 'Fries', cents: 0 },
  { name: 'Side Salad', cents: 250 },
  { name: 'Truffle Fries', cents: 395 },
];
const TOPPINGS: readonly Modifier[] = [
  { name: 'Extra Cheese', cents: 150 },
  { name: 'Guacamole', cents: 225 },
  { name: 'Jalapeños', cents: 75 },
  { name: 'No Onion', cents: 0 },
];
const TEMPERATURES: readonly Modifier[] = [
  { name: 'Medium Rare', cents: 0 },
  { name: 'Medium', cents: 0 },
  { name: 'Well Done', cents: 0 },
];

export const MENUS: Readonly<Record<MenuName, DemoMenu>> = {
  kitchen: {
    food: [
      { name: 'Oysters, Half Dozen', cents: 2100, group: 'Starters' },
      { name: 'Clam Chowder', cents: 1150, group: 'Starters' },
      { name: 'Caesar Salad', cents: 1325, group: 'Salads' },
      { name: 'House Burger', cents: 1775, group: 'Mains', modifiers: SIDES },
      { name: 'Fried Chicken Sandwich', cents: 1595, group: 'Mains', modifiers: SIDES },
      { name: 'Steak Frites', cents: 3450, group: 'Mains', modifiers: TEMPERATURES },
      { name: 'Brisket Plate', cents: 2495, group: 'Mains', modifiers: SIDES },
      { name: 'Roast Salmon', cents: 2875, group: 'Mains' },
      { name: 'Mushroom Risotto', cents: 2260, group: 'Mains' },
      { name: 'Biscuits and Gravy', cents: 995, group: 'Starters' },
      { name: 'Key Lime Pie', cents: 925, group: 'Sweets' },
    ],
    drinks: [
      { name: 'Iced Tea', cents: 375, group: 'Soft Drinks' },
      { name: 'Coffee', cents: 350, group: 'Soft Drinks' },
      { name: 'Draft Lager', cents: 750, group: 'Bar' },
      { name: 'House Red', cents: 1100, group: 'Wine' },
      { name: 'Sauvignon Blanc', cents: 1250, group: 'Wine' },
      { name: 'Old Fashioned', cents: 1450, group: 'Bar' },
    ],
  },
  slices: {
    food: [
      { name: 'Cheese Slice', cents: 395, group: 'Pizza', modifiers: TOPPINGS },
      { name: 'Pepperoni Slice', cents: 475, group: 'Pizza', modifiers: TOPPINGS },
      { name: 'Margherita Pie', cents: 1899, group: 'Pizza', modifiers: TOPPINGS },
      { name: 'Garlic Knots', cents: 599, group: 'Sides' },
      { name: 'Carnitas Taco', cents: 425, group: 'Mexican', modifiers: TOPPINGS },
      { name: 'Super Burrito', cents: 1249, group: 'Mexican', modifiers: TOPPINGS },
      { name: 'Chopped Salad', cents: 1149, group: 'Sides' },
      { name: 'Churros', cents: 549, group: 'Sides' },
    ],
    drinks: [
      { name: 'Fountain Soda', cents: 279, group: 'Drinks' },
      { name: 'Bottled Water', cents: 225, group: 'Drinks' },
      { name: 'Horchata', cents: 399, group: 'Drinks' },
      { name: 'Lemonade', cents: 349, group: 'Drinks' },
    ],
  },
  tavern: {
    food: [
      { name: 'Wings', cents: 1395, group: 'Bites', modifiers: [{ name: 'Extra Hot', cents: 0 }, ...SIDES] },
      { name: 'Nachos', cents: 1275, group: 'Bites', modifiers: TOPPINGS },
      { name: 'Smash Burger', cents: 1450, group: 'Plates', modifiers: SIDES },
      { name: 'Fish and Chips', cents: 1795, group: 'Plates' },
      { name: 'Soft Pretzel', cents: 895, group: 'Bites' },
    ],
    drinks: [
      { name: 'Stout', cents: 725, group: 'Beer' },
      { name: 'Pale Ale', cents: 700, group: 'Beer' },
      { name: 'Lager', cents: 650, group: 'Beer' },
      { name: 'Gin and Tonic', cents: 1050, group: 'Spirits' },
      { name: 'Whiskey Neat', cents: 1200, group: 'Spirits' },
      { name: 'Margarita', cents: 1225, group: 'Spirits' },
      { name: 'Alcohol-Free Beer', cents: 600, group: 'Beer' },
    ],
  },
};

export interface MenuPart {
  name: string;
  /** Groups, some with nested groups. */
  groups: readonly (string | { name: string; groups: readonly string[] })[];
}

/** The menus that contain the groups. */
export const MENU_PARTS: Readonly<Record<MenuName, readonly MenuPart[]>> = {
  kitchen: [
    { name: 'All Day', groups: [{ name: 'Starters', groups: ['Salads'] }, 'Mains', 'Sweets'] },
    { name: 'Beverages', groups: ['Soft Drinks', { name: 'Bar', groups: ['Wine'] }] },
  ],
  slices: [{ name: 'Counter', groups: ['Pizza', 'Mexican', 'Sides', 'Drinks'] }],
  tavern: [
    { name: 'Kitchen', groups: ['Bites', 'Plates'] },
    { name: 'Bar', groups: ['Beer', 'Spirits'] },
  ],
};
