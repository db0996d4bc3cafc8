package caller

import (
	"context"

	"example.com/shop"
)

func Call(ctx context.Context, client *shop.Client) (any, error) {
	order, err := client.HeaderParameterAdded.Get(ctx, "ord_1", &shop.HeaderParameterAddedGetParams{Page: 2})
	if err != nil {
		return nil, err
	}
	return order.Note, nil
}
