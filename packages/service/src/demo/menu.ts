/** What the demo's restaurants sell. Prices in cents. */

export interface MenuItem {
  name: string;
  cents: number;
  modifiers?: readonly Modifier[];
}
export interface Modifier {
  name: string;
  cents: number;
}

export type MenuName = 'kitchen' | 'slices' | 'tavern';

/** Food and drinks apart: a guest has about one of each. */
export interface Menu {
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

export const MENUS: Readonly<Record<MenuName, Menu>> = {
  kitchen: {
    food: [
      { name: 'Oysters, Half Dozen', cents: 2100 },
      { name: 'Clam Chowder', cents: 1150 },
      { name: 'Caesar Salad', cents: 1325 },
      { name: 'House Burger', cents: 1775, modifiers: SIDES },
      { name: 'Fried Chicken Sandwich', cents: 1595, modifiers: SIDES },
      { name: 'Steak Frites', cents: 3450, modifiers: TEMPERATURES },
      { name: 'Brisket Plate', cents: 2495, modifiers: SIDES },
      { name: 'Roast Salmon', cents: 2875 },
      { name: 'Mushroom Risotto', cents: 2260 },
      { name: 'Biscuits and Gravy', cents: 995 },
      { name: 'Key Lime Pie', cents: 925 },
    ],
    drinks: [
      { name: 'Iced Tea', cents: 375 },
      { name: 'Coffee', cents: 350 },
      { name: 'Draft Lager', cents: 750 },
      { name: 'House Red', cents: 1100 },
      { name: 'Sauvignon Blanc', cents: 1250 },
      { name: 'Old Fashioned', cents: 1450 },
    ],
  },
  slices: {
    food: [
      { name: 'Cheese Slice', cents: 395, modifiers: TOPPINGS },
      { name: 'Pepperoni Slice', cents: 475, modifiers: TOPPINGS },
      { name: 'Margherita Pie', cents: 1899, modifiers: TOPPINGS },
      { name: 'Garlic Knots', cents: 599 },
      { name: 'Carnitas Taco', cents: 425, modifiers: TOPPINGS },
      { name: 'Super Burrito', cents: 1249, modifiers: TOPPINGS },
      { name: 'Chopped Salad', cents: 1149 },
      { name: 'Churros', cents: 549 },
    ],
    drinks: [
      { name: 'Fountain Soda', cents: 279 },
      { name: 'Bottled Water', cents: 225 },
      { name: 'Horchata', cents: 399 },
      { name: 'Lemonade', cents: 349 },
    ],
  },
  tavern: {
    food: [
      { name: 'Wings', cents: 1395, modifiers: [{ name: 'Extra Hot', cents: 0 }, ...SIDES] },
      { name: 'Nachos', cents: 1275, modifiers: TOPPINGS },
      { name: 'Smash Burger', cents: 1450, modifiers: SIDES },
      { name: 'Fish and Chips', cents: 1795 },
      { name: 'Soft Pretzel', cents: 895 },
    ],
    drinks: [
      { name: 'Stout', cents: 725 },
      { name: 'Pale Ale', cents: 700 },
      { name: 'Lager', cents: 650 },
      { name: 'Gin and Tonic', cents: 1050 },
      { name: 'Whiskey Neat', cents: 1200 },
      { name: 'Margarita', cents: 1225 },
      { name: 'Alcohol-Free Beer', cents: 600 },
    ],
  },
};
