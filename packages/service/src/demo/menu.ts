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

export type MenuName = 'kitchen' | 'biscuits' | 'slices' | 'taqueria' | 'tavern';

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
      { name: 'Oysters, Half Dozen', cents: 2600, group: 'Starters' },
      { name: 'Clam Chowder', cents: 1350, group: 'Starters' },
      { name: 'Caesar Salad', cents: 1595, group: 'Salads' },
      { name: 'House Burger', cents: 2175, group: 'Mains', modifiers: SIDES },
      { name: 'Fried Chicken Sandwich', cents: 1995, group: 'Mains', modifiers: SIDES },
      { name: 'Steak Frites', cents: 4250, group: 'Mains', modifiers: TEMPERATURES },
      { name: 'Brisket Plate', cents: 3195, group: 'Mains', modifiers: SIDES },
      { name: 'Roast Salmon', cents: 3475, group: 'Mains' },
      { name: 'Mushroom Risotto', cents: 2760, group: 'Mains' },
      { name: 'Crab Cakes', cents: 2350, group: 'Starters' },
      { name: 'Key Lime Pie', cents: 1125, group: 'Sweets' },
    ],
    drinks: [
      { name: 'Iced Tea', cents: 425, group: 'Soft Drinks' },
      { name: 'Coffee', cents: 450, group: 'Soft Drinks' },
      { name: 'Draft Lager', cents: 850, group: 'Bar' },
      { name: 'House Red', cents: 1350, group: 'Wine' },
      { name: 'Sauvignon Blanc', cents: 1450, group: 'Wine' },
      { name: 'Old Fashioned', cents: 1650, group: 'Bar' },
    ],
  },
  biscuits: {
    food: [
      { name: 'Chicken Biscuit', cents: 1095, group: 'Biscuits', modifiers: TOPPINGS },
      { name: 'Egg and Cheese Biscuit', cents: 895, group: 'Biscuits', modifiers: TOPPINGS },
      { name: 'Biscuits and Gravy', cents: 1195, group: 'Plates' },
      { name: 'Shrimp and Grits', cents: 1795, group: 'Plates' },
      { name: 'Country Ham Plate', cents: 1595, group: 'Plates', modifiers: SIDES },
      { name: 'Chicken Salad Sandwich', cents: 1395, group: 'Plates', modifiers: SIDES },
      { name: 'Cinnamon Roll', cents: 595, group: 'Bakery' },
    ],
    drinks: [
      { name: 'Drip Coffee', cents: 375, group: 'Coffee' },
      { name: 'Latte', cents: 575, group: 'Coffee' },
      { name: 'Sweet Tea', cents: 350, group: 'Cold Drinks' },
      { name: 'Orange Juice', cents: 495, group: 'Cold Drinks' },
    ],
  },
  slices: {
    food: [
      { name: 'Cheese Slice', cents: 425, group: 'Pizza', modifiers: TOPPINGS },
      { name: 'Pepperoni Slice', cents: 525, group: 'Pizza', modifiers: TOPPINGS },
      { name: 'Margherita Pie', cents: 2299, group: 'Pizza', modifiers: TOPPINGS },
      { name: 'Pepperoni Pie', cents: 2599, group: 'Pizza', modifiers: TOPPINGS },
      { name: 'Garlic Knots', cents: 699, group: 'Sides' },
      { name: 'Meatball Sub', cents: 1449, group: 'Sides' },
      { name: 'Chopped Salad', cents: 1249, group: 'Sides' },
      { name: 'Cannoli', cents: 549, group: 'Sides' },
    ],
    drinks: [
      { name: 'Fountain Soda', cents: 299, group: 'Drinks' },
      { name: 'Bottled Water', cents: 250, group: 'Drinks' },
      { name: 'Lemonade', cents: 399, group: 'Drinks' },
    ],
  },
  taqueria: {
    food: [
      { name: 'Carnitas Taco', cents: 525, group: 'Tacos', modifiers: TOPPINGS },
      { name: 'Fish Taco', cents: 595, group: 'Tacos', modifiers: TOPPINGS },
      { name: 'Super Burrito', cents: 1549, group: 'Burritos', modifiers: TOPPINGS },
      { name: 'Burrito Bowl', cents: 1595, group: 'Burritos', modifiers: TOPPINGS },
      { name: 'Quesadilla', cents: 1295, group: 'Burritos' },
      { name: 'Family Taco Box', cents: 3850, group: 'Tacos' },
      { name: 'Chips and Guacamole', cents: 795, group: 'Antojitos' },
      { name: 'Churros', cents: 649, group: 'Antojitos' },
    ],
    drinks: [
      { name: 'Horchata', cents: 450, group: 'Bebidas' },
      { name: 'Jamaica', cents: 450, group: 'Bebidas' },
      { name: 'Mexican Cola', cents: 425, group: 'Bebidas' },
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

interface MenuPart {
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
  biscuits: [
    { name: 'All Morning', groups: ['Biscuits', 'Plates', 'Bakery', { name: 'Coffee', groups: ['Cold Drinks'] }] },
  ],
  slices: [{ name: 'Counter', groups: ['Pizza', 'Sides', 'Drinks'] }],
  taqueria: [{ name: 'Taqueria', groups: ['Tacos', 'Burritos', 'Antojitos', 'Bebidas'] }],
  tavern: [
    { name: 'Kitchen', groups: ['Bites', 'Plates'] },
    { name: 'Bar', groups: ['Beer', 'Spirits'] },
  ],
};
