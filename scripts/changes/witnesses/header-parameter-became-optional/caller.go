package caller

import (
	"context"

	"example.com/shop"
)

func Call(ctx context.Context, client *shop.Client) (any, error) {
	order, err := client.HeaderParameterBecameOptional.Get(ctx, "ord_1", shop.HeaderParameterBecameOptionalGetParams{XRegion: "eu"})
	if err != nil {
		return nil, err
	}
	return order.Note, nil
}
