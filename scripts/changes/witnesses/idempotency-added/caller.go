package caller

import (
	"context"

	"example.com/shop"
)

func Call(ctx context.Context, client *shop.Client) (any, error) {
	order, err := client.IdempotencyAdded.Create(ctx, shop.IdempotencyAddedParams{Item: "cup"})
	if err != nil {
		return nil, err
	}
	return order.Recognized, nil
}
