/** What the records of every family have. */
export interface Row {
  restaurantGuid: string;
  restaurantName?: string | undefined;
}
