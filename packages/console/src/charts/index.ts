/** Draws figures: bars by hour, lines by date, and what both share, the frame and its scales. */
