package caller

import (
	"context"

	"example.com/shop"
)

func Call(ctx context.Context, client *shop.Client) (any, error) {
	order, err := client.IdempotencyRemoved.Create(ctx, shop.IdempotencyRemovedParams{Item: "cup"})
	if err != nil {
		return nil, err
	}
	return order.Recognized, nil
}
