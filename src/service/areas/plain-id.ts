/** Ids of which it is sure, unchecked, that they cannot spoil the query that they share with other requests. */
export const plainId = /^\w{1,100}$/;
