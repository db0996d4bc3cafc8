package caller

import (
	"context"

	"example.com/shop"
)

func Call(ctx context.Context, client *shop.Client) (any, error) {
	order, err := client.HeaderParameterLoosened.Get(ctx, "ord_1", &shop.HeaderParameterLoosenedGetParams{XLevel: 5})
	if err != nil {
		return nil, err
	}
	return order.Note, nil
}
